//! The wiring: the places of cores, and the unit at each port.

use rockcreek_defs::{Coord, CoreId, SubDest, SystemAddr, TileId};
use serde::{Deserialize, Serialize};

use crate::description::{EdgeUnit, Topology};

/// A unit of the chip that receives requests from cores, and answers them: a tile's message buffer
/// or configuration registers, a memory controller (by index), the system interface (the FPGA), the
/// voltage regulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Unit {
    Mpb(TileId),
    Crb(TileId),
    Memory(u16),
    System,
    Voltage,
    /// A router or port without a unit. The real chip may hang at an access to it.
    Nowhere,
}

impl Unit {
    /// The unit's number among all units of a chip of `tiles` tiles and `controllers` controllers,
    /// as observers count them; [`unit_names`] has the names.
    pub fn number(self, tiles: usize, controllers: usize) -> usize {
        match self {
            Unit::Mpb(tile) => tile.index(),
            Unit::Crb(tile) => tiles + tile.index(),
            Unit::Memory(n) => 2 * tiles + usize::from(n),
            Unit::System => 2 * tiles + controllers,
            Unit::Voltage => 2 * tiles + controllers + 1,
            Unit::Nowhere => 2 * tiles + controllers + 2,
        }
    }
}

/// The names of all units, by number.
pub fn unit_names(tiles: usize, controllers: usize) -> Vec<String> {
    let tiled = |name: &'static str| (0..tiles).map(move |n| format!("{name} {n}"));
    let memory = (0..controllers).map(|n| format!("memory {n}"));
    let single = ["system interface", "voltage regulator", "nowhere"].map(String::from);
    tiled("mpb").chain(tiled("crb")).chain(memory).chain(single).collect()
}

/// The numbers of units in the order of events (`rockcreek_engine::Key::unit`), where equal times
/// are ordered by them: class, then number within the class.
pub mod order {
    use rockcreek_defs::TileId;

    use super::Unit;

    /// The number of bits for a unit's number within its class.
    const CLASS_SHIFT: u32 = 8;
    /// A core's own progress, which is no transaction. At one instant it comes before all other
    /// events.
    pub const PROGRESS: u32 = 0;
    const INTERFACE: u32 = 1 << CLASS_SHIFT;
    const MPB: u32 = 2 << CLASS_SHIFT;
    const CRB: u32 = 3 << CLASS_SHIFT;
    const MEMORY: u32 = 4 << CLASS_SHIFT;
    const SYSTEM: u32 = 5 << CLASS_SHIFT;
    const VOLTAGE: u32 = 6 << CLASS_SHIFT;
    const NOWHERE: u32 = 7 << CLASS_SHIFT;
    const CLOCK: u32 = 8 << CLASS_SHIFT;
    /// The management PC, as a unit in the order of events.
    pub const HOST: u32 = 9 << CLASS_SHIFT;
    /// Faults: at one instant they come after all other events.
    pub const FAULT: u32 = 10 << CLASS_SHIFT;

    /// A tile's mesh interface, where requests enter the mesh.
    pub fn interface(tile: usize) -> u32 {
        INTERFACE + tile as u32
    }

    /// True if the unit is a mesh interface, where requests enter the mesh.
    pub fn is_interface(unit: u32) -> bool {
        unit >> CLASS_SHIFT == INTERFACE >> CLASS_SHIFT
    }

    /// True if the unit only stores bytes, so that an access has no effects on other parts.
    pub fn only_keeps_bytes(unit: u32) -> bool {
        matches!(unit >> CLASS_SHIFT << CLASS_SHIFT, MPB | MEMORY)
    }

    pub fn clock(tile: usize) -> u32 {
        CLOCK + tile as u32
    }

    /// The unit with this number in the order of events, if requests can go to it.
    #[inline]
    pub fn whose(number: u32) -> Unit {
        let n = (number & ((1 << CLASS_SHIFT) - 1)) as u16;
        match number & !((1 << CLASS_SHIFT) - 1) {
            MPB => Unit::Mpb(TileId(n)),
            CRB => Unit::Crb(TileId(n)),
            MEMORY => Unit::Memory(n),
            SYSTEM => Unit::System,
            VOLTAGE => Unit::Voltage,
            _ => Unit::Nowhere,
        }
    }

    pub fn unit(unit: Unit) -> u32 {
        match unit {
            Unit::Mpb(tile) => MPB + u32::from(tile.0),
            Unit::Crb(tile) => CRB + u32::from(tile.0),
            Unit::Memory(n) => MEMORY + u32::from(n),
            Unit::System => SYSTEM,
            Unit::Voltage => VOLTAGE,
            Unit::Nowhere => NOWHERE,
        }
    }
}

impl Topology {
    pub fn tile_of(&self, core: CoreId) -> TileId {
        TileId((u32::from(core.0) / self.cores_per_tile) as u16)
    }

    /// The core's number inside its tile, from 0.
    pub fn z_of(&self, core: CoreId) -> usize {
        core.index() % self.cores_per_tile as usize
    }

    pub fn core(&self, tile: TileId, z: usize) -> CoreId {
        CoreId(tile.0 * self.cores_per_tile as u16 + z as u16)
    }

    pub fn coord(&self, tile: TileId) -> Coord {
        let columns = u16::from(self.columns);
        Coord { x: (tile.0 % columns) as u8, y: (tile.0 / columns) as u8 }
    }

    pub fn tile_at(&self, at: Coord) -> Option<TileId> {
        let inside = at.x < self.columns && at.y < self.rows;
        inside.then(|| TileId(u16::from(self.columns) * u16::from(at.y) + u16::from(at.x)))
    }

    /// The memory controller (by index) that serves a core by default, and the core's number among
    /// the cores of that controller.
    pub fn quadrant(&self, core: CoreId) -> (usize, u32) {
        let at = self.coord(self.tile_of(core));
        let z = self.z_of(core) as u32;
        let (columns, rows) = match self.memory_controllers.len() {
            1 => (self.columns, self.rows),
            _ => (self.columns / 2, self.rows / 2),
        };
        let controller = usize::from(at.x / columns) + 2 * usize::from(at.y / rows);
        let tile = u32::from(at.y % rows) * u32::from(columns) + u32::from(at.x % columns);
        (controller, self.cores_per_tile * tile + z)
    }

    /// The unit to which a request to this system address goes; `Nowhere` if there is none.
    pub fn resolve(&self, addr: &SystemAddr) -> Unit {
        let Some(tile) = self.tile_at(addr.router) else { return Unit::Nowhere };
        match addr.sub {
            SubDest::Mpb => Unit::Mpb(tile),
            SubDest::Crb => Unit::Crb(tile),
            SubDest::Core0 | SubDest::Core1 => Unit::Nowhere,
            port => {
                let here = EdgeUnit { router: addr.router, port };
                let memory = self.memory_controllers.iter().position(|unit| *unit == here);
                match memory {
                    Some(n) => Unit::Memory(n as u16),
                    None if here == self.system_interface => Unit::System,
                    None if here == self.voltage_regulator => Unit::Voltage,
                    None => Unit::Nowhere,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Description;

    fn scc() -> Description {
        Description::parse(include_str!("../../../../machine/presets/scc.toml")).unwrap()
    }

    #[test]
    fn a_unit_is_found_by_its_number() {
        let all = |n| [Unit::Mpb(TileId(n)), Unit::Crb(TileId(n)), Unit::Memory(n)];
        let units = (0..256).flat_map(all);
        for unit in units.chain([Unit::System, Unit::Voltage, Unit::Nowhere]) {
            assert_eq!(order::whose(order::unit(unit)), unit);
        }
    }

    #[test]
    fn cores_are_numbered_row_by_row() {
        let topology = scc().topology;
        let tile = topology.tile_of(CoreId(47));
        assert_eq!((tile, topology.coord(tile)), (TileId(23), Coord { x: 5, y: 3 }));
        assert_eq!(topology.coord(topology.tile_of(CoreId(12))), Coord { x: 0, y: 1 });
        assert_eq!(topology.quadrant(CoreId(47)), (3, 11));
        assert_eq!(topology.quadrant(CoreId(6)), (1, 0));
        assert_eq!(topology.quadrant(CoreId(24)), (2, 0));
        assert_eq!(topology.core(TileId(23), 1), CoreId(47));
    }
}
