//! The scheduler: cores run ahead privately, and transactions are performed in the one total order.
//!
//! An event at time T is performed only when every core is blocked or has run past T. A core that
//! ran past an event which changes its pins, clock or reset is rolled back to its window's start
//! and run again to T with the responses that it received. Every core has at most one step pending.
//! A response is delivered as soon as its time is known, so its way back needs no event. A
//! transaction that no other event can precede needs no event at all (`inline_transaction.rs`).
//!
//! Invariants: `now` never decreases; a core's local time is never before `now` while it can still
//! run; how far cores run ahead changes no result.

use rayon::ThreadPoolBuildError;
use rockcreek_board::HostService;
use rockcreek_defs::{CoreId, Ps, TileId};
use rockcreek_engine::{Key, Queue, Steps};
use rockcreek_observe::LogWriter;
use rockcreek_power::EnergySeries;
use serde::{Deserialize, Serialize};

use crate::description::Description;
use crate::fast_forward::streams::PeriodicStreams;
use crate::processor::Processor;
use crate::scheduler::coherence_check::CoherenceCheck;
use crate::scheduler::cycle_profile::CoreProfile;
use crate::scheduler::trace::Trace;
use crate::slot::{Phase, Slot};
use crate::uncore::Uncore;
use crate::uncore::faults::{Fault, FaultRecord};
use crate::uncore::service::Effects;
use crate::workers::threads::Workers;

/// The number of events between two calls of `go_on`, which asks the caller whether to continue.
const EVENTS_PER_QUESTION: u32 = 64;

/// A pending event other than a core's next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Event {
    /// A packet that sets an interrupt pin arrives at the core's tile.
    Interrupt { core: CoreId, lint1: bool },
    /// A new divider of the tile's clock takes effect.
    Divider { tile: TileId },
    /// The management PC's response reaches the memory of a core.
    HostReply { core: CoreId },
    /// The management PC releases a core from reset (jitter may have delayed the instant).
    Release { core: CoreId },
    /// A fault occurs.
    Fault { id: u32, fault: Fault },
    /// A voltage domain's level changes.
    VoltageStep,
}

/// The reason why [`Chip::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The caller's `go_on` returned false. Call [`Chip::rest`] before inspecting cores.
    Asked,
    /// The time limit is reached; every core is at its first instruction boundary at or after it.
    Until,
    /// Every released core has reported its end or died, and no release is pending.
    Ended,
    /// No event can ever happen again: all cores have stopped, or poll for ever (`deadlock.rs`).
    Idle,
    /// A core waits for input from the host; [`Chip::input_core`] names it.
    Input,
    /// A core has reported an end other than an exit; the instant is equal in every run.
    Failed,
    /// This core has reached a debugger's stop; all cores are at this instant.
    Break(CoreId),
}

/// A core that was reset because of a triple fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    pub core: CoreId,
    pub time: Ps,
    /// The vector of the last exception, and the core's EIP.
    pub vector: u8,
    pub eip: u32,
}

/// The whole chip.
pub struct Chip<P: Processor> {
    pub uncore: Uncore,
    pub(crate) slots: Vec<Slot<P>>,
    pub(crate) workers: Workers<P::Shared>,
    pub(crate) queue: Queue<Event>,
    pub(crate) steps: Steps,
    pub(crate) now: Ps,
    /// The time up to which [`Chip::run`] performs events.
    pub(crate) limit: Ps,
    /// The triple faults since the caller last took them; not part of the state.
    pub(crate) restarts: Vec<Restart>,
    /// The faults that have occurred since the caller last took them; not part of the state.
    pub(crate) faults: Vec<FaultRecord>,
    /// The number of cores that are out of reset and have not reported their end.
    pub(crate) running: usize,
    /// The number of cores in reset that the management PC will release.
    pub(crate) releasing: usize,
    /// The number of events so far from sources other than cores.
    pub(crate) board_sequence: u64,
    /// True if a core has reported an end other than an exit and [`Chip::run`] has not returned for
    /// it yet.
    pub(crate) core_failed: bool,
    /// The number of performed events, from which the host's speed is measured.
    pub events: u64,
    /// The number of windows that ran side by side; a measure of the host's speed.
    pub windows_beside: u64,
    pub(crate) log: Option<LogWriter>,
    /// Cycles by instruction and cause, for each core; `None` if no profile is made. State hash and
    /// snapshots leave the profile out.
    pub(crate) cycle_profile: Option<Vec<CoreProfile>>,
    /// Energies recorded for an observer; not part of the state.
    pub(crate) energy_series: Option<Box<EnergySeries>>,
    /// Activity of cores and links recorded for an observer; not part of the state.
    pub(crate) trace: Option<Box<Trace>>,
    /// True if a core with too low a voltage for its clock fails; false if it goes on, recorded.
    pub(crate) strict_voltage: bool,
    pub(crate) check: Option<Box<CoherenceCheck>>,
    /// The number of events left until `go_on` is called.
    pub(crate) question: u32,
    /// True if the chip must be tested for a standstill before the next event.
    pub(crate) may_stand_still: bool,
    /// True if rounds of waiting are skipped instead of executed: affects the host's speed only.
    pub(crate) skipping: bool,
    pub(crate) streams: PeriodicStreams,
    /// The place that the chip has reached in the order of events ([`Chip::reach`]).
    pub(crate) present: Key,
    pub(crate) effects: Effects,
    pub(crate) host: Option<Box<dyn HostService>>,
    pub(crate) input_core: Option<CoreId>,
}

impl<P: Processor> Chip<P> {
    /// A chip after power-on: all cores in reset, memory zero.
    pub fn new(description: &Description, mut core: impl FnMut(CoreId) -> P) -> Chip<P> {
        let uncore = Uncore::new(description);
        let topology = &description.topology;
        let slots = (0..description.cores())
            .map(|n| {
                let id = CoreId(n as u16);
                let registers = &uncore.tiles[topology.tile_of(id).index()].registers;
                let period_ps = description.clocks.fast_period_ps * u64::from(registers.divider());
                Slot::new(core(id), period_ps, registers.pins(topology.z_of(id)))
            })
            .collect::<Vec<_>>();
        let (slots_count, resources) = (slots.len(), uncore.resources());
        Chip {
            queue: Queue::with_capacity(slots.len()),
            steps: Steps::new(slots.len()),
            uncore,
            slots,
            workers: Workers::one(),
            now: Ps(0),
            limit: Ps(0),
            restarts: Vec::new(),
            faults: Vec::new(),
            running: 0,
            releasing: 0,
            core_failed: false,
            board_sequence: 0,
            events: 0,
            windows_beside: 0,
            log: None,
            cycle_profile: None,
            energy_series: None,
            trace: None,
            strict_voltage: false,
            check: None,
            question: EVENTS_PER_QUESTION,
            may_stand_still: false,
            skipping: true,
            streams: PeriodicStreams::new(slots_count, resources),
            present: Key { time: Ps(0), unit: 0, source: 0, sequence: 0 },
            effects: Effects::default(),
            host: None,
            input_core: None,
        }
    }

    pub fn description(&self) -> &Description {
        self.uncore.description()
    }

    /// The time of the last performed event, in picoseconds since power-on.
    pub fn now(&self) -> Ps {
        self.now
    }

    /// The time up to which all events have been performed. A core that computes may be past it.
    pub fn reached(&self) -> Ps {
        self.now.max(self.present.time)
    }

    pub fn slot(&self, core: CoreId) -> &Slot<P> {
        &self.slots[core.index()]
    }

    pub fn slot_mut(&mut self, core: CoreId) -> &mut Slot<P> {
        &mut self.slots[core.index()]
    }

    pub fn slots(&self) -> &[Slot<P>] {
        &self.slots
    }

    /// Sets the largest number of core cycles (0 means 1) by which cores run ahead. Affects the
    /// host's speed only.
    pub fn set_window(&mut self, cycles: u64) {
        self.workers.set_window(cycles);
    }

    /// Sets the number of host threads that run cores (0 means 1). Affects the host's speed only.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadPoolBuildError> {
        self.workers.set_count(threads)?;
        self.workers.forget_unused(&mut self.slots);
        Ok(())
    }

    /// Turns the skipping of waiting rounds and delay loops on or off, for the host's speed only.
    pub fn set_skipping(&mut self, on: bool) {
        self.skipping = on;
        for slot in &mut self.slots {
            slot.processor.set_delay_passing(on);
        }
    }

    /// Sets the service that answers the guest's calls of the host (files, console, exit).
    pub fn set_host_service(&mut self, service: Box<dyn HostService>) {
        self.host = Some(service);
    }

    /// The core that waits for input to its serial port ([`Chip::receive`]); `None` if none does.
    pub fn input_core(&self) -> Option<CoreId> {
        self.input_core
    }

    /// Passes input to a core's first serial port; `end` true: the input ends after these bytes.
    pub fn receive(&mut self, core: CoreId, bytes: &[u8], end: bool) {
        let mut actions = Vec::new();
        self.uncore.board.receive(core, bytes, end, &mut actions);
        for action in actions {
            self.board_action(action);
        }
        self.input_core = self.input_core.filter(|waiting| *waiting != core);
    }

    /// Runs until one of the reasons in [`Stopped`], at most to `until`. Calls `go_on` about every
    /// 64 events; after [`Stopped::Asked`], call [`Chip::rest`] before inspecting cores.
    pub fn run(&mut self, until: Option<Ps>, go_on: impl FnMut() -> bool) -> Stopped {
        let stopped = self.run_events(until, go_on);
        self.uncore.count_routes();
        if stopped != Stopped::Asked {
            self.rest();
        }
        stopped
    }

    /// Ends all periodic streams and brings the cores that wait in polling loops to the present, so
    /// that they can be inspected.
    pub fn rest(&mut self) {
        self.end_all_streams();
        for slot in &mut self.slots {
            slot.wake(&mut self.workers);
        }
    }

    fn run_events(&mut self, until: Option<Ps>, mut go_on: impl FnMut() -> bool) -> Stopped {
        let mut still = false;
        let mut goal = until.unwrap_or(Ps::NEVER);
        loop {
            self.limit = goal.min(self.next_sample());
            if self.running + self.releasing == 0 {
                return Stopped::Ended;
            }
            self.perform_usual_steps();
            let first = self.first();
            let stopped = match first {
                Some((key, true)) if key.time <= self.limit => self.step_core(key),
                Some((key, false)) if key.time <= self.limit => {
                    self.perform_event(key);
                    None
                }
                None if until.is_none() => {
                    self.now = self.idle_since();
                    return Stopped::Idle;
                }
                _ if self.limit < goal => {
                    self.rest_at_limit();
                    self.sample();
                    continue;
                }
                _ => {
                    self.rest_at_limit();
                    let idle = still || first.is_none();
                    return if idle { Stopped::Idle } else { Stopped::Until };
                }
            };
            if let Some(stopped) = stopped {
                return stopped;
            }
            self.question = self.question.saturating_sub(1);
            if self.question > 0 && !self.core_failed && !self.may_stand_still {
                continue;
            }
            if std::mem::take(&mut self.core_failed) {
                return Stopped::Failed;
            }
            if still {
                continue;
            }
            if self.question == 0 {
                self.question = EVENTS_PER_QUESTION;
                self.may_stand_still = true;
                if !go_on() {
                    return Stopped::Asked;
                }
            }
            if std::mem::take(&mut self.may_stand_still)
                && until.is_none()
                && let Some(end) = self.standstill()
            {
                still = true;
                goal = end;
            }
        }
    }

    /// Ends a run at the limit. All events up to the limit must have been performed.
    fn rest_at_limit(&mut self) {
        self.now = self.now.max(self.limit);
        let last = u32::MAX;
        self.present = Key { time: self.limit, unit: last, source: last, sequence: 0 };
        self.settle();
    }

    /// On a chip in which no event can happen again: the time at which the last core stopped.
    fn idle_since(&self) -> Ps {
        let resting = |slot: &&Slot<P>| matches!(slot.phase, Phase::Halted | Phase::Shutdown);
        // If a core's clock changed after its shutdown, its time is unknown; it is before `now`.
        let known = |slot: &&Slot<P>| slot.processor.cycles() >= slot.clock.epoch_cycle;
        let times = self.slots.iter().filter(resting).filter(known).map(Slot::local_time);
        times.fold(self.now, Ps::max)
    }

    /// The key of the next event, and true if it is a core's step; `None` if nothing is pending.
    #[inline]
    fn first(&mut self) -> Option<(Key, bool)> {
        if self.queue.is_empty() {
            return self.steps.first().map(|key| (key, true));
        }
        match (self.steps.first(), self.queue.peek()) {
            (Some(step), Some((event, _))) => Some((step.min(event), step < event)),
            (step, None) => step.map(|key| (key, true)),
            (None, event) => event.map(|(key, _)| (key, false)),
        }
    }

    /// Performs the first event of the queue; no core's step comes before it.
    fn perform_event(&mut self, key: Key) {
        self.reach(key);
        let Some((_, event)) = self.queue.pop() else { return };
        self.end_all_streams();
        self.performed(key);
        match event {
            Event::Interrupt { core, lint1 } => {
                let topology = &self.uncore.description().topology;
                let (tile, z) = (topology.tile_of(core), topology.z_of(core));
                self.uncore.tiles[tile.index()].registers.raise(z, lint1);
                self.log_event(&event);
                self.update_pins(core);
            }
            Event::Divider { tile } => {
                self.log_event(&event);
                self.change_divider(tile);
            }
            Event::HostReply { core } => {
                if let Some((addr, reply)) = self.uncore.board.host.finish(core)
                    && !self.uncore.poke(core, addr, &reply)
                {
                    self.uncore.board.host.fail(core);
                }
            }
            Event::VoltageStep => self.step_voltage(),
            Event::Release { core } => {
                self.releasing -= 1;
                self.release_now(core);
            }
            Event::Fault { id, fault } => self.perform_fault(id, fault),
        }
    }

    #[inline]
    pub(crate) fn performed(&mut self, key: Key) {
        debug_assert!(key.time >= self.now, "events are performed in order");
        self.now = self.now.max(key.time);
        self.events += 1;
    }
}
