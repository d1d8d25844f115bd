//! Places of cores and units, computed once from the topology, by core and by port.
//!
//! The cache follows from the description and is not part of the state.

use rockcreek_defs::registers::lut::lut0;
use rockcreek_defs::{Coord, CoreId, SystemAddr, TileId};
use rockcreek_tile::LutEntry;

use crate::description::{Description, Topology};
use crate::uncore::wiring::Unit;

/// Where a core is on the chip: its tile, its number in the tile, its router's coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Home {
    pub tile: TileId,
    /// The core's number inside its tile, from 0.
    pub z: usize,
    pub at: Coord,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct TopologyCache {
    /// Where each core is; the index is the core's number.
    pub homes: Vec<Home>,
    /// For each port of a router, the unit there; the last entry, the system interface, is for
    /// requests to I/O ports, which have no LUT entry.
    units: Vec<Unit>,
}

/// Always equal: the cache follows from the description, which is compared.
impl PartialEq for TopologyCache {
    fn eq(&self, _: &TopologyCache) -> bool {
        true
    }
}

impl TopologyCache {
    pub fn of(description: &Description) -> TopologyCache {
        let topology = &description.topology;
        let home = |core: usize| {
            let core = CoreId(core as u16);
            let tile = topology.tile_of(core);
            Home { tile, z: topology.z_of(core), at: topology.coord(tile) }
        };
        TopologyCache {
            homes: (0..description.cores()).map(home).collect(),
            units: units(topology).chain([Unit::System]).collect(),
        }
    }

    #[inline]
    pub fn home(&self, core: CoreId) -> &Home {
        &self.homes[core.index()]
    }

    /// The unit that a LUT entry selects; without an entry (a request to an I/O port),
    /// [`Unit::System`].
    pub fn unit(&self, entry: Option<LutEntry>) -> Unit {
        self.units[entry.map_or(LutEntry::PORTS, LutEntry::port)]
    }
}

/// The unit of each port, in the numbering of [`LutEntry::port`].
fn units(topology: &Topology) -> impl Iterator<Item = Unit> {
    (0..LutEntry::PORTS as u32).map(|port| {
        let entry = LutEntry(port << lut0::SUB_SHIFT);
        let (router, sub) = (entry.router(), entry.sub());
        topology.resolve(&SystemAddr { router, sub, offset: 0, bypass: false })
    })
}
