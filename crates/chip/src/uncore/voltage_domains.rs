//! The voltage domain of each unit, and the tiles whose clock needs a higher voltage than they
//! have.
//!
//! Six domains hold the cores: three of the columns by two of the rows. The hardware numbers them
//! 0, 1, 3 in the upper rows and 4, 5, 7 in the lower; 2 supplies the routers, 6 the system
//! interface and the clock distribution. Memory and clock generators have rails that the regulator
//! does not control.

use rockcreek_board::DOMAINS;
use rockcreek_defs::{Ps, TileId};
use rockcreek_power::{Kind, Population};
use serde::{Deserialize, Serialize};

use crate::description::Description;

pub const ROUTER_DOMAIN: usize = 2;
pub const SYSTEM_DOMAIN: usize = 6;
/// The number that stands, as a domain, for the rails that the regulator does not control.
pub const FIXED_RAILS: usize = DOMAINS;
/// The number of the voltage domain of each island of cores, by row from the bottom, then column.
const ISLANDS: [[usize; 3]; 2] = [[4, 5, 7], [0, 1, 3]];
/// The largest number of violations that are kept; all are counted.
const MOST_KEPT: usize = 100;

/// The start of a period in which a tile's clock needs a higher voltage than its domain has: when,
/// where, and the tile's divider and the domain's level (steps of 6.25 mV) at that instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    pub time: Ps,
    pub tile: TileId,
    pub divider: u32,
    pub level: u8,
    /// The lowest level that is high enough; `None` if no level is.
    pub needed: Option<u8>,
}

/// The tiles whose voltage is too low for their clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undervoltage {
    /// For each tile, true while its voltage is too low for its clock.
    under: Vec<bool>,
    kept: Vec<Violation>,
    pub violations: u64,
}

impl Undervoltage {
    pub fn new(tiles: usize) -> Undervoltage {
        Undervoltage { under: vec![false; tiles], kept: Vec::new(), violations: 0 }
    }

    pub(crate) fn tiles(&self) -> usize {
        self.under.len()
    }

    /// The violations that are kept: the first [`MOST_KEPT`] of the run.
    pub fn kept(&self) -> &[Violation] {
        &self.kept
    }

    /// Records that a tile's voltage is high enough for its clock.
    pub(crate) fn clear(&mut self, tile: TileId) {
        self.under[tile.index()] = false;
    }

    /// Records that a tile's voltage is too low for its clock. If the voltage was high enough
    /// before, counts a violation and returns true; if it was too low, returns false.
    pub(crate) fn note(&mut self, violation: Violation) -> bool {
        let before = std::mem::replace(&mut self.under[violation.tile.index()], true);
        if !before {
            self.violations += 1;
            if self.kept.len() < MOST_KEPT {
                self.kept.push(violation);
            }
        }
        !before
    }
}

impl Description {
    pub(crate) fn population(&self) -> Population {
        let controllers = self.topology.memory_controllers.len();
        Population { cores: self.cores(), tiles: self.tiles(), controllers }
    }

    /// The hardware number of the voltage domain of a tile and its cores: 0, 1, 3, 4, 5 or 7.
    pub fn domain_of(&self, tile: TileId) -> usize {
        let at = self.topology.coord(tile);
        let part = |n: u8, all: u8, parts: usize| usize::from(n) * parts / usize::from(all);
        let (columns, rows) = (self.topology.columns, self.topology.rows);
        ISLANDS[part(at.y, rows, ISLANDS.len())][part(at.x, columns, ISLANDS[0].len())]
    }

    /// Returns the hardware number of the voltage domain that supplies unit number `unit` (from 0)
    /// of this kind. Returns `FIXED_RAILS` for memory and clocks, which no voltage domain supplies.
    pub fn domain_of_unit(&self, kind: Kind, unit: usize) -> usize {
        match kind {
            Kind::Core => {
                self.domain_of(TileId((unit as u32 / self.topology.cores_per_tile) as u16))
            }
            Kind::Tile => self.domain_of(TileId(unit as u16)),
            Kind::Router => ROUTER_DOMAIN,
            Kind::System => SYSTEM_DOMAIN,
            Kind::Memory | Kind::Clocks => FIXED_RAILS,
        }
    }

    /// The lowest level (in steps of 6.25 mV) that is high enough for a tile's clock with this
    /// divider of the fast clock; `None` if no level is. Divider 0 counts as 1.
    pub fn needed_level(&self, divider: u32) -> Option<u8> {
        self.power.needed_level(self.clocks.fast_mhz / divider.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scc() -> Description {
        Description::parse(include_str!("../../../../machine/presets/scc.toml")).unwrap()
    }

    /// The domains agree with RCCE's table of domains and their first tiles.
    #[test]
    fn domains_are_two_by_two_tiles() {
        let scc = scc();
        let rows = (0..4).map(|y| (0..6).map(|x| scc.domain_of(TileId(6 * y + x))).collect());
        let rows: Vec<Vec<usize>> = rows.collect();
        assert_eq!(rows[0], [4, 4, 5, 5, 7, 7]);
        assert_eq!((&rows[1], &rows[3]), (&rows[0], &rows[2]));
        assert_eq!(rows[2], [0, 0, 1, 1, 3, 3]);
        assert_eq!(scc.domain_of_unit(Kind::Core, 47), 3);
    }

    /// Checks the Programmer's Guide's table: 1.1 V for 800 MHz, 0.8, 0.7, and 0.6 from divider 5
    /// on.
    #[test]
    fn dividers_need_what_the_guide_says() {
        let scc = scc();
        let needs = [1, 2, 3, 4, 5, 16].map(|divider| scc.needed_level(divider));
        assert_eq!(needs, [None, Some(176), Some(128), Some(112), Some(96), Some(96)]);
    }

    #[test]
    fn a_violation_is_told_once_until_it_is_over() {
        let violation =
            Violation { time: Ps(1), tile: TileId(3), divider: 2, level: 96, needed: Some(176) };
        let mut under = Undervoltage::new(24);
        assert_eq!([under.note(violation), under.note(violation)], [true, false]);
        under.clear(TileId(3));
        assert!(under.note(violation));
        assert_eq!((under.violations, under.kept().len()), (2, 2));
    }
}
