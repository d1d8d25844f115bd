//! A trace of the chip for an observer: control transfers of cores with their times; at regular
//! instants the counts of links and controllers and the energies of domains; and each change of a
//! clock or voltage. The trace does not affect the chip.

use rockcreek_cpu::{Core, Taken, Transfer, TransferKind};
use rockcreek_defs::{CoreId, Ps, TileId};
use rockcreek_mesh::Direction;

use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::slot::Slot;

/// A control transfer of a core, with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedTransfer {
    pub time: Ps,
    pub kind: TransferKind,
    /// True in ring 3, as [`Transfer::user`].
    pub user: bool,
    /// As in [`Transfer`].
    pub target: u32,
    pub stack: u32,
}

/// The counts of links, controllers and domains up to an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterSample {
    pub time: Ps,
    /// The number of flits sent so far over each link, by router and then direction.
    pub link_flits: Vec<u64>,
    /// The number of accesses so far to each memory controller.
    pub accesses: Vec<u64>,
    /// The energy that each voltage domain has taken so far, in femtojoules; the last entry is that
    /// of the rails without a regulator.
    pub energies: Vec<u64>,
}

/// The chip's clocks and voltages, valid from an instant on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    pub time: Ps,
    /// The clock period of each tile, in picoseconds.
    pub period_ps: Vec<u64>,
    /// The level of each voltage domain, in steps of 6.25 mV.
    pub levels: Vec<u8>,
}

/// The recorded data that the observer has not taken; `transfers` has a list for each core.
#[derive(Debug, Default)]
pub struct Trace {
    pub transfers: Vec<Vec<TimedTransfer>>,
    pub samples: Vec<CounterSample>,
    pub conditions: Vec<Conditions>,
    /// Calls that return in less time than this, in picoseconds, are dropped.
    shortest_ps: u64,
    /// The time between two samples, in picoseconds; 0: no samples.
    every_ps: u64,
    next_ps: u64,
    taken: Vec<Transfer>,
}

impl Trace {
    pub(crate) fn next_sample(&self) -> Ps {
        if self.every_ps == 0 { Ps::NEVER } else { Ps(self.next_ps) }
    }

    /// Moves a core's recorded control transfers into the trace: with `all` every one, otherwise
    /// those that no rollback can undo. Call with `all` before the core's clock changes or its
    /// cycle count restarts.
    pub(crate) fn take<P: Processor>(&mut self, core: CoreId, slot: &mut Slot<P>, all: bool) {
        self.taken.clear();
        let clock = &slot.clock;
        let shortest_cycles = self.shortest_ps.div_ceil(clock.period_ps);
        slot.processor.take_transfers(Taken { all, shortest_cycles }, &mut self.taken);
        let timed = self.taken.iter().map(|transfer| TimedTransfer {
            time: clock.time_of(transfer.cycle.max(clock.epoch_cycle)),
            kind: transfer.kind,
            user: transfer.user,
            target: transfer.target,
            stack: transfer.stack,
        });
        self.transfers[core.index()].extend(timed);
    }
}

impl Chip<Core> {
    /// Starts a trace of the control transfers of all cores. Calls that return in less than
    /// `shortest_ps` picoseconds are left out, except calls of the functions at the addresses
    /// `kept`. With `entries`, direct jumps are recorded only to those addresses. Counts are
    /// sampled now and at each later multiple of `every_ps` picoseconds; 0: never.
    pub fn start_trace(
        &mut self,
        entries: Option<impl IntoIterator<Item = u32>>,
        shortest_ps: u64,
        kept: &[u32],
        every_ps: u64,
    ) {
        self.settle();
        self.uncore.count_routes();
        let entries = entries.map(|entries| std::sync::Arc::new(entries.into_iter().collect()));
        for code in self.workers.all() {
            code.note_transfers(entries.clone());
        }
        for slot in &mut self.slots {
            slot.processor.watch_transfers(entries.clone(), kept);
        }
        let next_ps = match every_ps {
            0 => 0,
            every_ps => (self.now.0 / every_ps + 1) * every_ps,
        };
        let transfers = vec![Vec::new(); self.slots.len()];
        self.trace =
            Some(Box::new(Trace { transfers, shortest_ps, every_ps, next_ps, ..Trace::default() }));
        self.note_conditions();
        if every_ps > 0 {
            let sample = self.counter_sample();
            self.trace.iter_mut().for_each(|trace| trace.samples.push(sample.clone()));
        }
    }
}

impl<P: Processor> Chip<P> {
    /// The next instant at which the trace or the energy series has a sample; `Ps::NEVER` if
    /// neither has one.
    pub(crate) fn next_sample(&self) -> Ps {
        let trace = self.trace.as_ref().map_or(Ps::NEVER, |trace| trace.next_sample());
        self.next_energy_sample().min(trace)
    }

    /// Takes the samples that are due at the chip's limit. All cores must have been brought to that
    /// instant.
    pub(crate) fn sample(&mut self) {
        if self.next_energy_sample() == self.limit {
            self.sample_energies();
        }
        self.sample_for_trace(self.limit);
    }

    /// The trace, with `all` (at the end) up to the present, otherwise up to what no rollback can
    /// undo; `None` if there is no trace. The caller may remove data from it.
    pub fn trace(&mut self, all: bool) -> Option<&mut Trace> {
        if all {
            self.settle();
            self.end_sample();
        }
        let Chip { trace, slots, .. } = self;
        let trace = trace.as_deref_mut()?;
        for (n, slot) in slots.iter_mut().enumerate() {
            trace.take(CoreId(n as u16), slot, all);
        }
        Some(trace)
    }

    /// At the end of the trace: takes a last sample of the counts at the present instant, unless
    /// one was taken there.
    fn end_sample(&mut self) {
        let sampled = self.trace.as_ref().and_then(|trace| trace.samples.last());
        if self.trace.as_ref().is_some_and(|trace| trace.every_ps > 0)
            && sampled.is_none_or(|sample| sample.time < self.now)
        {
            self.uncore.count_routes();
            let sample = self.counter_sample();
            self.trace.iter_mut().for_each(|trace| trace.samples.push(sample.clone()));
        }
    }

    /// Takes the trace's sample of the instant `at`, if one is due. All cores must have been
    /// brought to it.
    fn sample_for_trace(&mut self, at: Ps) {
        if self.trace.as_ref().is_none_or(|trace| trace.next_sample() != at) {
            return;
        }
        self.uncore.count_routes();
        let sample = self.counter_sample();
        if let Some(trace) = &mut self.trace {
            trace.samples.push(sample);
            trace.next_ps += trace.every_ps;
        }
    }

    fn counter_sample(&self) -> CounterSample {
        let uncore = &self.uncore;
        let topology = &self.description().topology;
        let flits = (0..uncore.tiles.len()).flat_map(|n| {
            let router = topology.coord(TileId(n as u16));
            Direction::ALL.map(|direction| uncore.mesh.link(router, direction).flits)
        });
        CounterSample {
            time: self.now,
            link_flits: flits.collect(),
            accesses: uncore.controllers.iter().map(|unit| unit.reads + unit.writes).collect(),
            energies: self.domain_energies().to_vec(),
        }
    }

    /// Records the clocks and voltages after a change.
    pub(crate) fn note_conditions(&mut self) {
        if self.trace.is_none() {
            return;
        }
        let domains = 0..rockcreek_board::METERED;
        let tiles = self.uncore.tiles.iter();
        let conditions = Conditions {
            time: self.now,
            period_ps: tiles.map(|tile| self.divided_period_ps(tile.registers.divider())).collect(),
            levels: domains.map(|domain| self.level_of(domain)).collect(),
        };
        self.trace.iter_mut().for_each(|trace| trace.conditions.push(conditions.clone()));
    }
}
