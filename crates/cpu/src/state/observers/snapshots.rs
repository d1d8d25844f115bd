//! Counts of a core at instants of its program: at the first and the last execution of each probed
//! instruction, for each value of the word that lies behind its return address.

use rockcreek_cache::CacheStats;

use crate::state::counters::Counters;

/// From this number of records on, those between the first and the last of a kind are dropped.
const MANY: usize = 256;

/// What a core had counted when it had executed a probed instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The instruction.
    pub address: u32,
    /// The second word of the stack before the instruction: the first argument, where a function
    /// begins.
    pub word: u32,
    pub cycle: u64,
    /// The simulated time of that cycle in picoseconds, once the chip has said it.
    pub time_ps: Option<u64>,
    pub counters: Counters,
    pub caches: CacheStats,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub snapshot: Snapshot,
    /// The address of the word that is still to be read from memory; `None`: the word is known.
    pub missing: Option<u32>,
}

/// The snapshots of one core, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshots {
    pub all: Vec<Taken>,
    /// How many no rollback can undo.
    pub kept: usize,
    /// How many, counted from the first, have their words.
    pub complete: usize,
}

impl Snapshots {
    pub fn begin_window(&mut self) {
        if self.all.len() > MANY && self.complete == self.all.len() {
            let kind = |taken: &Taken| (taken.snapshot.address, taken.snapshot.word);
            let all = std::mem::take(&mut self.all);
            for (n, taken) in all.iter().enumerate() {
                let is_first = !all[..n].iter().any(|other| kind(other) == kind(taken));
                let is_last = !all[n + 1..].iter().any(|other| kind(other) == kind(taken));
                if is_first || is_last {
                    self.all.push(*taken);
                }
            }
            self.complete = self.all.len();
        }
        self.kept = self.all.len();
    }

    pub fn rollback(&mut self) {
        self.all.truncate(self.kept);
        self.complete = self.complete.min(self.kept);
    }
}
