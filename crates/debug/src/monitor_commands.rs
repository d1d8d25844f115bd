//! gdb's `monitor` commands: what of the chip no register and no address shows.

use std::fmt::Write;

use rockcreek_defs::{CoreAddr, CoreId, SubDest, TileId};

use crate::gdb_target::Machine;

const HELP: &str = "\
monitor mpb CORE [OFFSET [LENGTH]]  bytes of the message-passing buffer of the core's tile
monitor lut CORE                    the core's lookup table
monitor mesh                        packets by hops, and where cores are
monitor cache CORE [ADDRESS]        what the core's caches hold, of all or of one line
monitor time                        the simulated time
";
const BYTES_PER_ROW: usize = 16;
const DEFAULT_LENGTH: u64 = 256;

/// The text that a command gives.
pub fn answer(chip: &Machine, command: &str) -> String {
    let words: Vec<&str> = command.split_whitespace().collect();
    let numbers: Option<Vec<u64>> = words.iter().skip(1).map(|word| number(word)).collect();
    let Some(numbers) = numbers else { return HELP.into() };
    let core = || {
        let core = *numbers.first()?;
        (core < chip.slots().len() as u64).then_some(CoreId(core as u16))
    };
    let text = match words.first() {
        Some(&"mpb") => core().map(|core| mpb(chip, core, &numbers[1..])),
        Some(&"lut") => core().map(|core| lut(chip, core)),
        Some(&"cache") => core().map(|core| cache(chip, core, numbers.get(1).copied())),
        Some(&"mesh") => Some(mesh(chip)),
        Some(&"time") => Some(format!("{} ps\n", chip.now().0)),
        _ => None,
    };
    text.unwrap_or_else(|| HELP.into())
}

fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

fn tile(chip: &Machine, core: CoreId) -> TileId {
    chip.description().topology.tile_of(core)
}

fn mpb(chip: &Machine, core: CoreId, numbers: &[u64]) -> String {
    let buffer = &chip.uncore.tiles[tile(chip, core).index()].mpb;
    let size = buffer.size() as u64;
    let start = numbers.first().copied().unwrap_or(0).min(size);
    let length = numbers.get(1).copied().unwrap_or(DEFAULT_LENGTH).min(size - start);
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

fn lut(chip: &Machine, core: CoreId) -> String {
    let z = chip.description().topology.z_of(core);
    let table = chip.uncore.tiles[tile(chip, core).index()].registers.lut(z);
    let mut text = String::from("entry  router  unit   segment  bypass\n");
    for n in (0..table.len()).filter(|n| table.entry(*n).0 != 0) {
        let entry = table.entry(n);
        let (at, unit) = (entry.router(), sub_name(entry.sub()));
        let (segment, bypass) = (entry.segment(), u8::from(entry.bypass()));
        let _ = writeln!(
            text,
            " 0x{n:02x}   ({},{})   {unit:<6} 0x{segment:03x}    {bypass}",
            at.x, at.y
        );
    }
    text
}

fn mesh(chip: &Machine) -> String {
    let mut text = format!("{} ps\n", chip.now().0);
    for (hops, packets) in chip.uncore.mesh.packets_by_hops.iter().enumerate() {
        let _ = writeln!(text, "{packets} packets over {hops} hops");
    }
    for (n, slot) in chip.slots().iter().enumerate().filter(|(_, slot)| slot.released) {
        let at = chip.uncore.tiles[tile(chip, CoreId(n as u16)).index()].coord;
        let eip = slot.processor.registers().eip;
        let _ =
            writeln!(text, "core {n} at ({},{}): {:?}, eip {eip:#010x}", at.x, at.y, slot.phase);
    }
    text
}

fn cache(chip: &Machine, core: CoreId, address: Option<u64>) -> String {
    let caches = chip.slot(core).processor.caches();
    let wanted = address.map(|address| CoreAddr(address as u32).line());
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
    if let Some((line, _, enable)) = caches.write_combine().contents() {
        let _ = writeln!(text, "wcb {:#010x} bytes {enable:032b}", line.0);
    }
    if text.is_empty() { "nothing is cached\n".into() } else { text }
}
