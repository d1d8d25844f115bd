//! The default map of the cores' 32-bit address space: the contents of the LUTs at boot, as
//! sccKit's merge tool fills them.
//!
//! A chip description may move the windows of the tiles' buffers and registers and make them
//! smaller, so that there is room for more than 24 tiles; all other windows are where the SCC has
//! them. A window takes as many LUT entries as segments fit into it.

use rockcreek_defs::registers::{crb, fpga, lut, vrc};
use rockcreek_defs::{Coord, CoreId, SubDest, TileId};
use rockcreek_tile::{Extension, Lut, LutEntry, TileConfig};
use serde::{Deserialize, Serialize};

use crate::description::reader::Reader;
use crate::description::{Description, DescriptionError, EdgeUnit, Topology};

/// On the SCC: the size in bytes of a unit's window, and the core addresses at which windows begin.
const WINDOW_BYTES: u64 = 1 << 24;
const SHARED_BASE: u32 = 0x8000_0000;
const MPB_BASE: u32 = 0xC000_0000;
const MPB_OWN: u32 = 0xD800_0000;
const HOST_WINDOW: u32 = 0xFA00_0000;
const SATA_WINDOW: u32 = 0xFC00_0000;
const APIC: u64 = 0xFEE0_0000;
const APIC_BYTES: u64 = 4096;
const SPACE: u64 = 1 << 32;
/// The upper address bits by which the FPGA selects its units.
const FPGA_ADDRESS: u64 = 1 << 32;
const SATA_ADDRESS: u64 = 3 << 31;
const HOST_ADDRESS: u64 = 4 << 31;
/// Numbers that the SCC's software assumes: columns, cores per tile, bytes of a tile's message
/// buffer.
const SCC_COLUMNS: u8 = 6;
const SCC_CORES_PER_TILE: u32 = 2;
const SCC_MPB_BYTES: usize = 16384;

/// The core addresses at which the default LUTs map the tiles' units, tile after tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TileWindows {
    pub mpb: u32,
    pub crb: u32,
    /// The distance from one tile's window to the next, in bytes.
    pub bytes: u64,
}

impl Default for TileWindows {
    /// The windows at the SCC's addresses.
    fn default() -> TileWindows {
        TileWindows { mpb: MPB_BASE, crb: crb::BASE, bytes: WINDOW_BYTES }
    }
}

/// The number of LUT entries (segments) that a window of the SCC's size (16 MB) takes.
pub(crate) fn segments_per_window(tile: &TileConfig) -> u32 {
    (WINDOW_BYTES / tile.lut_segment_bytes) as u32
}

/// Reads the description's table `map`: where the tiles' windows are and how large.
pub(crate) fn tile_windows(
    section: &mut Reader,
    tile: &TileConfig,
) -> Result<TileWindows, DescriptionError> {
    let bytes = section.number("tile_window", "bytes", 1 << 20..=WINDOW_BYTES)?;
    if !bytes.is_power_of_two() || bytes < tile.lut_segment_bytes {
        let segment = tile.lut_segment_bytes;
        let problem = format!("is {bytes}; allowed: powers of two from the LUT's {segment} on");
        return Err(section.error("tile_window", problem));
    }
    let registers = lut::lut0::OFFSET as usize + tile.cores * tile.lut_entries * 8;
    let needed = registers.max(tile.mpb_bytes) as u64;
    if bytes < needed {
        let problem = format!("is {bytes}; a tile's registers and buffer need {needed}");
        return Err(section.error("tile_window", problem));
    }
    let mut base = |key: &str| {
        let base = section.number(key, "address", 0..=SPACE - 1)?;
        match base.is_multiple_of(bytes) {
            true => Ok(base as u32),
            false => Err(section.error(key, format!("is {base:#x}, no multiple of tile_window"))),
        }
    };
    Ok(TileWindows { mpb: base("mpb_windows")?, crb: base("crb_windows")?, bytes })
}

/// Adjacent windows of one size in a core's address space, and the unit to which the LUT maps each
/// of them.
struct Area {
    what: &'static str,
    base: u32,
    window_bytes: u64,
    units: Vec<Port>,
    /// The address, inside its unit, at which each window begins.
    address: u64,
}

/// A unit as a LUT entry names it: its router, and the unit's port there.
type Port = (Coord, SubDest);

impl Area {
    fn bytes(&self) -> u64 {
        self.window_bytes * self.units.len() as u64
    }
}

/// The areas that the LUT of `core` maps by default. All other addresses are mapped to the fifth
/// shared slot, a part of shared memory.
fn areas(description: &Description, core: CoreId) -> Vec<Area> {
    let (topology, windows) = (&description.topology, &description.windows);
    let (map, segment_bytes) = (&description.address_map, description.tile.lut_segment_bytes);
    let port = |unit: &EdgeUnit| (unit.router, unit.port);
    let controllers: Vec<Port> = topology.memory_controllers.iter().map(port).collect();
    let tiles = |sub| {
        let coord = |n| topology.coord(TileId(n as u16));
        (0..description.tiles()).map(|n| (coord(n), sub)).collect()
    };
    let own = topology.coord(topology.tile_of(core));
    let (controller, k) = topology.quadrant(core);
    let memory = vec![controllers[controller]];
    let private_bytes = u64::from(map.private_slots) * segment_bytes;
    let [private, shared, boot] =
        [map.private(k, 0), map.shared(), map.boot(k)].map(|n| u64::from(n) * segment_bytes);
    let boot_base = (SPACE - segment_bytes) as u32;
    let system = vec![port(&topology.system_interface)];
    let voltage = vec![port(&topology.voltage_regulator)];
    let area = |what, base, window_bytes, units, address| Area {
        what,
        base,
        window_bytes,
        units,
        address,
    };
    let own_window = |what, base, sub| area(what, base, WINDOW_BYTES, vec![(own, sub)], 0);
    let window = |what, base, units, address| area(what, base, WINDOW_BYTES, units, address);
    vec![
        area("private memory", 0, private_bytes, memory.clone(), private),
        window("shared memory", SHARED_BASE, controllers.clone(), shared),
        area("the message buffers", windows.mpb, windows.bytes, tiles(SubDest::Mpb), 0),
        area("the configuration registers", windows.crb, windows.bytes, tiles(SubDest::Crb), 0),
        own_window("the own tile's message buffer", MPB_OWN, SubDest::Mpb),
        own_window("the own tile's registers", crb::OWN, SubDest::Crb),
        window("the system FPGA", fpga::BASE, system.clone(), FPGA_ADDRESS),
        window("the host's window", HOST_WINDOW, system.clone(), HOST_ADDRESS),
        window("the voltage regulator", vrc::BASE, voltage, 0),
        window("the SATA ports", SATA_WINDOW, system, SATA_ADDRESS),
        area("the slot to boot from", boot_base, segment_bytes, memory, boot),
    ]
}

/// Returns an error if areas of the default map overlap.
pub(crate) fn check_map(description: &Description) -> Result<(), DescriptionError> {
    let areas = areas(description, CoreId(0));
    let shown = areas.iter().map(|area| (u64::from(area.base), area.bytes(), area.what));
    let others = [(APIC, APIC_BYTES, "the local APIC"), (SPACE, 0, "the end of the addresses")];
    let mut all: Vec<_> = shown.chain(others).collect();
    all.sort_unstable();
    for pair in all.windows(2) {
        let [(start, bytes, what), (next, _, other)] = pair else { continue };
        if start + bytes > *next {
            let problem = format!(
                "{what} of {} tiles, {bytes:#x} bytes from {start:#x} on, would reach into \
                 {other} at {next:#x}",
                description.tiles()
            );
            return Err(DescriptionError { key: "map".into(), problem });
        }
    }
    Ok(())
}

/// The description of the chip that the tiles' registers provide to software without built-in
/// assumptions. `None` for a chip that differs from the SCC at most in its number of rows: the
/// SCC's software can use that chip.
pub(crate) fn extension(
    topology: &Topology,
    tile: &TileConfig,
    windows: &TileWindows,
) -> Option<Extension> {
    let as_on_scc = topology.columns == SCC_COLUMNS
        && topology.cores_per_tile == SCC_CORES_PER_TILE
        && tile.mpb_bytes == SCC_MPB_BYTES
        && tile.lut_segment_bytes == WINDOW_BYTES
        && *windows == TileWindows::default();
    let chip = u32::from(topology.columns) << crb::chip::COLUMNS_SHIFT
        | u32::from(topology.rows) << crb::chip::ROWS_SHIFT
        | topology.cores_per_tile << crb::chip::CORES_SHIFT
        | (topology.memory_controllers.len() as u32) << crb::chip::CONTROLLERS_SHIFT
        | (tile.mpb_bytes / tile.cores).trailing_zeros() << crb::chip::MPB_SHIFT
        | tile.lut_segment_bytes.trailing_zeros() << crb::chip::SEGMENT_SHIFT
        | windows.bytes.trailing_zeros() << crb::chip::WINDOW_SHIFT;
    (!as_on_scc).then_some(Extension { chip, mpb_windows: windows.mpb, crb_windows: windows.crb })
}

/// Fills a core's LUT as sccKit's merge tool does by default.
pub fn fill_default_lut(description: &Description, core: CoreId, lut: &mut Lut) {
    let segment_bytes = description.tile.lut_segment_bytes;
    let (controller, _) = description.topology.quadrant(core);
    let memory = description.topology.memory_controllers[controller];
    let elsewhere = u64::from(description.address_map.fifth_shared()) * segment_bytes;
    for n in 0..lut.len() {
        lut.set(n, LutEntry::new(memory.router, memory.port, elsewhere, false));
    }
    for area in areas(description, core) {
        let bases = (u64::from(area.base)..).step_by(area.window_bytes as usize);
        for (&(router, sub), base) in area.units.iter().zip(bases) {
            for at in (0..area.window_bytes).step_by(segment_bytes as usize) {
                let entry = LutEntry::new(router, sub, area.address + at, false);
                lut.set(((base + at) / segment_bytes) as usize, entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rockcreek_defs::CoreAddr;

    use super::*;
    use crate::uncore::wiring::Unit;

    fn scc() -> Description {
        Description::parse(include_str!("../../../../machine/presets/scc.toml")).unwrap()
    }

    fn lut_of(core: u16) -> Lut {
        let description = scc();
        let mut lut = Lut::new(256, 1 << 24);
        fill_default_lut(&description, CoreId(core), &mut lut);
        lut
    }

    /// Slots of the published 32 GB map: 0x1EC shared, 0x1ED fifth shared, 0x1F4 onwards boot.
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
