//! Where things lie: the address space of the test program and the records in it.
//!
//! The same addresses hold natively, under our kernel, and for the bare core: a case pushes and
//! faults with addresses that must be equal. Everything not named here is unmapped or never
//! addressed by a case.

/// Code of the frame that runs the cases.
pub const TEXT: u32 = 0x1000_0000;
/// The variables and stacks of that frame.
pub const DATA: u32 = 0x1001_0000;
pub const DATA_BYTES: u32 = 0x3_0000;
/// Input records, one after another.
pub const INPUTS: u32 = 0x1100_0000;
/// Output records.
pub const OUTPUTS: u32 = 0x1200_0000;
/// What memory operands address: two pages with unmapped pages on both sides.
pub const SCRATCH: u32 = 0x2000_0000;
pub const SCRATCH_BYTES: u32 = 0x2000;
/// Base of the segment in GS, with which 16-bit offsets reach the scratch pages.
pub const GS_BASE: u32 = SCRATCH - 0x8000;
/// The instructions, one slot for each case.
pub const CODE: u32 = 0x3000_0000;
/// Where jumps go that are to fault: never mapped.
pub const NOWHERE: u32 = 0x4000_0000;

/// Cases in one program; the case number modulo this is its slot.
pub const BATCH: u64 = 16384;
pub const SLOT_BYTES: u32 = 64;
/// Places in a slot: the first landing, the instruction, the second landing.
pub const LANDING_A: u32 = 0;
pub const ENTRY: u32 = 16;
pub const LANDING_B: u32 = 48;

/// Bytes of scratch memory that are set before a case and recorded after it.
pub const WINDOW_BYTES: usize = 256;
/// FNSAVE image, 32-bit protected format.
pub const FPU_BYTES: usize = 108;
pub const RECORD_BYTES: usize = 512;

/// Places in an input record.
pub mod input {
    pub const GENERAL: i32 = 0;
    pub const EFLAGS: i32 = 32;
    pub const ENTRY: i32 = 36;
    pub const WINDOW_ADDRESS: i32 = 40;
    /// 1: ES holds the selector of GS.
    pub const ES_IS_GS: i32 = 44;
    pub const FPU: i32 = 64;
    pub const WINDOW: i32 = 192;
}

/// Places in an output record.
pub mod output {
    pub const GENERAL: i32 = 0;
    pub const EFLAGS: i32 = 32;
    /// Which landing was reached, or `FAULT`.
    pub const EXIT: i32 = 36;
    pub const EIP: i32 = 40;
    pub const VECTOR: i32 = 44;
    pub const ERROR: i32 = 48;
    pub const CR2: i32 = 52;
    /// DS, ES, FS, GS, a word each.
    pub const SEGMENTS: i32 = 56;
    pub const FPU: i32 = 64;
    pub const SIGNAL: i32 = 176;
    pub const WINDOW: i32 = 192;
}

/// `EXIT` of a case that fell through, or reached a landing, or faulted.
pub const EXIT_FELL_THROUGH: u32 = 0;
pub const EXIT_LANDING_A: u32 = 1;
pub const EXIT_LANDING_B: u32 = 2;
pub const EXIT_FAULT: u32 = 3;

/// Selectors of an i386 program on x86-64 Linux (arch/x86/include/asm/segment.h).
pub mod selector {
    pub const CODE: u16 = 0x23;
    pub const DATA: u16 = 0x2B;
    pub const TLS: u16 = 0x63;
}

/// Address of a case's slot.
pub fn slot(case: u64) -> u32 {
    CODE + (case % BATCH) as u32 * SLOT_BYTES
}
