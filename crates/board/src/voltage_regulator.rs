//! The voltage regulator controller (VRC, also RPC) and the rails that the ADCs measure.
//!
//! One write-only command register: a command moves one of eight hardware domains to a level.
//! The controller does one command at a time: while a level moves, the write of the next command
//! is not acknowledged, so that its writer waits; software writes a command twice to wait for
//! it. A level moves in a straight line, over a time that does not depend on the distance; a
//! command for the level that a domain already has is done at once. The FPGA's VCC registers
//! read a rail's voltage in steps of its converter.
//!
//! Left out: any effect of voltage on the cores (that a level suffices for a clock is software's
//! duty), and the converters' published fault of showing a neighbour's rail. Reads give 0.

use rockcreek_defs::Ps;
use rockcreek_defs::registers::fpga;
use rockcreek_defs::registers::vrc::command;
use serde::{Deserialize, Serialize};

/// Hardware domains; six hold cores, two mesh and system interface.
const DOMAINS: usize = 8;
/// Of one step of a voltage identifier.
const STEP_NANOVOLTS: u64 = 6_250_000;
/// The domains whose rails the FPGA's VCC registers show, in the registers' order.
const RAILS: [usize; fpga::vcc::COUNT as usize] = [0, 1, 2, 3, 4, 5, 7];

/// What a chip description says about the regulators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoltageConfig {
    /// Every domain's level at power-on, in steps of 6.25 mV.
    pub start_level: u8,
    pub transition_ps: u64,
    /// Of the ADCs behind the VCC registers.
    pub adc_step_nanovolts: u64,
}

/// The command that moves a level, or did so last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Transition {
    domain: usize,
    from: u8,
    to: u8,
    start: Ps,
    end: Ps,
}

/// The controller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoltageRegulator {
    config: VoltageConfig,
    /// The levels when all commands so far are done.
    levels: [u8; DOMAINS],
    /// Commands that were not done when the last one came, in their order.
    open: Vec<Transition>,
    busy_until: Ps,
    pub commands: u64,
    /// How long writers waited, added up.
    pub waited_ps: u64,
}

impl VoltageRegulator {
    pub fn new(config: VoltageConfig) -> VoltageRegulator {
        VoltageRegulator {
            config,
            levels: [config.start_level; DOMAINS],
            open: Vec::new(),
            busy_until: Ps(0),
            commands: 0,
            waited_ps: 0,
        }
    }

    /// A write that arrives at `at`; tells when it is accepted and so acknowledged.
    pub fn write(&mut self, at: Ps, offset: u64, value: u32) -> Ps {
        if offset != u64::from(command::OFFSET) || value & command::COMMAND == 0 {
            return at;
        }
        let domain = ((value & command::DOMAIN) >> command::DOMAIN_SHIFT) as usize;
        let to = (value & command::VID) as u8;
        let start = at.max(self.busy_until);
        let from = std::mem::replace(&mut self.levels[domain], to);
        self.open.retain(|transition| transition.end > at);
        self.busy_until = start;
        if from != to {
            self.busy_until = start + self.config.transition_ps;
            self.open.push(Transition { domain, from, to, start, end: self.busy_until });
        }
        self.commands += 1;
        self.waited_ps += start.0 - at.0;
        start
    }

    /// The voltage of a domain at `at`, which is not before the last command.
    pub fn nanovolts(&self, domain: usize, at: Ps) -> u64 {
        let level = |steps: u8| u64::from(steps) * STEP_NANOVOLTS;
        let here = |transition: &&Transition| transition.domain == domain && transition.end > at;
        let Some(moving) = self.open.iter().find(here) else {
            return level(self.levels[domain]);
        };
        let (from, to) = (level(moving.from), level(moving.to));
        let (past, whole) = (at.0.saturating_sub(moving.start.0), moving.end.0 - moving.start.0);
        let moved = u128::from(from.abs_diff(to)) * u128::from(past) / u128::from(whole);
        if to > from { from + moved as u64 } else { from - moved as u64 }
    }

    /// What the FPGA's VCC register number `n` shows.
    pub fn vcc(&self, n: usize, at: Ps) -> u32 {
        (self.nanovolts(RAILS[n], at) / self.config.adc_step_nanovolts) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000_000;

    fn regulator() -> VoltageRegulator {
        let config =
            VoltageConfig { start_level: 0xB0, transition_ps: MS, adc_step_nanovolts: 25_177 };
        VoltageRegulator::new(config)
    }

    #[test]
    fn only_commands_count() {
        let mut regulator = regulator();
        assert_eq!(regulator.write(Ps(5), 0, 0x0_0790), Ps(5));
        assert_eq!(regulator.write(Ps(5), 8, 0x1_0790), Ps(5));
        assert_eq!((regulator.commands, regulator.nanovolts(7, Ps(9))), (0, 1_100_000_000));
    }

    #[test]
    fn a_level_moves_in_a_straight_line() {
        let mut regulator = regulator();
        assert_eq!(regulator.write(Ps(MS), 0, 0x1_0790), Ps(MS));
        let volts = [MS, MS + MS / 2, 2 * MS, 3 * MS].map(|at| regulator.nanovolts(7, Ps(at)));
        assert_eq!(volts, [1_100_000_000, 1_000_000_000, 900_000_000, 900_000_000]);
        assert_eq!(regulator.vcc(6, Ps(3 * MS)), 900_000_000 / 25_177);
        assert_eq!(regulator.nanovolts(6, Ps(2 * MS)), 1_100_000_000);
    }

    #[test]
    fn the_next_command_waits_for_the_one_before() {
        let mut regulator = regulator();
        regulator.write(Ps(0), 0, 0x1_0090);
        assert_eq!(regulator.write(Ps(7), 0, 0x1_0090), Ps(MS), "the same again waits");
        assert_eq!(regulator.write(Ps(8), 0, 0x1_01D0), Ps(MS), "and took no time itself");
        assert_eq!(regulator.nanovolts(1, Ps(MS)), 1_100_000_000);
        assert_eq!(regulator.nanovolts(1, Ps(2 * MS)), 1_300_000_000);
        assert_eq!(regulator.write(Ps(3 * MS), 0, 0x1_01D0), Ps(3 * MS));
        assert_eq!(regulator.waited_ps, 2 * MS - 7 - 8);
    }
}
