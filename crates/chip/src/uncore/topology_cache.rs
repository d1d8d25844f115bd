//! Where things are, looked up once: what a chip's topology says of each core and of each port.
//!
//! It follows from the description and is no part of the state.

use rockcreek_defs::registers::lut::lut0;
use rockcreek_defs::{Coord, CoreId, SystemAddr, TileId};
use rockcreek_tile::LutEntry;

use crate::description::{Description, Topology};
use crate::uncore::wiring::Unit;

/// Where a core is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Home {
    pub tile: TileId,
    /// Its number inside its tile.
    pub z: usize,
    pub at: Coord,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct TopologyCache {
    /// By core.
    pub homes: Vec<Home>,
    /// Who answers, by port, and at last what has no address.
    units: Vec<Unit>,
}

/// Derived from the description, which is compared.
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

    /// Who answers what a LUT's entry, or none, leads to.
    pub fn unit(&self, entry: Option<LutEntry>) -> Unit {
        self.units[entry.map_or(LutEntry::PORTS, LutEntry::port)]
    }
}

/// By port, as [`LutEntry::port`] counts.
fn units(topology: &Topology) -> impl Iterator<Item = Unit> {
    (0..LutEntry::PORTS as u32).map(|port| {
        let entry = LutEntry(port << lut0::SUB_SHIFT);
        let (router, sub) = (entry.router(), entry.sub());
        topology.resolve(&SystemAddr { router, sub, offset: 0, bypass: false })
    })
}
