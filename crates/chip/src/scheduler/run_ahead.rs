//! A core that runs ahead of the order of events: it receives a response before its time, and is
//! rolled back when an event reaches it in its past.

use std::num::NonZero;

use rockcreek_defs::{BusResponse, CoreId, Ps};

use crate::processor::{Processor, Stop};
use crate::scheduler::chip::Chip;
use crate::slot::window_end::End;
use crate::slot::{Phase, Slot};
use crate::workers::threads::Workers;

impl<P: Processor> Slot<P> {
    /// Delivers a response that arrives at `time` to the core at once, if the core can run ahead
    /// with it. Returns the end of the core's next run; `None` if the response must wait for its
    /// time.
    #[inline(always)]
    pub(crate) fn take_early(
        &mut self,
        workers: &Workers<P::Shared>,
        time: Ps,
        response: &BusResponse,
        skip: bool,
    ) -> Option<End> {
        if !self.may_run_on(response, skip) {
            return None;
        }
        let cycle = self.cycle_at_or_after(time);
        let end = workers.window_end(self, cycle, 0);
        self.renew_window(workers.window_cycles());
        self.answers.push(time, response);
        self.give(cycle, response);
        self.whole_run = NonZero::new(cycle);
        self.answered = cycle;
        Some(end)
    }

    /// Delivers a response that arrives at or before the instant `at`, so that the state of a
    /// stopped chip does not depend on the order of events within one instant. Returns false if no
    /// such response is on its way.
    pub(crate) fn take_answer_of(&mut self, workers: &mut Workers<P::Shared>, at: Ps) -> bool {
        self.wake(workers);
        let Phase::Answer(time, response) = self.phase else { return false };
        if self.clock.edge_at_or_after(time) > at {
            return false;
        }
        self.complete(time, &response);
        self.begin_window();
        self.run(workers.shared(self.worker), at);
        self.ahead = false;
        true
    }

    /// Rolls a core that ran past `at` back to its first instruction boundary at or after `at`, or
    /// to the point where it waits then. Returns false if the core need not move. An instruction
    /// that began before `at` is finished: the core notices an event at `at` after that
    /// instruction.
    pub(crate) fn catch_up(&mut self, workers: &mut Workers<P::Shared>, at: Ps) -> bool {
        self.wake(workers);
        if let Phase::Answer(time, response) = self.phase
            && self.clock.edge_at_or_after(time) <= at
        {
            // The response arrives at this very instant, after the event because of which the core
            // is rolled back.
            self.complete(time, &response);
            self.whole_run = None;
            self.run(workers.shared(self.worker), at);
            self.ahead = false;
            return true;
        }
        // From here on no earlier event reaches the core. A later rollback must not undo what
        // happens to the core at `at`, above all a sleeping core's advance to the next edge of its
        // clock.
        let on_its_way = matches!(self.phase, Phase::Flight(..) | Phase::Answer(..));
        if !std::mem::take(&mut self.ahead) || on_its_way || self.step_time() <= at {
            return false;
        }
        let shared = workers.shared(self.worker);
        self.processor.rollback();
        for n in 0..self.answers.len() {
            let stop = self.processor.run(shared, u64::MAX);
            assert_eq!(stop, Stop::Bus, "what was done once is done again");
            let (time, response) = self.answers.get(n);
            if self.clock.edge_at_or_after(time) > at {
                self.phase = Phase::Answer(time, response);
                self.window_growth = 0;
                return true;
            }
            self.give(self.clock.cycle_at_or_after(time), &response);
        }
        self.run(shared, at);
        self.window_growth = 0;
        self.ahead = false;
        true
    }
}

impl<P: Processor> Chip<P> {
    /// Brings every core to its first instruction boundary at or after `now`, so that the state
    /// does not depend on how far cores run ahead.
    pub fn settle(&mut self) {
        self.end_all_streams();
        for n in 0..self.slots.len() {
            self.settle_core(CoreId(n as u16));
        }
    }

    /// Brings one core to its first instruction boundary at or after `now`. No core may be a
    /// periodic stream then.
    pub(crate) fn settle_core(&mut self, core: CoreId) {
        let (slot, workers) = (&mut self.slots[core.index()], &mut self.workers);
        if slot.take_answer_of(workers, self.now) || slot.catch_up(workers, self.now) {
            self.schedule(core);
        }
    }
}
