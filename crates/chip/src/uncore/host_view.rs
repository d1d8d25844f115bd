//! Memory as the management PC or a debugger accesses it: through a core's LUT, but not its caches,
//! in zero simulated time and without side effects.

use rockcreek_defs::{CoreAddr, CoreId, LINE_BYTES};

use crate::uncore::Uncore;
use crate::uncore::wiring::Unit;

/// The size in bytes of the pieces in which DRAM is accessed here: within a page, addresses are
/// contiguous in DRAM too.
const PAGE_BYTES: usize = 4096;

/// The number of bytes, from `addr` on and at most `bytes`, that one access to the unit can read or
/// write.
fn part_of(unit: Unit, addr: u32, bytes: usize) -> usize {
    let whole = if matches!(unit, Unit::Memory(_)) { PAGE_BYTES } else { LINE_BYTES };
    bytes.min(whole - addr as usize % whole)
}

impl Uncore {
    /// Reads bytes of MPBs or DRAM through a core's LUT into `out`, in zero simulated time and
    /// without side effects. False if an address is neither (registers are not read); `out` then
    /// has the bytes before that address.
    pub fn peek(&self, core: CoreId, addr: CoreAddr, out: &mut [u8]) -> bool {
        let topology = &self.description.topology;
        let z = topology.z_of(core);
        let lut = self.tiles[topology.tile_of(core).index()].registers.lut(z);
        let mut rest = out;
        let mut at = addr.0;
        while !rest.is_empty() {
            let system = lut.translate(CoreAddr(at));
            let unit = topology.resolve(&system);
            let count = part_of(unit, at, rest.len());
            let (part, after) = rest.split_at_mut(count);
            match unit {
                Unit::Mpb(tile) => self.tiles[tile.index()].mpb.read(system.offset, part),
                Unit::Memory(n) => {
                    self.controllers[usize::from(n)].dram.read(system.offset, part);
                }
                _ => return false,
            }
            rest = after;
            at = at.wrapping_add(count as u32);
        }
        true
    }

    /// The byte that DRAM or an MPB has at a core address, read without side effects; `None` if the
    /// address is neither.
    pub fn peek_byte(&self, core: CoreId, addr: CoreAddr) -> Option<u8> {
        let mut byte = [0];
        self.peek(core, addr, &mut byte).then_some(byte[0])
    }

    /// The host address of the DRAM byte at this core address; `None` if the address is not in
    /// DRAM, or in a page that was never written.
    pub(crate) fn host_address(&self, core: CoreId, addr: CoreAddr) -> Option<u64> {
        let home = self.places.home(core);
        let (entry, within) = self.tiles[home.tile.index()].registers.lut(home.z).find(addr);
        let Unit::Memory(n) = self.places.unit(Some(entry)) else { return None };
        let offset = entry.address() | u64::from(within);
        self.controllers[usize::from(n)].dram.host_address(offset)
    }

    /// True if the memory at this core address may contain other values than zeros: it is a message
    /// buffer, or DRAM that has been written near there since power-on.
    pub fn touched(&self, core: CoreId, addr: CoreAddr) -> bool {
        let topology = &self.description.topology;
        let z = topology.z_of(core);
        let lut = self.tiles[topology.tile_of(core).index()].registers.lut(z);
        let system = lut.translate(addr);
        match topology.resolve(&system) {
            Unit::Mpb(tile) => system.offset < self.tiles[tile.index()].mpb.size() as u64,
            Unit::Memory(n) => self.controllers[usize::from(n)].dram.touched(system.offset),
            _ => false,
        }
    }

    /// Writes MPBs or DRAM through a core's LUT as the management PC does, in zero simulated time.
    /// False if an address is neither; the bytes before that address have then been written.
    pub fn poke(&mut self, core: CoreId, addr: CoreAddr, data: &[u8]) -> bool {
        let topology = &self.description.topology;
        let (tile, z) = (topology.tile_of(core).index(), topology.z_of(core));
        let mut rest = data;
        let mut at = addr.0;
        while !rest.is_empty() {
            let system = self.tiles[tile].registers.lut(z).translate(CoreAddr(at));
            let unit = topology.resolve(&system);
            let count = part_of(unit, at, rest.len());
            let (part, after) = rest.split_at(count);
            match unit {
                Unit::Mpb(tile) => {
                    self.tiles[tile.index()].mpb.write(system.offset, part, u32::MAX);
                }
                Unit::Memory(n) => {
                    self.controllers[usize::from(n)].dram.write(system.offset, part);
                }
                _ => return false,
            }
            rest = after;
            at = at.wrapping_add(count as u32);
        }
        true
    }
}
