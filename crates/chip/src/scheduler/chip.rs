//! The scheduler: cores run ahead privately, transactions happen in the one total order.
//!
//! An event at time T is performed only when every core is blocked or has run past T. A core
//! that ran past an event which changes its pins, clock or reset is taken back to its window's
//! start and re-run to T: only its private tail is redone, with the answers that it has had. Every
//! core has at most one step ahead of it. An answer is taken as soon as its time is known, which
//! is before that time: the way back of an answer needs no event of its own. A transaction that
//! nothing comes between needs none at all (`inline_transaction.rs`).
//!
//! Invariants: `now` never goes back; a core's local time is never before `now` while it can
//! still run; how far cores run ahead changes no result.

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

/// Events between two questions whether to go on.
const EVENTS_PER_QUESTION: u32 = 64;

/// What the queue holds: events that are no core's next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Event {
    /// A packet that sets an interrupt pin arrives at a tile.
    Interrupt { core: CoreId, lint1: bool },
    /// A new divider takes effect.
    Divider { tile: TileId },
    /// The management PC's answer reaches the memory of a core.
    HostReply { core: CoreId },
    /// The management PC releases a core, later than it was told to.
    Release { core: CoreId },
    /// Something breaks.
    Fault { id: u32, fault: Fault },
    /// A voltage domain's level changes.
    VoltageStep,
}

/// Why [`Chip::run`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The caller asked: [`Chip::rest`] comes before anybody looks at cores.
    Asked,
    /// The time limit; every core is at its first instruction boundary at or after it.
    Until,
    /// Every released core has reported its end.
    Ended,
    /// Nothing can ever change again: no core has anything to do, or those that do only wait in
    /// loops for what nobody writes (`standstill`).
    Idle,
    /// A core waits for input from the host.
    Input,
    /// A core has just reported an end other than an exit: what a caller does about that begins
    /// at an instant that does not depend on the host's speed.
    Failed,
    /// This core is where a debugger wanted it to stop; all cores are at this instant.
    Break(CoreId),
}

/// A core that a triple fault has reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    pub core: CoreId,
    pub time: Ps,
    /// The last vector, and where the core was.
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
    /// Until when [`Chip::run`] performs events.
    pub(crate) limit: Ps,
    /// Triple faults that nobody has asked about yet; no part of the state.
    pub(crate) restarts: Vec<Restart>,
    /// Faults that have come and nobody has asked about yet; no part of the state.
    pub(crate) faults: Vec<FaultRecord>,
    /// Cores out of reset that have not reported their end.
    pub(crate) running: usize,
    /// Cores that the management PC will release.
    pub(crate) releasing: usize,
    /// Counts of the sources that are not cores.
    pub(crate) board_sequence: u64,
    /// A core has reported an end other than an exit, and [`Chip::run`] has not yet said so.
    pub(crate) core_failed: bool,
    /// Performed events, for measuring the host's speed.
    pub events: u64,
    /// Windows that ran beside others on several threads, for the same.
    pub windows_beside: u64,
    pub(crate) log: Option<LogWriter>,
    /// Where cycles went, by core; no part of the state.
    pub(crate) cycle_profile: Option<Vec<CoreProfile>>,
    /// Energies that somebody wants to see; no part of the state.
    pub(crate) energy_series: Option<Box<EnergySeries>>,
    /// What cores do and links carry, for who wants to see it; no part of the state.
    pub(crate) trace: Option<Box<Trace>>,
    /// A core whose clock needs more than its voltage fails.
    pub(crate) strict_voltage: bool,
    pub(crate) check: Option<Box<CoherenceCheck>>,
    /// Events until it is asked whether to go on.
    pub(crate) question: u32,
    /// It is time to see whether nothing can change any more.
    pub(crate) may_stand_still: bool,
    /// Rounds of waiting are passed, not executed: the host's speed only.
    pub(crate) skipping: bool,
    pub(crate) streams: PeriodicStreams,
    /// The event that is performed, or was last.
    pub(crate) present: Key,
    pub(crate) effects: Effects,
    pub(crate) host: Option<Box<dyn HostService>>,
    pub(crate) input_core: Option<CoreId>,
}

impl<P: Processor> Chip<P> {
    /// A powered chip: all cores in reset, memory zero.
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

    /// The time of the last performed event.
    pub fn now(&self) -> Ps {
        self.now
    }

    /// How far all has happened: later than the last event if cores only compute.
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

    /// How far cores run ahead at the most, in core cycles: host speed only.
    pub fn set_window(&mut self, cycles: u64) {
        self.workers.set_window(cycles);
    }

    /// On how many host threads cores run: host speed only.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadPoolBuildError> {
        self.workers = self.workers.others(threads)?;
        for slot in &mut self.slots {
            slot.worker = None;
        }
        Ok(())
    }

    /// Whether rounds of waiting, and of loops that only let time pass, are passed instead of
    /// executed: host speed only.
    pub fn set_skipping(&mut self, on: bool) {
        self.skipping = on;
        for slot in &mut self.slots {
            slot.processor.set_delay_passing(on);
        }
    }

    /// Who answers calls of host services.
    pub fn set_host_service(&mut self, service: Box<dyn HostService>) {
        self.host = Some(service);
    }

    /// The core whose read of its serial port waits for [`Chip::receive`].
    pub fn input_core(&self) -> Option<CoreId> {
        self.input_core
    }

    /// Input for a core's first serial port, or the end of it.
    pub fn receive(&mut self, core: CoreId, bytes: &[u8], end: bool) {
        let mut actions = Vec::new();
        self.uncore.board.receive(core, bytes, end, &mut actions);
        for action in actions {
            self.board_action(action);
        }
        self.input_core = self.input_core.filter(|waiting| *waiting != core);
    }

    /// Runs until something of [`Stopped`] happens. Asks `go_on` now and then; after
    /// [`Stopped::Asked`], [`Chip::rest`] comes before anybody looks at cores.
    pub fn run(&mut self, until: Option<Ps>, go_on: impl FnMut() -> bool) -> Stopped {
        let stopped = self.run_events(until, go_on);
        self.uncore.count_courses();
        if stopped != Stopped::Asked {
            self.rest();
        }
        stopped
    }

    /// Brings the cores that wait to the present, so that they can be looked at.
    pub fn rest(&mut self) {
        self.end_all_streams(self.present);
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

    /// All has been performed until the limit.
    fn rest_at_limit(&mut self) {
        self.now = self.now.max(self.limit);
        let last = u32::MAX;
        self.present = Key { time: self.limit, unit: last, source: last, sequence: 0 };
        self.settle();
    }

    /// When the last core came to rest, in a chip in which nothing can happen any more.
    fn idle_since(&self) -> Ps {
        let resting = |slot: &&Slot<P>| matches!(slot.phase, Phase::Halted | Phase::Shutdown);
        // A clock that changed after a shutdown no longer knows when that was: before `now`.
        let known = |slot: &&Slot<P>| slot.processor.cycles() >= slot.clock.epoch_cycle;
        let times = self.slots.iter().filter(resting).filter(known).map(Slot::local_time);
        times.fold(self.now, Ps::max)
    }

    /// The key of what comes next, and whether it is a core's step.
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

    /// Performs an event of the queue, the first of all.
    fn perform_event(&mut self, key: Key) {
        self.present = key;
        let Some((_, event)) = self.queue.pop() else { return };
        self.end_all_streams(key);
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
