//! Where things are, looked up once: what a chip's topology says of each core and of each port.
//!
//! It follows from the description and is no part of the state.

use rockcreek_defs::{Coord, CoreId, SubDest, SystemAddr, TileId};

use crate::description::{Description, Topology};
use crate::wiring::{Unit, order};

/// The fields of a system address that choose a port: four bits each of x and y, three of the
/// sub-destination.
const ROUTERS_IN_A_ROW: usize = 16;
const PORTS: usize = 8;

/// Where a core is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Home {
    pub tile: TileId,
    /// Its number inside its tile.
    pub z: usize,
    pub at: Coord,
    /// Its tile's mesh interface in the order of events.
    pub interface: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// By core.
    pub homes: Vec<Home>,
    units: Vec<Unit>,
}

/// Derived from the description, which is compared.
impl PartialEq for Places {
    fn eq(&self, _: &Places) -> bool {
        true
    }
}

fn port(router: Coord, sub: usize) -> usize {
    let router = usize::from(router.y) * ROUTERS_IN_A_ROW + usize::from(router.x);
    router * PORTS + sub
}

impl Places {
    pub fn of(description: &Description) -> Places {
        let topology = &description.topology;
        let home = |core: usize| {
            let core = CoreId(core as u16);
            let tile = topology.tile_of(core);
            let interface = order::interface(tile.index());
            Home { tile, z: topology.z_of(core), at: topology.coord(tile), interface }
        };
        Places { homes: (0..description.cores()).map(home).collect(), units: units(topology) }
    }

    pub fn home(&self, core: CoreId) -> &Home {
        &self.homes[core.index()]
    }

    /// Who answers at a system address.
    pub fn unit(&self, addr: &SystemAddr) -> Unit {
        self.units[port(addr.router, addr.sub as usize)]
    }
}

fn units(topology: &Topology) -> Vec<Unit> {
    let side = 0..ROUTERS_IN_A_ROW as u8;
    let routers = side.clone().flat_map(|y| side.clone().map(move |x| Coord { x, y }));
    let ports = routers.flat_map(|router| (0..PORTS as u32).map(move |sub| (router, sub)));
    let addr = |(router, sub)| {
        let sub = SubDest::from_bits(sub);
        SystemAddr { router, sub, offset: 0, bypass: false }
    };
    ports.map(|port| topology.resolve(&addr(port))).collect()
}
