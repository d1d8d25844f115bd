//! Whether the chip stands still: its cores only ask, and what they ask for cannot change.
//!
//! A core that waits (waiting.rs) has proved that its rounds are alike for as long as their answers
//! are. If every core that is left waits with a read of a message buffer or of a tile's registers
//! that would be answered so again, and none has a timer, then nobody writes: all rounds are alike
//! for ever. A core that asks memory or the board is not counted among them.

use rockcreek_defs::{CoreId, Ps};

use crate::processor::Processor;
use crate::scheduler::chip::Chip;

/// A chip that stands still runs on to a multiple of this: then the end does not depend on when it
/// was noticed, which is a matter of windows and threads.
const NOTICED_AT_PS: u64 = 100_000_000_000;

impl<P: Processor> Chip<P> {
    /// Until when to run on a chip that stands still; none if something may change.
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
