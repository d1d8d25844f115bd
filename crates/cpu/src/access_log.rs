//! The log of an instruction's completed accesses.
//!
//! An instruction that must wait for a transaction is abandoned and later run again from its
//! start. It then takes the values of the accesses that it had already completed from here, in
//! order, so that nothing is done twice. The log is core state: a chip can be saved at any
//! event, and no host stack holds a half-done instruction.

use serde::{Deserialize, Serialize};

/// Completed accesses of the instruction in progress (or of one page walk).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessLog {
    values: Vec<u64>,
    /// How many entries at the end of `values` the current execution has not yet taken.
    replay: u32,
}

impl AccessLog {
    pub fn with_capacity(capacity: usize) -> AccessLog {
        AccessLog { values: Vec::with_capacity(capacity), replay: 0 }
    }

    /// A new instruction begins.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.values.clear();
        self.replay = 0;
    }

    /// The same instruction begins again.
    pub fn restart(&mut self) {
        self.replay = self.values.len() as u32;
    }

    /// One access was completed, and the instruction has not begun again.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn has_one(&self) -> bool {
        self.values.len() == 1
    }

    /// False while logged values are left to take.
    #[inline(always)]
    pub fn is_fresh(&self) -> bool {
        self.replay == 0
    }

    /// The value of the next access, if it was completed in an earlier execution.
    #[inline(always)]
    pub fn take(&mut self) -> Option<u64> {
        if self.replay == 0 {
            return None;
        }
        let value = self.values[self.values.len() - self.replay as usize];
        self.replay -= 1;
        Some(value)
    }

    /// Notes an access that was just completed (0 for a write).
    #[inline(always)]
    pub fn push(&mut self, value: u64) {
        debug_assert!(self.replay == 0, "an access is logged while older ones are replayed");
        self.values.push(value);
    }

    /// Notes an access completed by a bus response, before the instruction is run again.
    pub fn push_completed(&mut self, value: u64) {
        self.values.push(value);
    }

    /// Makes this a copy of `other` without allocating.
    pub fn copy_from(&mut self, other: &AccessLog) {
        self.values.clear();
        self.values.extend_from_slice(&other.values);
        self.replay = other.replay;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restart_replays_in_order_then_goes_on() {
        let mut log = AccessLog::default();
        log.push(1);
        log.push(2);
        log.restart();
        assert_eq!((log.take(), log.take(), log.take()), (Some(1), Some(2), None));
        log.push(3);
        log.restart();
        assert_eq!(log.take(), Some(1));
        log.clear();
        log.restart();
        assert!(log.is_fresh());
    }
}
