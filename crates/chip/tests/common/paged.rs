//! The start of kernels that use paging and interrupts.

use iced_x86::IcedError;
use iced_x86::code_asm::*;
use rockcreek_defs::{CoreAddr, CoreId};

use super::{BASE, Machine};

/// The address of the code, behind the multiboot header.
pub const CODE: u32 = BASE + 12;
const GDT: u32 = 0x20_0000;
const IDT: u32 = 0x20_0800;
pub const POINTERS: u32 = 0x20_0F00;
pub const DIRECTORY: u32 = 0x20_1000;
pub const TABLE: u32 = 0x20_2000;
/// A page directory that maps with 4 KB pages only, and its tables.
pub const SMALL_DIRECTORY: u32 = 0x20_3000;
const SMALL_TABLES: u32 = 0x27_0000;
const STACK: u32 = 0x21_0000;

pub const APIC_EOI: u32 = 0xFEE0_00B0;
pub const APIC_SPURIOUS: u32 = 0xFEE0_00F0;
pub const APIC_TIMER: u32 = 0xFEE0_0320;
pub const APIC_INITIAL_COUNT: u32 = 0xFEE0_0380;
pub const APIC_DIVIDE: u32 = 0xFEE0_03E0;

/// A kernel: its image, and its interrupt handlers.
pub struct Image {
    pub code: Vec<u8>,
    pub handlers: Vec<(u8, u32)>,
}

/// Emits the loading of tables and stack, and turns paging and caches on.
pub fn prologue(a: &mut CodeAssembler) -> Result<(), IcedError> {
    a.lgdt(fword_ptr(POINTERS))?;
    // A far jump to the next instruction, which loads the table's code segment.
    let [b0, b1, b2, b3] = (CODE + 14).to_le_bytes();
    a.db(&[0xEA, b0, b1, b2, b3, 8, 0])?;
    a.lidt(fword_ptr(POINTERS + 8))?;
    a.mov(esp, STACK)?;
    a.mov(eax, DIRECTORY)?;
    a.mov(cr3, eax)?;
    a.mov(eax, 0x10u32)?;
    a.mov(cr4, eax)?;
    a.mov(eax, 0x8000_0001u32)?;
    a.mov(cr0, eax)
}

/// Emits the computation of the next random number in `register`.
pub fn random(a: &mut CodeAssembler, register: AsmRegister32) -> Result<(), IcedError> {
    a.imul_3(register, register, 1_664_525)?;
    a.add(register, 1_013_904_223)
}

/// Writes the tables that kernels need: descriptors and page tables. The 4 MB at each of the
/// addresses in `uncached`, and the registers, are uncached.
pub fn poke_tables(chip: &mut Machine, core: CoreId, handlers: &[(u8, u32)], uncached: &[u32]) {
    let mut poke = |address: u32, words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(chip.uncore.poke(core, CoreAddr(address), &bytes));
    };
    // Code, data, and a data segment of 128 KB that begins at 240000h.
    poke(GDT, &[0, 0, 0xFFFF, 0x00CF_9A00, 0xFFFF, 0x00CF_9200, 0xFFFF, 0x0041_9224]);
    poke(POINTERS, &[31 | GDT << 16, GDT >> 16, 0x1FF | IDT << 16, IDT >> 16]);
    for (vector, handler) in handlers {
        let gate = IDT + 8 * u32::from(*vector);
        poke(gate, &[8 << 16 | handler & 0xFFFF, handler & 0xFFFF_0000 | 0x8E00]);
    }
    let pages: Vec<u32> = (0..1024).map(|page| page << 12 | 3).collect();
    poke(TABLE, &pages);
    poke(DIRECTORY, &[TABLE | 3]);
    // Present, writable, uncached, 4 MB.
    let large = |entry: u32| (DIRECTORY + 4 * entry, [entry << 22 | 0x93]);
    for (address, entry) in uncached.iter().map(|at| at >> 22).chain(0x380..0x400).map(large) {
        poke(address, &entry);
    }
}

/// A second directory with the same first 4 MB: for each of the others, the address and the bits of
/// all entries of a table.
pub fn poke_small_tables(chip: &mut Machine, core: CoreId, others: &[(u32, u32)]) {
    let mut poke = |address: u32, words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(chip.uncore.poke(core, CoreAddr(address), &bytes));
    };
    poke(SMALL_DIRECTORY, &[TABLE | 3]);
    for (table, (address, bits)) in (SMALL_TABLES..).step_by(4096).zip(others) {
        poke(SMALL_DIRECTORY + 4 * (address >> 22), &[table | 3]);
        let pages: Vec<u32> = (0..1024).map(|page| (address + (page << 12)) | bits | 3).collect();
        poke(table, &pages);
    }
}
