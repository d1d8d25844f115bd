//! Loops that come back to where they were: what lets a scheduler pass rounds of waiting without
//! executing them.
//!
//! A core that polls runs the same instructions again and again and gets the same answer. If
//! after an answer everything is as it was after the one before (registers, TLBs, caches, branch
//! targets, access log; only time has passed and counts have grown), and nothing on the way looked
//! at the time, then the next round is this round again, and each one counts the same.

use rockcreek_cache::CacheStats;

use crate::core::parts::Core;
use crate::state::core_state::State;
use crate::state::counters::{Counters, Stall};
use crate::state::observers::probes::Probes;

/// What one round of a loop adds to the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// Without the cycles of waiting for the answer.
    counters: Counters,
    stall: Stall,
    caches: CacheStats,
}

impl Core {
    /// Asked right after [`Core::complete`]: what a round counts, if the core is where it was when
    /// its window began, after the answer before.
    pub fn recurs(&mut self) -> Option<Round> {
        self.flush_frame();
        let saved = &*self.saved;
        let (before, after) = (&saved.state.counters, &self.state.counters);
        if self.commits.is_some()
            || self.breaks.is_some()
            || before.clock_reads != after.clock_reads
        {
            return None;
        }
        let mut expected = saved.state.clone();
        expected.cycles = self.state.cycles;
        expected.counters = self.state.counters;
        let posts = |state: &State| state.bus_free.max(state.acknowledged) > state.cycles;
        if !posts(&self.state) && !posts(&saved.state) {
            expected.bus_free = self.state.bus_free;
            expected.acknowledged = self.state.acknowledged;
        }
        let same = expected == self.state
            && saved.log == self.log
            && saved.walk_log == self.walk_log
            && saved.state.x87.is_idle(saved.state.cycles)
            && self.branches.unchanged()
            && saved.tlbs.holds_the_same(&self.tlbs)
            && self.probes.as_deref().is_none_or(Probes::unchanged);
        let caches = same.then(|| self.caches.recurs()).flatten()?;
        let counters = before.combined(after, |before, after| after - before);
        let stall = self.stalled;
        Some(Round { counters: counters.without_waiting(stall), stall, caches })
    }

    /// Passes `rounds` rounds, the last of which ended at `cycle`; `waited` cycles of them all
    /// went by before the answers.
    pub fn repeat(&mut self, round: &Round, rounds: u64, cycle: u64, waited: u64) {
        let add = |count: u64, each: u64| count + rounds * each;
        self.state.counters = self.state.counters.combined(&round.counters, add);
        self.state.counters.waiting_cycles += waited;
        self.state.counters.add_stall(round.stall, waited);
        self.state.cycles = cycle;
        self.caches.repeat(&round.caches, rounds);
    }
}
