//! A core's next step: a run ahead, or its request's entry into the mesh, effect or response.
//!
//! A performed step leaves the order of events, and the core's next step enters it. One test guards
//! work that only some chips need (a log, streams of waiting cores, effects on other parts).

use std::num::NonZero;

use rockcreek_defs::{BusRequest, BusResponse, CoreId, Ps, prefetch};
use rockcreek_engine::Key;

use crate::processor::Processor;
use crate::scheduler::chip::{Chip, Stopped};
use crate::slot::Phase;
use crate::slot::inline_transaction::{NoInlineBus, Surroundings};
use crate::slot::window_end::End;
use crate::uncore::request_path::Flight;
use crate::uncore::service::Outcome;
use crate::uncore::wiring::{Unit, order};

impl<P: Processor> Chip<P> {
    /// Performs the next event, a core's step. Returns a reason if the chip must stop, else `None`.
    pub(crate) fn step_core(&mut self, key: Key) -> Option<Stopped> {
        self.reach(key);
        let core = CoreId(key.source as u16);
        if self.streams.are_running() && self.end_stream(core) {
            self.now = self.now.max(key.time);
            return None;
        }
        let slot = &self.slots[core.index()];
        if slot.breaks {
            return Some(self.stop_for_debugger(core, key));
        }
        self.take_out(key);
        let slot = &self.slots[core.index()];
        match &slot.phase {
            Phase::Inject => {
                self.performed(key);
                if self.is_observed() || self.is_checked(core) {
                    self.observe_injection(core);
                    if self.uncore.faulty_links.are_any() {
                        self.inject_over_links(core, key);
                        return None;
                    }
                }
                self.inject(core, key);
            }
            Phase::Flight(flight) => {
                let looked_at = matches!(flight.unit(), Unit::Crb(_) | Unit::System);
                if self.streams.are_running() || looked_at {
                    self.look_before(core, key);
                }
                if self.is_checked(core) {
                    self.look_at_overwritten(core);
                }
                if !self.arrive(core, key) {
                    self.schedule(core);
                    self.input_core = Some(core);
                    self.now = self.now.max(key.time);
                    return Some(Stopped::Input);
                }
            }
            &Phase::Answer(time, response) => self.answer(core, key, time, response),
            _ => self.go_on(core, key),
        }
        None
    }

    /// Removes a performed step, and prefetches what the step that is now first will use.
    #[inline(always)]
    pub(crate) fn take_out(&mut self, key: Key) {
        self.steps.clear(key.source);
        self.fetch_next();
    }

    /// Prefetches, into the host's caches, the data that the step which is probably next will use.
    #[inline(always)]
    fn fetch_next(&self) {
        let Some((source, unit)) = self.steps.likely_next() else { return };
        let (slot, core) = (&self.slots[source as usize], CoreId(source as u16));
        prefetch(&slot.clock);
        prefetch(&slot.phase);
        if order::is_interface(unit) {
            slot.processor.fetch_ahead(true);
            self.uncore.routes.fetch_ahead(core, true);
        } else {
            slot.processor.fetch_ahead(false);
            self.uncore.routes.fetch_ahead(core, false);
            slot.answers.fetch_ahead();
        }
    }

    #[cold]
    fn stop_for_debugger(&mut self, core: CoreId, key: Key) -> Stopped {
        let slot = &mut self.slots[core.index()];
        slot.breaks = false;
        slot.processor.pass_break();
        slot.ahead = false;
        self.performed(key);
        self.schedule(core);
        self.settle();
        Stopped::Break(core)
    }

    /// Continues a core whose window has ended or which an interrupt wakes.
    fn go_on(&mut self, core: CoreId, key: Key) {
        let slot = &mut self.slots[core.index()];
        match slot.phase {
            Phase::Run => {
                if let Some(end) = self.run_side_by_side(core, key.time) {
                    self.run_core(core, false, end);
                }
            }
            Phase::Halted => {
                slot.processor.advance_to(slot.clock.cycle_at_or_after(key.time));
                slot.ahead = false;
                let end = self.workers.window_end(slot, slot.processor.cycles(), 0);
                self.run_core(core, false, end);
            }
            Phase::Shutdown => {
                self.performed(key);
                self.restart(core);
            }
            _ => {}
        }
    }

    /// Sends the core's request into the mesh.
    #[inline(always)]
    pub(crate) fn inject(&mut self, core: CoreId, key: Key) {
        let Chip { slots, uncore, .. } = self;
        let slot = &mut slots[core.index()];
        slot.processor.before_transaction(|addr| uncore.peek_byte(core, addr));
        let Some(request) = slot.request() else { return };
        let flight = uncore.inject(core, key.time, slot.clock.period_ps, request);
        slot.phase = Phase::Flight(flight);
        self.steps.add(key.source, flight.arrive, flight.order());
    }

    /// True if each step must be recorded (log, profile), compared with periodic streams, or passed
    /// over faulty links; false lets steps take shorter ways.
    pub(crate) fn is_observed(&self) -> bool {
        self.is_recording() || self.streams.are_running() || self.uncore.faulty_links.are_any()
    }

    #[inline(never)]
    fn observe_injection(&mut self, core: CoreId) {
        if self.is_recording() {
            // The log may not contain instructions that a rollback could undo.
            self.slots[core.index()].ahead = false;
            self.take_records(core);
        }
        if self.is_checked(core) && self.slots[core.index()].waiting.is_none() {
            self.slots[core.index()].ahead = false;
            self.tell_accesses(core);
        }
        let slot = &self.slots[core.index()];
        if let Some(request) = slot.request().copied() {
            self.clear_way_out(core, &request);
        }
    }

    /// Performs a core's request, which has arrived at its unit. Returns false if the request needs
    /// input from the host first; nothing has changed then.
    fn arrive(&mut self, core: CoreId, key: Key) -> bool {
        let observed = self.is_observed() || self.is_checked(core);
        let Chip { slots, uncore, effects, .. } = self;
        let slot = &mut slots[core.index()];
        let (Phase::Flight(flight), Some(request)) = (&slot.phase, slot.request()) else {
            return true;
        };
        let period_ps = slot.clock.period_ps;
        let arrival = uncore.arrive(core, period_ps, flight, request, effects);
        let Outcome::Done(departs, mut response) = arrival else { return false };
        let time = if observed {
            let (flight, request) = (*flight, *request);
            self.performed(key);
            self.observe_effect(core, &flight, &request, departs, &response);
            if self.uncore.faulty_links.are_any() {
                let Some(ps) = self.later_back(core, &flight) else {
                    self.perform_effects();
                    return true;
                };
                let back =
                    self.uncore.reply_without_route(core, period_ps, &flight, &request, departs);
                let (departs, back) = (departs + ps, back + ps);
                self.uncore.accept(period_ps, &flight, &request, departs, back, &mut response)
            } else {
                self.uncore.reply(core, period_ps, &flight, &request, departs, &mut response)
            }
        } else {
            let time = uncore.reply(core, period_ps, flight, request, departs, &mut response);
            self.performed(key);
            time
        };
        if !self.effects.are_none() {
            self.slots[core.index()].phase = Phase::Answer(time, response);
            self.perform_effects();
            if !matches!(self.slots[core.index()].phase, Phase::Answer(..)) {
                // The request has reset or ended its own core.
                return true;
            }
            // An effect of the access may have scheduled the response as the core's next step.
            self.steps.clear(key.source);
        }
        self.answer_early(core, time, &response);
        true
    }

    /// Call before a request takes effect: brings pins in GLCFG and the power meter up to date.
    #[inline(never)]
    fn look_before(&mut self, core: CoreId, key: Key) {
        let slot = &self.slots[core.index()];
        let (Phase::Flight(flight), Some(request)) = (slot.phase, slot.request().copied()) else {
            return;
        };
        self.look_at_outputs(key.time, &flight, &request);
        self.clear_unit(&flight, &request);
        self.convert_before(core, key);
    }

    #[inline(never)]
    fn observe_effect(
        &mut self,
        core: CoreId,
        flight: &Flight,
        request: &BusRequest,
        departs: Ps,
        response: &BusResponse,
    ) {
        if self.log.is_some() {
            self.log_transaction(core, flight, request, response);
        }
        if self.is_checked(core) {
            self.tell_effect(core, flight, request, response);
        }
        self.clear_way_back(core, flight, request, departs);
    }

    #[cold]
    fn look_at_overwritten(&mut self, core: CoreId) {
        let slot = &self.slots[core.index()];
        if let (Phase::Flight(flight), Some(request)) = (slot.phase, slot.request().copied()) {
            self.look_at_line(&flight, &request);
        }
    }

    /// Performs a core's request on a chip without observers. The caller knows that the request has
    /// arrived at memory or a message-passing buffer, where no request affects other parts.
    #[inline(always)]
    pub(crate) fn arrive_unobserved(&mut self, core: CoreId) {
        let much = self.has_much(core);
        let Chip { slots, uncore, effects, workers, .. } = self;
        let slot = &mut slots[core.index()];
        let (Phase::Flight(flight), Some(request)) = (&slot.phase, slot.request()) else { return };
        let period_ps = slot.clock.period_ps;
        let mut response = BusResponse::Acknowledge;
        let departs = uncore.perform(core, period_ps, flight, request, &mut response, effects);
        let time = uncore.reply(core, period_ps, flight, request, departs, &mut response);
        debug_assert!(effects.are_none());
        let early = || slot.take_early(workers, time, &response, self.skipping);
        match (!much).then(early).flatten() {
            Some(end) => self.run_unobserved(core, end, time),
            None => self.await_answer(core, time, &response),
        }
    }

    /// Gives the core its response at once if the core can run ahead with it; otherwise schedules a
    /// step at the time `time` at which it arrives.
    fn answer_early(&mut self, core: CoreId, time: Ps, response: &BusResponse) {
        let (skip, recording) = (self.skips(), self.is_recording() || self.has_much(core));
        let slot = &mut self.slots[core.index()];
        let early = || slot.take_early(&self.workers, time, response, skip);
        match (!recording).then(early).flatten() {
            Some(end) => self.run_slot(core, end),
            None => self.await_answer(core, time, response),
        }
    }

    /// Schedules the core's step at the time of its response.
    #[inline(never)]
    fn await_answer(&mut self, core: CoreId, time: Ps, response: &BusResponse) {
        self.slots[core.index()].phase = Phase::Answer(time, *response);
        self.schedule(core);
    }

    /// Handles a response for whose arrival the core has had to wait. The core runs on, unless it
    /// waits in a polling loop: then the next round is skipped, and only the core's next request is
    /// scheduled, or the core becomes a periodic stream.
    fn answer(&mut self, core: CoreId, key: Key, time: Ps, response: BusResponse) {
        let skip = self.skips();
        let slot = &mut self.slots[core.index()];
        if !slot.answer(&mut self.workers, time, response, skip) {
            let end = self.workers.window_end(slot, slot.processor.cycles(), 0);
            self.run_core(core, true, end);
        } else if self.begin_stream(core, key) {
            self.may_stand_still = true;
        } else {
            self.schedule(core);
        }
    }

    /// Lets a core, whose window is open, run ahead until `end`, and schedules its next step.
    fn run_slot(&mut self, core: CoreId, end: End) {
        if !self.is_observed() {
            let slot = &self.slots[core.index()];
            let begins = slot.clock.time_of(slot.processor.cycles());
            return self.run_unobserved(core, end, begins);
        }
        let slot = &mut self.slots[core.index()];
        slot.run(self.workers.shared(slot.worker), end.time(&slot.clock));
        self.schedule(core);
    }

    /// Like [`Chip::run_slot`], without observers. The run begins at `begins` or a little later.
    #[inline(always)]
    fn run_unobserved(&mut self, core: CoreId, end: End, begins: Ps) {
        if !self.steps.begin_before(begins) {
            return self.run_among(core, end);
        }
        // Another core's step comes first: the most frequent case with many cores.
        let slot = &mut self.slots[core.index()];
        let shared = self.workers.shared(slot.worker);
        if slot.run_in_crowd(shared, end, &mut NoInlineBus { uncore: &self.uncore, core }) {
            let unit = self.uncore.interface(core);
            return self.steps.add(core.0.into(), slot.local_time(), unit);
        }
        self.schedule(core);
    }

    /// Runs a core, at most to `end`, that begins before the next step of any other core, so that
    /// the core may perform transactions at once while it runs.
    #[inline(never)]
    fn run_among(&mut self, core: CoreId, end: End) {
        let skip = self.skips();
        let until = self.limit.min(self.steps.earliest());
        let slot = &mut self.slots[core.index()];
        let shared = self.workers.shared(slot.worker);
        let around = Surroundings {
            uncore: &mut self.uncore,
            effects: &mut self.effects,
            steps: &self.steps,
            event: self.queue.peek().map(|(key, _)| key),
            now: &mut self.now,
            present: &mut self.present,
            events: &mut self.events,
            limit: self.limit,
            until,
            core,
            skip,
            shared: self.check.as_ref().map(|check| check.shared_by(core)),
        };
        slot.run_among(shared, end, around);
        self.schedule(core);
    }

    /// True if rounds of polling loops are skipped now; false while instructions are recorded.
    fn skips(&self) -> bool {
        self.skipping && !self.is_recording()
    }

    /// Lets a core run ahead until `end`. `answered`: true if it has just received a response.
    fn run_core(&mut self, core: CoreId, answered: bool, end: End) {
        self.take_records(core);
        let told = self.tell_much(core);
        let anew = answered || told || self.is_recording();
        let renew_cycles = if anew { 0 } else { self.workers.window_cycles() };
        let slot = &mut self.slots[core.index()];
        slot.renew_window(renew_cycles);
        slot.whole_run = NonZero::new(slot.window_start).filter(|_| answered);
        self.run_slot(core, end);
    }

    /// Schedules the core's next step in the order of events, in place of its earlier one.
    pub(crate) fn schedule(&mut self, core: CoreId) {
        match self.next_step(core) {
            Some((time, unit)) => self.steps.set(core.0.into(), time, unit),
            None => self.steps.clear(core.0.into()),
        }
    }

    /// The time and the unit of the core's next step in the order of events; `None`: it has none.
    pub(crate) fn next_step(&self, core: CoreId) -> Option<(Ps, u32)> {
        let slot = &self.slots[core.index()];
        match &slot.phase {
            Phase::Run => Some((slot.step_time(), order::PROGRESS)),
            Phase::Inject => Some((slot.local_time(), self.uncore.interface(core))),
            Phase::Flight(flight) => Some((flight.arrive, flight.order())),
            Phase::Answer(time, _) => Some((slot.clock.edge_at_or_after(*time), order::PROGRESS)),
            Phase::Halted => {
                let cycle = slot.processor.next_timer_cycle()?;
                let cycle = cycle.max(slot.processor.cycles()).max(slot.clock.epoch_cycle);
                Some((slot.clock.time_of(cycle), order::PROGRESS))
            }
            Phase::Shutdown if !slot.placed => Some((slot.local_time(), order::PROGRESS)),
            Phase::Reset | Phase::Shutdown | Phase::Ended | Phase::Lost => None,
        }
    }
}
