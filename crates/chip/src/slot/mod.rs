//! One core under the scheduler: what it is doing and how its cycles map to time.
//!
//! [`inline_transaction`] performs requests that nothing comes between while the core runs,
//! [`response_log`] keeps what a window was given, [`clocked_cycles`] counts cycles of its clock, [`poll_detector`] finds loops that poll,
//! [`window_end`] says until when a core runs. Nothing here knows another core.

mod clocked_cycles;
pub(crate) mod inline_transaction;
pub mod poll_detector;
pub mod response_log;
pub mod window_end;

use std::num::NonZero;

use rockcreek_boot::EntryState;
use rockcreek_cpu::Core;
use rockcreek_defs::{BusRequest, BusResponse, Clock, Pins, Ps};
use serde::{Deserialize, Serialize};

use crate::processor::{Processor, Stop};
pub(crate) use crate::slot::clocked_cycles::ClockedCycles;
use crate::slot::inline_transaction::{InlineBus, NoInlineBus, Surroundings};
use crate::slot::poll_detector::{PollDetector, Waiting};
use crate::slot::response_log::Answers;
use crate::slot::window_end::End;
use crate::uncore::request_path::Flight;

/// Runs from an answer to the next request that are shorter tell nothing about the longer ones:
/// requests come in bursts.
const FEW_CYCLES: u64 = 5000;

/// What a core is doing. What it has asked for: [`Slot::request`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Held by GCBCFG.
    Reset,
    /// At an instruction boundary, or resuming an instruction after its answer.
    Run,
    /// Its request leaves the core at the core's present cycle.
    Inject,
    /// Its request is under way.
    Flight(Flight),
    /// The answer is on its way and reaches the core at this time, whatever its clock does
    /// meanwhile.
    Answer(Ps, BusResponse),
    Halted,
    /// A triple fault: stopped until a reset, which comes at once if it began at its reset vector.
    Shutdown,
    /// It reported its end to the host, or it broke.
    Ended,
    /// It hangs, or its request or the answer was lost on the way: it stands until a reset.
    Lost,
}

/// One core under the scheduler. Cores of different workers share no line of the host's caches, of
/// which it fetches two at once. What each transaction looks at comes first, in two lines, before
/// what it looks at in the core.
#[derive(Clone, Debug)]
#[repr(C, align(128))]
pub struct Slot<P: Processor> {
    pub clock: Clock,
    /// The cycle of the last answer, if the core has run from there to its request in one go.
    pub(crate) whole_run: Option<NonZero<u64>>,
    /// The cycle of its last answer.
    pub(crate) answered: u64,
    /// The window began at this cycle; since then the core has had `answers`.
    pub(crate) window_start: u64,
    /// It waits in a loop; its processor is where the waiting began.
    pub(crate) waiting: Option<Box<Waiting<P::Round>>>,
    /// Whose decoded code it uses.
    pub(crate) worker: Option<u16>,
    /// Its next window is so often doubled.
    pub(crate) window_growth: u8,
    /// It stopped for a debugger, who hears of it when the chip's time is the core's.
    pub(crate) breaks: bool,
    /// Its window is open: what it has done since then can be taken back, as far as the chip's time
    /// has not come to it.
    pub(crate) ahead: bool,
    /// A switch of the L2 that waits for the answer under way: a fill must find the L2 as its
    /// request did.
    pub(crate) level2: Option<bool>,
    /// An answer is taken as soon as it is known, so the last one may be still to come.
    pub(crate) answers: Answers,
    pub phase: Phase,
    pub processor: P,
    pub(crate) poll_detector: PollDetector,
    /// How many cycles it has usually run from an answer to its next request, where these were not
    /// few.
    pub(crate) typical_compute_cycles: u64,
    /// In [`Phase::Run`]: it is at its first instruction boundary at or after this instant, or this
    /// is `NEVER` and nobody knows.
    pub(crate) reached: Ps,
    /// A boot loader has put it where it began: nothing lies at its reset vector.
    pub(crate) placed: bool,
    /// It has been out of reset.
    pub released: bool,
    pub pins: Pins,
    /// Applied at the first release.
    pub entry: Option<EntryState>,
    pub(crate) clocked: ClockedCycles,
}

const _: () = assert!(std::mem::offset_of!(Slot<Core>, processor) == 128, "two lines");

impl<P: Processor> Slot<P> {
    pub(crate) fn new(processor: P, period_ps: u64, pins: Pins) -> Slot<P> {
        Slot {
            processor,
            clock: Clock::starting_at(Ps(0), period_ps),
            phase: Phase::Reset,
            pins,
            level2: None,
            entry: None,
            clocked: ClockedCycles::default(),
            placed: false,
            released: false,
            ahead: false,
            window_start: 0,
            answers: Answers::new(),
            breaks: false,
            reached: Ps::NEVER,
            window_growth: 0,
            answered: 0,
            typical_compute_cycles: 0,
            worker: None,
            waiting: None,
            poll_detector: PollDetector::default(),
            whole_run: None,
        }
    }

    /// The core's own time.
    pub fn local_time(&self) -> Ps {
        let cycle = self.waiting.as_ref().map_or(self.processor.cycles(), |waiting| waiting.sent());
        self.clock.time_of(cycle)
    }

    /// The first instant at which it may act on the chip: its own time, or when a posted store has
    /// gone.
    pub(crate) fn step_time(&self) -> Ps {
        let cycle =
            self.waiting.as_ref().map_or(self.processor.sends_from(), |waiting| waiting.sent());
        self.clock.time_of(cycle)
    }

    /// What it waits for, if it does.
    #[inline]
    pub fn request(&self) -> Option<&BusRequest> {
        match &self.waiting {
            Some(waiting) => Some(&waiting.request),
            None => self.processor.waiting_for(),
        }
    }

    /// Runs to the first instruction boundary at or after `until`, or to what stops the core
    /// before.
    pub(crate) fn run(&mut self, shared: &mut P::Shared, until: Ps) {
        let end = End::at(&self.clock, until);
        let stop = self.processor.run(shared, end.cycle);
        self.stopped(stop, end, None);
    }

    /// The same, but goes on with the answers to transactions that nothing comes between.
    #[inline(always)]
    pub(crate) fn run_among(&mut self, shared: &mut P::Shared, end: End, around: Surroundings) {
        if self.level2.is_some() {
            return self.run(shared, end.time(&self.clock));
        }
        let Slot { clock, answers, poll_detector, whole_run, answered, .. } = self;
        let mut alone =
            InlineBus::new(around, *clock, answers, poll_detector, (whole_run, answered));
        let stop = self.processor.run_with(shared, end.cycle, &mut alone);
        let reached = alone.finish();
        self.stopped(stop, end, reached);
    }

    /// The same, where something else comes before any transaction. True if the core has stopped
    /// for one.
    #[inline(always)]
    pub(crate) fn run_in_crowd(
        &mut self,
        shared: &mut P::Shared,
        end: End,
        crowd: &mut NoInlineBus,
    ) -> bool {
        let stop = self.processor.run_with(shared, end.cycle, crowd);
        self.stopped(stop, end, None);
        stop == Stop::Bus
    }

    /// The run has ended; `reached`: how far the transaction has come that the core stopped for.
    #[inline(always)]
    fn stopped(&mut self, stop: Stop, end: End, reached: Option<Phase>) {
        self.ahead = true;
        self.breaks = matches!(stop, Stop::Break);
        if stop != Stop::Bus {
            return self.stopped_for_itself(stop, end.time(&self.clock));
        }
        let since = self.cycles_since_answer();
        if since >= FEW_CYCLES {
            self.typical_compute_cycles = since;
        }
        match reached {
            None => self.phase = Phase::Inject,
            Some(phase) => self.phase = phase,
        }
    }

    #[inline(never)]
    fn stopped_for_itself(&mut self, stop: Stop, until: Ps) {
        self.reached = Ps::NEVER;
        self.phase = match stop {
            Stop::Limit => {
                // What comes while the last answer is on its way finds the core waiting for it.
                let answered = self.answers.last_time();
                let answered = answered.map(|time| self.clock.edge_at_or_after(time));
                self.reached = answered.map_or(until, |answered| until.max(answered));
                self.window_growth = self.window_growth.saturating_add(1);
                Phase::Run
            }
            Stop::Bus => Phase::Inject,
            Stop::Break => Phase::Run,
            Stop::Halted => Phase::Halted,
            Stop::Shutdown => Phase::Shutdown,
        };
    }

    /// The answer of the request under way has come; the core goes on at its next edge.
    pub(crate) fn complete(&mut self, time: Ps, response: &BusResponse) {
        self.answered = self.clock.cycle_at_or_after(time);
        self.give(self.answered, response);
        if let Some(enabled) = self.level2.take() {
            self.processor.set_level2(enabled);
        }
        self.phase = Phase::Run;
    }

    /// The processor has its answer. It waits for a posted store during which its clock has
    /// changed.
    #[inline(always)]
    pub(crate) fn give(&mut self, cycle: u64, response: &BusResponse) {
        self.processor.complete(cycle, response);
        if self.processor.cycles() < self.clock.epoch_cycle {
            self.processor.await_bus();
        }
    }

    /// The first cycle that begins at or after a `time` soon after the core's present.
    #[inline]
    pub(crate) fn cycle_at_or_after(&self, time: Ps) -> u64 {
        match self.processor.cycles() {
            cycle if cycle >= self.clock.epoch_cycle => self.clock.cycle_from(cycle, time),
            _ => self.clock.cycle_at_or_after(time),
        }
    }

    /// Opens a window here.
    #[inline(never)]
    pub(crate) fn begin_window(&mut self) {
        self.processor.begin_window();
        self.window_start = self.processor.cycles();
        self.answers.clear();
    }

    /// Opens one if there is none, or none that is shorter and may go on.
    #[inline]
    pub(crate) fn renew_window(&mut self, window_cycles: u64) {
        let long = self.window_length() >= window_cycles || self.answers.are_many();
        if !self.ahead || long {
            self.begin_window();
        }
    }

    /// How long its window is by now, in cycles.
    pub(crate) fn window_length(&self) -> u64 {
        self.processor.cycles().saturating_sub(self.window_start)
    }

    pub(crate) fn cycles_since_answer(&self) -> u64 {
        self.processor.cycles().saturating_sub(self.answered)
    }
}
