//! The voltage regulator controller (VRC, also RPC): the levels of eight voltage domains.
//!
//! One write-only command register: a command moves one of eight hardware domains to a level.
//! The controller does one command at a time: while a level moves, the write of the next command
//! is not acknowledged, so that its writer waits; software writes a command twice to wait for
//! it. A level moves in steps of equal size and duration, over a time that does not depend on the
//! distance; a command for the level that a domain already has is done at once. The FPGA's VCC
//! registers read a rail's voltage in steps of their converter.
//!
//! A command for a level outside the regulator's range is refused: acknowledged in its turn, and
//! nothing changes. Left out: the converters' published fault of showing a neighbour's rail. Reads
//! give 0.
//!
//! Invariant: a level changes at the chip's own event alone ([`VoltageRegulator::step`]), so that
//! whoever adds up what a domain takes knows when it had which voltage.

use std::collections::VecDeque;

use rockcreek_defs::registers::fpga;
use rockcreek_defs::registers::vrc::command;
use rockcreek_defs::{CoreId, Ps};
use serde::{Deserialize, Serialize};

/// Hardware domains; six hold cores, two mesh and system interface.
pub const DOMAINS: usize = 8;
/// The voltage of one step of a voltage identifier.
pub const STEP_NANOVOLTS: u64 = 6_250_000;
/// The domains whose rails the FPGA's VCC registers show, in the registers' order.
const RAILS: [usize; fpga::vcc::COUNT as usize] = [0, 1, 2, 3, 4, 5, 7];
/// Refused commands that are kept; all are counted.
const MOST_REFUSED: usize = 100;

/// What a chip description says about the regulators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoltageConfig {
    /// Every domain's level at power-on, in steps of 6.25 mV.
    pub start_level: u8,
    /// The levels that the regulator can give.
    pub least_level: u8,
    pub most_level: u8,
    pub transition_ps: u64,
    /// The number of levels by which a moving level changes in one step.
    pub step_levels: u8,
    /// The step of the ADCs behind the VCC registers.
    pub adc_step_nanovolts: u64,
}

/// An accepted command whose level still moves, or will.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Transition {
    domain: u8,
    from: u8,
    to: u8,
    start: Ps,
    /// The number of steps made so far.
    made: u64,
}

/// A command that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedCommand {
    pub time: Ps,
    pub core: CoreId,
    pub domain: u8,
    pub level: u8,
}

/// The controller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoltageRegulator {
    config: VoltageConfig,
    levels: [u8; DOMAINS],
    /// The levels when all commands so far are done.
    targets: [u8; DOMAINS],
    /// The commands in order; only the first one moves its level now.
    open: VecDeque<Transition>,
    /// The chip has the first one's next step among its events.
    scheduled: bool,
    busy_until: Ps,
    /// The number of accepted commands.
    pub commands: u64,
    pub refused_commands: u64,
    /// The first of them.
    refused: Vec<RefusedCommand>,
    /// The sum of the times that writers waited.
    pub waited_ps: u64,
}

impl Transition {
    fn steps(&self, config: &VoltageConfig) -> u64 {
        u64::from(self.from.abs_diff(self.to).div_ceil(config.step_levels))
    }

    /// The instant of its next step: the last one ends it.
    fn next(&self, config: &VoltageConfig) -> Ps {
        let whole = u128::from(config.transition_ps) * u128::from(self.made + 1);
        self.start + (whole / u128::from(self.steps(config))) as u64
    }

    /// The level after the steps made so far.
    fn level(&self, config: &VoltageConfig) -> u8 {
        let moved = self.made * u64::from(config.step_levels);
        let moved = moved.min(self.from.abs_diff(self.to).into()) as u8;
        if self.to > self.from { self.from + moved } else { self.from - moved }
    }
}

impl VoltageRegulator {
    pub fn new(config: VoltageConfig) -> VoltageRegulator {
        VoltageRegulator {
            config,
            levels: [config.start_level; DOMAINS],
            targets: [config.start_level; DOMAINS],
            open: VecDeque::new(),
            scheduled: false,
            busy_until: Ps(0),
            commands: 0,
            refused_commands: 0,
            refused: Vec::new(),
            waited_ps: 0,
        }
    }

    /// Writes a register for a core; the write arrives at `at`. Returns the time at which the write
    /// is accepted and acknowledged.
    pub fn write(&mut self, at: Ps, core: CoreId, offset: u64, value: u32) -> Ps {
        if offset != u64::from(command::OFFSET) || value & command::COMMAND == 0 {
            return at;
        }
        let domain = ((value & command::DOMAIN) >> command::DOMAIN_SHIFT) as u8;
        let to = (value & command::VID) as u8;
        let start = at.max(self.busy_until);
        self.waited_ps += start.0 - at.0;
        self.busy_until = start;
        if !(self.config.least_level..=self.config.most_level).contains(&to) {
            self.refused_commands += 1;
            if self.refused.len() < MOST_REFUSED {
                self.refused.push(RefusedCommand { time: at, core, domain, level: to });
            }
            return start;
        }
        self.commands += 1;
        let from = std::mem::replace(&mut self.targets[usize::from(domain)], to);
        if from != to {
            self.busy_until = start + self.config.transition_ps;
            self.open.push_back(Transition { domain, from, to, start, made: 0 });
        }
        start
    }

    /// Returns the time of the next step of a level, once for each step; `None` if no step is due.
    pub fn take_next_step(&mut self) -> Option<Ps> {
        let next = self.open.front().filter(|_| !self.scheduled)?.next(&self.config);
        self.scheduled = true;
        Some(next)
    }

    /// The domain whose level the step that is due now will change.
    pub fn moving(&self) -> Option<usize> {
        self.open.front().map(|first| first.domain.into())
    }

    /// Makes the step that is due now.
    pub fn step(&mut self) {
        self.scheduled = false;
        let Some(first) = self.open.front_mut() else { return };
        first.made += 1;
        self.levels[usize::from(first.domain)] = first.level(&self.config);
        if first.made == first.steps(&self.config) {
            self.open.pop_front();
        }
    }

    /// A domain's voltage, in steps of 6.25 mV.
    pub fn level(&self, domain: usize) -> u8 {
        self.levels[domain]
    }

    pub fn nanovolts(&self, domain: usize) -> u64 {
        u64::from(self.levels[domain]) * STEP_NANOVOLTS
    }

    /// The value of the FPGA's VCC register number `n`.
    pub fn vcc(&self, n: usize) -> u32 {
        (self.nanovolts(RAILS[n]) / self.config.adc_step_nanovolts) as u32
    }

    /// The first of the refused commands.
    pub fn refused(&self) -> &[RefusedCommand] {
        &self.refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000_000;
    const CORE: CoreId = CoreId(5);

    fn regulator() -> VoltageRegulator {
        VoltageRegulator::new(VoltageConfig {
            start_level: 0xB0,
            least_level: 0x60,
            most_level: 0xD0,
            transition_ps: MS,
            step_levels: 4,
            adc_step_nanovolts: 25_177,
        })
    }

    /// Makes the steps that are due until an instant, as the chip does.
    fn pass(regulator: &mut VoltageRegulator, until: u64, next: &mut Option<Ps>) {
        *next = next.or_else(|| regulator.take_next_step());
        while next.is_some_and(|at| at.0 <= until) {
            regulator.step();
            *next = regulator.take_next_step();
        }
    }

    #[test]
    fn only_commands_count() {
        let mut regulator = regulator();
        assert_eq!(regulator.write(Ps(5), CORE, 0, 0x0_0790), Ps(5));
        assert_eq!(regulator.write(Ps(5), CORE, 8, 0x1_0790), Ps(5));
        assert_eq!((regulator.commands, regulator.nanovolts(7)), (0, 1_100_000_000));
        assert_eq!(regulator.take_next_step(), None);
    }

    #[test]
    fn a_level_moves_in_even_steps() {
        let (mut regulator, mut next) = (regulator(), None);
        assert_eq!(regulator.write(Ps(MS), CORE, 0, 0x1_0790), Ps(MS));
        let volts = [MS, MS + MS / 8, MS + MS / 2, 2 * MS - 1, 2 * MS, 3 * MS].map(|at| {
            pass(&mut regulator, at, &mut next);
            regulator.nanovolts(7) / 1_000_000
        });
        assert_eq!(volts, [1_100, 1_075, 1_000, 925, 900, 900]);
        assert_eq!(regulator.vcc(6), 900_000_000 / 25_177);
        assert_eq!(regulator.nanovolts(6), 1_100_000_000);
    }

    #[test]
    fn the_last_step_may_be_smaller() {
        let (mut regulator, mut next) = (regulator(), None);
        regulator.write(Ps(0), CORE, 0, 0x1_00B9);
        let levels = [0, MS / 3, 2 * MS / 3, MS].map(|at| {
            pass(&mut regulator, at, &mut next);
            regulator.level(0)
        });
        assert_eq!(levels, [0xB0, 0xB4, 0xB8, 0xB9]);
        assert_eq!(next, None);
    }

    #[test]
    fn the_next_command_waits_for_the_one_before() {
        let (mut regulator, mut next) = (regulator(), None);
        regulator.write(Ps(0), CORE, 0, 0x1_0090);
        assert_eq!(regulator.write(Ps(7), CORE, 0, 0x1_0090), Ps(MS), "the same again waits");
        assert_eq!(regulator.write(Ps(8), CORE, 0, 0x1_01D0), Ps(MS), "and took no time itself");
        pass(&mut regulator, MS, &mut next);
        assert_eq!(regulator.nanovolts(1), 1_100_000_000);
        pass(&mut regulator, 2 * MS, &mut next);
        assert_eq!(regulator.nanovolts(1), 1_300_000_000);
        assert_eq!(regulator.write(Ps(3 * MS), CORE, 0, 0x1_01D0), Ps(3 * MS));
        assert_eq!(regulator.waited_ps, 2 * MS - 7 - 8);
    }

    #[test]
    fn a_level_that_no_rail_gives_changes_nothing() {
        let mut regulator = regulator();
        for (n, level) in [0x00, 0x5F, 0xD1, 0xFF].into_iter().enumerate() {
            assert_eq!(regulator.write(Ps(9), CORE, 0, 0x1_0300 | level), Ps(9));
            assert_eq!(regulator.refused()[n].level, level as u8);
        }
        assert_eq!((regulator.commands, regulator.refused_commands), (0, 4));
        assert_eq!((regulator.take_next_step(), regulator.level(3)), (None, 0xB0));
        let first = RefusedCommand { time: Ps(9), core: CORE, domain: 3, level: 0 };
        assert_eq!(regulator.refused()[0], first);
    }
}
