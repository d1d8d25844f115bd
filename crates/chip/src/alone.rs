//! Transactions that nothing comes between: performed while their core runs.
//!
//! A core stops for a transaction because something else may have to happen first. If every other
//! step and event lies behind the instant at which the request enters the mesh, and behind that at
//! which it takes effect, then nothing does: both are performed at once, in their order, and the
//! core goes on with the answer within its window. Only accesses to memory and message-passing
//! buffers, which make nothing else happen.

use rockcreek_cpu::Bus;
use rockcreek_defs::{BusRequest, BusResponse, Clock, CoreId, Ps};
use rockcreek_engine::{Key, Queue, Steps};

use crate::chip::Event;
use crate::slot::{MOST_ANSWERS, Phase};
use crate::uncore::{Effects, Outcome, Uncore};
use crate::waiting::Likeness;
use crate::wiring::{Unit, order};

/// What a chip lends a core that runs.
pub(crate) struct Surroundings<'a> {
    pub uncore: &'a mut Uncore,
    pub effects: &'a mut Effects,
    pub steps: &'a Steps,
    pub queue: &'a Queue<Event>,
    pub now: &'a mut Ps,
    pub present: &'a mut Key,
    pub events: &'a mut u64,
    /// Nothing is performed that is later.
    pub limit: Ps,
    pub core: CoreId,
    /// Rounds of waiting are passed: a core must stop where it may turn out to wait.
    pub skip: bool,
}

/// A running core's transactions, with what its slot keeps of them.
pub(crate) struct Alone<'a, 'b> {
    around: &'a mut Surroundings<'b>,
    clock: Clock,
    answers: &'a mut Vec<(Ps, BusResponse)>,
    likeness: &'a mut Likeness,
    whole_run: &'a mut Option<u64>,
    answered: &'a mut u64,
    /// What comes first besides this core's own; asked once, for nobody else moves meanwhile.
    horizon: Option<Option<Key>>,
    /// How far a transaction came for which the core must stop, if it has begun.
    pub reached: Option<Phase>,
}

impl<'a, 'b> Alone<'a, 'b> {
    pub fn new(
        around: &'a mut Surroundings<'b>,
        clock: Clock,
        answers: &'a mut Vec<(Ps, BusResponse)>,
        likeness: &'a mut Likeness,
        (whole_run, answered): (&'a mut Option<u64>, &'a mut u64),
    ) -> Alone<'a, 'b> {
        Alone {
            around,
            clock,
            answers,
            likeness,
            whole_run,
            answered,
            horizon: None,
            reached: None,
        }
    }

    /// Whether everything else is behind this instant.
    fn is_next(&mut self, key: &Key) -> bool {
        let around = &self.around;
        let horizon = self.horizon.get_or_insert_with(|| {
            let step = around.steps.first_besides(around.core.0.into());
            let event = around.queue.peek().map(|(key, _)| key);
            match (step, event) {
                (Some(step), Some(event)) => Some(step.min(event)),
                (step, event) => step.or(event),
            }
        });
        key.time <= around.limit && horizon.is_none_or(|first| *key < first)
    }

    fn performed(&mut self, key: Key) {
        debug_assert!(key.time >= *self.around.now, "events are performed in order");
        *self.around.now = key.time;
        *self.around.present = key;
        *self.around.events += 1;
    }
}

impl Bus for Alone<'_, '_> {
    fn ask(&mut self, cycle: u64, request: &BusRequest) -> Option<(u64, BusResponse)> {
        if self.answers.len() >= MOST_ANSWERS {
            return None;
        }
        let (core, period_ps) = (self.around.core, self.clock.period_ps);
        let source = core.0.into();
        let unit = self.around.uncore.interface(core);
        let key = Key { time: self.clock.time_of(cycle), unit, source, sequence: 0 };
        if !self.is_next(&key) {
            return None;
        }
        let unit = self.around.uncore.unit_of(core, request);
        if !matches!(unit, Unit::Memory(_) | Unit::Mpb(_)) {
            return None;
        }
        self.performed(key);
        let flight = self.around.uncore.inject(core, key.time, period_ps, request);
        let key = Key { time: flight.arrive, unit: order::unit(unit), ..key };
        if !self.is_next(&key) {
            self.reached = Some(Phase::Flight(*request, flight));
            return None;
        }
        self.performed(key);
        let around = &mut *self.around;
        let outcome = around.uncore.arrive(core, period_ps, &flight, request, around.effects);
        let Outcome::Done(departs, response) = outcome else {
            unreachable!("only ports wait for input")
        };
        let time = around.uncore.reply(core, period_ps, &flight, request, departs);
        let run_cycles = self.whole_run.and_then(|start| cycle.checked_sub(start));
        if let Some(run_cycles) = run_cycles.filter(|_| around.skip)
            && !self.likeness.passes((*request, response, run_cycles))
        {
            self.reached = Some(Phase::Answer(*request, time, response));
            return None;
        }
        self.answers.push((time, response));
        let cycle = self.clock.cycle_at_or_after(time);
        (*self.whole_run, *self.answered) = (Some(cycle), cycle);
        Some((cycle, response))
    }
}
