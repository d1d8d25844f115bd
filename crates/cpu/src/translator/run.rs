//! The core's part in running translated code: when it runs, its requests, and its results.

use super::x64::Departure;
use crate::core::bus::Bus;
use crate::core::parts::Core;
use crate::registers::register_file::sreg;
use crate::state::exception::{Done, Stop};
use crate::translator::CodeCache;
use crate::translator::frame::promotion::PATIENCE_DECAY;
use crate::translator::regions::collect::MAX_BLOCK_CLOCKS;
use crate::translator_frame::packed_counts;

/// The length of a stay in core clocks, without waits for transactions. Afterwards the packed
/// counts are added to the core's counters, so that none overflows.
pub(super) const STAY_CLOCKS: u64 = 2000;
/// Core clocks that most blocks need at most. If no more than these remain until the deadline,
/// translated code is not entered.
const SHORT_BLOCK_CLOCKS: u64 = 48;

impl Core {
    /// True if the core's present code can be translated: CS, SS, DS and ES begin at 0 and end with
    /// a page behind the code; code and stack are 32-bit; no breakpoint of the debug registers is
    /// armed; and alignment is not checked (#AC).
    fn translatable(&self) -> bool {
        let segments = &self.state.segments;
        self.state.segments_end().is_some_and(|end| self.state.eip <= end)
            && segments[sreg::CS].big()
            && segments[sreg::SS].big()
            && self.state.armed == 0
            && !self.state.checks_alignment()
    }

    /// Runs the translated code for EIP, if there is any. Returns true if at least one instruction
    /// was executed, false if none was: there is no such code, the core's present code cannot be
    /// translated, or no block could begin. An error is the stop of an instruction that waits or
    /// faults; otherwise the interpreter continues at the core's EIP.
    pub(crate) fn run_translated(
        &mut self,
        code: &mut CodeCache,
        bus: &mut dyn Bus,
    ) -> Result<bool, Stop> {
        let late = self.state.cycles + MAX_BLOCK_CLOCKS >= self.deadline;
        if late && self.host.late_for == self.deadline {
            return Ok(false);
        }
        let Some(entry) = code.translated(self) else { return Ok(false) };
        if !self.translatable() {
            return Ok(false);
        }
        let (eip, instructions) = (self.state.eip, self.state.counters.instructions);
        let carried = self.host.carried;
        self.enter_translated(code, entry, bus)?;
        let ran = self.state.counters.instructions != instructions;
        if !ran && self.state.cycles < self.host.limit {
            code.forget_target(eip, carried);
        } else if !ran {
            self.host.late_for = self.deadline;
        }
        Ok(ran)
    }

    pub(super) fn enter_translated(
        &mut self,
        code: &mut CodeCache,
        mut entry: u64,
        bus: &mut dyn Bus,
    ) -> Done {
        self.bank = self.state.pipeline.bank;
        self.note_tables();
        loop {
            self.refresh_quick();
            self.begin_stay(self.state.cycles);
            if self.state.cycles + SHORT_BLOCK_CLOCKS >= self.host.end {
                return Ok(());
            }
            let departure = code.enter(self, entry, bus);
            match self.depart(code, departure)? {
                Some(next) => entry = next,
                None => return Ok(()),
            }
        }
    }

    /// Handles the return from translated code, for the reason `departure`. Returns the host
    /// address at which translated code is entered again; `None` if the interpreter continues. An
    /// error is the stop of an instruction that waits or faults.
    #[inline(always)]
    pub(super) fn depart(
        &mut self,
        code: &mut CodeCache,
        departure: Departure,
    ) -> Result<Option<u64>, Stop> {
        code.note_stay(departure == Departure::Stopped);
        let carried = code.carried(self.host.carried);
        carried.put_pipes(self.bank, &mut self.state.pipeline);
        self.settle_l2();
        let waits = departure == Departure::Stopped
            && (self.send_noted() || self.host.stop == Some(Stop::Wait));
        if waits && self.goes_on_at_once() {
            // In most cases nothing reads the state before the response comes: counts and flags
            // stay in the host frame, and the stay resumes later. The log keeps the instruction's
            // completed accesses.
            self.host.stop = None;
            self.host.stay_end = self.host.stay_end.wrapping_sub(self.state.cycles);
            return Err(Stop::Wait);
        }
        self.depart_settled(code, departure)
    }

    #[inline(never)]
    fn depart_settled(
        &mut self,
        code: &mut CodeCache,
        departure: Departure,
    ) -> Result<Option<u64>, Stop> {
        if departure != Departure::Stopped {
            return Ok(self.depart_for(code, departure));
        }
        // The log keeps the instruction's completed accesses.
        let stop = self.host.stop.take().expect("a stop was noted");
        match stop {
            Stop::Wait => self.flush_frame(),
            _ => self.forget_resumption(),
        }
        Err(stop)
    }

    /// Adds the counts that translated code keeps to the core's and the caches' counters.
    pub(super) fn settle_counts(&mut self) {
        let counts = std::mem::take(&mut self.host.counts);
        packed_counts::settle(&mut self.state.counters, counts, self.state.cpl == 3);
        self.settle_l2();
    }

    fn depart_for(&mut self, code: &mut CodeCache, departure: Departure) -> Option<u64> {
        self.settle_x87(code, departure);
        self.flush_frame();
        self.host.raw_flags = 0;
        self.log.clear();
        self.state.next_eip = self.state.eip;
        let links = departure != Departure::Interpret && self.state.cycles < self.deadline;
        if links { code.link(self) } else { None }
    }

    /// Begins a stay in translated code at core cycle `cycles`, for which it lowers the promotion
    /// threshold and makes room for the records of control transfers. Returns true if any block may
    /// begin there.
    pub(crate) fn begin_stay(&mut self, cycles: u64) -> bool {
        self.host.stay_end = cycles + STAY_CLOCKS;
        self.host.lower_patience(PATIENCE_DECAY);
        self.make_room_for_transfers();
        self.set_limits();
        cycles < self.host.limit
    }

    #[inline]
    pub(crate) fn set_limits(&mut self) {
        let latest = self.deadline.saturating_sub(MAX_BLOCK_CLOCKS);
        self.host.end = self.deadline.min(self.host.stay_end);
        self.host.limit = latest.min(self.host.stay_end);
        self.host.reach_limit = latest.saturating_sub(self.host.access_cycles);
    }

    /// Writes the times at which the x87's results are ready into the core's state, for the
    /// interpreter. After `Departure::Again` they are there already; the number of the state is
    /// then found anew, and the exit is not joined.
    fn settle_x87(&mut self, code: &mut CodeCache, departure: Departure) {
        self.x87_is_clear = false;
        if departure == Departure::Again {
            self.host.carried = code.carried_with_x87(self);
            self.host.exit = 0;
        } else if let Some(x87) = &code.carried(self.host.carried).x87 {
            x87.put_timing(&mut self.state);
        }
    }
}
