//! The register file as boot loaders, debuggers and observers see it.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapters 3 and 10.

use serde::{Deserialize, Serialize};

use crate::registers::segment::Segment;

/// Numbers of the general registers as instructions encode them.
pub mod gpr {
    pub const EAX: usize = 0;
    pub const ECX: usize = 1;
    pub const EDX: usize = 2;
    pub const EBX: usize = 3;
    pub const ESP: usize = 4;
    pub const EBP: usize = 5;
    pub const ESI: usize = 6;
    pub const EDI: usize = 7;
}

/// Numbers of the segment registers as instructions encode them.
pub mod sreg {
    pub const ES: usize = 0;
    pub const CS: usize = 1;
    pub const SS: usize = 2;
    pub const DS: usize = 3;
    pub const FS: usize = 4;
    pub const GS: usize = 5;
}

/// CR0 bits.
pub mod cr0 {
    pub const PE: u32 = 1 << 0;
    pub const MP: u32 = 1 << 1;
    pub const EM: u32 = 1 << 2;
    pub const TS: u32 = 1 << 3;
    pub const ET: u32 = 1 << 4;
    pub const NE: u32 = 1 << 5;
    pub const WP: u32 = 1 << 16;
    pub const AM: u32 = 1 << 18;
    pub const NW: u32 = 1 << 29;
    pub const CD: u32 = 1 << 30;
    pub const PG: u32 = 1 << 31;
    /// The bits of CR0 that exist; the others read as zero.
    pub const EXISTING: u32 = PE | MP | EM | TS | ET | NE | WP | AM | NW | CD | PG;
}

/// CR4 bits of the P54C, and the SCC's own.
pub mod cr4 {
    pub const VME: u32 = 1 << 0;
    pub const PVI: u32 = 1 << 1;
    pub const TSD: u32 = 1 << 2;
    pub const DE: u32 = 1 << 3;
    pub const PSE: u32 = 1 << 4;
    pub const MCE: u32 = 1 << 6;
    /// Enables the PMB bit of page table entries (SCC).
    pub const MPE: u32 = 1 << 11;
    /// The bits of CR4 that may be set; setting another raises #GP.
    pub const EXISTING: u32 = VME | PVI | TSD | DE | PSE | MCE | MPE;
}

/// GDTR or IDTR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRegister {
    pub base: u32,
    pub limit: u16,
}

/// The registers of the core that a program can observe, except those of the x87 and the APIC, and
/// the MSRs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registers {
    /// EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI.
    pub general: [u32; 8],
    pub eip: u32,
    pub eflags: u32,
    /// ES, CS, SS, DS, FS, GS with their hidden parts.
    pub segments: [Segment; 6],
    pub ldtr: Segment,
    pub tr: Segment,
    pub gdtr: TableRegister,
    pub idtr: TableRegister,
    pub cr0: u32,
    pub cr2: u32,
    pub cr3: u32,
    pub cr4: u32,
    /// DR0..DR7.
    pub debug: [u32; 8],
}
