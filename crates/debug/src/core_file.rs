//! Core files: one core's registers and memory as an ELF file that gdb opens.
//!
//! Format: `sysv-abi-i386` (ELF, program headers, notes) with the contents that Linux gives the
//! notes NT_PRSTATUS, NT_PRPSINFO and NT_FPREGSET of an i386 process (its `elfcore.h`). A core has
//! an address space of its own, so it has a file of its own; its only thread is number core + 1, as
//! in gdb's sessions.
//!
//! Memory is what this core would read: its caches first, stale or not. Pages behind which are
//! registers are left out. With paging off addresses are physical, and only those megabytes are
//! in the file in which anything was ever written. Pages of zeros are holes of the file, which is
//! sparse where the host's file system has that.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Error, Result, Seek, SeekFrom, Write};

use object::LittleEndian;
use object::elf;
use object::pod::bytes_of;
use rockcreek_cpu::{Core, MappedPage, cr0};
use rockcreek_defs::{CoreAddr, CoreId, LINE_BYTES};

use crate::gdb_target::Machine;
use crate::x86_registers::CoreRegisters;

const PAGE_BYTES: usize = 4096;
/// The size of the blocks of unpaged memory that are left out or written as a whole.
const BLOCK_BYTES: u32 = 1 << 20;
const NOTE_ALIGN: usize = 4;
const HEADER_BYTES: usize = size_of::<elf::FileHeader32<LittleEndian>>();
const PROGRAM_HEADER_BYTES: usize = size_of::<elf::ProgramHeader32<LittleEndian>>();
/// PN_XNUM: from here on e_phnum would mean something else.
const MOST_PIECES: usize = 0xFFFF - 1;
/// In the notes' text fields a final zero is kept.
const NAME_BYTES: usize = 16;
const ARGUMENTS_BYTES: usize = 80;

/// Registers of the program that the dump is of, where they are not those that the core has now:
/// its kernel has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramRegisters {
    /// EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI.
    pub general: [u32; 8],
    pub eip: u32,
    pub eflags: u32,
    /// CS, SS, DS, ES, FS, GS.
    pub segments: [u32; 6],
}

/// The data of a core file that the chip does not have.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    pub registers: Option<ProgramRegisters>,
    /// Only pages that ring 3 may use.
    pub user_only: bool,
    /// The number of the signal that ended the program, as in Linux; 0 if none did.
    pub signal: u16,
    pub name: String,
    pub arguments: String,
}

/// Adjacent pages of the same rights.
struct Piece {
    start: u32,
    pages: Vec<CoreAddr>,
    writable: bool,
}

/// Writes the file. The chip stands still, its cores settled.
pub fn write(chip: &Machine, core: CoreId, subject: &Subject, file: &mut File) -> Result<()> {
    let pieces = pieces(chip, core, subject.user_only);
    if pieces.len() > MOST_PIECES {
        return Err(Error::other(
            "the core's memory is mapped in more pieces than a file can have",
        ));
    }
    let notes = notes(&chip.slot(core).processor, core, subject);
    let headers = HEADER_BYTES + PROGRAM_HEADER_BYTES * (pieces.len() + 1);
    let mut offset = (headers + notes.len()).next_multiple_of(PAGE_BYTES);
    file.write_all(bytes_of(&file_header(pieces.len() + 1)))?;
    let note = program_header(elf::PT_NOTE, headers, 0, notes.len(), elf::PF_R);
    file.write_all(bytes_of(&note))?;
    for piece in &pieces {
        let bytes = piece.pages.len() * PAGE_BYTES;
        let write = if piece.writable { elf::PF_W } else { elf::ProgramFlags(0) };
        let rights = elf::PF_R | elf::PF_X | write;
        file.write_all(bytes_of(&program_header(
            elf::PT_LOAD,
            offset,
            piece.start,
            bytes,
            rights,
        )))?;
        offset = checked_sum(offset, bytes)?;
    }
    file.write_all(&notes)?;
    let held = held_lines(&chip.slot(core).processor);
    let mut at = ((headers + notes.len()).next_multiple_of(PAGE_BYTES)) as u64;
    for frame in pieces.iter().flat_map(|piece| &piece.pages) {
        let page = page(chip, core, *frame, &held);
        if page.iter().any(|byte| *byte != 0) {
            file.seek(SeekFrom::Start(at))?;
            file.write_all(&page)?;
        }
        at += PAGE_BYTES as u64;
    }
    file.set_len(at)
}

fn checked_sum(offset: usize, bytes: usize) -> Result<usize> {
    let sum = offset.checked_add(bytes).filter(|sum| u32::try_from(*sum).is_ok());
    sum.ok_or_else(|| Error::other("the core's memory is more than a 32-bit ELF file can hold"))
}

fn pieces(chip: &Machine, core: CoreId, user_only: bool) -> Vec<Piece> {
    let memory = |addr: CoreAddr| {
        let mut byte = [0];
        chip.uncore.peek(core, addr, &mut byte).then_some(byte[0])
    };
    let processor = &chip.slot(core).processor;
    let paged = processor.registers().cr0 & cr0::PG != 0;
    let blocks = if paged { BTreeSet::new() } else { touched_blocks(chip, core) };
    let mut pieces: Vec<Piece> = Vec::new();
    for page in processor.mapped_pages(&memory) {
        let MappedPage { linear, frame, user, writable } = page;
        let wanted =
            if paged { user || !user_only } else { blocks.contains(&(linear / BLOCK_BYTES)) };
        if !wanted || memory(frame).is_none() {
            continue;
        }
        let next =
            |piece: &Piece| piece.start.wrapping_add((piece.pages.len() * PAGE_BYTES) as u32);
        match pieces.last_mut() {
            Some(last) if next(last) == linear && last.writable == writable => {
                last.pages.push(frame);
            }
            _ => pieces.push(Piece { start: linear, pages: vec![frame], writable }),
        }
    }
    pieces
}

/// Numbers of the megabytes that may hold more than zeros, in memory or in this core's caches.
fn touched_blocks(chip: &Machine, core: CoreId) -> BTreeSet<u32> {
    let block = |addr: CoreAddr| addr.0 / BLOCK_BYTES;
    let pages = (0..=u32::MAX).step_by(PAGE_BYTES).map(CoreAddr);
    let in_memory = pages.filter(|page| chip.uncore.touched(core, *page)).map(block);
    let held = held_lines(&chip.slot(core).processor);
    in_memory.chain(held.into_iter().map(block)).collect()
}

fn held_lines(processor: &Core) -> BTreeSet<CoreAddr> {
    processor.caches().lines().map(|line| line.address).collect()
}

/// A page as this core sees it.
fn page(chip: &Machine, core: CoreId, frame: CoreAddr, held: &BTreeSet<CoreAddr>) -> Vec<u8> {
    let mut bytes = vec![0; PAGE_BYTES];
    chip.uncore.peek(core, frame, &mut bytes);
    let end = CoreAddr(frame.0 | (PAGE_BYTES as u32 - 1));
    for line in held.range(frame..=end) {
        let start = (line.0 - frame.0) as usize;
        for (n, byte) in bytes[start..start + LINE_BYTES].iter_mut().enumerate() {
            let at = CoreAddr(line.0 + n as u32);
            *byte = chip.slot(core).processor.caches().peek(at).unwrap_or(*byte);
        }
    }
    bytes
}

fn file_header(pieces: usize) -> elf::FileHeader32<LittleEndian> {
    elf::FileHeader32 {
        e_ident: elf::Ident {
            magic: elf::ELFMAG,
            class: elf::ELFCLASS32,
            data: elf::ELFDATA2LSB,
            version: elf::EV_CURRENT,
            // gdb takes the notes for those of Linux.
            os_abi: elf::ELFOSABI_LINUX,
            abi_version: 0,
            padding: [0; 7],
        },
        e_type: elf::ET_CORE.into(),
        e_machine: elf::EM_386.into(),
        e_version: u32::from(elf::EV_CURRENT.0).into(),
        e_entry: 0.into(),
        e_phoff: (HEADER_BYTES as u32).into(),
        e_shoff: 0.into(),
        e_flags: elf::FileFlags(0).into(),
        e_ehsize: (HEADER_BYTES as u16).into(),
        e_phentsize: (PROGRAM_HEADER_BYTES as u16).into(),
        e_phnum: (pieces as u16).into(),
        e_shentsize: 0.into(),
        e_shnum: 0.into(),
        e_shstrndx: elf::SymbolSection(0).into(),
    }
}

fn program_header(
    kind: elf::ProgramType,
    offset: usize,
    start: u32,
    bytes: usize,
    rights: elf::ProgramFlags,
) -> elf::ProgramHeader32<LittleEndian> {
    let in_memory = if kind == elf::PT_LOAD { bytes as u32 } else { 0 };
    let align = if kind == elf::PT_LOAD { PAGE_BYTES as u32 } else { NOTE_ALIGN as u32 };
    elf::ProgramHeader32 {
        p_type: kind.into(),
        p_offset: (offset as u32).into(),
        p_vaddr: start.into(),
        p_paddr: 0.into(),
        p_filesz: (bytes as u32).into(),
        p_memsz: in_memory.into(),
        p_flags: rights.into(),
        p_align: align.into(),
    }
}

/// The three notes, in the order in which gdb expects a thread's.
fn notes(processor: &Core, core: CoreId, subject: &Subject) -> Vec<u8> {
    let now = CoreRegisters::of(processor);
    let registers = subject.registers.unwrap_or(ProgramRegisters {
        general: now.general,
        // Linear, as in gdb's sessions.
        eip: now.pc,
        eflags: now.eflags,
        segments: now.segments,
    });
    let mut notes = Vec::new();
    note(&mut notes, elf::NT_PRSTATUS.0, &status(&registers, core, subject.signal));
    note(&mut notes, elf::NT_PRPSINFO.0, &information(core, subject));
    note(&mut notes, elf::NT_FPREGSET.0, &floating_point(&now));
    notes
}

fn note(notes: &mut Vec<u8>, kind: u32, contents: &[u8]) {
    let name = b"CORE\0";
    for word in [name.len() as u32, contents.len() as u32, kind] {
        notes.extend(word.to_le_bytes());
    }
    for part in [&name[..], contents] {
        notes.extend(part);
        notes.resize(notes.len().next_multiple_of(NOTE_ALIGN), 0);
    }
}

fn thread(core: CoreId) -> u32 {
    u32::from(core.0) + 1
}

/// `struct elf_prstatus`: the signal, ids, times (zero here), then the registers.
fn status(registers: &ProgramRegisters, core: CoreId, signal: u16) -> Vec<u8> {
    let [eax, ecx, edx, ebx, esp, ebp, esi, edi] = registers.general;
    let [cs, ss, ds, es, fs, gs] = registers.segments;
    let (signal, no_system_call) = (u32::from(signal), u32::MAX);
    let mut words = vec![signal, 0, 0, signal, 0, 0, thread(core), 0, 0, 0];
    words.extend([0; 8]);
    words.extend([ebx, ecx, edx, esi, edi, ebp, eax, ds, es, fs, gs, no_system_call]);
    words.extend([registers.eip, cs, registers.eflags, esp, ss]);
    let floating_point_follows = 1;
    words.push(floating_point_follows);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// `struct elf_prpsinfo`: state, flags, ids, then name and arguments as text.
fn information(core: CoreId, subject: &Subject) -> Vec<u8> {
    let mut bytes = vec![0, b'R', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for word in [thread(core), 0, 0, 0] {
        bytes.extend(word.to_le_bytes());
    }
    for (text, size) in [(&subject.name, NAME_BYTES), (&subject.arguments, ARGUMENTS_BYTES)] {
        let end = bytes.len() + size;
        bytes.extend(text.bytes().take(size - 1));
        bytes.resize(end, 0);
    }
    bytes
}

/// `struct user_i387_struct`: what FSAVE stores in 32-bit protected mode.
fn floating_point(registers: &CoreRegisters) -> Vec<u8> {
    let [control, status, tags, code, at, data, operand, opcode] = registers.x87;
    let high = |word: u32| word | 0xFFFF_0000;
    let mut bytes = Vec::new();
    let words = [high(control), high(status), high(tags), at, code | opcode << 16, operand];
    for word in words.into_iter().chain([high(data)]) {
        bytes.extend(word.to_le_bytes());
    }
    for value in &registers.st {
        bytes.extend(value.significand.to_le_bytes());
        bytes.extend(value.sign_exponent.to_le_bytes());
    }
    bytes
}
