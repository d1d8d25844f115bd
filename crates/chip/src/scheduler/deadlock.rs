//! Detection of a standstill: all cores poll, and the polled values cannot change.
//!
//! A core that waits in a loop (`poll_loop.rs`) executes equal rounds as long as its responses are
//! equal. Suppose every remaining core waits with a read of a message buffer or of a tile's
//! registers that would again get an equal response, and none has a timer. Then no core writes, and
//! all rounds are equal for ever. A core that polls memory or the board does not count as waiting.

use rockcreek_defs::{CoreId, Ps};

use crate::processor::Processor;
use crate::scheduler::chip::Chip;

/// A run that ends because of a standstill ends at a multiple of this time in ps. The end then does
/// not depend on the instant of detection, which depends on windows and threads.
const NOTICED_AT_PS: u64 = 100_000_000_000;

impl<P: Processor> Chip<P> {
    /// The time at which to end the run, because nothing on the chip can change any more; `None` if
    /// something may still change.
    pub(crate) fn standstill(&self) -> Option<Ps> {
        let mut cores = (0..self.slots.len()).map(|n| CoreId(n as u16));
        let still = self.queue.is_empty()
            && self.releasing == 0
            && cores.all(|core| self.waits_for_ever(core) || self.next_step(core).is_none());
        still.then(|| Ps(self.now.0.next_multiple_of(NOTICED_AT_PS)))
    }

    fn waits_for_ever(&self, core: CoreId) -> bool {
        let slot = &self.slots[core.index()];
        slot.waiting.as_ref().is_some_and(|waiting| {
            let period_ps = slot.clock.period_ps;
            let flight = self.uncore.plan(core, self.now, period_ps, &waiting.request);
            let (request, response) = (&waiting.request, &waiting.response);
            waiting.timer == u64::MAX && self.uncore.would_answer(core, &flight, request, response)
        })
    }
}
