//! A core that runs ahead of the order of events: it takes an answer before its time, and is taken
//! back when something hits its past.

use std::num::NonZero;

use rockcreek_defs::{BusResponse, CoreId, Ps};

use crate::processor::{Processor, Stop};
use crate::scheduler::chip::Chip;
use crate::slot::window_end::End;
use crate::slot::{Phase, Slot};
use crate::workers::threads::Workers;

impl<P: Processor> Slot<P> {
    /// Takes an answer that will come at `time`, if it can run ahead with that; tells until when.
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

    /// An answer that comes at `at` is taken, as one that was taken before it came is kept: the
    /// order of events at one instant does not show in a chip that has stopped there. False if none
    /// comes.
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

    /// Takes a core that ran past `at` back to its first instruction boundary at or after it, or
    /// to where it waits then. False if nothing was to do. An instruction that began before `at`
    /// stays begun: what happens at `at` is noticed after it.
    pub(crate) fn catch_up(&mut self, workers: &mut Workers<P::Shared>, at: Ps) -> bool {
        self.wake(workers);
        if let Phase::Answer(time, response) = self.phase
            && self.clock.edge_at_or_after(time) <= at
        {
            // It comes at this very instant, after what the instant is looked at for.
            self.complete(time, &response);
            self.whole_run = None;
            self.run(workers.shared(self.worker), at);
            self.ahead = false;
            return true;
        }
        // From here on nothing hits its past: what is done to it at `at`, a sleeping core's
        // advance to the next edge of its clock above all, must not be taken back.
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
        self.end_all_streams(self.present);
        for n in 0..self.slots.len() {
            self.settle_core(CoreId(n as u16));
        }
    }

    /// The same for one core, where nobody is a stream.
    pub(crate) fn settle_core(&mut self, core: CoreId) {
        let (slot, workers) = (&mut self.slots[core.index()], &mut self.workers);
        if slot.take_answer_of(workers, self.now) || slot.catch_up(workers, self.now) {
            self.schedule(core);
        }
    }
}
