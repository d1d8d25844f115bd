//! Polling loops in a core: the test by which the scheduler may skip rounds of waiting.
//!
//! A core that polls executes the same instructions again and again and receives the same response.
//! Suppose that after a response all state is as it was after the previous one (registers, TLBs,
//! caches, branch targets, access log), except that time has passed and counts have grown, and that
//! no instruction has read the time. Then the next round repeats this one, and each round adds the
//! same amounts to the counts.

use rockcreek_cache::CacheStats;

use crate::core::parts::Core;
use crate::state::core_state::State;
use crate::state::counters::{Counters, Stall};
use crate::state::observers::probes::Probes;

/// The counts that one round of a polling loop adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// What a round adds to the core's counters, without the cycles for which it waits for the
    /// response.
    counters: Counters,
    stall: Stall,
    caches: CacheStats,
}

impl Core {
    /// Call right after [`Core::complete`]. If the core is in the state that it had at the start of
    /// its window (after the previous response), returns the counts of one round. Otherwise `None`;
    /// also if commits are recorded, a debugger has stops, a probe has counted, or the time was
    /// read.
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

    /// Adds the counts of `rounds` skipped rounds of a polling loop. The last of them ended at core
    /// cycle `cycle`; together they waited `waited` core cycles for responses.
    pub fn repeat(&mut self, round: &Round, rounds: u64, cycle: u64, waited: u64) {
        let add = |count: u64, each: u64| count + rounds * each;
        self.state.counters = self.state.counters.combined(&round.counters, add);
        self.state.counters.waiting_cycles += waited;
        self.state.counters.add_stall(round.stall, waited);
        self.state.cycles = cycle;
        self.caches.repeat(&round.caches, rounds);
        self.unequal.skipped += rounds * round.counters.instructions;
    }
}
