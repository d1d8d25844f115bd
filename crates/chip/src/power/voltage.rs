//! Steps of the voltage regulator, and clocks that need a higher voltage than their domain has.
//!
//! The hardware checks nothing: a tile whose clock needs more than its domain's voltage continues.
//! Each violation is recorded once, until the voltage is high enough again. With `strict_voltage`,
//! the tile's cores fail instead.

use rockcreek_board::Exit;
use rockcreek_defs::{CoreId, TileId};
use rockcreek_power::Kind;

use crate::processor::Processor;
use crate::scheduler::chip::{Chip, Event};
use crate::slot::Phase;
use crate::uncore::voltage_domains::Violation;
use crate::uncore::wiring::{Unit, order};

/// In the exit record of a core that failed without an exception: the value in place of the
/// exception's vector.
const NO_VECTOR: u32 = u32::MAX;

impl<P: Processor> Chip<P> {
    /// With `on`, a core fails if its tile's clock needs a higher voltage than the tile has;
    /// otherwise it goes on, and only a record is made.
    pub fn set_strict_voltage(&mut self, on: bool) {
        self.strict_voltage = on;
    }

    pub fn strict_voltage(&self) -> bool {
        self.strict_voltage
    }

    /// Performs the regulator's next step of 6.25 mV in the domain that it changes, and schedules
    /// the step after it. The energy that the domain has taken so far is added up first, at the old
    /// level.
    pub(crate) fn step_voltage(&mut self) {
        let Some(domain) = self.uncore.board.voltage.moving() else { return };
        self.settle_accounts(domain);
        self.uncore.board.voltage.step();
        self.note_conditions();
        if let Some(time) = self.uncore.board.voltage.take_next_step() {
            self.push_board_event(time, order::unit(Unit::Voltage), Event::VoltageStep);
        }
        for tile in (0..self.uncore.tiles.len()).map(|n| TileId(n as u16)) {
            if self.description().domain_of(tile) == domain {
                self.check_voltage(tile);
            }
        }
    }

    /// Adds up the energy that all units of a domain have taken since the last such call, at the
    /// domain's present level. Call before the level changes.
    fn settle_accounts(&mut self, domain: usize) {
        let level = self.level_of(domain);
        let population = self.description().population();
        for core in (0..population.cores).map(|n| CoreId(n as u16)) {
            let tile = self.description().topology.tile_of(core);
            if self.description().domain_of(tile) == domain {
                self.settle_core(core);
            }
        }
        self.uncore.count_routes();
        let requests = self.requests();
        for kind in Kind::ALL {
            for unit in 0..population.of(kind) {
                if self.description().domain_of_unit(kind, unit) == domain {
                    let counts = self.unit_counts(kind, unit, &requests);
                    self.uncore.accounts.settle(kind, unit, &counts, level);
                }
            }
        }
    }

    /// Checks that a tile's voltage is high enough for its clock, after a change of either or after
    /// one of its cores has left reset. Records a violation, once until it ends; a tile with all
    /// cores in reset is not checked.
    pub(crate) fn check_voltage(&mut self, tile: TileId) {
        let asleep = |core: &CoreId| self.slots[core.index()].phase == Phase::Reset;
        let Some(core) = self.tile_cores(tile).find(|core| !asleep(core)) else { return };
        let divider = self.divider_of(core);
        let level = self.level_of(self.description().domain_of(tile));
        let needed = self.needed_by(core);
        if needed.is_some_and(|needed| needed <= level) {
            self.uncore.undervoltage.clear(tile);
            return;
        }
        let violation = Violation { time: self.now, tile, divider, level, needed };
        if self.uncore.undervoltage.note(violation) && self.strict_voltage {
            self.fail_tile(tile, divider);
        }
    }

    /// The present divider of a core's clock. GCBCFG may contain another value, which has not taken
    /// effect yet.
    fn divider_of(&self, core: CoreId) -> u32 {
        let period_ps = self.slots[core.index()].clock.period_ps;
        (period_ps / self.description().clocks.fast_period_ps) as u32
    }

    /// The lowest voltage level that is high enough for a core's clock; `None` if no level of the
    /// regulator is.
    pub(crate) fn needed_by(&self, core: CoreId) -> Option<u8> {
        self.description().needed_level(self.divider_of(core))
    }

    fn fail_tile(&mut self, tile: TileId, divider: u32) {
        for core in self.tile_cores(tile) {
            let phase = self.slots[core.index()].phase;
            if matches!(phase, Phase::Reset | Phase::Ended) {
                continue;
            }
            self.settle_core(core);
            let exit = Exit {
                reason: Exit::UNDERVOLTAGE,
                code: divider,
                vector: NO_VECTOR,
                time: self.now,
                ..Exit::default()
            };
            self.uncore.board.host.end(core, exit);
            self.end_core(core);
        }
    }
}
