//! A core's place in the scheduler: what it is doing and how its cycles map to time.

use rockcreek_boot::EntryState;
use rockcreek_defs::{BusRequest, BusResponse, Clock, Pins, Ps};
use serde::{Deserialize, Serialize};

use crate::processor::{Processor, Stop};
use crate::uncore::Flight;
use crate::waiting::{Likeness, Waiting};

/// What a core is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Held by GCBCFG.
    Reset,
    /// At an instruction boundary, or resuming an instruction after its answer.
    Run,
    /// Its request leaves the core at the core's present cycle.
    Inject(BusRequest),
    /// Its request is under way.
    Flight(BusRequest, Flight),
    /// The answer is on its way and reaches the core at this time, whatever its clock does
    /// meanwhile.
    Answer(BusRequest, Ps, BusResponse),
    Halted,
    /// A triple fault: stopped until a reset, which comes at once if it began at its reset vector.
    Shutdown,
    /// It reported its end to the host.
    Ended,
}

/// One core under the scheduler.
#[derive(Clone, Debug)]
pub struct Slot<P: Processor> {
    pub processor: P,
    pub clock: Clock,
    pub phase: Phase,
    pub pins: Pins,
    /// A switch of the L2 that waits for the answer under way: a fill must find the L2 as its
    /// request did.
    pub(crate) level2: Option<bool>,
    /// Applied at the first release.
    pub entry: Option<EntryState>,
    /// A boot loader has put it where it began: nothing lies at its reset vector.
    pub(crate) placed: bool,
    /// It has been out of reset.
    pub released: bool,
    /// It has run since its window began, so it may be past the chip's time.
    pub(crate) ahead: bool,
    /// It stopped for a debugger, who hears of it when the chip's time is the core's.
    pub(crate) breaks: bool,
    /// The number of its only live event.
    pub(crate) generation: u32,
    /// It waits in a loop; its processor is where the waiting began.
    pub(crate) waiting: Option<Waiting<P::Round>>,
    pub(crate) likeness: Likeness,
    /// The cycle of the last answer, if the core has run from there to its request in one go.
    pub(crate) whole_run: Option<u64>,
}

impl<P: Processor> Slot<P> {
    pub(crate) fn new(processor: P, period_ps: u64, pins: Pins) -> Slot<P> {
        Slot {
            processor,
            clock: Clock::starting_at(Ps(0), period_ps),
            phase: Phase::Reset,
            pins,
            level2: None,
            entry: None,
            placed: false,
            released: false,
            ahead: false,
            breaks: false,
            generation: 0,
            waiting: None,
            likeness: Likeness::default(),
            whole_run: None,
        }
    }

    /// The core's own time.
    pub fn local_time(&self) -> Ps {
        let cycle = self.waiting.as_ref().map_or(self.processor.cycles(), Waiting::sent);
        self.clock.time_of(cycle)
    }

    /// Runs to an instruction boundary at or after `limit`, or to what stops the core before.
    pub(crate) fn run(&mut self, shared: &mut P::Shared, limit: u64) {
        let stop = self.processor.run(shared, limit);
        self.breaks = stop == Stop::Break;
        self.phase = match stop {
            Stop::Limit | Stop::Break => Phase::Run,
            Stop::Bus(request) => Phase::Inject(request),
            Stop::Halted => Phase::Halted,
            Stop::Shutdown => Phase::Shutdown,
        };
        self.ahead = true;
    }

    /// The answer of the request under way has come; the core goes on at its next edge.
    pub(crate) fn complete(&mut self, time: Ps, response: &BusResponse) {
        self.processor.complete(self.clock.cycle_at_or_after(time), response);
        if let Some(enabled) = self.level2.take() {
            self.processor.set_level2(enabled);
        }
        self.phase = Phase::Run;
    }

    /// Takes a core that ran past `at` back to its first instruction boundary at or after it.
    /// False if nothing was to do. An instruction that began before `at` stays begun: what
    /// happens at `at` is noticed after it.
    pub(crate) fn catch_up(&mut self, shared: &mut P::Shared, at: Ps) -> bool {
        self.wake(shared);
        if !self.ahead {
            return false;
        }
        // From here on nothing hits its past: what is done to it at `at`, a sleeping core's
        // advance to the next edge of its clock above all, must not be taken back.
        self.ahead = false;
        if self.local_time() <= at {
            return false;
        }
        self.processor.rollback();
        self.run(shared, self.clock.cycle_at_or_after(at));
        self.ahead = false;
        true
    }
}
