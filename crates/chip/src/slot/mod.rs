//! One core under the scheduler: its phase, and the relation of its cycles to time.
//!
//! [`inline_transaction`] performs requests while the core runs, [`response_log`] keeps the
//! responses of a window, [`clocked_cycles`] counts cycles of the core's clock, [`poll_detector`]
//! finds polling loops, [`window_end`] limits a core's run. Nothing here depends on another core.

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

/// Computing between two transactions for fewer core cycles than this does not count as typical,
/// because requests come in bursts.
const FEW_CYCLES: u64 = 5000;

/// The phase of a core. [`Slot::request`] returns the request of phases that have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// The core is held in reset by GCBCFG.
    Reset,
    /// The core may run: it is at an instruction boundary, or resumes an instruction after its
    /// response.
    Run,
    /// The core has stopped for a transaction, whose request leaves the core at the core's present
    /// cycle.
    Inject,
    /// The core's request is on its way to its unit.
    Flight(Flight),
    /// The response is on its way and reaches the core at this time, whatever the core's clock does
    /// meanwhile.
    Answer(Ps, BusResponse),
    /// The core waits for an interrupt (HLT), or its STPCLK pin holds it.
    Halted,
    /// The core is stopped by a triple fault until a reset. The reset follows at once if the core
    /// began at its reset vector.
    Shutdown,
    /// The core has reported its end to the host, or a fault has ended it.
    Ended,
    /// The core hangs, or its request or its response was lost on a faulty link: it stands still
    /// until a reset.
    Lost,
}

/// One core under the scheduler. Cores of different workers share no cache line of the host, which
/// fetches two lines at once. The fields that each transaction uses come first, in two lines,
/// followed by those parts of the core that it uses.
#[derive(Clone, Debug)]
#[repr(C, align(128))]
pub struct Slot<P: Processor> {
    pub clock: Clock,
    /// The core cycle of the last response, if the core has run from there to the present without a
    /// stop; otherwise `None`.
    pub(crate) whole_run: Option<NonZero<u64>>,
    /// The core cycle at which the core received its last response.
    pub(crate) answered: u64,
    /// The core cycle at which the window began; `answers` contains the responses since then.
    pub(crate) window_start: u64,
    /// `Some` if the core waits in a polling loop whose rounds are skipped. Its processor is then
    /// in the state in which the waiting began.
    pub(crate) waiting: Option<Box<Waiting<P::Round>>>,
    /// The host thread (by number) whose decoded and translated code the core uses; `None` before
    /// the core first runs beside others.
    pub(crate) worker: Option<u16>,
    /// How many times the length of the core's next window is doubled.
    pub(crate) window_growth: u8,
    /// True if the core has stopped for a debugger. The debugger is informed when the chip's time
    /// reaches the core's.
    pub(crate) breaks: bool,
    /// True if the window is open: the work since its start can be undone as long as the chip's
    /// time has not reached that work.
    pub(crate) ahead: bool,
    /// A switch of L2 (true: on) that is delayed until the response on its way has arrived, because
    /// a fill must find L2 in the state in which its request left it; `None`: no switch is delayed.
    pub(crate) level2: Option<bool>,
    /// The responses since the window began. A response is delivered as soon as it is known, so the
    /// last one may lie in the future.
    pub(crate) answers: Answers,
    pub phase: Phase,
    pub processor: P,
    pub(crate) poll_detector: PollDetector,
    /// Core cycles from a response to the next request, as they usually are; values below
    /// `FEW_CYCLES` are not taken.
    pub(crate) typical_compute_cycles: u64,
    /// In [`Phase::Run`]: an instant such that the core, now at an instruction boundary, is at its
    /// first one at or after that instant; `NEVER` if unknown.
    pub(crate) reached: Ps,
    /// True if a boot loader has set the core's start address: there is no code at its reset
    /// vector.
    pub(crate) placed: bool,
    /// True if the core has ever been out of reset.
    pub released: bool,
    pub pins: Pins,
    /// The registers and the address with which the core starts when it next leaves reset; `None`:
    /// at the reset vector. Used once.
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

    /// The core's own time: the instant of its cycle count.
    pub fn local_time(&self) -> Ps {
        let cycle = self.waiting.as_ref().map_or(self.processor.cycles(), |waiting| waiting.sent());
        self.clock.time_of(cycle)
    }

    /// The first instant at which the core may act on the chip: its own time, or the time at which
    /// its bus unit is free again after a posted store.
    pub(crate) fn step_time(&self) -> Ps {
        let cycle =
            self.waiting.as_ref().map_or(self.processor.sends_from(), |waiting| waiting.sent());
        self.clock.time_of(cycle)
    }

    /// The request for whose response the core waits; `None` if it waits for none.
    #[inline]
    pub fn request(&self) -> Option<&BusRequest> {
        match &self.waiting {
            Some(waiting) => Some(&waiting.request),
            None => self.processor.waiting_for(),
        }
    }

    /// Runs to the first instruction boundary at or after `until`, or to an earlier stop.
    pub(crate) fn run(&mut self, shared: &mut P::Shared, until: Ps) {
        let end = End::at(&self.clock, until);
        let stop = self.processor.run(shared, end.cycle);
        self.stopped(stop, end, None);
    }

    /// Like [`Slot::run`], but performs transactions at once, if no event comes between, and
    /// continues with their responses.
    #[inline(always)]
    pub(crate) fn run_among(&mut self, shared: &mut P::Shared, end: End, around: Surroundings) {
        if self.level2.is_some() {
            return self.run(shared, end.time(&self.clock));
        }
        let Slot { clock, answers, poll_detector, whole_run, answered, .. } = self;
        let mut alone = InlineBus::new(around, *clock, answers, poll_detector, whole_run, answered);
        let stop = self.processor.run_with(shared, end.cycle, &mut alone);
        let reached = alone.finish();
        self.stopped(stop, end, reached);
    }

    /// Like [`Slot::run`], for a core before whose transactions another event always comes. Returns
    /// true if the core has stopped for a transaction.
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

    /// Updates the slot after a run that stopped for `stop`. `reached`: how far the transaction has
    /// come for which the core stopped; `None` if it has not begun.
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
                // An event that comes while the last response is on its way finds the core waiting
                // for that response.
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

    /// Delivers the response to the core's request at `time`; the core continues at its next clock
    /// edge.
    pub(crate) fn complete(&mut self, time: Ps, response: &BusResponse) {
        self.answered = self.clock.cycle_at_or_after(time);
        self.give(self.answered, response);
        self.switch_level2();
        self.phase = Phase::Run;
    }

    /// Switches the core's L2 on or off if a write of L2CFG has asked for it while a request of
    /// the core was in progress.
    pub(crate) fn switch_level2(&mut self) {
        if let Some(enabled) = self.level2.take() {
            self.processor.set_level2(enabled);
        }
    }

    /// Delivers the response to the processor at core cycle `cycle`. If the core's clock has
    /// changed while a posted store was on its way, the processor waits until its bus unit is free.
    #[inline(always)]
    pub(crate) fn give(&mut self, cycle: u64, response: &BusResponse) {
        self.processor.complete(cycle, response);
        if self.processor.cycles() < self.clock.epoch_cycle {
            self.processor.await_bus();
        }
    }

    /// The first cycle that begins at or after `time`. The result is right for every time; a `time`
    /// shortly after the core's present is the fast case, because the host divides small numbers
    /// faster.
    #[inline]
    pub(crate) fn cycle_at_or_after(&self, time: Ps) -> u64 {
        match self.processor.cycles() {
            cycle if cycle >= self.clock.epoch_cycle => self.clock.cycle_from(cycle, time),
            _ => self.clock.cycle_at_or_after(time),
        }
    }

    /// Opens a window at the core's present state.
    #[inline(never)]
    pub(crate) fn begin_window(&mut self) {
        self.processor.begin_window();
        self.window_start = self.processor.cycles();
        self.answers.clear();
    }

    /// Opens a new window if none is open, or if the open one is too long or has too many
    /// responses.
    #[inline]
    pub(crate) fn renew_window(&mut self, window_cycles: u64) {
        let long = self.window_length() >= window_cycles || self.answers.are_many();
        if !self.ahead || long {
            self.begin_window();
        }
    }

    /// How far the core has run since its window began, in core cycles.
    pub(crate) fn window_length(&self) -> u64 {
        self.processor.cycles().saturating_sub(self.window_start)
    }

    pub(crate) fn cycles_since_answer(&self) -> u64 {
        self.processor.cycles().saturating_sub(self.answered)
    }
}
