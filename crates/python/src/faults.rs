//! Faults: what is to break when, and what came of it. The plan is the front end's.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rockcreek_chip::{CacheName, Direction, Fault, FaultRecord, LinkHealth};
use rockcreek_defs::{Coord, CoreId, Ps, TileId};

use crate::chip::{Chip, Machine};

/// Id, time in ps, whether there was something to break, address, before, after.
type Record = (u32, u64, bool, u64, u32, u32);

/// A fault from its name and numbers, if this chip has the place.
fn fault_of(machine: &Machine, kind: &str, numbers: &[u64]) -> Option<Fault> {
    let n = |at: usize| numbers.get(at).copied();
    let core = || n(0).filter(|n| *n < machine.slots().len() as u64).map(|n| CoreId(n as u16));
    let bit = |at: usize, bits: u64| n(at).filter(|n| *n < bits).map(|n| n as u8);
    Some(match kind {
        "die" => Fault::Die { core: core()? },
        "hang" => Fault::Hang { core: core()? },
        "mpb" => {
            let tile = n(0).filter(|n| *n < machine.uncore.tiles.len() as u64)?;
            let size = machine.uncore.tiles[tile as usize].mpb.size() as u64;
            let offset = n(1).filter(|n| *n < size)? as u32;
            Fault::FlipMpb { tile: TileId(tile as u16), offset, bit: bit(2, 8)? }
        }
        "dram" => {
            let controller = n(0).filter(|n| *n < machine.uncore.controllers.len() as u64)?;
            let bytes = machine.uncore.controllers[controller as usize].dram.bytes();
            let offset = n(1).filter(|n| *n < bytes)?;
            Fault::FlipMemory { controller: controller as u16, offset, bit: bit(2, 8)? }
        }
        "l1d" | "l2" => {
            let cache = if kind == "l2" { CacheName::L2 } else { CacheName::L1d };
            Fault::FlipCache { core: core()?, cache, nth: n(1)? as u32, bit: bit(2, 256)? }
        }
        "register" => {
            Fault::FlipRegister { core: core()?, register: bit(1, 10)?, bit: bit(2, 32)? }
        }
        "undervoltage" => {
            let level = n(3).map(u8::try_from).transpose().ok()?;
            let (register, bit) = (bit(1, 10)?, bit(2, 32)?);
            Fault::Undervoltage { core: core()?, register, bit, level }
        }
        "lock" => {
            let stuck = [Some(false), Some(true), None].get(n(1)? as usize).copied()?;
            Fault::Lock { core: core()?, stuck }
        }
        "link" => {
            let direction = *Direction::ALL.get(n(2)? as usize)?;
            let health = match n(3)? {
                0 => LinkHealth::Well,
                1 => LinkHealth::Slow { ps: n(4)? },
                2 => LinkHealth::Lossy { of_2_32: n(4)?.try_into().ok()?, seed: n(5)? },
                _ => LinkHealth::Dead,
            };
            Fault::Link { router: Coord { x: n(0)? as u8, y: n(1)? as u8 }, direction, health }
        }
        _ => return None,
    })
}

#[pymethods]
impl Chip {
    /// Something will break at an instant; the numbers say where (python/rockcreek/faults).
    fn add_fault(&mut self, id: u32, at_ps: u64, kind: &str, numbers: Vec<u64>) -> PyResult<()> {
        self.note_change();
        self.with(|machine| {
            let fault = fault_of(machine, kind, &numbers).ok_or_else(|| {
                PyValueError::new_err(format!("no such fault: {kind} {numbers:?}"))
            })?;
            machine.add_fault(id, Ps(at_ps), fault);
            Ok(())
        })
    }

    /// The faults that have come since the last call, in order.
    fn faults(&mut self) -> PyResult<Vec<Record>> {
        self.with_running(|machine| {
            let plain =
                |r: &FaultRecord| (r.id, r.time.0, r.happened, r.address, r.before, r.after);
            Ok(machine.take_faults().iter().map(plain).collect())
        })
    }

    /// Packets that were lost on links so far.
    fn lost_packets(&mut self) -> PyResult<u64> {
        self.with_running(|machine| Ok(machine.uncore.faulty_links.lost()))
    }
}
