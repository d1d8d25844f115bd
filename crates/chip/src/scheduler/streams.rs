//! Periodic streams (the requests of cores that poll, without events of their own) and the order of
//! events: when a stream begins and when it must end.
//!
//! Before a request enters the mesh or reaches a unit, the streams that use the same links or the
//! same port and would collide with it are ended. A write ends all streams that read at its unit.
//! An event that reaches cores without the mesh (pins, clocks, the host) ends all streams.
//!
//! Without streams 8 cores at barriers (`benches/programs/barrier.c`) take 1.55 times the host's
//! instructions (2026-11-29).

use rockcreek_defs::{BusRequest, CoreId, Ps};
use rockcreek_engine::Key;

use crate::fast_forward::dry_run::DryRun;
use crate::fast_forward::periodic_stream::{PeriodicStream, Reservation, Use};
use crate::fast_forward::streams::PeriodicStreams;
use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::slot::Phase;
use crate::uncore::request_path::Flight;
use crate::uncore::wiring::{Unit, order};

/// The smallest number of rounds before a collision for which a stream is begun.
const LEAST_ROUNDS: u64 = 8;

impl<P: Processor> Chip<P> {
    /// Turns a core that polls, and that has just received its response at `key`, into a periodic
    /// stream, if it can run undisturbed for some rounds. Returns true if it did.
    pub(crate) fn begin_stream(&mut self, core: CoreId, key: Key) -> bool {
        let slot = &mut self.slots[core.index()];
        let Some(waiting) = &mut slot.waiting else { return false };
        if self.uncore.faulty_links.are_any() || !waiting.wants_stream() {
            return false;
        }
        let (period_ps, request) = (slot.clock.period_ps, waiting.request);
        let sent = slot.clock.time_of(waiting.sent());
        // The polled value may have changed since the core's last request took effect, so check it
        // again.
        let streams = &self.streams;
        let busy = |resource, key| streams.busy_until(resource, key);
        let dry_run = self.uncore.dry_run(core, key.time, sent, period_ps, &request, busy);
        let same = |dry_run: &DryRun| {
            self.uncore.would_answer(core, &dry_run.flight, &request, &waiting.response)
        };
        let Some(DryRun { flight, uses, back }) = dry_run.filter(same) else {
            waiting.stream_failed();
            return false;
        };
        let answer = slot.clock.edge_at_or_after(back);
        let round_ps = answer.0 - key.time.0;
        let tile = self.uncore.description().topology.tile_of(core);
        let at = |time: Ps, unit: u32| Key { time, unit, source: core.0.into(), sequence: 0 };
        let stream = PeriodicStream {
            start: key.time,
            period_ps: round_ps,
            sent: at(sent, order::interface(tile.index())),
            arrives: at(flight.arrive, flight.order()),
            answers: at(answer, order::PROGRESS),
            back,
            flight,
            uses,
        };
        let most = waiting.most_rounds.min(waiting.rounds_until_timer(round_ps / period_ps));
        let rounds = self.streams.rounds_for(&stream, most);
        let ascends = [self.present, stream.sent, stream.arrives, stream.answers].is_sorted();
        if !ascends || rounds < LEAST_ROUNDS || self.streams.is_unsteady(&stream) {
            waiting.stream_failed();
            return false;
        }
        waiting.stream_begun();
        let end = stream.start + rounds * round_ps;
        self.streams.insert(core, stream);
        self.steps.set(core.0.into(), end, order::PROGRESS);
        true
    }

    /// Records that the event of this key is performed next, while streams may run. The place in
    /// the order of events never goes back, although an event's key may be smaller than that of the
    /// event which caused it: a controller accepts a posted store at the instant at which the store
    /// arrives, and the core's next request may enter the mesh at that instant.
    #[inline]
    pub(crate) fn reach(&mut self, key: Key) {
        self.present = self.present.max(key);
    }

    /// Ends the core's stream at the chip's present place in the order of events: performs what its
    /// rounds have done before, and schedules the core's next step. Returns false if the core is no
    /// stream.
    pub(crate) fn end_stream(&mut self, core: CoreId) -> bool {
        let Some(stream) = self.streams.remove(core) else { return false };
        let key = self.present;
        let sent = stream.count_before(stream.sent, key);
        let arrived = stream.count_before(stream.arrives, key);
        let rounds = stream.count_before(stream.answers, key);
        let slot = &mut self.slots[core.index()];
        let waiting = slot.waiting.as_mut().expect("a stream waits");
        let request = waiting.request;
        waiting.pass(rounds, stream.period_ps / slot.clock.period_ps);
        let later = rounds * stream.period_ps;
        slot.phase = if sent == rounds {
            Phase::Inject
        } else if arrived == rounds {
            Phase::Flight(stream.flight.later(later))
        } else {
            Phase::Answer(stream.back + later, waiting.response)
        };
        self.events += sent + arrived;
        self.uncore.repeat(core, &request, &stream, sent, arrived);
        self.schedule(core);
        while let Some(other) = self.streams.behind(&stream) {
            self.end_stream(other);
        }
        true
    }

    pub(crate) fn end_all_streams(&mut self) {
        if self.streams.running > 0 {
            for core in 0..self.slots.len() {
                self.end_stream(CoreId(core as u16));
            }
        }
    }

    /// Ends the streams whose packets a request that leaves the core now would delay on its way to
    /// its unit.
    pub(crate) fn clear_way_out(&mut self, core: CoreId, request: &BusRequest) {
        while self.streams.running > 0 {
            let period_ps = self.slots[core.index()].clock.period_ps;
            let plan = self.uncore.plan(core, self.present.time, period_ps, request);
            let mut look = Look::new(&self.streams, self.present);
            self.uncore.dry_run_out(core, request, &plan, |used, free| look.at(&used, free));
            if !self.settle_with_streams(look.found()) {
                return;
            }
        }
    }

    /// Ends the streams that a request delays at its unit's port, or that poll a value there which
    /// the request changes.
    pub(crate) fn clear_unit(&mut self, flight: &Flight, request: &BusRequest) {
        if self.streams.running == 0 {
            return;
        }
        if let Unit::Crb(tile) = flight.unit()
            && !request.is_read()
        {
            // The registers may hold the LUTs of the tile's cores.
            let cores = self.tile_cores(tile).collect::<Vec<_>>();
            for core in cores {
                self.end_stream(core);
            }
        }
        // Units without a port are used by no stream.
        while let Some((used, free)) = self.uncore.dry_run_unit(flight) {
            let readers = &self.streams.by_resource[used.resource];
            if !request.is_read()
                && let Some(reader) = readers.first()
            {
                self.end_stream(CoreId(*reader));
                continue;
            }
            let mut look = Look::new(&self.streams, self.present);
            look.at(&used, free);
            if !self.settle_with_streams(look.found()) {
                return;
            }
        }
    }

    /// Ends the streams whose packets a response that leaves its unit at `departs` would delay on
    /// its way back.
    pub(crate) fn clear_way_back(
        &mut self,
        core: CoreId,
        flight: &Flight,
        request: &BusRequest,
        departs: Ps,
    ) {
        while self.streams.running > 0 {
            let mut look = Look::new(&self.streams, self.present);
            self.uncore
                .dry_run_back(core, request, flight, departs, |used, free| look.at(&used, free));
            if !self.settle_with_streams(look.found()) {
                return;
            }
        }
    }

    /// If a periodic stream collides with this reservation, ends it and returns true; otherwise
    /// records how long streams hold the resources.
    fn settle_with_streams(&mut self, found: Found) -> bool {
        if let Some(other) = found.met {
            return self.end_stream(other);
        }
        for (resource, until) in found.held {
            self.uncore.hold(resource, until);
        }
        false
    }
}

/// What a check found.
struct Found {
    /// A core whose stream would be delayed; `None` if no stream would be.
    met: Option<CoreId>,
    /// Each checked resource, with the time until which streams hold it.
    held: Vec<(usize, Ps)>,
}

/// A check of the links and ports that a packet is about to reserve, for streams that it would
/// delay.
struct Look<'a> {
    streams: &'a PeriodicStreams,
    key: Key,
    found: Found,
}

impl<'a> Look<'a> {
    fn new(streams: &'a PeriodicStreams, key: Key) -> Look<'a> {
        Look { streams, key, found: Found { met: None, held: Vec::new() } }
    }

    /// The time at which a packet gets a link or port that, apart from streams, is free at `free`.
    fn at(&mut self, used: &Use, free: Ps) -> Ps {
        if self.streams.by_resource[used.resource].is_empty() {
            return free;
        }
        let until = self.streams.busy_until(used.resource, self.key);
        let start = free.max(until);
        self.found.held.push((used.resource, until));
        let reservation = Reservation { key: self.key, start, service_ps: used.service_ps };
        let put_off = || self.streams.put_off(used.resource, &reservation);
        self.found.met = self.found.met.or_else(put_off);
        start
    }

    fn found(self) -> Found {
        self.found
    }
}
