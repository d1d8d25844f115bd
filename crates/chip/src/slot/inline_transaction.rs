//! Inline transactions: performed while their core runs, because no other event comes between.
//!
//! A core stops for a transaction because another event may have to happen first. If every other
//! step and event is later than the instant at which the request enters the mesh and the instant at
//! which it takes effect, no event comes between. Both are then performed at once, in their order,
//! and the core continues with the response within its window. This applies only to accesses to
//! memory and message-passing buffers with a cached route (`route_cache.rs`), which have no effects
//! on other parts.
//!
//! NPB LU (class S, one core) takes 1.76 times the host's instructions without inline transactions,
//! a copy of 1 MB (`benches/programs/copy.c`) 2.1 times (2026-11-29).

use std::num::NonZero;
use std::ops::Range;

use rockcreek_cpu::{Accepted, Bus};
use rockcreek_defs::{BusRequest, BusResponse, Clock, CoreAddr, CoreId, LINE_BYTES, Ps};
use rockcreek_engine::{Key, Steps};
use rockcreek_memory::Dram;

use crate::slot::Phase;
use crate::slot::poll_detector::{PollDetector, Sign};
use crate::slot::response_log::Answers;
use crate::uncore::Uncore;
use crate::uncore::request_path::Flight;
use crate::uncore::route_cache::{Next, RouteKey, UncontendedRoutes};
use crate::uncore::service::{Effects, move_bytes};

/// The parts of the chip that a running core's transactions use when they are performed inline (at
/// once, while the core runs).
pub(crate) struct Surroundings<'a> {
    pub uncore: &'a mut Uncore,
    pub effects: &'a mut Effects,
    /// The steps of all cores except this one, whose step has been removed.
    pub steps: &'a Steps,
    /// The key of the first pending event that is not a core's step; `None` if none is pending.
    pub event: Option<Key>,
    pub now: &'a mut Ps,
    pub present: &'a mut Key,
    pub events: &'a mut u64,
    /// The time limit: transactions after it are not performed inline.
    pub limit: Ps,
    /// The limit or the next step of another core, whichever is earlier.
    pub until: Ps,
    pub core: CoreId,
    /// True if rounds of waiting are skipped: a core must then stop where it may turn out to wait.
    pub skip: bool,
    /// For each segment of the core's LUT, true if the checker must see its accesses, so that the
    /// core must stop for them; and the number of bits by which an address is shifted right to give
    /// its segment's number. `None`: no checker.
    pub shared: Option<(&'a [bool], u32)>,
}

/// The bus of a core that may perform transactions inline, and the records that its slot keeps of
/// them.
pub(crate) struct InlineBus<'a> {
    around: Surroundings<'a>,
    clock: Clock,
    answers: &'a mut Answers,
    poll_detector: &'a mut PollDetector,
    whole_run: &'a mut Option<NonZero<u64>>,
    answered: &'a mut u64,
    /// A transaction that takes effect before this instant is certainly the chip's next event.
    free: Ps,
    /// How far the transaction has come for which the core had to stop; `None` if it has not begun,
    /// or if the core did not stop for one.
    reached: Option<Phase>,
    steady: UncontendedRoutes,
}

impl<'a> InlineBus<'a> {
    #[inline]
    pub fn new(
        around: Surroundings<'a>,
        clock: Clock,
        answers: &'a mut Answers,
        poll_detector: &'a mut PollDetector,
        whole_run: &'a mut Option<NonZero<u64>>,
        answered: &'a mut u64,
    ) -> InlineBus<'a> {
        let event = around.event.map_or(Ps::NEVER, |event| event.time);
        let free = Ps(around.until.0.min(event.0));
        let (reached, steady) = (None, UncontendedRoutes::default());
        InlineBus {
            around,
            clock,
            answers,
            poll_detector,
            whole_run,
            answered,
            free,
            reached,
            steady,
        }
    }

    /// Ends the run of the core; counts what is not counted yet. Returns how far the transaction
    /// has come for which the run ended, `None` if it has not begun.
    #[inline]
    pub fn finish(mut self) -> Option<Phase> {
        self.tell();
        self.reached
    }

    /// True if another event certainly comes before `time`, so that no transaction can be performed
    /// inline: the usual case, found with one comparison.
    #[inline]
    fn is_too_late(&self, time: Ps) -> bool {
        time > self.around.until
    }

    /// True if every other pending event comes after this key, so that its event may be performed
    /// now.
    #[inline(always)]
    fn is_next(&self, key: Key) -> bool {
        key.time < self.free || self.is_just_next(key)
    }

    #[cold]
    #[inline(never)]
    fn is_just_next(&self, key: Key) -> bool {
        let Surroundings { steps, event, limit, .. } = &self.around;
        key.time <= *limit && steps.are_behind(&key) && event.is_none_or(|event| key < event)
    }

    #[inline(always)]
    fn performed(&mut self, key: Key, events: u64) {
        let Surroundings { now, present, events: performed, .. } = &mut self.around;
        debug_assert!(key.time >= **now, "events are performed in order");
        **now = key.time;
        **present = key;
        **performed += events;
    }
}

/// The bus of a core that begins its run after another core's step is due: it performs no
/// transaction, so the core stops at the first one.
pub(crate) struct NoInlineBus<'a> {
    pub uncore: &'a Uncore,
    pub core: CoreId,
}

impl Bus for NoInlineBus<'_> {
    fn ask(&mut self, _: u64, _: &BusRequest) -> Option<(u64, &BusResponse)> {
        None
    }

    fn answers(&self) -> bool {
        false
    }

    fn host_address(&self, addr: CoreAddr) -> u64 {
        self.uncore.host_address(self.core, addr).unwrap_or(0)
    }
}

impl Bus for InlineBus<'_> {
    fn ask(&mut self, cycle: u64, request: &BusRequest) -> Option<(u64, &BusResponse)> {
        let time = self.clock.time_of(cycle);
        if self.is_too_late(time) || self.answers.are_full() || self.is_checked(request.addr()) {
            return None;
        }
        let (next, back) = match self.repeat(time, request) {
            Some((cycles, back)) => (cycle.saturating_add(cycles), back),
            None => {
                let back = self.perform(time, request)?;
                (self.clock.cycle_from(cycle, back), back)
            }
        };
        self.take(cycle, next, request, back)
    }

    fn post_word(&mut self, cycle: u64, addr: CoreAddr, word: u32) -> Option<Accepted> {
        self.post(cycle, &RouteKey::posted(addr, 4), |dram, offset| {
            dram.write_word(offset, word.to_le_bytes());
        })
    }

    fn post_double(&mut self, cycle: u64, addr: CoreAddr, value: u64) -> Option<Accepted> {
        self.post(cycle, &RouteKey::posted(addr, 8), |dram, offset| {
            dram.write_masked(offset, &value.to_le_bytes(), 0xFF);
        })
    }

    fn read_line_within(
        &mut self,
        cycle: u64,
        addr: CoreAddr,
        lasts: Range<u64>,
    ) -> Option<(u64, &[u8; LINE_BYTES])> {
        let (uncore, time) = (&*self.around.uncore, self.clock.time_of(cycle));
        let cycles = self.steady.lasts(uncore, &RouteKey::read_line(addr), time)?;
        if lasts.contains(&cycles) { self.read_line(cycle, addr) } else { None }
    }

    fn read_line(&mut self, cycle: u64, addr: CoreAddr) -> Option<(u64, &[u8; LINE_BYTES])> {
        let ask = RouteKey::read_line(addr);
        let (next, end, line) = self.again(cycle, &ask, |dram, offset| dram.line(offset))?;
        Some((end.get(), self.answers.keep_line(next.back, line)))
    }

    fn host_address(&self, addr: CoreAddr) -> u64 {
        self.around.uncore.host_address(self.around.core, addr).unwrap_or(0)
    }
}

impl InlineBus<'_> {
    /// True if the checker must see a request to this address; `None` stands for a request without
    /// an address.
    #[inline]
    fn is_checked(&self, addr: Option<CoreAddr>) -> bool {
        let segment = |shift| addr.map(|addr| (addr.0 >> shift) as usize);
        self.around.shared.is_some_and(|(shared, shift)| segment(shift).is_none_or(|n| shared[n]))
    }

    /// Performs the transaction if it uses the route of an earlier, uncontended one and no event
    /// comes between. Returns its duration in core cycles, and the time at which its response is
    /// back; otherwise `None`, and nothing has changed.
    #[inline(always)]
    fn repeat(&mut self, time: Ps, request: &BusRequest) -> Option<(u64, Ps)> {
        let (uncore, response) = (&mut *self.around.uncore, self.answers.next());
        let moves = |dram: &mut Dram, offset, next: &Next| {
            *response = match next.posted {
                true => BusResponse::Value(next.delay),
                false => BusResponse::Acknowledge,
            };
            move_bytes(dram, offset, request, response);
        };
        let (next, ()) =
            self.steady.next(uncore, &RouteKey::of(request)?, time, self.free, moves)?;
        Some((next.cycles, next.back))
    }

    /// Performs a request that leaves the core at `cycle`, if it uses the route of an earlier,
    /// uncontended one, no event comes between, the core is not found to wait, and no observer must
    /// see the request. `moves` moves its bytes to or from memory. Returns its timing, the cycle at
    /// which the core continues, and what `moves` returned; otherwise `None`.
    #[inline(always)]
    fn again<R>(
        &mut self,
        cycle: u64,
        ask: &RouteKey,
        moves: impl FnOnce(&mut Dram, u64) -> R,
    ) -> Option<(Next, NonZero<u64>, R)> {
        if self.is_checked(Some(ask.addr)) {
            return None;
        }
        let start = self.whole_run.filter(|_| self.around.skip);
        let sign = start.map(|start| Sign {
            addr: Some(ask.addr),
            run_cycles: cycle.wrapping_sub(start.get()),
        });
        if self.answers.are_full() || sign.is_some_and(|sign| self.poll_detector.is_of(sign)) {
            return None;
        }
        let time = self.clock.time_of(cycle);
        let moves = |dram: &mut Dram, offset, _: &Next| moves(dram, offset);
        let (next, moved) = self.steady.next(self.around.uncore, ask, time, self.free, moves)?;
        if let Some(sign) = sign {
            self.poll_detector.begin(sign);
        }
        let end = cycle.saturating_add(next.cycles);
        let end = NonZero::new(end).expect("an answer comes later");
        (*self.whole_run, *self.answered) = (Some(end), end.get());
        Some((next, end, moved))
    }

    /// Like [`InlineBus::again`], for a posted store. Returns the cycle at which the core
    /// continues, and the delay until the store's acknowledgement.
    #[inline(always)]
    fn post(
        &mut self,
        cycle: u64,
        ask: &RouteKey,
        moves: impl FnOnce(&mut Dram, u64),
    ) -> Option<Accepted> {
        let (next, end, ()) = self.again(cycle, ask, moves)?;
        self.answers.keep_delay(next.back, next.delay);
        Some((end, next.delay))
    }

    /// Counts the transactions that `again` has performed and not counted: their packets in the
    /// mesh's statistics, and two events each. The chip's present becomes the arrival of the last.
    fn tell(&mut self) {
        let core = self.around.core;
        if let Some((count, last)) = self.steady.tell(self.around.uncore, core) {
            let (time, unit, source) = (last.arrive, last.order(), core.0.into());
            self.performed(Key { time, unit, source, sequence: 0 }, 2 * count);
        }
    }

    /// Performs the transaction, which leaves the core at `time`, if no event comes between.
    /// Returns the time at which its response is back; `None` if the core must stop for it.
    #[inline(never)]
    fn perform(&mut self, time: Ps, request: &BusRequest) -> Option<Ps> {
        self.tell();
        let (core, period_ps) = (self.around.core, self.clock.period_ps);
        let source = core.0.into();
        let unit = self.around.uncore.interface(core);
        let entry = Key { time, unit, source, sequence: 0 };
        if !self.is_next(entry) {
            return None;
        }
        let uncore = &mut *self.around.uncore;
        let flight = uncore.inject_on_route(core, time, period_ps, request)?;
        let effect = Key { time: flight.arrive, unit: flight.order(), ..entry };
        if !self.is_next(effect) {
            self.around.uncore.expect(&flight);
            self.performed(entry, 1);
            self.reached = Some(Phase::Flight(flight));
            return None;
        }
        self.performed(effect, 2);
        Some(self.take_effect(&flight, request))
    }

    /// Performs a request that has arrived at its unit. Returns the time at which its response is
    /// back at the core.
    #[inline(always)]
    fn take_effect(&mut self, flight: &Flight, request: &BusRequest) -> Ps {
        let (core, period_ps) = (self.around.core, self.clock.period_ps);
        let (uncore, effects) = (&mut *self.around.uncore, &mut *self.around.effects);
        let response = self.answers.next();
        *response = BusResponse::Acknowledge;
        let departs = uncore.perform(core, period_ps, flight, request, response, effects);
        let back = uncore.reply_along(core, flight, departs);
        let back = uncore.accept(period_ps, flight, request, departs, back, response);
        self.steady.renew(uncore, core, flight, request, departs, back);
        back
    }

    /// Gives the core the response to the request that it sent at `cycle`, which is back at `back`;
    /// the core continues at cycle `next`. `None` if the core may be in a polling
    /// loop, so that it must stop and be tested.
    #[inline(always)]
    fn take(
        &mut self,
        cycle: u64,
        next: u64,
        request: &BusRequest,
        back: Ps,
    ) -> Option<(u64, &BusResponse)> {
        let response = self.answers.next();
        if self.around.skip
            && let Some(run_cycles) =
                self.whole_run.and_then(|start| cycle.checked_sub(start.get()))
            && !self.poll_detector.passes(request, response, run_cycles)
        {
            self.reached = Some(Phase::Answer(back, *response));
            return None;
        }
        (*self.whole_run, *self.answered) = (NonZero::new(next), next);
        let brings = !matches!(response, BusResponse::Acknowledge);
        Some((next, self.answers.keep(back, brings)))
    }
}
