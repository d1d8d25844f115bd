//! Everything outside the cores: tiles, mesh, memory controllers and board.
//!
//! A request passes through the LUT and the mesh to its unit ([`request_path`]), takes effect there
//! when it arrives ([`service`]), and its response travels back. [`wiring`] maps ports to units,
//! [`port`] admits requests to a unit one after the other. [`route_cache`] keeps the common part of
//! a core's repeated requests, [`route_table`] stores these entries, and [`uncontended_route`]
//! repeats a request that waits for nothing. [`voltage_domains`] maps tiles to voltages and checks
//! them. [`host_view`] is memory as the management PC accesses it; [`faults`] defines faults and
//! the state of broken links.
//!
//! Nothing here depends on a core's state or on the order of events; the scheduler calls these
//! functions in that order.

pub mod faults;
pub mod host_view;
pub mod port;
pub mod request_path;
pub mod route_cache;
pub mod route_key;
pub mod route_table;
pub mod service;
mod topology_cache;
pub mod uncontended_route;
pub mod voltage_domains;
pub mod wiring;

use rockcreek_board::{BoardConfig, SystemInterface, fpga_registers::FpgaConfig};
use rockcreek_defs::{Coord, CoreId, TileId};
use rockcreek_memory::Controller;
use rockcreek_mesh::Mesh;
use rockcreek_observe::TrafficMatrix;
use rockcreek_power::Accounts;
use rockcreek_tile::Tile;
use serde::{Deserialize, Serialize};

use crate::description::Description;
use crate::description::memory_map::fill_default_lut;
use crate::uncore::faults::FaultyLinks;
use crate::uncore::port::Port;
use crate::uncore::route_table::RouteTable;
use crate::uncore::topology_cache::TopologyCache;
use crate::uncore::voltage_domains::Undervoltage;
use crate::uncore::wiring::{Unit, unit_names};

/// The chip without its cores, together with the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Uncore {
    pub(crate) description: Description,
    pub tiles: Vec<Tile>,
    pub mesh: Mesh,
    pub controllers: Vec<Controller>,
    pub board: SystemInterface,
    /// The ports of MPBs and of register blocks, by tile.
    pub mpb_ports: Vec<Port>,
    pub crb_ports: Vec<Port>,
    pub system_port: Port,
    /// The number of requests by core and unit, with the number of bytes that they write or read.
    pub traffic: TrafficMatrix,
    /// The faulty links of the mesh.
    pub faulty_links: FaultyLinks,
    /// What units have counted at earlier voltage levels, as energies are computed with the level
    /// of their time.
    pub(crate) accounts: Accounts,
    pub undervoltage: Undervoltage,
    #[serde(skip)]
    pub(crate) places: TopologyCache,
    #[serde(skip)]
    pub(crate) routes: RouteTable,
}

impl Uncore {
    /// The state after the host's initialisation: MPBs zero, locks free, default LUTs, all cores
    /// held in reset.
    pub fn new(description: &Description) -> Uncore {
        let topology = &description.topology;
        let tiles = description.tiles();
        let mut all: Vec<Tile> = (0..tiles)
            .map(|n| Tile::new(topology.coord(TileId(n as u16)), &description.tile))
            .collect();
        for core in (0..description.cores()).map(|n| CoreId(n as u16)) {
            let tile = &mut all[topology.tile_of(core).index()];
            fill_default_lut(description, core, tile.registers.lut_mut(topology.z_of(core)));
        }
        let controller =
            Controller::new(description.memory_bytes_per_controller, description.memory_timing);
        let fpga = FpgaConfig {
            timestamp_period_ps: description.clocks.timestamp_period_ps,
            fast_clock_mhz: description.clocks.fast_mhz,
            private_slots: description.address_map.private_slots,
            dimm_sizes: dimm_sizes(description),
            request_index: description.request_index,
            cores: description.cores(),
        };
        Uncore {
            tiles: all,
            mesh: mesh(description),
            controllers: vec![controller; topology.memory_controllers.len()],
            board: SystemInterface::new(&BoardConfig {
                cores: description.cores(),
                fpga,
                voltage: description.voltage,
                power_conversion_ps: description.power_conversion_ps,
            }),
            mpb_ports: vec![Port::default(); tiles],
            crb_ports: vec![Port::default(); tiles],
            system_port: Port::default(),
            faulty_links: FaultyLinks::default(),
            traffic: TrafficMatrix::new(
                description.cores(),
                unit_names(tiles, topology.memory_controllers.len()),
            ),
            accounts: Accounts::new(&description.population()),
            undervoltage: Undervoltage::new(tiles),
            places: TopologyCache::of(description),
            routes: RouteTable::new(description),
            description: description.clone(),
        }
    }

    /// Call after a restore: fills in what follows from the description, including what the saved
    /// state leaves out.
    pub(crate) fn complete(&mut self, description: &Description) {
        self.description = description.clone();
        self.mesh.set_routing(description.routing);
        self.places = TopologyCache::of(&self.description);
        self.routes = RouteTable::new(&self.description);
    }

    pub fn description(&self) -> &Description {
        &self.description
    }

    /// True if all parts have the numbers and sizes that a new chip with this description would
    /// have.
    pub(crate) fn has_shape_of(&self, description: &Description) -> bool {
        let fresh = Uncore::new(description);
        let sizes = |uncore: &Uncore| {
            let tiles =
                uncore.tiles.iter().map(|tile| (tile.coord, tile.size())).collect::<Vec<_>>();
            let busy = (uncore.mpb_ports.len(), uncore.crb_ports.len());
            (tiles, uncore.memory_sizes(), busy)
        };
        sizes(self) == sizes(&fresh)
            && self.accounts.fit(&description.population())
            && self.undervoltage.tiles() == description.tiles()
    }

    /// Bytes of memory, by controller.
    pub(crate) fn memory_sizes(&self) -> Vec<u64> {
        self.controllers.iter().map(|one| one.dram.bytes()).collect()
    }

    #[inline]
    pub(crate) fn home(&self, core: CoreId) -> (TileId, Coord) {
        let home = self.places.home(core);
        (home.tile, home.at)
    }

    /// The number of the core's mesh interface as a unit in the order of events.
    #[inline]
    pub(crate) fn interface(&self, core: CoreId) -> u32 {
        self.routes.interface(core)
    }

    /// The number of a unit among all units, as [`unit_names`] lists them.
    pub(crate) fn number(&self, unit: Unit) -> usize {
        unit.number(self.tiles.len(), self.controllers.len())
    }
}

fn mesh(description: &Description) -> Mesh {
    let topology = &description.topology;
    let mut mesh = Mesh::new(topology.columns, topology.rows, description.mesh_timing);
    mesh.set_routing(description.routing);
    mesh
}

/// The value of the FPGA's DIMM register. Each controller's memory is shown as two slots, equal if
/// possible, with two bits each (0, 2, 4, 8 GB).
fn dimm_sizes(description: &Description) -> u32 {
    let gib = (description.memory_bytes_per_controller >> 30) as u32;
    let (first, second) = match gib {
        16 => (3, 3),
        8 => (2, 2),
        4 => (1, 1),
        2 => (1, 0),
        _ => (0, 0),
    };
    (0..description.topology.memory_controllers.len())
        .fold(0, |word, n| word | (first | second << 2) << (4 * n))
}
