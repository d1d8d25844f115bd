//! Snapshots of a core's counters when it executes probed instructions: of each probed instruction
//! and each value of the stack's second word, the first and the last one.

use rockcreek_cache::CacheStats;

use crate::state::counters::Counters;

/// With more snapshots than this, those between the first and the last of their kind (instruction
/// and word) are dropped at the start of a window.
const MANY: usize = 256;

/// A core's counters directly after it executed a probed instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// How many snapshots the core had taken before.
    pub number: u32,
    /// The address of the instruction.
    pub address: u32,
    /// The second word of the stack before the instruction. If the instruction is a function's
    /// first one, this word is the first argument.
    pub word: u32,
    pub cycle: u64,
    /// The simulated time of that cycle in picoseconds; `None` until the chip has computed it.
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

/// The snapshots of one core, in the order of its program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshots {
    pub all: Vec<Taken>,
    /// The number of snapshots, counted from the first, that no rollback can undo.
    pub kept: usize,
    /// How many have been taken, with those that were dropped.
    pub taken: u32,
    pub taken_at_window: u32,
    /// The number of snapshots, counted from the first, whose word is known.
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
        self.taken_at_window = self.taken;
    }

    pub fn rollback(&mut self) {
        self.all.truncate(self.kept);
        self.taken = self.taken_at_window;
        self.complete = self.complete.min(self.kept);
    }
}
