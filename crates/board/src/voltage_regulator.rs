//! The voltage regulator controller (VRC, also RPC): one write-only command register.
//!
//! A command is accepted and its level stored for its domain. Left out: the time of a step, a
//! second writer's wait, and any effect of voltage; reads are meaningless and give 0.

use rockcreek_defs::registers::vrc::command;
use serde::{Deserialize, Serialize};

/// Commanded levels, one for each of the eight hardware domains, in units of 6.25 mV.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoltageRegulator {
    pub vid: [u8; 8],
    pub commands: u64,
}

impl VoltageRegulator {
    pub fn write(&mut self, offset: u64, value: u32) {
        if offset == u64::from(command::OFFSET) && value & command::COMMAND != 0 {
            let domain = (value & command::DOMAIN) >> command::DOMAIN_SHIFT;
            self.vid[domain as usize] = (value & command::VID) as u8;
            self.commands += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_count() {
        let mut regulator = VoltageRegulator::default();
        regulator.write(0, 0x0_07D0);
        regulator.write(0, 0x1_07D0);
        assert_eq!((regulator.vid[7], regulator.commands), (0xD0, 1));
    }
}
