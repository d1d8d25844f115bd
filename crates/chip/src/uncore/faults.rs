//! Faults as data, and the faulty links of the mesh.
//!
//! Modelled: packets of cores (requests and responses) that cross a faulty link arrive late, or
//! never. Left out: a slow link's bandwidth, and packets of the FPGA that set pins.

use rockcreek_defs::{Coord, CoreId, Ps, TileId};
use rockcreek_mesh::Direction;
use rockcreek_mesh::routing::Leg;
use serde::{Deserialize, Serialize};

/// The cache of a core in which an injected fault changes a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CacheName {
    L1d,
    L2,
}

/// The condition of a link of the mesh, as faults set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkHealth {
    Well,
    /// Each packet arrives later by this time in picoseconds.
    Slow {
        ps: u64,
    },
    /// Of 2^32 packets that reach the link, about `of_2_32` are lost. The seed and a packet's
    /// number on the link determine whether the packet is lost.
    Lossy {
        of_2_32: u32,
        seed: u64,
    },
    Dead,
}

/// One fault. `FlipMpb`, `FlipMemory`: bit `bit`, modulo 8, of the byte at `offset` in the tile's
/// message buffer, or in the controller's memory, flips; copies in caches stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// The core stops for good (it died), and the run does not wait for its end.
    Die {
        core: CoreId,
    },
    /// The core stops for good (it hangs), and the run waits for its end.
    Hang {
        core: CoreId,
    },
    FlipMpb {
        tile: TileId,
        offset: u32,
        bit: u8,
    },
    FlipMemory {
        controller: u16,
        offset: u64,
        bit: u8,
    },
    /// Bit `bit` (0 to 255) of the `nth` valid line of a cache flips, in that cache alone; `nth` is
    /// taken modulo the number of valid lines.
    FlipCache {
        core: CoreId,
        cache: CacheName,
        nth: u32,
        bit: u8,
    },
    /// Bit `bit` (0 to 31) of a register flips. `register`: the number of a general register as in
    /// instructions; 8 is EIP, 9 is EFLAGS.
    FlipRegister {
        core: CoreId,
        register: u8,
        bit: u8,
    },
    /// A bit of a register flips, if the core's clock needs a higher voltage than it has: than
    /// `level`, to which the voltage sags at that instant, or with `None` than its domain has. If
    /// the voltage is high enough, nothing happens.
    Undervoltage {
        core: CoreId,
        register: u8,
        bit: u8,
        level: Option<u8>,
    },
    /// From now on, the core's test-and-set register reads as free (`Some(true)`) or as taken
    /// (`Some(false)`), whatever is written; `None`: the register works again.
    Lock {
        core: CoreId,
        stuck: Option<bool>,
    },
    /// The condition of a link, one of a router's outputs, changes: well, slow, lossy or dead.
    Link {
        router: Coord,
        direction: Direction,
        health: LinkHealth,
    },
}

/// A record of a fault and its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultRecord {
    pub id: u32,
    pub time: Ps,
    /// True if the fault changed state; false if it found nothing to change.
    pub happened: bool,
    /// For a fault in L1D or L2, the address of the changed byte as the core uses it, before the
    /// LUT; 0 for other faults.
    pub address: u64,
    /// The value of the byte or register before and after the fault; both 0 if nothing happened,
    /// and for faults of kinds `Die`, `Hang` and `Link`.
    pub before: u32,
    pub after: u32,
}

/// A faulty link, with the number of packets that have reached it and the number that it has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FaultyLink {
    router: Coord,
    direction: Direction,
    health: LinkHealth,
    packets: u64,
    lost: u64,
}

/// The faulty links of the mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultyLinks {
    links: Vec<FaultyLink>,
}

impl FaultyLinks {
    #[inline]
    pub fn are_any(&self) -> bool {
        !self.links.is_empty()
    }

    /// The number of packets lost so far on all faulty links.
    pub fn lost(&self) -> u64 {
        self.links.iter().map(|link| link.lost).sum()
    }

    pub(crate) fn set(&mut self, router: Coord, direction: Direction, health: LinkHealth) {
        let place =
            self.links.iter_mut().find(|link| (link.router, link.direction) == (router, direction));
        match place {
            Some(link) => link.health = health,
            None => self.links.push(FaultyLink { router, direction, health, packets: 0, lost: 0 }),
        }
    }

    /// Passes a packet over the links of these two legs of its way. Returns its delay by faulty
    /// links in picoseconds (0 if it meets none), or `None` if the packet is lost.
    pub(crate) fn pass(&mut self, legs: [Leg; 2]) -> Option<u64> {
        let mut later_ps = 0;
        for leg in legs {
            let mut at = leg.from;
            for _ in 0..leg.hops {
                for link in &mut self.links {
                    if (link.router, link.direction) == (at, leg.direction) {
                        later_ps += link.pass()?;
                    }
                }
                at = next(at, leg.direction);
            }
        }
        Some(later_ps)
    }
}

impl FaultyLink {
    fn pass(&mut self) -> Option<u64> {
        self.packets += 1;
        let passes = match self.health {
            LinkHealth::Well => Some(0),
            LinkHealth::Slow { ps } => Some(ps),
            LinkHealth::Lossy { of_2_32, seed } => {
                let drawn = mixed(seed ^ self.packets.wrapping_mul(0x9E37_79B9_7F4A_7C15)) >> 32;
                (drawn >= u64::from(of_2_32)).then_some(0)
            }
            LinkHealth::Dead => None,
        };
        self.lost += u64::from(passes.is_none());
        passes
    }
}

/// The finalizer of SplitMix64 (steele-2014): every bit of the result depends on every bit of `n`.
fn mixed(n: u64) -> u64 {
    let n = (n ^ n >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let n = (n ^ n >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ n >> 31
}

fn next(at: Coord, direction: Direction) -> Coord {
    match direction {
        Direction::East => Coord { x: at.x + 1, ..at },
        Direction::West => Coord { x: at.x - 1, ..at },
        Direction::North => Coord { y: at.y + 1, ..at },
        Direction::South => Coord { y: at.y - 1, ..at },
        Direction::Local => at,
    }
}

#[cfg(test)]
mod tests {
    use rockcreek_mesh::Routing;

    use super::*;

    fn legs(from: Coord, to: Coord) -> [Leg; 2] {
        Routing::Xy.legs(from, to)
    }

    const HERE: Coord = Coord { x: 2, y: 1 };

    #[test]
    fn only_packets_that_cross_a_link_meet_its_fault() {
        let mut links = FaultyLinks::default();
        links.set(HERE, Direction::East, LinkHealth::Slow { ps: 700 });
        let (west, east) = (Coord { x: 0, y: 1 }, Coord { x: 5, y: 3 });
        assert_eq!(links.pass(legs(west, east)), Some(700));
        assert_eq!(links.pass(legs(east, west)), Some(0));
        assert_eq!(links.pass(legs(HERE, HERE)), Some(0));
        links.set(HERE, Direction::East, LinkHealth::Dead);
        assert_eq!((links.pass(legs(west, east)), links.lost()), (None, 1));
        links.set(HERE, Direction::East, LinkHealth::Well);
        assert_eq!(links.pass(legs(west, east)), Some(0));
    }

    #[test]
    fn a_lossy_link_loses_about_as_many_as_it_should_and_always_the_same() {
        let lost = |seed| {
            let mut links = FaultyLinks::default();
            let health = LinkHealth::Lossy { of_2_32: 1 << 30, seed };
            links.set(HERE, Direction::North, health);
            let to = Coord { x: 2, y: 2 };
            (0..4000).map(|_| links.pass(legs(HERE, to)).is_none()).collect::<Vec<_>>()
        };
        let count = lost(1).iter().filter(|lost| **lost).count();
        assert!((900..1100).contains(&count), "{count} of 4000 at one in four");
        assert_eq!(lost(1), lost(1));
        assert_ne!(lost(1), lost(2));
    }
}
