//! Static 32-bit x86 ELF images.

use object::LittleEndian;
use object::elf::{self, FileHeader32};
use object::read::elf::{FileHeader, ProgramHeader};

use crate::error::ImageError;

/// One loadable segment: bytes at a physical address, then zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment<'a> {
    pub address: u32,
    pub bytes: &'a [u8],
    pub memory_bytes: u32,
}

impl Segment<'_> {
    pub fn end(&self) -> u64 {
        u64::from(self.address) + u64::from(self.memory_bytes)
    }
}

/// A checked kernel image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel<'a> {
    pub(crate) segments: Vec<Segment<'a>>,
    /// Where execution starts.
    pub entry: u32,
}

/// The length in bytes of the header's part that identifies the machine, equal for all ELF files.
const IDENTIFICATION_BYTES: usize = 20;
/// Offsets of word size and byte order in it.
const CLASS: usize = 4;
const DATA: usize = 5;

impl<'a> Kernel<'a> {
    /// Checks a file and finds its segments, by physical address.
    pub fn parse(file: &'a [u8]) -> Result<Kernel<'a>, ImageError> {
        check_identification(file)?;
        let truncated = |part: &str, end: u64| ImageError::Truncated {
            part: part.into(),
            end,
            length: file.len() as u64,
        };
        let header_end = size_of::<FileHeader32<LittleEndian>>() as u64;
        let header = FileHeader32::<LittleEndian>::parse(file)
            .map_err(|_| truncated("its header", header_end))?;
        match header.e_type(LittleEndian) {
            elf::ET_EXEC => {}
            elf::ET_DYN => return Err(ImageError::Dynamic),
            elf::ET_REL => return Err(ImageError::NotExecutable("an object file")),
            _ => return Err(ImageError::NotExecutable("another kind of ELF file")),
        }
        let table_end = u64::from(header.e_phoff(LittleEndian))
            + u64::from(header.e_phnum(LittleEndian)) * u64::from(header.e_phentsize(LittleEndian));
        let headers = header
            .program_headers(LittleEndian, file)
            .map_err(|_| truncated("its program headers", table_end))?;
        let mut segments = Vec::new();
        for (n, part) in headers.iter().enumerate() {
            match part.p_type(LittleEndian) {
                elf::PT_INTERP | elf::PT_DYNAMIC => return Err(ImageError::Dynamic),
                elf::PT_LOAD if part.p_memsz(LittleEndian) > 0 => {
                    let end = u64::from(part.p_offset(LittleEndian))
                        + u64::from(part.p_filesz(LittleEndian));
                    let bytes = part
                        .data(LittleEndian, file)
                        .map_err(|()| truncated(&format!("segment {n}"), end))?;
                    let memory_bytes = part.p_memsz(LittleEndian).max(bytes.len() as u32);
                    let address = part.p_paddr(LittleEndian);
                    segments.push(Segment { address, bytes, memory_bytes });
                }
                _ => {}
            }
        }
        let entry = header.e_entry(LittleEndian);
        check_segments(&segments, entry)?;
        Ok(Kernel { segments, entry })
    }

    /// The first address after the image.
    pub(crate) fn end(&self) -> u64 {
        self.segments.iter().map(Segment::end).max().unwrap_or(0)
    }
}

fn check_identification(file: &[u8]) -> Result<(), ImageError> {
    if !file.starts_with(&elf::ELFMAG) {
        return Err(ImageError::NotElf);
    }
    let Some(start) = file.first_chunk::<IDENTIFICATION_BYTES>() else {
        let (end, length) = (IDENTIFICATION_BYTES as u64, file.len() as u64);
        return Err(ImageError::Truncated { part: "its header".into(), end, length });
    };
    let little = start[DATA] == elf::ELFDATA2LSB.0;
    let machine = [start[18], start[19]];
    let machine = if little { u16::from_le_bytes(machine) } else { u16::from_be_bytes(machine) };
    let name = match elf::Machine(machine) {
        elf::EM_386 if little && start[CLASS] == elf::ELFCLASS32.0 => return Ok(()),
        elf::EM_X86_64 => "x86-64".to_owned(),
        elf::EM_AARCH64 => "aarch64".to_owned(),
        elf::EM_ARM => "arm".to_owned(),
        elf::EM_RISCV => "riscv".to_owned(),
        elf::Machine(other) => format!("machine number {other}"),
    };
    Err(ImageError::WrongMachine(name))
}

fn check_segments(segments: &[Segment], entry: u32) -> Result<(), ImageError> {
    if segments.is_empty() {
        return Err(ImageError::Empty);
    }
    // In the order of addresses, so that a file of many segments is checked as fast as it is read.
    let mut order: Vec<usize> = (0..segments.len()).collect();
    order.sort_by_key(|n| segments[*n].address);
    let mut reaches = order[0];
    for n in order.into_iter().skip(1) {
        let address = segments[n].address;
        if u64::from(address) < segments[reaches].end() {
            let (first, second) = (n.min(reaches), n.max(reaches));
            return Err(ImageError::Overlap { first, second, address });
        }
        reaches = n;
    }
    let inside = |part: &Segment| part.address <= entry && u64::from(entry) < part.end();
    if segments.iter().any(inside) { Ok(()) } else { Err(ImageError::Entry(entry)) }
}
