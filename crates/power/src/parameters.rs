//! The parts of each kind of unit, and what they cost at the nominal voltage.
//!
//! The energy of an event (charging and discharging wires) goes with the square of the voltage;
//! leakage is taken to go with its cube; what has a rail of its own does not change.

use serde::{Deserialize, Serialize};

/// The kind of a unit that takes energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A core with its caches.
    Core,
    /// A tile's message-passing buffer and configuration registers.
    Tile,
    Router,
    /// A memory controller with its DRAM.
    Memory,
    /// The system interface, and the clock's way over the die.
    System,
    /// The clock generators.
    Clocks,
}

/// How a part's energy follows the voltage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    Fixed,
    Square,
    Cube,
}

/// One thing that takes energy in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub name: &'static str,
    pub scaling: Scaling,
    /// True for a cost in microwatts for every picosecond, false for femtojoules for every event.
    pub by_time: bool,
}

const fn by_event(name: &'static str, scaling: Scaling) -> Part {
    Part { name, scaling, by_time: false }
}

const fn by_time(name: &'static str, scaling: Scaling) -> Part {
    Part { name, scaling, by_time: true }
}

impl Kind {
    pub const ALL: [Kind; 6] =
        [Kind::Core, Kind::Tile, Kind::Router, Kind::Memory, Kind::System, Kind::Clocks];

    /// The parts of a unit of this kind, in the order of counts and costs.
    pub const fn parts(self) -> &'static [Part] {
        use Scaling::{Cube, Fixed, Square};
        match self {
            Kind::Core => {
                const {
                    &[
                        by_time("leakage", Cube),
                        by_event("clock_reset", Square),
                        by_event("clock_halted", Square),
                        by_event("clock_active", Square),
                        by_event("instructions", Square),
                        by_event("x87", Square),
                        by_event("l1", Square),
                        by_event("l2", Square),
                    ]
                }
            }
            Kind::Tile => const { &[by_event("accesses", Square)] },
            Kind::Router => {
                const {
                    &[
                        by_time("leakage", Cube),
                        by_event("clock", Square),
                        by_event("flits", Square),
                    ]
                }
            }
            Kind::Memory => const { &[by_time("standby", Fixed), by_event("accesses", Fixed)] },
            Kind::System => const { &[by_event("clock", Square), by_event("accesses", Square)] },
            Kind::Clocks => const { &[by_time("generation", Fixed)] },
        }
    }
}

/// What a chip description says about power: costs in the order of [`Kind::parts`], in femtojoules
/// or microwatts, at the nominal level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PowerConfig {
    /// In steps of 6.25 mV.
    pub nominal_level: u8,
    /// The costs by kind.
    pub costs: Vec<Vec<u64>>,
    /// Pairs of a clock in MHz and the level that clocks up to it need; in rising order.
    pub needs: Vec<(u32, u8)>,
}

impl PowerConfig {
    /// The least level for a clock; none if no level bears it.
    pub fn needed_level(&self, mhz: u32) -> Option<u8> {
        self.needs.iter().find(|(most, _)| mhz <= *most).map(|(_, level)| *level)
    }

    pub fn costs(&self, kind: Kind) -> &[u64] {
        &self.costs[kind as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_needs_the_level_of_the_next_row() {
        let needs = vec![(320, 96), (400, 112), (800, 176)];
        let config = PowerConfig { nominal_level: 176, costs: Vec::new(), needs };
        let levels = [100, 320, 321, 533, 800, 801].map(|mhz| config.needed_level(mhz));
        assert_eq!(levels, [Some(96), Some(96), Some(112), Some(176), Some(176), None]);
    }
}
