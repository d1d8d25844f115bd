//! Requests to memory of a core that runs alone and repeats an uncontended route.
//!
//! While no other event happens in the chip, a core's transactions follow each other, and so do
//! their reservations. If one has waited for no link, the next one on the same route does not wait
//! for a link either, and takes as long, except for the wait for its bank. So only its bytes are
//! moved, and its controller serves it. Links and counts are updated for many of these transactions
//! together, before anything reads them. (`benches/programs/copy.c` takes 1.4 times the host's
//! instructions without this path, 2026-11-29.)

use rockcreek_defs::{BusRequest, CoreId, Ps};
use rockcreek_memory::{Access, Dram};

use super::route_cache::CachedRoute;
use super::route_key::{GROUPS, RouteKey};
use crate::uncore::Uncore;
use crate::uncore::request_path::Flight;
use crate::uncore::route_table::KEPT;
use crate::uncore::service::access;
use crate::uncore::wiring::Unit;

/// A route to memory on which the last transaction has waited for no link.
#[derive(Clone, Copy, Debug)]
struct UncontendedRoute {
    key: u64,
    segment: u32,
    place: u32,
    controller: u16,
    access: Access,
    /// `occupancy_ps`: how long a request occupies its bank, in picoseconds. `bank`: the bank of
    /// the whole LUT segment, `None` if the segment lies in several.
    occupancy_ps: u64,
    bank: Option<usize>,
    reads: bool,
    posted: bool,
    /// The flight of a request to the LUT segment's first byte that leaves the core at time 0.
    flight: Flight,
    /// Picoseconds from a request's start, at a clock edge of the core, to its entry into the mesh.
    enters_ps: u64,
    /// Picoseconds from a request's arrival at its unit until its last flit has left the links.
    links_ps: u64,
    /// The duration of a request without any wait, in picoseconds: from its start, at an edge of
    /// the core's clock, until the core may send again.
    lasts_ps: u64,
    period_ps: u64,
    /// How long the last request waited for its bank, in picoseconds, and its whole duration in
    /// core cycles. If the next request waits as long, this duration is taken without a division.
    recent: (u64, u64),
    /// The time from the end of `lasts_ps` until the response reaches the core, in picoseconds
    /// (more than 0 for a posted request only); and this time in core cycles.
    answers_ps: u64,
    delay: u64,
    /// The requests that are not yet in the chip's counts: their number, bytes and total wait in
    /// picoseconds, and time and offset of the last one.
    count: u64,
    bytes: u64,
    waited_ps: u64,
    sent: Ps,
    offset: u64,
}

impl UncontendedRoute {
    /// The flight of the last request on this route.
    fn last(&self) -> Flight {
        let mut last = self.flight.later(self.sent.0);
        last.offset = self.offset;
        last
    }
}

/// The timing of a request on an uncontended route: core cycles until the core may send again, and
/// that instant (`back`). A posted request is acknowledged `delay` core cycles later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    pub cycles: u64,
    pub back: Ps,
    pub posted: bool,
    pub delay: u64,
}

/// A core's uncontended routes by `RouteKey::group`; `None` where there is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct UncontendedRoutes {
    of: [Option<UncontendedRoute>; GROUPS],
    /// True if some of them have requests that are not yet in the chip's counts.
    untold: bool,
    /// The time until which the core's own requests hold links.
    links: Ps,
}

impl UncontendedRoutes {
    /// Performs a request that leaves the core at `time`, if an uncontended route of its kind
    /// serves it and it arrives before `free`; otherwise `None`. Only the controller is updated;
    /// `moves` moves the bytes in its memory. Returns the timing and what `moves` returned.
    #[inline(always)]
    pub fn next<R>(
        &mut self,
        uncore: &mut Uncore,
        ask: &RouteKey,
        time: Ps,
        free: Ps,
        moves: impl FnOnce(&mut Dram, u64, &Next) -> R,
    ) -> Option<(Next, R)> {
        let steady = self.of[ask.group()].as_mut()?;
        let arrive = Ps(time.0 + steady.flight.arrive.0);
        let enters = Ps(time.0 + steady.enters_ps);
        if ask.key(steady.segment) != steady.key || arrive >= free || enters < self.links {
            return None;
        }
        self.links = Ps(arrive.0 + steady.links_ps);
        let offset = steady.flight.offset | u64::from(ask.addr.0 & !steady.segment);
        let controller = &mut uncore.controllers[usize::from(steady.controller)];
        let bank = steady.bank.unwrap_or_else(|| controller.bank_of(offset));
        let waited_ps = controller.reserve(arrive, bank, steady.access, steady.occupancy_ps);
        self.untold = true;
        steady.count += 1;
        steady.bytes += u64::from(ask.bytes);
        steady.waited_ps += waited_ps;
        (steady.sent, steady.offset) = (time, offset);
        let UncontendedRoute { posted, delay, .. } = *steady;
        let lasts_ps = steady.lasts_ps + waited_ps;
        if waited_ps != steady.recent.0 {
            steady.recent = (waited_ps, lasts_ps.div_ceil(steady.period_ps));
        }
        let next = Next { cycles: steady.recent.1, back: Ps(time.0 + lasts_ps), posted, delay };
        let moved = moves(&mut controller.dram, offset, &next);
        Some((next, moved))
    }

    /// How long the request would take, in core cycles; `None` if no uncontended route serves it.
    pub fn lasts(&self, uncore: &Uncore, ask: &RouteKey, time: Ps) -> Option<u64> {
        let steady = self.of[ask.group()].as_ref()?;
        let offset = steady.flight.offset | u64::from(ask.addr.0 & !steady.segment);
        let controller = &uncore.controllers[usize::from(steady.controller)];
        let waits_ps = controller.waits(Ps(time.0 + steady.flight.arrive.0), offset);
        Some((steady.lasts_ps + waits_ps).div_ceil(steady.period_ps))
    }

    /// Adds the packets not yet counted to the mesh statistics, in the order in which the last one
    /// of each route was sent; returns their number and the last flight, `None` if there are none.
    #[inline]
    pub fn tell(&mut self, uncore: &mut Uncore, core: CoreId) -> Option<(u64, Flight)> {
        if std::mem::take(&mut self.untold) { self.tell_all(uncore, core) } else { None }
    }

    fn tell_all(&mut self, uncore: &mut Uncore, core: CoreId) -> Option<(u64, Flight)> {
        let (mut told, mut last) = (0, None);
        loop {
            let untold = self.of.iter_mut().flatten().filter(|steady| steady.count > 0);
            let first = untold.min_by_key(|steady| steady.sent);
            let Some(first) = first else { return Some((told, last?)) };
            let (count, flight) = uncore.tell_of(core, first);
            (told, last) = (told + count, Some(flight));
        }
    }

    /// After a request has been sent over its whole way: remembers its route as uncontended if the
    /// request waited for no link, and drops routes that no longer hold. A route remembered before
    /// also holds if the request waited: for the core's own packets, of which `links` knows. The
    /// response left the unit at `departs`; the core may send again at `back`. All earlier requests
    /// must have been counted.
    #[inline]
    pub fn renew(
        &mut self,
        uncore: &Uncore,
        core: CoreId,
        flight: &Flight,
        request: &BusRequest,
        departs: Ps,
        back: Ps,
    ) {
        let known = uncore.keeps_links(core, flight);
        for one in &mut self.of {
            one.take_if(|one| known.is_none() || !uncore.keeps(core, one));
        }
        let (Some(until), Some(ask)) = (known, RouteKey::of(request)) else { return };
        self.links = self.links.max(until);
        let steady = &mut self.of[ask.group()];
        let key = ask.key(uncore.routes.senders[core.index()].segment);
        if steady.as_ref().is_none_or(|steady| steady.key != key) {
            *steady = uncore.steady_after(core, flight, request, &ask, departs, back);
        }
    }
}

impl Uncore {
    /// The time until which a core's last request, sent on a cached route, holds the links of the
    /// route; `None` if the request does not go to memory.
    #[inline]
    fn keeps_links(&self, core: CoreId, flight: &Flight) -> Option<Ps> {
        matches!(flight.unit(), Unit::Memory(_)).then(|| {
            let sender = &self.routes.senders[core.index()];
            let out = &sender.routes[sender.last as usize % KEPT].out;
            Ps(flight.arrive.0 + self.mesh.occupancy_ps(out.flits.into()))
        })
    }

    /// The uncontended route of a request that has been sent over its whole way; `None` if a link
    /// delayed it or it is not to memory. `departs`, `back`: as for [`UncontendedRoutes::renew`].
    #[inline(never)]
    fn steady_after(
        &self,
        core: CoreId,
        flight: &Flight,
        request: &BusRequest,
        ask: &RouteKey,
        departs: Ps,
        back: Ps,
    ) -> Option<UncontendedRoute> {
        let Unit::Memory(number) = flight.unit() else { return None };
        let controller = &self.controllers[usize::from(number)];
        let sender = &self.routes.senders[core.index()];
        let CachedRoute { out, home } = &sender.routes[sender.last as usize % KEPT];
        let (enters_ps, period_ps) = (out.flight.arrive.0, sender.period_ps);
        let passed = self.mesh.passed_at_once(&out.path, flight.sent + enters_ps);
        if flight.arrive != passed || !home.late {
            return None;
        }
        let at_once = self.departs(request, period_ps, controller.served_at_once(flight.arrive));
        let lasts_ps = back.0 - flight.sent.0 - (departs.0 - at_once.0);
        let answers_ps = departs.0 + home.ps - back.0;
        let first = flight.offset & !u64::from(!sender.segment);
        let mut from = *flight;
        (from.sent, from.arrive, from.offset) = (Ps(0), Ps(flight.arrive.0 - flight.sent.0), first);
        Some(UncontendedRoute {
            occupancy_ps: controller.occupancy_ps(access(request)),
            bank: controller.bank_of_all(first, u64::from(!sender.segment) + 1),
            key: ask.key(sender.segment),
            segment: sender.segment,
            place: sender.last,
            controller: number,
            access: access(request),
            reads: request.is_read(),
            posted: request.is_posted(),
            flight: from,
            enters_ps,
            links_ps: self.mesh.occupancy_ps(out.flits.into()),
            lasts_ps,
            period_ps,
            recent: (0, lasts_ps.div_ceil(period_ps)),
            answers_ps,
            delay: answers_ps.div_ceil(period_ps),
            count: 0,
            bytes: 0,
            waited_ps: 0,
            sent: Ps(0),
            offset: first,
        })
    }

    /// True if the table still has the route; false if another one has replaced it.
    #[inline]
    fn keeps(&self, core: CoreId, steady: &UncontendedRoute) -> bool {
        let sender = &self.routes.senders[core.index()];
        sender.routes[steady.place as usize % KEPT].out.key == steady.key
    }

    fn tell_of(&mut self, core: CoreId, steady: &mut UncontendedRoute) -> (u64, Flight) {
        let (count, last) = (std::mem::take(&mut steady.count), steady.last());
        let waited_ps = std::mem::take(&mut steady.waited_ps);
        let Uncore { routes, mesh, controllers, .. } = self;
        let sender = &mut routes.senders[core.index()];
        (sender.sent, sender.last) = (last.sent, steady.place);
        let CachedRoute { out, home } = &mut sender.routes[steady.place as usize % KEPT];
        debug_assert_eq!(out.key, steady.key, "a route is old");
        out.packets += count;
        out.bytes += std::mem::take(&mut steady.bytes);
        home.answers += count;
        home.waited_ps += count * (steady.lasts_ps + steady.answers_ps) + waited_ps;
        let entered = Ps(last.sent.0 + steady.enters_ps);
        let arrived = mesh.send_along(&out.path, out.flits.into(), entered);
        debug_assert_eq!(arrived, last.arrive, "nothing is in the way");
        let controller = &mut controllers[usize::from(steady.controller)];
        controller.count(steady.reads, count);
        controller.count_busy(count * steady.occupancy_ps, waited_ps);
        (count, last)
    }
}

#[cfg(test)]
mod tests {
    use rockcreek_defs::bus::{DrainKind, FillKind};
    use rockcreek_defs::{BusResponse, CoreAddr, LINE_BYTES};

    use super::*;
    use crate::description::Description;
    use crate::uncore::service::{Effects, move_bytes};

    const SCC: &str = include_str!("../../../../machine/presets/scc.toml");
    const PERIOD_PS: u64 = 1875;

    /// A random request: mostly a read or write of one of two segments, in both halves of each.
    fn request(choice: u64) -> BusRequest {
        let line = CoreAddr((choice >> 8) as u32 & 0xFE0 | ((choice >> 20 & 3) as u32) << 23);
        let word = CoreAddr(line.0 | (choice >> 24) as u32 & 0x18);
        let (data, enable) = ([choice as u8; LINE_BYTES], choice as u32);
        match choice % 16 {
            0..6 => {
                let posted = choice % 16 < 3;
                BusRequest::Write { addr: word, size: 4, data: choice & 0xFFFF_FFFF, posted }
            }
            6 => BusRequest::Write { addr: word, size: 1, data: choice & 0xFF, posted: false },
            7 => BusRequest::Read { addr: word, size: 2 },
            8 => BusRequest::WriteLine { addr: line, data, enable, kind: DrainKind::WriteCombine },
            _ => BusRequest::ReadLine { addr: line, kind: FillKind::Data },
        }
    }

    /// Performs a request on the general path. Returns the response and its time.
    fn ask(
        uncore: &mut Uncore,
        steady: &mut UncontendedRoutes,
        core: CoreId,
        time: Ps,
        request: &BusRequest,
    ) -> (BusResponse, Ps) {
        let mut answer = BusResponse::Acknowledge;
        let flight = uncore.inject_on_route(core, time, PERIOD_PS, request).unwrap();
        let effects = &mut Effects::default();
        let departs = uncore.perform(core, PERIOD_PS, &flight, request, &mut answer, effects);
        let back = uncore.reply_along(core, &flight, departs);
        let back = uncore.accept(PERIOD_PS, &flight, request, departs, back, &mut answer);
        steady.renew(uncore, core, &flight, request, departs, back);
        (answer, back)
    }

    /// Compares uncontended routes with the general path; two cores take turns, and may find links
    /// and banks busy. Returns the number of requests that were counted together.
    fn compare(description: &str) -> u32 {
        let mut with = Uncore::new(&Description::parse(description).unwrap());
        let mut without = with.clone();
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 24
        };
        let (mut time, mut repeated) = (Ps(0), 0);
        for turn in 0..600 {
            let core = CoreId(2 + turn % 2 * 2);
            let mut steady = UncontendedRoutes::default();
            time = Ps(time.0.saturating_sub(random() % 300 * 1_000));
            for _ in 0..random() % 24 {
                let request = request(random());
                let others = &mut UncontendedRoutes::default();
                let (answer, back) = ask(&mut without, others, core, time, &request);
                let asked = RouteKey::of(&request).unwrap();
                let moves = |dram: &mut Dram, offset, next: &Next| {
                    let mut own = match next.posted {
                        true => BusResponse::Value(next.delay),
                        false => BusResponse::Acknowledge,
                    };
                    move_bytes(dram, offset, &request, &mut own);
                    own
                };
                let own = match steady.next(&mut with, &asked, time, Ps::NEVER, moves) {
                    Some((next, own)) => {
                        assert_eq!(next.cycles, (next.back.0 - time.0).div_ceil(PERIOD_PS));
                        repeated += 1;
                        (own, next.back)
                    }
                    None => {
                        steady.tell(&mut with, core);
                        ask(&mut with, &mut steady, core, time, &request)
                    }
                };
                assert_eq!(own, (answer, back));
                time = Ps(back.0.next_multiple_of(PERIOD_PS) + random() % 3 * PERIOD_PS);
            }
            steady.tell(&mut with, core);
        }
        with.count_routes();
        without.count_routes();
        assert_eq!(with.traffic, without.traffic);
        assert_eq!(with.mesh, without.mesh);
        assert!(with == without);
        repeated
    }

    #[test]
    fn what_waits_for_nothing_is_as_if_each_were_told_of() {
        assert!(compare(SCC) > 1_000);
    }

    #[test]
    fn a_segment_may_lie_in_several_banks() {
        let small = SCC.replace("banks = { value = 8", "banks = { value = 1024");
        assert!(small != SCC && compare(&small) > 1_000);
    }

    #[test]
    fn a_bank_may_be_kept_long_beyond_the_answer() {
        let slow = SCC.replace("word_occupancy = { value = 23", "word_occupancy = { value = 999");
        assert!(slow != SCC && compare(&slow) > 1_000);
    }

    #[test]
    fn links_may_be_kept_beyond_the_answer() {
        let slow = SCC.replace("hop = { value = 4", "hop = { value = 1");
        assert!(slow != SCC && compare(&slow) > 0);
    }
}
