//! The log of an instruction's completed accesses.
//!
//! An instruction that must wait for a transaction is abandoned and later executed again from its
//! start. The second execution takes the values of the accesses that the first had completed from
//! this log, in order, so that nothing is done twice. The log is core state: a chip can be saved at
//! any event, and no host stack holds a half-done instruction.

use serde::{Deserialize, Serialize};

/// Completed accesses of the instruction in progress (or of one page walk). Most instructions have
/// one at most, so the first is kept beside the count.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Image", into = "Image")]
pub struct AccessLog {
    first: u64,
    held: u32,
    /// How many logged values, at the end of the log, the current execution of the instruction has
    /// not taken yet.
    replay: u32,
    /// The values after the first; those from number `held` on are unused.
    others: Box<[u64]>,
}

/// The form of the log in snapshots and state hashes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename = "AccessLog")]
struct Image {
    values: Vec<u64>,
    replay: u32,
}

impl From<Image> for AccessLog {
    fn from(Image { values, replay }: Image) -> AccessLog {
        let mut log = AccessLog::default();
        values.into_iter().for_each(|value| log.push(value));
        AccessLog { replay, ..log }
    }
}

impl From<AccessLog> for Image {
    fn from(log: AccessLog) -> Image {
        Image { values: log.values().collect(), replay: log.replay }
    }
}

impl PartialEq for AccessLog {
    fn eq(&self, other: &AccessLog) -> bool {
        (self.held, self.replay) == (other.held, other.replay) && self.values().eq(other.values())
    }
}

impl Eq for AccessLog {}

impl AccessLog {
    pub fn with_capacity(capacity: usize) -> AccessLog {
        AccessLog { others: vec![0; capacity].into_boxed_slice(), ..AccessLog::default() }
    }

    fn values(&self) -> impl Iterator<Item = u64> {
        (0..self.held as usize).map(|index| self.value(index))
    }

    #[inline(always)]
    fn value(&self, index: usize) -> u64 {
        if index == 0 { self.first } else { self.others[index - 1] }
    }

    /// Empties the log. Call when a new instruction begins.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.held = 0;
        self.replay = 0;
    }

    /// Starts the replay of the logged values. Call when the instruction is executed again.
    pub fn restart(&mut self) {
        self.replay = self.held;
    }

    /// True if the log holds exactly one completed access.
    #[inline(always)]
    pub fn has_one(&self) -> bool {
        self.held == 1
    }

    /// True if no logged value is left to be taken, so that the next access must be performed.
    #[inline(always)]
    pub fn is_fresh(&self) -> bool {
        self.replay == 0
    }

    /// The value of the next access, if an earlier execution of the instruction completed it;
    /// `None`: the access must be performed.
    #[inline(always)]
    pub fn take(&mut self) -> Option<u64> {
        if self.replay == 0 {
            return None;
        }
        let value = self.value((self.held - self.replay) as usize);
        self.replay -= 1;
        Some(value)
    }

    /// Records an access that was just completed; `value` is 0 for a write.
    #[inline(always)]
    pub fn push(&mut self, value: u64) {
        debug_assert!(self.replay == 0, "an access is logged while older ones are replayed");
        self.push_completed(value);
    }

    /// Records an access completed by a bus response, before the instruction is executed again.
    #[inline(always)]
    pub fn push_completed(&mut self, value: u64) {
        if self.held == 0 {
            self.first = value;
        } else {
            self.push_other(value);
        }
        self.held += 1;
    }

    #[inline(never)]
    fn push_other(&mut self, value: u64) {
        let index = self.held as usize - 1;
        if index == self.others.len() {
            self.grow();
        }
        self.others[index] = value;
    }

    #[cold]
    fn grow(&mut self) {
        let mut others = std::mem::take(&mut self.others).into_vec();
        others.resize(2 * others.len() + 1, 0);
        self.others = others.into_boxed_slice();
    }

    /// Makes this log a copy of `other`. Allocates memory only if this log has never been as long.
    pub fn copy_from(&mut self, other: &AccessLog) {
        self.clear();
        other.values().for_each(|value| self.push(value));
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

    #[test]
    fn what_is_past_does_not_show() {
        let mut log = AccessLog::with_capacity(1);
        (1..6).for_each(|value| log.push(value));
        log.restart();
        let mut copy = AccessLog::default();
        copy.copy_from(&log);
        assert_eq!(copy, log);
        assert_eq!(std::array::from_fn(|_| copy.take()), [1, 2, 3, 4, 5].map(Some));
        assert_ne!(copy, log);
        log.clear();
        assert_eq!(log, AccessLog::default());
        log.push(1);
        log.push(9);
        assert_eq!(AccessLog::from(Image::from(log.clone())), log);
        assert_eq!(Image::from(log).values, [1, 9]);
    }
}
