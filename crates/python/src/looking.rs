//! What `rck show` and `rck set` need of a paused chip.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use rockcreek_cpu::gpr;
use rockcreek_defs::{CoreId, TileId};

use crate::chip::Machine;

/// General registers in the order in which instructions number them.
pub const GENERAL: [&str; 8] = ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"];
const _: () = assert!(gpr::ESP == 4 && gpr::EDI == 7);

/// Cache, set, way, address, dirty, from an MPBT page.
pub type Line = (&'static str, u32, u32, u32, bool, bool);

/// Control, status, tags, and ST(0) to ST(7) as (significand, sign and exponent).
pub type X87 = (u16, u16, u16, Vec<(u64, u16)>);

/// The tables of the registers, by block: the same files from which the engine was built.
#[pyfunction]
pub fn register_tables() -> Vec<(&'static str, &'static str)> {
    vec![
        ("crb", include_str!("../../../machine/registers/tile_config.toml")),
        ("lut", include_str!("../../../machine/registers/lut.toml")),
    ]
}

fn checked(machine: &Machine, tile: usize) -> PyResult<TileId> {
    let tiles = machine.uncore.tiles.len();
    if tile >= tiles {
        return Err(PyIndexError::new_err(format!(
            "there is no tile {tile}; the chip has {tiles}"
        )));
    }
    Ok(TileId(tile as u16))
}

pub fn crb(machine: &mut Machine, tile: usize, offset: u32) -> PyResult<u32> {
    let tile = checked(machine, tile)?;
    Ok(machine.peek_register(tile, offset))
}

pub fn set_crb(machine: &mut Machine, tile: usize, offset: u32, value: u32) -> PyResult<()> {
    let tile = checked(machine, tile)?;
    machine.write_register(tile, offset, value);
    Ok(())
}

pub fn mpb(machine: &Machine, tile: usize) -> PyResult<Vec<u8>> {
    let buffer = &machine.uncore.tiles[checked(machine, tile)?.index()].mpb;
    let mut bytes = vec![0; buffer.size()];
    buffer.read(0, &mut bytes);
    Ok(bytes)
}

pub fn set_mpb(machine: &mut Machine, tile: usize, offset: usize, bytes: &[u8]) -> PyResult<()> {
    let tile = checked(machine, tile)?;
    let buffer = &mut machine.uncore.tiles[tile.index()].mpb;
    if offset.checked_add(bytes.len()).is_none_or(|end| end > buffer.size()) {
        let text = format!("the message-passing buffer has {} bytes", buffer.size());
        return Err(PyValueError::new_err(text));
    }
    for (at, byte) in (offset as u64..).zip(bytes) {
        buffer.write(at, &[*byte], 1);
    }
    Ok(())
}

pub fn lines(machine: &mut Machine, core: CoreId) -> Vec<Line> {
    machine.settle();
    let caches = machine.slot(core).processor.caches();
    let line = |one: rockcreek_cache::CachedLine| {
        (one.cache, one.set, one.way, one.address.0, one.dirty, one.message_buffer)
    };
    caches.lines().map(line).collect()
}

pub fn set_register(machine: &mut Machine, core: CoreId, name: &str, value: u32) -> bool {
    let mut registers = machine.slot(core).processor.registers();
    match (name, GENERAL.iter().position(|known| *known == name)) {
        ("eip", _) => registers.eip = value,
        ("eflags", _) => registers.eflags = value,
        (_, Some(n)) => registers.general[n] = value,
        _ => return false,
    }
    machine.set_registers(core, &registers);
    true
}

pub fn x87(machine: &mut Machine, core: CoreId) -> X87 {
    machine.settle();
    let fpu = machine.slot(core).processor.fpu();
    let st = (0..8).map(|n| (fpu.st(n).significand, fpu.st(n).sign_exponent)).collect();
    (fpu.control(), fpu.status_word(), fpu.tag_word(), st)
}
