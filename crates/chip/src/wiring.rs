//! The wiring: which core sits where, which unit answers at which port, what the LUTs hold at
//! boot (sccKit's default map).

use rockcreek_defs::registers::{crb, fpga, vrc};
use rockcreek_defs::{Coord, CoreId, SubDest, SystemAddr, TileId};
use rockcreek_tile::{Lut, LutEntry};
use serde::{Deserialize, Serialize};

use crate::description::{Description, EdgeUnit, Topology};

/// A unit that answers requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Unit {
    Mpb(TileId),
    Crb(TileId),
    Memory(u16),
    System,
    Voltage,
    /// A router or port where nothing is. The real chip may hang.
    Nowhere,
}

impl Unit {
    /// Its number among all units of a chip of `tiles` tiles and `controllers` controllers, as
    /// observers count them; [`unit_names`] has the names.
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

/// The order of units at equal times (`rockcreek_engine::Key::unit`): class, then number.
pub mod order {
    use super::Unit;

    /// A chip has at most so many units of a class.
    const CLASS_SHIFT: u32 = 8;
    /// A core's own progress; no transaction. It comes before everything at its instant.
    pub const PROGRESS: u32 = 0;
    const INTERFACE: u32 = 1 << CLASS_SHIFT;
    const MPB: u32 = 2 << CLASS_SHIFT;
    const CRB: u32 = 3 << CLASS_SHIFT;
    const MEMORY: u32 = 4 << CLASS_SHIFT;
    const SYSTEM: u32 = 5 << CLASS_SHIFT;
    const VOLTAGE: u32 = 6 << CLASS_SHIFT;
    const NOWHERE: u32 = 7 << CLASS_SHIFT;
    const CLOCK: u32 = 8 << CLASS_SHIFT;
    /// The management PC.
    pub const HOST: u32 = 9 << CLASS_SHIFT;

    /// A tile's mesh interface, where requests enter the mesh.
    pub fn interface(tile: usize) -> u32 {
        INTERFACE + tile as u32
    }

    pub fn clock(tile: usize) -> u32 {
        CLOCK + tile as u32
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

    /// The core's number inside its tile.
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

    /// The controller that serves a core, and the core's number in that quadrant.
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

    /// Who answers at a system address.
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

/// The SCC's map is drawn in windows of this size; a LUT with smaller segments uses several.
const WINDOW_BYTES: u64 = 1 << 24;
const SHARED_BASE: u32 = 0x8000_0000;
const MPB_BASE: u32 = 0xC000_0000;
const MPB_OWN: u32 = 0xD800_0000;
const HOST_WINDOW: u32 = 0xFA00_0000;
const SATA_WINDOW: u32 = 0xFC00_0000;
const BOOT_WINDOW: u32 = 0xFF00_0000;
/// Upper address bits that the FPGA decodes, as 16 MB segments.
const FPGA_SEGMENT: u32 = 0x100;
const SATA_SEGMENT: u32 = 0x180;
const HOST_SEGMENT: u32 = 0x200;

/// Fills a core's LUT as sccKit's merge tool does by default.
pub fn fill_default_lut(description: &Description, core: CoreId, lut: &mut Lut) {
    let topology = &description.topology;
    let map = &description.address_map;
    let (controller, k) = topology.quadrant(core);
    let per_window = (WINDOW_BYTES / description.tile.lut_segment_bytes) as u32;
    let memory = |n: usize, segment: u32| {
        let unit = topology.memory_controllers[n];
        LutEntry::new(unit.router, unit.port, segment, false)
    };
    for n in 0..lut.len() {
        lut.set(n, memory(controller, map.fifth_shared()));
    }
    for slot in 0..map.private_slots {
        lut.set(slot as usize, memory(controller, map.private(k, slot)));
    }
    let slot = |base: u32, n: u32| ((u64::from(base) / WINDOW_BYTES) as u32 + n) * per_window;
    for n in 0..topology.memory_controllers.len() {
        lut.set(slot(SHARED_BASE, 0) as usize + n, memory(n, map.shared()));
    }
    let mut window = |base: u32, n: u32, router: Coord, sub: SubDest, segment: u32| {
        for part in 0..per_window {
            let entry = LutEntry::new(router, sub, segment * per_window + part, false);
            lut.set((slot(base, n) + part) as usize, entry);
        }
    };
    let tiles = u32::from(topology.columns) * u32::from(topology.rows);
    for tile in 0..tiles {
        let router = topology.coord(TileId(tile as u16));
        window(MPB_BASE, tile, router, SubDest::Mpb, 0);
        window(crb::BASE, tile, router, SubDest::Crb, 0);
    }
    let own = topology.coord(topology.tile_of(core));
    window(MPB_OWN, 0, own, SubDest::Mpb, 0);
    window(crb::OWN, 0, own, SubDest::Crb, 0);
    let (system, voltage) = (topology.system_interface, topology.voltage_regulator);
    window(fpga::BASE, 0, system.router, system.port, FPGA_SEGMENT);
    window(HOST_WINDOW, 0, system.router, system.port, HOST_SEGMENT);
    window(vrc::BASE, 0, voltage.router, voltage.port, 0);
    window(SATA_WINDOW, 0, system.router, system.port, SATA_SEGMENT);
    let last = lut.len() - 1;
    lut.set(last, memory(controller, map.boot(k)));
    debug_assert!(slot(BOOT_WINDOW, 1) as usize == last + 1);
}

#[cfg(test)]
mod tests {
    use rockcreek_defs::CoreAddr;

    use super::*;

    fn scc() -> Description {
        Description::parse(include_str!("../../../machine/presets/scc.toml")).unwrap()
    }

    fn lut_of(core: u16) -> Lut {
        let description = scc();
        let mut lut = Lut::new(256, 1 << 24);
        fill_default_lut(&description, CoreId(core), &mut lut);
        lut
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

    /// Slots of the published 32 GB map: 0x1EC shared, 0x1ED fifth shared, 0x1F4 on boot.
    #[test]
    fn the_default_lut_is_the_published_one() {
        let lut = lut_of(47);
        let east = |segment: u32| 0x2000 * 0x25 + 0x400 * 4 + segment;
        assert_eq!(lut.entry(0).0, east(41 * 11));
        assert_eq!(lut.entry(0x28).0, east(41 * 11 + 40));
        assert_eq!(lut.entry(0x29).0, east(0x1ED));
        assert_eq!(lut.entry(0x80).0, 0x400 * 6 + 0x1EC);
        assert_eq!(lut.entry(0x83).0, east(0x1EC));
        assert_eq!(lut.entry(0xC5).0, 0x2000 * 0x05 + 0x400 * 3);
        assert_eq!(lut.entry(0xD8).0, 0x2000 * 0x35 + 0x400 * 3);
        assert_eq!(lut.entry(0xF8).0, 0x2000 * 0x35 + 0x400 * 2);
        assert_eq!(lut.entry(0xF9).0, 0x2000 * 0x03 + 0x400 * 5 + 0x100);
        assert_eq!(lut.entry(0xFA).0, 0x2000 * 0x03 + 0x400 * 5 + 0x200);
        assert_eq!(lut.entry(0xFB).0, 0x400 * 5);
        assert_eq!(lut.entry(0xFF).0, east(0x1FF));
    }

    #[test]
    fn addresses_reach_their_units() {
        let topology = scc().topology;
        let unit = |addr: u32| topology.resolve(&lut_of(0).translate(CoreAddr(addr)));
        assert_eq!(unit(0x0000_1000), Unit::Memory(0));
        assert_eq!(unit(0x8200_0000), Unit::Memory(2));
        assert_eq!(unit(0xD700_0000), Unit::Mpb(TileId(23)));
        assert_eq!(unit(0xE100_0200), Unit::Crb(TileId(1)));
        assert_eq!(unit(0xF900_8224), Unit::System);
        assert_eq!(unit(0xFB00_0000), Unit::Voltage);
        let empty = LutEntry::new(Coord { x: 9, y: 0 }, SubDest::Mpb, 0, false);
        let mut lut = lut_of(0);
        lut.set(0, empty);
        assert_eq!(topology.resolve(&lut.translate(CoreAddr(0))), Unit::Nowhere);
    }
}
