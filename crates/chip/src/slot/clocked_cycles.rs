//! The cycles of a core's clock since power-on, in reset and out of it.
//!
//! A core's own cycle count restarts at each release. The counts here continue; energies are
//! computed from them.

use rockcreek_defs::Ps;
use serde::{Deserialize, Serialize};

use crate::processor::Processor;
use crate::slot::{Phase, Slot};

/// Cycles of the core's clock in reset, and out of it, up to the last change between the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClockedCycles {
    in_reset: u64,
    released: u64,
    /// Cycles within `released` in which the core was halted, shut down or had ended, beyond those
    /// that the processor itself counts.
    idle: u64,
    /// The cycle of the present clock at which the core last entered or left reset.
    since: u64,
}

/// Cycles of a core's clock since power-on: in reset, halted, and in which the core worked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DrivenCycles {
    pub in_reset: u64,
    pub halted: u64,
    pub active: u64,
}

impl<P: Processor> Slot<P> {
    /// Records that the core enters reset. Call before the phase is changed.
    pub(crate) fn note_reset(&mut self, now: Ps) {
        if self.phase == Phase::Reset {
            return;
        }
        let cycle = self.clock.cycle_at_or_after(now);
        self.clocked.idle += self.idle_cycles(cycle);
        self.clocked.released += cycle.saturating_sub(self.clocked.since);
        self.clocked.since = cycle;
    }

    /// Records that the core has left reset. Its new cycle count begins now; `reset_until` is the
    /// value that the old count has now.
    pub(crate) fn note_start(&mut self, reset_until: u64) {
        self.clocked.in_reset += reset_until.saturating_sub(self.clocked.since);
        self.clocked.since = self.clock.epoch_cycle;
    }

    /// The number of cycles, up to `cycle`, for which the core has been halted, shut down or ended.
    fn idle_cycles(&self, cycle: u64) -> u64 {
        match self.phase {
            Phase::Halted | Phase::Shutdown | Phase::Ended => {
                cycle.saturating_sub(self.processor.cycles())
            }
            _ => 0,
        }
    }

    /// All cycles of the core's clock until `now`, by what the core did. The core must have been
    /// brought to `now`. `counted`: the halted cycles that the processor itself has counted.
    pub(crate) fn driven_cycles(&self, now: Ps, counted: u64) -> DrivenCycles {
        let cycle = self.clock.cycle_at_or_after(now);
        let since = cycle.saturating_sub(self.clocked.since);
        let in_reset = self.phase == Phase::Reset;
        let released = self.clocked.released + if in_reset { 0 } else { since };
        let halted = self.clocked.idle + counted + self.idle_cycles(cycle);
        DrivenCycles {
            in_reset: self.clocked.in_reset + if in_reset { since } else { 0 },
            halted,
            active: released.saturating_sub(halted),
        }
    }
}
