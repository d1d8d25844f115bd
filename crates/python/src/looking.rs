//! What `rck show` and `rck set` need of a paused chip, and stops for functions of Python.
//!
//! Stops are a debugger's: they take no simulated time and change nothing of the guest. `run` returns
//! "break", and `broken` says which core stopped, and why.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rockcreek_chip::Phase;
use rockcreek_cpu::{WatchKind, Watchpoint, gpr, sreg};
use rockcreek_defs::{CoreAddr, CoreId, TileId};

use crate::chip::{Chip, Machine};

/// General registers in the order in which instructions number them.
const GENERAL: [&str; 8] = ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"];
const _: () = assert!(gpr::ESP == 4 && gpr::EDI == 7);

/// Cache, set, way, address, dirty, from an MPBT page.
type Line = (&'static str, u32, u32, u32, bool, bool);

/// Control, status, tags, and ST(0) to ST(7) as (significand, sign and exponent).
type X87 = (u16, u16, u16, Vec<(u64, u16)>);

/// Core, EIP behind the access or at the code, ESP, and the access: its kind and address.
type Broken = (u16, u32, u32, Option<(&'static str, u32)>);

fn kind_of(name: &str) -> PyResult<WatchKind> {
    match name {
        "write" => Ok(WatchKind::Write),
        "read" => Ok(WatchKind::Read),
        "access" => Ok(WatchKind::Access),
        _ => Err(PyValueError::new_err(format!("no access {name}; there are write, read, access"))),
    }
}

fn name_of(kind: WatchKind) -> &'static str {
    match kind {
        WatchKind::Write => "write",
        WatchKind::Read => "read",
        WatchKind::Access => "access",
    }
}

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

fn crb(machine: &mut Machine, tile: usize, offset: u32) -> PyResult<u32> {
    let tile = checked(machine, tile)?;
    Ok(machine.peek_register(tile, offset))
}

fn set_crb(machine: &mut Machine, tile: usize, offset: u32, value: u32) -> PyResult<()> {
    let tile = checked(machine, tile)?;
    machine.write_register(tile, offset, value);
    Ok(())
}

fn mpb(machine: &Machine, tile: usize) -> PyResult<Vec<u8>> {
    let buffer = &machine.uncore.tiles[checked(machine, tile)?.index()].mpb;
    let mut bytes = vec![0; buffer.size()];
    buffer.read(0, &mut bytes);
    Ok(bytes)
}

fn set_mpb(machine: &mut Machine, tile: usize, offset: usize, bytes: &[u8]) -> PyResult<()> {
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

fn lines(machine: &mut Machine, core: CoreId) -> Vec<Line> {
    machine.settle();
    let caches = machine.slot(core).processor.caches();
    let line = |one: rockcreek_cache::CachedLine| {
        (one.cache, one.set, one.way, one.address.0, one.dirty, one.message_buffer)
    };
    caches.lines().map(line).collect()
}

fn set_register(machine: &mut Machine, core: CoreId, name: &str, value: u32) -> bool {
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

fn x87(machine: &mut Machine, core: CoreId) -> X87 {
    machine.settle();
    let fpu = machine.slot(core).processor.fpu();
    let st = (0..8).map(|n| (fpu.st(n).significand, fpu.st(n).sign_exponent)).collect();
    (fpu.control(), fpu.status_word(), fpu.tag_word(), st)
}

fn phase_name(phase: &Phase) -> &'static str {
    match phase {
        Phase::Reset => "reset",
        Phase::Run => "running",
        Phase::Inject | Phase::Flight(..) | Phase::Answer(..) => "waiting",
        Phase::Halted => "halted",
        Phase::Shutdown => "shutdown",
        Phase::Ended => "ended",
        Phase::Lost => "lost",
    }
}

#[pymethods]
impl Chip {
    /// Registers and state of one core.
    fn core<'py>(&mut self, py: Python<'py>, core: usize) -> PyResult<Bound<'py, PyDict>> {
        self.with_core(core, |machine, core| {
            machine.settle();
            let slot = machine.slot(core);
            let registers = slot.processor.registers();
            let dict = PyDict::new(py);
            for (name, value) in GENERAL.into_iter().zip(registers.general) {
                dict.set_item(name, value)?;
            }
            dict.set_item("eip", registers.eip)?;
            dict.set_item("eflags", registers.eflags)?;
            dict.set_item("cs", registers.segments[sreg::CS].selector)?;
            dict.set_item("ss", registers.segments[sreg::SS].selector)?;
            dict.set_item("ds", registers.segments[sreg::DS].selector)?;
            dict.set_item("es", registers.segments[sreg::ES].selector)?;
            dict.set_item("fs", registers.segments[sreg::FS].selector)?;
            dict.set_item("gs", registers.segments[sreg::GS].selector)?;
            dict.set_item("cr0", registers.cr0)?;
            dict.set_item("cr2", registers.cr2)?;
            dict.set_item("cr3", registers.cr3)?;
            dict.set_item("cr4", registers.cr4)?;
            dict.set_item("cpl", slot.processor.privilege_level())?;
            dict.set_item("state", phase_name(&slot.phase))?;
            let asks = machine.outstanding(core);
            dict.set_item("asks", asks.map(|asks| (asks.unit, asks.offset, asks.is_read)))?;
            dict.set_item("cycles", slot.processor.cycles())?;
            dict.set_item("instructions", slot.processor.counters().instructions)?;
            Ok(dict)
        })
    }

    /// A general register, `eip` or `eflags`; False if there is none of this name.
    fn set_register(&mut self, core: usize, name: &str, value: u32) -> PyResult<bool> {
        self.note_change();
        self.with_core(core, |machine, core| Ok(set_register(machine, core, name, value)))
    }

    /// Control, status and tag word, and the eight registers as significand and sign-exponent.
    fn x87(&mut self, core: usize) -> PyResult<X87> {
        self.with_core(core, |machine, core| Ok(x87(machine, core)))
    }

    /// What this core would read at a linear address now, in zero time; `None` if unmapped.
    fn read_linear<'py>(
        &mut self,
        py: Python<'py>,
        core: usize,
        address: u32,
        length: usize,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.with_core(core, |machine, core| {
            machine.settle();
            let bytes = machine.read_linear(core, address, length);
            Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
        })
    }

    /// What this core sees at a linear address; False where nothing is mapped.
    fn write_linear(&mut self, core: usize, address: u32, bytes: &[u8]) -> PyResult<bool> {
        self.note_change();
        self.with_core(core, |machine, core| Ok(machine.write_linear(core, address, bytes)))
    }

    /// Memory through this core's LUT, past its caches; `None` where no memory is.
    fn read_physical<'py>(
        &mut self,
        py: Python<'py>,
        core: usize,
        address: u32,
        length: usize,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.with_core(core, |machine, core| {
            let mut bytes = vec![0; length];
            let there = machine.uncore.peek(core, CoreAddr(address), &mut bytes);
            Ok(there.then(|| PyBytes::new(py, &bytes)))
        })
    }

    /// The bytes behind a core's LUT; False where no memory is.
    fn write_physical(&mut self, core: usize, address: u32, bytes: &[u8]) -> PyResult<bool> {
        self.note_change();
        self.with_core(core, |machine, core| {
            machine.settle();
            Ok(machine.uncore.poke(core, CoreAddr(address), bytes))
        })
    }

    /// The register at an offset of a tile's configuration block, without side effects.
    fn crb(&mut self, tile: usize, offset: u32) -> PyResult<u32> {
        self.with(|machine| crb(machine, tile, offset))
    }

    /// Writes that register, with all that follows.
    fn set_crb(&mut self, tile: usize, offset: u32, value: u32) -> PyResult<()> {
        self.note_change();
        self.with(|machine| set_crb(machine, tile, offset, value))
    }

    /// The message-passing buffer of a tile.
    fn mpb<'py>(&mut self, py: Python<'py>, tile: usize) -> PyResult<Bound<'py, PyBytes>> {
        self.with(|machine| Ok(PyBytes::new(py, &mpb(machine, tile)?)))
    }

    /// Changes bytes of it.
    fn set_mpb(&mut self, tile: usize, offset: usize, bytes: &[u8]) -> PyResult<()> {
        self.note_change();
        self.with(|machine| set_mpb(machine, tile, offset, bytes))
    }

    /// Bytes of a core-physical address in this core's caches; `None` if one is in none.
    fn read_cached<'py>(
        &mut self,
        py: Python<'py>,
        core: usize,
        address: u32,
        length: usize,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.with_core(core, |machine, core| {
            machine.settle();
            let caches = machine.slot(core).processor.caches();
            let byte = |n: u32| caches.peek(CoreAddr(address.wrapping_add(n)));
            let bytes: Option<Vec<u8>> = (0..length as u32).map(byte).collect();
            Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
        })
    }

    /// Changes such bytes, and nothing behind the caches; False if one is in none.
    fn write_cached(&mut self, core: usize, address: u32, bytes: &[u8]) -> PyResult<bool> {
        self.note_change();
        self.with_core(core, |machine, core| {
            machine.settle();
            let at = |n: usize| CoreAddr(address.wrapping_add(n as u32));
            let caches = machine.slot(core).processor.caches();
            if (0..bytes.len()).any(|n| caches.peek(at(n)).is_none()) {
                return Ok(false);
            }
            machine.change(core, |processor| {
                bytes.iter().enumerate().for_each(|(n, byte)| processor.poke_cached(at(n), *byte));
            });
            Ok(true)
        })
    }

    /// Valid lines of a core's caches: (cache, set, way, address, dirty, from an MPBT page).
    fn cached_lines(&mut self, core: usize) -> PyResult<Vec<Line>> {
        self.with_core(core, |machine, core| Ok(lines(machine, core)))
    }

    /// Sets (`on`) or removes a stop of a core before the instruction at a linear address.
    fn set_breakpoint(&mut self, core: usize, address: u32, on: bool) -> PyResult<()> {
        self.with_core(core, |machine, core| {
            machine.set_breakpoint(core, address, on);
            Ok(())
        })
    }

    /// Sets (`on`) or removes a stop of a core behind each access of a kind to these bytes.
    fn set_watchpoint(
        &mut self,
        core: usize,
        start: u32,
        length: u32,
        kind: &str,
        on: bool,
    ) -> PyResult<()> {
        let kind = kind_of(kind)?;
        self.with_core(core, |machine, core| {
            machine.set_watchpoint(core, Watchpoint { start, length, kind }, on);
            Ok(())
        })
    }

    /// The stop for which `run` returned "break" last; `None` if there was none.
    fn broken(&mut self) -> PyResult<Option<Broken>> {
        let Some(core) = self.broken else { return Ok(None) };
        self.with(|machine| {
            let processor = &machine.slot(core).processor;
            let registers = processor.registers();
            let hit = processor.watch_hit().map(|hit| (name_of(hit.kind), hit.address));
            Ok(Some((core.0, processor.code_address(), registers.general[4], hit)))
        })
    }
}
