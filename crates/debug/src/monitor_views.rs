//! The output of `monitor` commands: buffers, tables, caches and registers of a stopped chip.

use std::fmt::Write;

use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter};
use rockcreek_chip::Slot;
use rockcreek_cpu::{Core, Segment, cr0, segment::attribute, sreg};
use rockcreek_defs::{CoreAddr, CoreId, SubDest, TileId};
use rockcreek_mesh::Direction;

use crate::gdb_target::Machine;

const BYTES_PER_ROW: usize = 16;
const DEFAULT_LENGTH: u64 = 256;
const DEFAULT_INSTRUCTIONS: u64 = 8;
const MOST_INSTRUCTIONS: u64 = 1000;
/// No instruction is longer (Pentium manual vol. 3, appendix A).
const INSTRUCTION_BYTES: usize = 15;
const PAGE_MASK: u32 = 0xFFF;
const LARGE_PAGE_MASK: u32 = 0x003F_FFFF;
/// EFLAGS.VM.
const VIRTUAL_8086: u32 = 1 << 17;
/// Names in the order in which instructions number them.
const SEGMENTS: [&str; 6] = ["es", "cs", "ss", "ds", "fs", "gs"];

/// The phase of a core, and the request for whose answer it waits.
fn doing(slot: &Slot<Core>) -> String {
    match slot.request() {
        Some(request) => format!("{:?} {request:?}", slot.phase),
        None => format!("{:?}", slot.phase),
    }
}

fn tile(chip: &Machine, core: CoreId) -> TileId {
    chip.description().topology.tile_of(core)
}

pub fn mpb(chip: &Machine, core: CoreId, offset: Option<u64>, length: Option<u64>) -> String {
    let buffer = &chip.uncore.tiles[tile(chip, core).index()].mpb;
    let size = buffer.size() as u64;
    let start = offset.unwrap_or(0);
    if start >= size {
        return format!("the buffer has {size} bytes\n");
    }
    let length = length.unwrap_or(DEFAULT_LENGTH).min(size - start);
    let mut bytes = vec![0; size as usize];
    buffer.read(0, &mut bytes);
    rows(start, &bytes[start as usize..(start + length) as usize])
}

fn rows(start: u64, bytes: &[u8]) -> String {
    let mut text = String::new();
    for (n, row) in bytes.chunks(BYTES_PER_ROW).enumerate() {
        let _ = write!(text, "{:04x}:", start + (n * BYTES_PER_ROW) as u64);
        for byte in row {
            let _ = write!(text, " {byte:02x}");
        }
        text.push('\n');
    }
    text
}

/// A name for a sub-destination of the EAS.
fn sub_name(sub: SubDest) -> String {
    format!("{sub:?}").to_lowercase()
}

pub fn lut(chip: &Machine, core: CoreId, only: Option<u64>) -> String {
    let z = chip.description().topology.z_of(core);
    let table = chip.uncore.tiles[tile(chip, core).index()].registers.lut(z);
    if only.is_some_and(|entry| entry >= table.len() as u64) {
        return format!("entries are 0 to {}\n", table.len() - 1);
    }
    let wanted = |n: &usize| match only {
        Some(entry) => *n as u64 == entry,
        None => table.entry(*n).0 != 0,
    };
    let mut text = String::from("entry  router  unit   segment  bypass\n");
    for n in (0..table.len()).filter(wanted) {
        let entry = table.entry(n);
        let (at, unit) = (entry.router(), sub_name(entry.sub()));
        let segment = entry.address() / ((1 << 32) / table.len() as u64);
        let bypass = u8::from(entry.bypass());
        let _ = writeln!(
            text,
            " 0x{n:02x}   ({},{})   {unit:<6} 0x{segment:03x}    {bypass}",
            at.x, at.y
        );
    }
    text
}

pub fn mesh(chip: &Machine) -> String {
    let mut text = format!("{} ps\n", chip.now().0);
    for (hops, packets) in chip.uncore.mesh.packets_by_hops.iter().enumerate() {
        let _ = writeln!(text, "{packets} packets over {hops} hops");
    }
    for router in chip.uncore.tiles.iter().map(|tile| tile.coord) {
        for direction in Direction::ALL {
            let link = chip.uncore.mesh.link(router, direction);
            if link.packets > 0 {
                let _ = writeln!(
                    text,
                    "link ({},{}) {:<5}: {} packets, {} flits, waited {} ps",
                    router.x,
                    router.y,
                    direction.name(),
                    link.packets,
                    link.flits,
                    link.waited_ps
                );
            }
        }
    }
    for (n, slot) in chip.slots().iter().enumerate().filter(|(_, slot)| slot.released) {
        let at = chip.uncore.tiles[tile(chip, CoreId(n as u16)).index()].coord;
        let eip = slot.processor.registers().eip;
        let _ = writeln!(text, "core {n} at ({},{}): {}, eip {eip:#010x}", at.x, at.y, doing(slot));
    }
    text
}

pub fn cache(chip: &Machine, core: CoreId, address: Option<u32>) -> String {
    let caches = chip.slot(core).processor.caches();
    let wanted = address.map(|address| CoreAddr(address).line());
    let mut text = String::new();
    for line in caches.lines().filter(|line| wanted.is_none_or(|wanted| line.address == wanted)) {
        let _ = write!(
            text,
            "{:<3} set {:<4} way {} {:#010x}",
            line.cache, line.set, line.way, line.address.0
        );
        text.push_str(if line.dirty { " dirty" } else { "" });
        text.push_str(if line.message_buffer { " mpbt" } else { "" });
        text.push('\n');
    }
    let combined = caches.write_combine().contents();
    if let Some((line, _, enable)) = combined.filter(|(line, ..)| wanted.is_none_or(|w| w == *line))
    {
        let _ = writeln!(text, "wcb {:#010x} bytes {enable:032b}", line.0);
    }
    if text.is_empty() { "nothing is cached\n".into() } else { text }
}

pub fn tlb(chip: &Machine, core: CoreId, address: Option<u32>) -> String {
    let mut text = String::new();
    for page in chip.slot(core).processor.held_pages() {
        let mask = if page.tlb == "dtlb-4m" { LARGE_PAGE_MASK } else { PAGE_MASK };
        if address.is_some_and(|address| address & !mask != page.linear) {
            continue;
        }
        let mark = |on: bool, letter: char| if on { letter } else { '-' };
        let _ = writeln!(
            text,
            "{:<7} set {:<2} way {} {:#010x} -> {:#010x} {}{}{} {:?}",
            page.tlb,
            page.set,
            page.way,
            page.linear,
            page.frame.0,
            mark(page.user, 'u'),
            mark(page.writable, 'w'),
            mark(page.dirty, 'd'),
            page.memory_type
        );
    }
    if text.is_empty() { "nothing is held\n".into() } else { text }
}

/// The mode in words.
fn mode(cr0: u32, eflags: u32, code: &Segment) -> &'static str {
    let protected = cr0 & cr0::PE != 0;
    match (protected, eflags & VIRTUAL_8086 != 0, code.attributes & attribute::BIG != 0) {
        (false, ..) => "real mode",
        (true, true, _) => "virtual-8086 mode",
        (true, false, false) => "protected mode, 16-bit code",
        (true, false, true) => "protected mode, 32-bit code",
    }
}

pub fn registers(chip: &Machine, core: CoreId) -> String {
    let slot = chip.slot(core);
    let processor = &slot.processor;
    let registers = processor.registers();
    let code = &registers.segments[sreg::CS];
    let mut text = format!(
        "core {}: {}, ring {}, {}\neip {:#010x}  eflags {:#010x}  linear {:#010x}\n",
        core.0,
        mode(registers.cr0, registers.eflags, code),
        processor.privilege_level(),
        doing(slot),
        registers.eip,
        registers.eflags,
        processor.code_address()
    );
    let names = SEGMENTS.into_iter().zip(&registers.segments);
    for (name, part) in names.chain([("ldtr", &registers.ldtr), ("tr", &registers.tr)]) {
        let _ = writeln!(
            text,
            "{name:<4} {:#06x}  base {:#010x}  limit {:#010x}  attributes {:#06x}",
            part.selector, part.base, part.limit, part.attributes
        );
    }
    for (name, table) in [("gdtr", registers.gdtr), ("idtr", registers.idtr)] {
        let _ =
            writeln!(text, "{name}         base {:#010x}  limit {:#06x}", table.base, table.limit);
    }
    let (cr0, cr2, cr3, cr4) = (registers.cr0, registers.cr2, registers.cr3, registers.cr4);
    let _ = writeln!(text, "cr0 {cr0:#010x}  cr2 {cr2:#010x}  cr3 {cr3:#010x}  cr4 {cr4:#010x}");
    for n in [0, 1, 2, 3, 6, 7] {
        let _ =
            write!(text, "dr{n} {:#010x}{}", registers.debug[n], if n == 7 { "\n" } else { "  " });
    }
    let pins = slot.pins;
    let _ = writeln!(text, "{pins:?}");
    text
}

pub fn code(chip: &Machine, core: CoreId, count: Option<u64>, from: Option<u32>) -> String {
    let processor = &chip.slot(core).processor;
    let segment = processor.registers().segments[sreg::CS];
    let bits = if segment.attributes & attribute::BIG != 0 { 32 } else { 16 };
    let mut at = from.unwrap_or_else(|| processor.code_address());
    let mut text = String::new();
    for _ in 0..count.unwrap_or(DEFAULT_INSTRUCTIONS).min(MOST_INSTRUCTIONS) {
        let byte = |n: usize| chip.read_linear(core, at.wrapping_add(n as u32), 1);
        let bytes: Vec<u8> = (0..INSTRUCTION_BYTES).map_while(byte).map(|bytes| bytes[0]).collect();
        if bytes.is_empty() {
            let _ = writeln!(text, "{at:#010x}  nothing is mapped here");
            break;
        }
        let offset = at.wrapping_sub(segment.base);
        let ip = u64::from(offset);
        let mut decoder = Decoder::with_ip(bits, &bytes, ip, DecoderOptions::CL1INVMB);
        let instruction = decoder.decode();
        let mut words = String::new();
        IntelFormatter::new().format(&instruction, &mut words);
        let length = instruction.len().max(1);
        let hex: String = bytes[..length].iter().map(|byte| format!("{byte:02x}")).collect();
        let _ =
            writeln!(text, "{at:#010x}  {:04x}:{offset:08x}  {hex:<20} {words}", segment.selector);
        at = at.wrapping_add(length as u32);
    }
    text
}
