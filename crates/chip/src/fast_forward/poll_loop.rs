//! Cores that wait in a loop: rounds are passed without executing them.
//!
//! A core that asks the same question again and again, gets the same answer and is where it was
//! (`Processor::recurs`) will do so until the answer is another, or something hits it. Each of
//! its requests still enters the mesh and takes effect at its unit, in the order of events; only
//! the instructions between an answer and the next request are passed over, until somebody looks
//! at the core. State, time, counts and traffic are those of executing every round.
//!
//! Invariant: while a slot waits, its processor is as it was after the answer with which the
//! waiting began; [`Slot::wake`] brings it to the present before anybody else sees it.

use std::num::NonZero;

use rockcreek_defs::{BusRequest, BusResponse, Ps};

use crate::processor::{Processor, Stop};
use crate::slot::poll_detector::Waiting;
use crate::slot::{Phase, Slot};
use crate::workers::threads::Workers;

impl<P: Processor> Slot<P> {
    /// The answer to its request has come. True if the core waits, which is asked only with `skip`:
    /// then it has already sent its next request.
    pub(crate) fn answer(
        &mut self,
        workers: &mut Workers<P::Shared>,
        (time, response): (Ps, BusResponse),
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

    /// How long it has run from the last answer to its request: only a run without a stop makes a
    /// round.
    fn run_cycles(&self) -> Option<u64> {
        self.whole_run.and_then(|start| self.processor.cycles().checked_sub(start.get()))
    }

    /// Whether the answer to the request under way may be taken before its time: not if the core
    /// waits, or may turn out to.
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

    /// Whether the core, after an answer and before its next window, waits.
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
            Some(Box::new(Waiting::new((request, response), round, run_cycles, answered, timer)));
        self.phase = Phase::Inject;
        true
    }

    /// Brings the processor of a waiting core to the present; the core goes on by itself.
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
