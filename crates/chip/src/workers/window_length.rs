//! The length of a core's window, and the common ends of windows of several cores.

use rockcreek_defs::Ps;

use crate::processor::Processor;
use crate::slot::Slot;
use crate::slot::window_end::End;
use crate::workers::threads::Workers;

/// A window divided by this number is the part that a core runs on its own before it may run beside
/// others: long enough for a round of waiting. If the core usually computes for long between
/// transactions, a shorter part is enough, which only shows that a burst of transactions is over.
const OWN_PART: u64 = 4;
const OWN_PART_IF_LONG: u64 = 16;
/// The shortest run to a common end is a whole run divided by this number.
const LEAST_PART: u64 = 4;
/// A core that computes between two transactions for at least this many windows is worth a host
/// thread of its own.
const LONG_WINDOWS: u64 = 5;

impl<S: Default + Clone + Send> Workers<S> {
    /// The end of a window that this core begins on its own at core cycle `cycle`, `since` cycles
    /// after its last response. With several host threads the end comes soon, so that the next
    /// window may run beside others, but always later than the last end.
    #[inline]
    pub fn window_end<P: Processor>(&self, slot: &Slot<P>, cycle: u64, since: u64) -> End {
        if self.count() == 1 {
            return End { common: None, cycle: cycle.saturating_add(self.stretched(slot)) };
        }
        self.window_end_among(slot, cycle, since)
    }

    fn window_end_among<P: Processor>(&self, slot: &Slot<P>, cycle: u64, since: u64) -> End {
        let stretched = self.stretched(slot);
        let own = self.own_cycles(slot);
        let doubled = (since / own).checked_ilog2().unwrap_or(0);
        let cycles = own.checked_shl(doubled).unwrap_or(u64::MAX).min(stretched.max(own));
        let time = common_end(slot, slot.clock.time_of(cycle), cycles);
        End { common: Some(time), cycle: slot.cycle_at_or_after(time) }
    }

    fn own_cycles<P: Processor>(&self, slot: &Slot<P>) -> u64 {
        let part = if self.is_long(slot) && !self.is_set() { OWN_PART_IF_LONG } else { OWN_PART };
        (self.window_cycles() / part).max(1)
    }

    /// True if a core probably computes for long until its next transaction.
    pub(crate) fn is_long<P: Processor>(&self, slot: &Slot<P>) -> bool {
        let cycles = slot.typical_compute_cycles.max(slot.cycles_since_answer());
        self.is_set() || cycles >= LONG_WINDOWS * self.window_cycles()
    }

    /// The end of a whole window that begins at `start`. Ends lie on a grid, so that windows of
    /// other cores end there too.
    pub(crate) fn whole_end<P: Processor>(&self, slot: &Slot<P>, start: Ps) -> Ps {
        let cycles = self.stretched(slot).saturating_mul(slot.clock.period_ps);
        let grid_ps = (self.window_cycles() / OWN_PART).max(1).saturating_mul(slot.clock.period_ps);
        Ps((start + cycles).0.div_ceil(grid_ps).saturating_mul(grid_ps))
    }
}

/// The common end of runs of `cycles` cycles, one of which begins at `start`. Cores whose last runs
/// ended together, apart from an instruction, end together again.
fn common_end<P: Processor>(slot: &Slot<P>, start: Ps, cycles: u64) -> Ps {
    let whole_ps = cycles.saturating_mul(slot.clock.period_ps);
    let earliest = start + whole_ps / LEAST_PART;
    Ps(earliest.0.div_ceil(whole_ps).saturating_mul(whole_ps))
}
