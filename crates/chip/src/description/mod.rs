//! The chip description: reads TOML, and returns checked integers.
//!
//! Every parameter is `{ value, unit, source }`, and may have `note`, `fit`, `held_out` and
//! `alternatives`, which change nothing here unless `setup` chooses an alternative. Coordinates,
//! the rows of `power.needs` and the jitter seed are bare numbers. A wrong, missing or unknown key
//! is an error that names the key and, for a wrong value, the allowed ones. No other module assumes
//! a size of the chip.

mod alternatives;
mod base;
mod clocks;
pub(crate) mod memory_map;
mod power;
mod reader;
pub(crate) mod release_jitter;
mod timing;

use rockcreek_board::{RequestIndex, VoltageConfig};
use rockcreek_cache::{CacheConfig, ConfigError, Geometry, MemoryType, Replacement, StoreMiss};
use rockcreek_cpu::{CpuConfig, MOST_TLB_WAYS};
use rockcreek_defs::{Coord, SubDest};
use rockcreek_memory::{AddressMap, ControllerTiming};
use rockcreek_mesh::{MeshTiming, Routing};
use rockcreek_power::PowerConfig;
use rockcreek_tile::{InterfaceTiming, TileConfig};
use serde::{Deserialize, Serialize};

use crate::description::alternatives::choose;
use crate::description::base::complete;
use crate::description::clocks::{clocks, setup};
use crate::description::memory_map::{check_map, extension, segments_per_window, tile_windows};
use crate::description::power::{Power, power, voltage};
use crate::description::reader::Reader;
use crate::description::timing::{LONGEST_PS, timing};

pub use crate::description::clocks::{Clocks, Setup};
pub use crate::description::memory_map::TileWindows;
pub use crate::description::timing::WiringTiming;

/// An error in a description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {problem}")]
pub struct DescriptionError {
    /// The dotted name of the wrong key, such as `timing.memory.access`; `line N` for a text that
    /// is not TOML.
    pub key: String,
    pub problem: String,
}

/// A unit (memory controller, system interface, voltage regulator) at a free port of a router at
/// the mesh's edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeUnit {
    pub router: Coord,
    pub port: SubDest,
}

/// The numbers and places of tiles, cores and edge units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topology {
    pub columns: u8,
    pub rows: u8,
    pub cores_per_tile: u32,
    pub memory_controllers: Vec<EdgeUnit>,
    pub system_interface: EdgeUnit,
    pub voltage_regulator: EdgeUnit,
}

/// A checked chip description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    pub name: String,
    pub title: String,
    pub topology: Topology,
    pub clocks: Clocks,
    pub setup: Setup,
    /// The longest delay, in picoseconds, with which a core leaves reset if the setting has a
    /// jitter seed.
    pub release_spread_ps: u64,
    pub cpu: CpuConfig,
    pub tile: TileConfig,
    pub memory_bytes_per_controller: u64,
    pub address_map: AddressMap,
    pub windows: TileWindows,
    /// For each core, the bit of the interrupt controller's request registers that stands for it.
    pub request_index: RequestIndex,
    pub voltage: VoltageConfig,
    pub power: PowerConfig,
    pub power_conversion_ps: u64,
    pub mesh_timing: MeshTiming,
    /// The order of the mesh's dimensions. Not part of the encoded description: see
    /// [`Description::choices`].
    #[serde(skip)]
    pub routing: Routing,
    pub interface_timing: InterfaceTiming,
    pub memory_timing: ControllerTiming,
    pub timing: WiringTiming,
}

pub(crate) const BYTES: &str = "bytes";
pub(crate) const CORE_CYCLES: &str = "core cycles";
/// The version of the description's format; files with another number are refused.
const SCHEMA: i64 = 1;

impl Description {
    /// Parses and checks a description.
    pub fn parse(text: &str) -> Result<Description, DescriptionError> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let line = error.span().map_or(0, |span| text[..span.start].lines().count().max(1));
            DescriptionError {
                key: format!("line {line}"),
                problem: format!("not TOML: {}", error.message()),
            }
        })?;
        let mut table = complete(table)?;
        choose(&mut table)?;
        let mut root = Reader::new("", table);
        let schema = root.integer("schema")?;
        if schema != SCHEMA {
            return Err(root.error("schema", format!("is {schema}; allowed: {SCHEMA}")));
        }
        let name = root.text("name")?;
        let title = root.text("title")?;
        let (topology, routing) = root.section("topology", |section| {
            let words = [("xy", Routing::Xy), ("yx", Routing::Yx)];
            Ok((topology(section)?, section.choice("routing", words)?))
        })?;
        let mut clocks = root.section("clocks", clocks)?;
        let setup = root.optional_section("setup", |section| setup(section, &mut clocks))?;
        let mut core = root.table("core")?;
        let cpu = root.section("cache", |cache| cpu(&mut core, cache))?;
        core.finish()?;
        let mut tile = root.section("tile", |section| tile(section, &topology, &clocks))?;
        let windows = root.optional_section("map", |section| tile_windows(section, &tile))?;
        tile.extension = extension(&topology, &tile, &windows);
        let mut board = root.table("board")?;
        let gib = board.number("memory_per_controller", "GiB", 1..=16)?;
        let memory_bytes_per_controller = gib << 30;
        let address_map = address_map(&mut board, &topology, &tile, memory_bytes_per_controller)?;
        let request_index = request_index(&mut board)?;
        let voltage = voltage(&mut board)?;
        board.finish()?;
        let (mesh_timing, interface_timing, memory_timing, timing) =
            root.section("timing", |section| timing(section, &clocks))?;
        let Power { config: power, conversion_ps: power_conversion_ps } =
            root.section("power", power)?;
        let release_spread_ps = root.section("variation", |variation| {
            variation.number("release_spread", "ps", 0..=LONGEST_PS)
        })?;
        root.finish()?;
        let description = Description {
            name,
            title,
            topology,
            clocks,
            setup,
            release_spread_ps,
            cpu,
            tile,
            memory_bytes_per_controller,
            address_map,
            windows,
            request_index,
            voltage,
            power,
            power_conversion_ps,
            mesh_timing,
            routing,
            interface_timing,
            memory_timing,
            timing,
        };
        check_map(&description)?;
        Ok(description)
    }

    /// The chosen rules that the description's encoding leaves out, for hashes of the chip. `None`
    /// if the chip follows the SCC's rules: then the hash of an SCC is as before these choices
    /// existed.
    pub(crate) fn choices(&self) -> Option<impl Serialize + use<>> {
        let cache = &self.cpu.cache;
        let chosen =
            (cache.l2_replacement, cache.l2_store_miss, self.cpu.pcd_pmb_type, self.routing);
        let scc = (None, StoreMiss::Around, MemoryType::UncachedMpbt, Routing::Xy);
        (chosen != scc).then_some(chosen)
    }

    pub fn tiles(&self) -> usize {
        usize::from(self.topology.columns) * usize::from(self.topology.rows)
    }

    pub fn cores(&self) -> usize {
        self.tiles() * self.topology.cores_per_tile as usize
    }
}

fn edge_unit(section: &mut Reader, columns: u8, rows: u8) -> Result<EdgeUnit, DescriptionError> {
    let x = section.plain("x", 0..=u64::from(columns) - 1)? as u8;
    let y = section.plain("y", 0..=u64::from(rows) - 1)? as u8;
    section.sources()?;
    let port = section.text("port")?;
    let (sub, free) = match port.as_str() {
        "east" => (SubDest::East, x + 1 == columns),
        "south" => (SubDest::South, y == 0),
        "west" => (SubDest::West, x == 0),
        "north" => (SubDest::North, y + 1 == rows),
        _ => {
            let problem = format!("is \"{port}\"; allowed: east, south, west, north");
            return Err(section.error("port", problem));
        }
    };
    if !free {
        let problem = format!("the {port} port of router ({x},{y}) leads to another router");
        return Err(section.error("port", problem));
    }
    Ok(EdgeUnit { router: Coord { x, y }, port: sub })
}

fn topology(section: &mut Reader) -> Result<Topology, DescriptionError> {
    // The LUT's coordinate fields have four bits.
    let columns = section.number("columns", "tiles", 1..=16)? as u8;
    let rows = section.number("rows", "tiles", 1..=16)? as u8;
    // A tile has two sub-destinations for cores, and the LUTs of two cores fill the SCC's CRB.
    let cores_per_tile = section.number("cores_per_tile", "cores", 1..=2)? as u32;
    let mut unit = |name| section.section(name, |part| edge_unit(part, columns, rows));
    let system_interface = unit("system_interface")?;
    let voltage_regulator = unit("voltage_regulator")?;
    let mut memory_controllers = Vec::new();
    for mut part in section.tables("memory_controller")? {
        memory_controllers.push(edge_unit(&mut part, columns, rows)?);
        part.finish()?;
    }
    // sccKit divides the chip into quadrants, one for each of four controllers; a single controller
    // serves all cores.
    if !matches!(memory_controllers.len(), 1 | 4) {
        let problem = format!("there are {}; allowed: 1 or 4", memory_controllers.len());
        return Err(section.error("memory_controller", problem));
    }
    if memory_controllers.len() == 4 && !(columns.is_multiple_of(2) && rows.is_multiple_of(2)) {
        let problem = "four controllers need even numbers of columns and rows".into();
        return Err(section.error("memory_controller", problem));
    }
    let mut all = memory_controllers.clone();
    all.extend([system_interface, voltage_regulator]);
    for (n, unit) in all.iter().enumerate() {
        if all[..n].contains(unit) {
            let problem = format!("two units at the same port of router {}", unit.router);
            return Err(section.error("memory_controller", problem));
        }
    }
    Ok(Topology {
        columns,
        rows,
        cores_per_tile,
        memory_controllers,
        system_interface,
        voltage_regulator,
    })
}

fn cpu(core: &mut Reader, cache: &mut Reader) -> Result<CpuConfig, DescriptionError> {
    // Choices that no source settles, and for which the model supports only one value.
    cache.only("write_combine_drain", "full-or-other-line")?;
    core.only("apic_timer_clock", "core")?;
    core.only("outstanding_requests", "one")?;
    let mut geometry = |name: &str| -> Result<Geometry, DescriptionError> {
        let size = cache.number(&format!("{name}_size"), BYTES, 32..=1 << 30)?;
        let ways = cache.number(&format!("{name}_ways"), "ways", 1..=64)?;
        Ok(Geometry { size_bytes: size as u32, ways: ways as u32 })
    };
    let (l1i, l1d, l2) = (geometry("l1i")?, geometry("l1d")?, geometry("l2")?);
    let policies = [
        ("tree-plru", Replacement::TreePlru),
        ("fifo", Replacement::Fifo),
        ("true-lru", Replacement::TrueLru),
    ];
    let replacement = cache.choice("replacement", policies)?;
    let [plru, fifo, lru] = policies.map(|(name, policy)| (name, Some(policy)));
    let l2_replacement = cache.choice("l2_replacement", [("same", None), plru, fifo, lru])?;
    let stores = [("around", StoreMiss::Around), ("allocate", StoreMiss::Allocate)];
    let l2_store_miss = cache.choice("l2_store_miss", stores)?;
    let types = [("uncached-mpbt", MemoryType::UncachedMpbt), ("l1-only", MemoryType::L1Only)];
    let pcd_pmb_type = core.choice("pcd_pmb_type", types)?;
    let cache_config = CacheConfig {
        line_bytes: cache.number("line", BYTES, 1..=4096)? as u32,
        l1i,
        l1d,
        l2,
        replacement,
        l2_replacement,
        l2_store_miss,
        l2_hit_cycles: cache.cycles("l2_hit", CORE_CYCLES)?,
    };
    cache_config.validate().map_err(|error: ConfigError| DescriptionError {
        key: "cache".into(),
        problem: error.to_string(),
    })?;
    let mut tlb = |entries: &str, ways: &str| -> Result<(u32, u32), DescriptionError> {
        let count = core.number(entries, "entries", 1..=1024)?;
        let ways_count = core.number(ways, "ways", 1..=count.min(MOST_TLB_WAYS as u64))?;
        if !count.is_power_of_two() || !ways_count.is_power_of_two() {
            let problem = format!("{count} entries in {ways_count} ways are not powers of two");
            return Err(core.error(entries, problem));
        }
        Ok((count as u32, ways_count as u32))
    };
    let (dtlb_entries, dtlb_ways) = tlb("dtlb_entries", "dtlb_ways")?;
    let (itlb_entries, itlb_ways) = tlb("itlb_entries", "itlb_ways")?;
    let large = core.number("dtlb_large_entries", "entries", u64::from(dtlb_ways)..=1024)?;
    if !large.is_power_of_two() {
        // The TLB for large pages has as many ways as the one for small pages.
        let problem = format!("is {large}; allowed: powers of two, {dtlb_ways} to 1024");
        return Err(core.error("dtlb_large_entries", problem));
    }
    Ok(CpuConfig {
        cache: cache_config,
        cpuid_family: core.number("cpuid_family", "1", 0..=15)? as u32,
        cpuid_model: core.number("cpuid_model", "1", 0..=15)? as u32,
        cpuid_stepping: core.number("cpuid_stepping", "1", 0..=15)? as u32,
        cpuid_features: core.number("cpuid_features", "mask", 0..=0xFFFF_FFFF)? as u32,
        dtlb_entries,
        dtlb_ways,
        dtlb_large_entries: large as u32,
        itlb_entries,
        itlb_ways,
        tlb_miss_cycles: core.cycles("tlb_miss", CORE_CYCLES)?,
        apic_access_cycles: core.cycles("apic_access", CORE_CYCLES)?,
        misaligned_cycles: core.cycles("misaligned", CORE_CYCLES)?,
        pcd_pmb_type,
    })
}

fn tile(
    section: &mut Reader,
    topology: &Topology,
    clocks: &Clocks,
) -> Result<TileConfig, DescriptionError> {
    let mpb = section.number("mpb_size", BYTES, 32..=1 << 24)?;
    let per_core = section.number("mpb_per_core", BYTES, 32..=1 << 24)?;
    if !mpb.is_power_of_two() {
        return Err(section.error("mpb_size", format!("is {mpb}; allowed: powers of two")));
    }
    if per_core * u64::from(topology.cores_per_tile) != mpb {
        let problem = format!("is {per_core}; the cores of a tile share {mpb} bytes equally");
        return Err(section.error("mpb_per_core", problem));
    }
    let entries = section.number("lut_entries", "entries", 256..=4096)?;
    let segment = section.number("lut_segment", BYTES, 1 << 20..=1 << 24)?;
    if entries * segment != 1 << 32 {
        let problem = format!("{entries} segments of {segment} bytes do not cover 4 GB");
        return Err(section.error("lut_entries", problem));
    }
    let locks_start_free = section.number("lock_start", "1", 0..=1)? == 1;
    let mut sensor = |key: &str| {
        section.number(key, "counts per 1024 gate pulses", 0..=1024).map(|counts| counts as u32)
    };
    Ok(TileConfig {
        cores: topology.cores_per_tile as usize,
        locks_start_free,
        mpb_bytes: mpb as usize,
        lut_entries: entries as usize,
        lut_segment_bytes: segment,
        divider: clocks.tile_divider,
        mesh_divider: clocks.mesh_divider(),
        sensor_counts: [sensor("sensor_router")?, sensor("sensor_core")?],
        // `parse` sets this field once it has the map.
        extension: None,
    })
}

fn address_map(
    board: &mut Reader,
    topology: &Topology,
    tile: &TileConfig,
    bytes: u64,
) -> Result<AddressMap, DescriptionError> {
    let tiles = u32::from(topology.columns) * u32::from(topology.rows);
    let cores = tiles * topology.cores_per_tile;
    let most = tile.lut_entries as u64 / 2;
    let map = AddressMap {
        private_slots: board.number("private_slots", "slots", 1..=most)? as u32,
        cores_per_controller: cores / topology.memory_controllers.len() as u32,
        segments: (bytes / tile.lut_segment_bytes) as u32,
        shared_segments: segments_per_window(tile),
    };
    if !map.fits() {
        let problem = format!(
            "{} private slots for {} cores do not fit into the {} slots of a controller",
            map.private_slots, map.cores_per_controller, map.segments
        );
        return Err(board.error("private_slots", problem));
    }
    Ok(map)
}

fn request_index(board: &mut Reader) -> Result<RequestIndex, DescriptionError> {
    let names = [("sender", RequestIndex::Sender), ("target", RequestIndex::Target)];
    board.choice("interrupt_request_index", names)
}
