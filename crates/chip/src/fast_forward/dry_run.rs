//! Computes in advance which links and ports a request will reserve, and when; and applies at once
//! the reservations that many equal requests have made.
//!
//! Resources are numbered: first the links as the mesh numbers them, then the ports of MPBs, then
//! those of register blocks. Only requests to these two kinds of units can be predicted. Other
//! requests go to memory banks or the board, which streams of waiting cores never use.

use rockcreek_defs::registers::crb::lock;
use rockcreek_defs::{BusRequest, BusResponse, CoreId, LINE_BYTES, Ps};
use rockcreek_engine::Key;
use rockcreek_observe::Traffic;
use rockcreek_tile::Requester;

use crate::fast_forward::periodic_stream::{PeriodicStream, Use};
use crate::uncore::Uncore;
use crate::uncore::request_path::Flight;
use crate::uncore::wiring::{Unit, order};

/// A request that waits for no other packet, from the instant when it leaves the core until its
/// response is back.
#[derive(Clone, Debug)]
pub(crate) struct DryRun {
    pub flight: Flight,
    pub uses: Vec<Use>,
    pub back: Ps,
}

fn used(resource: usize, at: Ps, service_ps: u64, flits: u32, outward: bool) -> Use {
    Use { resource, at_ps: at.0, waited_ps: 0, service_ps, flits, outward }
}

impl Uncore {
    /// The number of resources that a request can reserve: links of the mesh, and two ports for
    /// each tile.
    pub(crate) fn resources(&self) -> usize {
        self.mesh.link_count() + 2 * self.tiles.len()
    }

    /// Computes the reservations of a request that leaves at `sent`, with times relative to
    /// `start`. `None` if another packet would delay it, or if its unit cannot be predicted.
    /// `streams` returns the time until which periodic streams hold a resource before an instant in
    /// the order of events; the request may wait for those.
    pub(crate) fn dry_run(
        &self,
        core: CoreId,
        start: Ps,
        sent: Ps,
        period_ps: u64,
        request: &BusRequest,
        streams: impl Fn(usize, Key) -> Ps,
    ) -> Option<DryRun> {
        let mut flight = self.plan(core, sent, period_ps, request);
        if !matches!(flight.unit(), Unit::Mpb(_) | Unit::Crb(_)) || !request.is_read() {
            return None;
        }
        let (tile, _) = self.home(core);
        let key = |time, unit| Key { time, unit, source: core.0.into(), sequence: 0 };
        let mut uses = Vec::new();
        let mut foretold = true;
        let mut take = |used: Use, free: Ps, key: Key| {
            let begins = Ps(used.at_ps).max(streams(used.resource, key));
            foretold &= free <= begins;
            let waited_ps = begins.0 - used.at_ps;
            uses.push(Use { at_ps: begins.0 - start.0, waited_ps, ..used });
            begins
        };
        let entry = key(sent, order::interface(tile.index()));
        flight.arrive =
            self.dry_run_out(core, request, &flight, |used, free| take(used, free, entry));
        let effect = key(flight.arrive, flight.order());
        let (port, free) = self.dry_run_unit(&flight)?;
        let departs = take(port, free, effect);
        let back = self
            .dry_run_back(core, request, &flight, departs, |used, free| take(used, free, effect));
        let back = self.at_core(period_ps, &flight, back);
        foretold.then_some(DryRun { flight, uses, back })
    }

    /// True if a read that takes effect now would return `response` and change no state.
    pub(crate) fn would_answer(
        &self,
        core: CoreId,
        flight: &Flight,
        request: &BusRequest,
        response: &BusResponse,
    ) -> bool {
        match (flight.unit(), *request, *response) {
            (Unit::Mpb(tile), BusRequest::ReadLine { .. }, BusResponse::Line(line)) => {
                let mut now = [0; LINE_BYTES];
                self.tiles[tile.index()].mpb.read(flight.offset, &mut now);
                now == line
            }
            (Unit::Mpb(tile), BusRequest::Read { size, .. }, BusResponse::Value(value)) => {
                let mut now = [0; 8];
                self.tiles[tile.index()].mpb.read(flight.offset, &mut now[..size.into()]);
                u64::from_le_bytes(now) == value
            }
            (Unit::Crb(tile), BusRequest::Read { size: 4, .. }, BusResponse::Value(value)) => {
                let sub = self.description.topology.z_of(core) as u32;
                let registers = &self.tiles[tile.index()].registers;
                let offset = flight.offset as u32;
                let locks = lock::OFFSET..lock::OFFSET + lock::STRIDE * lock::COUNT;
                let now = registers.peek_register(Requester { sub }, offset);
                // The read of a free lock takes the lock, so it changes state. The levels of a
                // core's output pins follow only when they are read.
                let changes = locks.contains(&offset) && (now != 0 || !offset.is_multiple_of(4));
                u64::from(now) == value && !changes && !registers.reads_outputs(offset, 4)
            }
            _ => false,
        }
    }

    /// Follows the links from a core to its request's unit. For each link, calls `ask` with the
    /// time `at_ps` at which the packet reaches the link, and the time at which the link is free;
    /// `ask` returns the time at which the packet gets the link. Returns the time of arrival at the
    /// unit.
    pub(crate) fn dry_run_out(
        &self,
        core: CoreId,
        request: &BusRequest,
        plan: &Flight,
        mut ask: impl FnMut(Use, Ps) -> Ps,
    ) -> Ps {
        if plan.skips_mesh() {
            return plan.arrive;
        }
        let flits = self.description.interface_timing.packet(request).flits;
        let (_, home) = self.home(core);
        self.mesh.dry_run(
            home,
            plan.router(),
            flits,
            plan.arrive,
            |resource, at, free, service_ps| ask(used(resource, at, service_ps, flits, true), free),
        )
    }

    /// The port of a request's unit, with the time for which the request will hold it, and the time
    /// at which it is free. `None` if the unit is neither an MPB nor a register block.
    pub(crate) fn dry_run_unit(&self, flight: &Flight) -> Option<(Use, Ps)> {
        let (links, tiles) = (self.mesh.link_count(), self.tiles.len());
        let (resource, port, service_ps) = match flight.unit() {
            Unit::Mpb(tile) => {
                let n = tile.index();
                (links + n, &self.mpb_ports[n], self.mpb_service_ps())
            }
            Unit::Crb(tile) => {
                let n = tile.index();
                (links + tiles + n, &self.crb_ports[n], self.crb_service_ps())
            }
            _ => return None,
        };
        let port_use = used(resource, flight.arrive, service_ps, 0, false);
        Some((port_use, port.free_at(flight.arrive)))
    }

    /// Like [`Uncore::dry_run_out`], for the response that leaves the unit at `departs`. Returns
    /// the time at which the response reaches the core's tile.
    pub(crate) fn dry_run_back(
        &self,
        core: CoreId,
        request: &BusRequest,
        flight: &Flight,
        departs: Ps,
        mut ask: impl FnMut(Use, Ps) -> Ps,
    ) -> Ps {
        if flight.bypasses() {
            return departs;
        }
        let flits = self.description.interface_timing.response_flits(request);
        let (_, home) = self.home(core);
        if flight.answers_late() {
            return departs + self.mesh.way_ps(flight.router(), home);
        }
        self.mesh.dry_run(
            flight.router(),
            home,
            flits,
            departs,
            |resource, at, free, service_ps| {
                ask(used(resource, at, service_ps, flits, false), free)
            },
        )
    }

    /// Makes the link or port with this number busy at least until `until`.
    pub(crate) fn hold(&mut self, resource: usize, until: Ps) {
        let (links, tiles) = (self.mesh.link_count(), self.tiles.len());
        match resource.checked_sub(links) {
            None => self.mesh.hold(resource, until),
            Some(n) if n < tiles => self.mpb_ports[n].hold(until),
            Some(n) => self.crb_ports[n - tiles].hold(until),
        }
    }

    /// Applies what a stream's requests have done to links, ports and counts: `sent` requests have
    /// entered the mesh, `arrived` of them have taken effect at their unit.
    pub(crate) fn repeat(
        &mut self,
        core: CoreId,
        request: &BusRequest,
        stream: &PeriodicStream,
        sent: u64,
        arrived: u64,
    ) {
        let (links, tiles) = (self.mesh.link_count(), self.tiles.len());
        for used in &stream.uses {
            let times = if used.outward { sent } else { arrived };
            let Some(last) = times.checked_sub(1) else { continue };
            self.hold(used.resource, stream.end_of(used, last));
            let waited_ps = used.waited_ps;
            match used.resource.checked_sub(links) {
                None => self.mesh.repeat(used.resource, times, used.flits, waited_ps),
                Some(n) if n < tiles => {
                    self.mpb_ports[n].repeat(times, used.service_ps, waited_ps);
                }
                Some(n) => self.crb_ports[n - tiles].repeat(times, used.service_ps, waited_ps),
            }
        }
        let (tile, home) = self.home(core);
        let number = self.number(stream.flight.unit());
        let waited_ps = stream.back.0 - stream.sent.time.0;
        let bytes = self.description.interface_timing.packet(request).bytes;
        let more = Traffic {
            packets: sent,
            bytes: sent * u64::from(bytes),
            waited_ps: arrived * waited_ps,
        };
        self.traffic.add(core.index(), number, &more);
        let interface = &mut self.tiles[tile.index()].interface;
        interface.reads += sent;
        if stream.flight.bypasses() {
            interface.bypassed += sent;
        } else {
            self.mesh.count_packets(home, stream.flight.router(), sent + arrived);
        }
    }
}
