//! Multiboot 1: the header that a kernel carries, the information that it finds in memory.

use serde::{Deserialize, Serialize};

use crate::elf::Kernel;
use crate::error::ImageError;

const HEADER_MAGIC: u32 = 0x1BAD_B002;
const HEADER_SEARCH_BYTES: usize = 8192;
/// The lower half of the header's flags must be understood: page-aligned modules and memory
/// information are, video modes are not.
const REQUIRED_FEATURES: u32 = 0xFFFF;
const KNOWN_FEATURES: u32 = 0b011;
const LOADER_MAGIC: u32 = 0x2BAD_B002;

/// Bits of the information's flags.
const INFO_MEMORY: u32 = 1 << 0;
const INFO_COMMAND_LINE: u32 = 1 << 2;
const INFO_MODULES: u32 = 1 << 3;
const INFO_MEMORY_MAP: u32 = 1 << 6;
const INFO_LOADER_NAME: u32 = 1 << 9;
const INFO_BYTES: u32 = 88;
const MODULE_ENTRY_BYTES: u32 = 16;
const MAP_ENTRY_BYTES: u32 = 24;
const MAP_AVAILABLE: u32 = 1;
const LOADER_NAME: &[u8] = b"rockcreek\0";

const PAGE_BYTES: u64 = 4096;
/// What a PC has as conventional memory, and where the rest begins.
const LOWER_BYTES: u32 = 640 << 10;
const UPPER_START: u32 = 1 << 20;

/// A core's memory as the loader sees it.
pub trait Memory {
    /// Writes bytes at a core-physical address; false if there is no memory.
    fn write(&mut self, address: u32, bytes: &[u8]) -> bool;
    /// Makes `bytes` from a core-physical address on zero, as far as there is memory.
    fn clear(&mut self, address: u32, bytes: u32);
}

/// A file for the kernel, and the string that comes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Module<'a> {
    pub bytes: &'a [u8],
    pub name: &'a str,
}

/// Registers at the kernel's entry; all others as multiboot says: flat 32-bit segments, no
/// paging, interrupts off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryState {
    pub eip: u32,
    pub eax: u32,
    pub ebx: u32,
}

fn check_header(file: &[u8]) -> Result<(), ImageError> {
    let head = &file[..file.len().min(HEADER_SEARCH_BYTES)];
    let words: Vec<u32> = head
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
        .collect();
    let header = words.windows(3).find(|header| {
        header[0] == HEADER_MAGIC && header[0].wrapping_add(header[1]).wrapping_add(header[2]) == 0
    });
    let flags = header.ok_or(ImageError::NoMultibootHeader)?[1];
    match flags & REQUIRED_FEATURES & !KNOWN_FEATURES {
        0 => Ok(()),
        unknown => Err(ImageError::Features(unknown)),
    }
}

/// Hands out memory above the kernel.
struct Allocator {
    next: u64,
    end: u64,
}

impl Allocator {
    fn take(&mut self, what: &str, bytes: u64, align: u64) -> Result<u32, ImageError> {
        let start = self.next.next_multiple_of(align);
        if start + bytes > self.end {
            let free = self.end.saturating_sub(start);
            return Err(ImageError::TooLarge { what: what.into(), bytes, free });
        }
        self.next = start + bytes;
        Ok(start as u32)
    }
}

struct Writer<'a>(&'a mut dyn Memory);

impl Writer<'_> {
    fn bytes(&mut self, address: u32, bytes: &[u8]) -> Result<(), ImageError> {
        if self.0.write(address, bytes) { Ok(()) } else { Err(ImageError::NoMemory(address)) }
    }

    fn words(&mut self, address: u32, words: &[u32]) -> Result<(), ImageError> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.bytes(address, &bytes)
    }

    fn text(&mut self, address: u32, text: &str) -> Result<(), ImageError> {
        self.bytes(address, text.as_bytes())?;
        self.bytes(address + text.len() as u32, &[0])
    }
}

/// Where everything goes that a kernel is given.
struct Layout {
    info: u32,
    map: u32,
    module_table: u32,
    loader: u32,
    command_line: u32,
    names: Vec<u32>,
    modules: Vec<u32>,
}

impl Layout {
    fn above(
        kernel: &Kernel,
        command_line: &str,
        modules: &[Module],
        private_bytes: u64,
    ) -> Result<Layout, ImageError> {
        let first_free = kernel.end().max(u64::from(UPPER_START)).next_multiple_of(PAGE_BYTES);
        let mut free = Allocator { next: first_free, end: private_bytes };
        let text_bytes = |text: &str| text.len() as u64 + 1;
        let table_bytes = u64::from(MODULE_ENTRY_BYTES) * modules.len() as u64;
        let mut layout = Layout {
            info: free.take("the boot information", INFO_BYTES.into(), 4)?,
            map: free.take("the memory map", u64::from(2 * MAP_ENTRY_BYTES), 4)?,
            module_table: free.take("the module table", table_bytes, 4)?,
            loader: free.take("the loader's name", LOADER_NAME.len() as u64, 4)?,
            command_line: free.take("the command line", text_bytes(command_line), 4)?,
            names: vec![],
            modules: vec![],
        };
        for module in modules {
            layout.names.push(free.take("a module's name", text_bytes(module.name), 4)?);
        }
        for module in modules {
            let what = format!("module {}", module.name);
            layout.modules.push(free.take(&what, module.bytes.len() as u64, PAGE_BYTES)?);
        }
        Ok(layout)
    }
}

/// Loads a kernel with its command line and modules into `private_bytes` of memory from
/// address 0 on. Nothing has been written if the image is malformed or does not fit.
pub fn load(
    kernel_file: &[u8],
    command_line: &str,
    modules: &[Module],
    private_bytes: u64,
    memory: &mut dyn Memory,
) -> Result<EntryState, ImageError> {
    let kernel = Kernel::parse(kernel_file)?;
    check_header(kernel_file)?;
    check_places(&kernel, private_bytes)?;
    let layout = Layout::above(&kernel, command_line, modules, private_bytes)?;
    let mut writer = Writer(memory);
    for segment in &kernel.segments {
        writer.bytes(segment.address, segment.bytes)?;
        let length = segment.bytes.len() as u32;
        writer.0.clear(segment.address + length, segment.memory_bytes - length);
    }
    writer.bytes(layout.loader, LOADER_NAME)?;
    writer.text(layout.command_line, command_line)?;
    for (n, module) in modules.iter().enumerate() {
        let (name, start) = (layout.names[n], layout.modules[n]);
        writer.text(name, module.name)?;
        writer.bytes(start, module.bytes)?;
        let entry = layout.module_table + MODULE_ENTRY_BYTES * n as u32;
        writer.words(entry, &[start, start + module.bytes.len() as u32, name, 0])?;
    }
    write_information(&mut writer, &layout, private_bytes)?;
    Ok(EntryState { eip: kernel.entry, eax: LOADER_MAGIC, ebx: layout.info })
}

/// Checks that each segment lies in the private memory, and outside the hole below 1 MB.
fn check_places(kernel: &Kernel, private_bytes: u64) -> Result<(), ImageError> {
    for (n, segment) in kernel.segments.iter().enumerate() {
        let (start, end) = (u64::from(segment.address), segment.end());
        let lower = end <= u64::from(LOWER_BYTES);
        let upper = start >= u64::from(UPPER_START) && end <= private_bytes;
        if !lower && !upper {
            let memory = private_bytes;
            return Err(ImageError::OutsideMemory { segment: n, start, end, memory });
        }
    }
    Ok(())
}

/// Writes the boot information and the memory map.
fn write_information(
    writer: &mut Writer,
    layout: &Layout,
    private_bytes: u64,
) -> Result<(), ImageError> {
    let upper_bytes = private_bytes - u64::from(UPPER_START);
    let (upper_low, upper_high) = (upper_bytes as u32, (upper_bytes >> 32) as u32);
    let entry_size = MAP_ENTRY_BYTES - 4;
    writer.words(layout.map, &[entry_size, 0, 0, LOWER_BYTES, 0, MAP_AVAILABLE])?;
    let upper = [entry_size, UPPER_START, 0, upper_low, upper_high, MAP_AVAILABLE];
    writer.words(layout.map + MAP_ENTRY_BYTES, &upper)?;

    let mut words = [0; INFO_BYTES as usize / 4];
    words[0] = INFO_MEMORY | INFO_COMMAND_LINE | INFO_MODULES | INFO_MEMORY_MAP | INFO_LOADER_NAME;
    words[1] = LOWER_BYTES >> 10;
    words[2] = (upper_bytes >> 10) as u32;
    words[4] = layout.command_line;
    words[5] = layout.modules.len() as u32;
    words[6] = layout.module_table;
    words[11] = 2 * MAP_ENTRY_BYTES;
    words[12] = layout.map;
    words[16] = layout.loader;
    writer.words(layout.info, &words)
}
