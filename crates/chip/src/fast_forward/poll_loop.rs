//! Polling loops: rounds pass without being executed.
//!
//! A core that repeats a request, gets an equal response and is in the state that it had before
//! (`Processor::recurs`) will do so until the response differs or another event reaches the core.
//! Each of its requests still enters the mesh and takes effect at its unit, in the order of events.
//! Only the instructions between a response and the next request are skipped, until the core is
//! observed. State, time, counts and traffic are those of executing every round.
//!
//! Invariant: while a slot waits, its processor is in the state after the response with which the
//! waiting began. [`Slot::wake`] advances the processor to the present before any other part reads
//! it.

use std::num::NonZero;

use rockcreek_defs::{BusRequest, BusResponse, Ps};

use crate::processor::{Processor, Stop};
use crate::slot::poll_detector::Waiting;
use crate::slot::{Phase, Slot};
use crate::workers::threads::Workers;

impl<P: Processor> Slot<P> {
    /// Handles the response to the core's request. Returns true if the core waits in a polling loop
    /// and its next request has been sent already; always false if `skip` is false.
    pub(crate) fn answer(
        &mut self,
        workers: &mut Workers<P::Shared>,
        time: Ps,
        response: BusResponse,
        skip: bool,
    ) -> bool {
        let cycle = self.clock.cycle_at_or_after(time);
        if let Some(waiting) = &mut self.waiting {
            if waiting.response == response && cycle + waiting.run_cycles < waiting.timer {
                waiting.pass(1, cycle - waiting.answered);
                self.phase = Phase::Inject;
                return true;
            }
            self.wake(workers);
        }
        let asked = self.run_cycles().zip(self.request().copied());
        self.complete(time, &response);
        skip && asked.is_some_and(|(cycles, request)| self.begin_waiting(request, response, cycles))
    }

    /// The number of cycles from the last response to the core's request, if the core ran from one
    /// to the other without a stop; otherwise `None`. A round of a polling loop is such a run.
    fn run_cycles(&self) -> Option<u64> {
        self.whole_run.and_then(|start| self.processor.cycles().checked_sub(start.get()))
    }

    /// True if the response to the request in progress may be delivered before its time. False if
    /// the core waits in a polling loop, or may turn out to.
    #[inline(always)]
    pub(crate) fn may_run_on(&mut self, response: &BusResponse, skip: bool) -> bool {
        if self.waiting.is_some() || self.level2.is_some() {
            return false;
        }
        !skip || self.does_not_wait(response)
    }

    #[inline(never)]
    fn does_not_wait(&mut self, response: &BusResponse) -> bool {
        let Some(run_cycles) = self.run_cycles() else { return true };
        let Some(request) = self.processor.waiting_for() else { return true };
        self.poll_detector.passes(request, response, run_cycles)
    }

    /// Call after a response, before the core's next window. Returns true if the core waits in a
    /// loop; its next request has then been sent.
    fn begin_waiting(
        &mut self,
        request: BusRequest,
        response: BusResponse,
        run_cycles: u64,
    ) -> bool {
        let window_is_round = self.answers.is_empty();
        if !self.poll_detector.note(&request, &response, run_cycles) || !window_is_round {
            return false;
        }
        let answered = self.processor.cycles();
        let timer = self.processor.next_timer_cycle().unwrap_or(u64::MAX);
        let round = self.processor.recurs().filter(|_| answered + run_cycles < timer);
        let Some(round) = round else {
            self.poll_detector.disappoint();
            return false;
        };
        self.waiting =
            Some(Box::new(Waiting::new(request, response, round, run_cycles, answered, timer)));
        self.phase = Phase::Inject;
        true
    }

    /// Advances the processor of a core that waits in a polling loop by the rounds that were
    /// skipped. The core then runs normally; does nothing if the core does not wait.
    pub(crate) fn wake(&mut self, workers: &mut Workers<P::Shared>) {
        let Some(waiting) = self.waiting.take() else { return };
        let Waiting { rounds, answered, waited, .. } = *waiting;
        self.processor.repeat(&waiting.round, rounds, answered, waited);
        self.begin_window();
        self.whole_run = NonZero::new(answered);
        let stop = self.processor.run(workers.shared(self.worker), u64::MAX);
        debug_assert_eq!(stop, Stop::Bus);
        debug_assert_eq!(self.request(), Some(&waiting.request), "a round is like the one before");
        self.ahead = true;
    }
}
