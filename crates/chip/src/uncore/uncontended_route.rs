//! Requests to memory of a core alone that go where one has just gone.
//!
//! While nothing else happens in the chip, each of a core's transactions has ended before its next
//! one begins, and with it all that it has reserved. So where one has waited for nothing, the next
//! one on the same route waits for nothing either, and lasts as long: only its bytes are moved.
//! Links, controller and counts are told of such transactions together, before anybody looks at
//! them.

use rockcreek_defs::{BusRequest, CoreId, Ps};
use rockcreek_memory::{Access, Dram};

use super::route_cache::RouteKey;
use crate::uncore::Uncore;
use crate::uncore::request_path::Flight;
use crate::uncore::route_table::KEPT;
use crate::uncore::service::access;
use crate::uncore::wiring::Unit;

/// A route on which a transaction has waited for nothing.
#[derive(Clone, Copy, Debug)]
struct UncontendedRoute {
    key: u64,
    segment: u32,
    place: u32,
    controller: u16,
    access: Access,
    reads: bool,
    bytes: u32,
    /// That of a request to the segment's first byte that leaves the core at the beginning of time.
    flight: Flight,
    /// From there until the answer is with the core.
    lasts_ps: u64,
    /// The same in the core's cycles, of a request that leaves it at an edge of its clock.
    cycles: u64,
    /// Those of which nobody has been told, and when and where the last of them went.
    count: u64,
    sent: Ps,
    offset: u64,
}

impl UncontendedRoute {
    /// The way of the last of them.
    fn last(&self) -> Flight {
        let arrive = Ps(self.sent.0 + self.flight.arrive.0);
        let mut last = self.flight;
        (last.sent, last.arrive, last.offset) = (self.sent, arrive, self.offset);
        last
    }
}

/// What a request on a steady route does: it takes effect there, lasts so long, and its answer is
/// back then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    controller: u16,
    pub offset: u64,
    pub cycles: u64,
    pub back: Ps,
}

impl Next {
    /// The memory that it goes to.
    #[inline(always)]
    pub fn dram<'a>(&self, uncore: &'a mut Uncore) -> &'a mut Dram {
        &mut uncore.controllers[usize::from(self.controller)].dram
    }
}

/// Where the core's writes and its reads go for which nothing waits.
#[derive(Clone, Debug, Default)]
pub(crate) struct SteadyCourses {
    of: [Option<UncontendedRoute>; 2],
}

impl SteadyCourses {
    /// A request leaves the core at `time`, if it goes where another one of its kind has just gone
    /// and arrives before `free`. Nobody is told.
    #[inline(always)]
    pub fn next(&mut self, ask: &RouteKey, time: Ps, free: Ps) -> Option<Next> {
        let steady = self.of[usize::from(ask.reads())].as_mut()?;
        if ask.key(steady.segment) != steady.key || time.0 + steady.flight.arrive.0 >= free.0 {
            return None;
        }
        let offset = steady.flight.offset | u64::from(ask.addr.0 & !steady.segment);
        steady.count += 1;
        (steady.sent, steady.offset) = (time, offset);
        let UncontendedRoute { controller, cycles, lasts_ps, .. } = *steady;
        Some(Next { controller, offset, cycles, back: Ps(time.0 + lasts_ps) })
    }

    /// All are told of those of which nobody has been; tells how many these are, and the last one.
    pub fn tell(&mut self, uncore: &mut Uncore, core: CoreId) -> Option<(u64, Flight)> {
        let [writes, reads] = self.of.each_mut().map(|steady| {
            let steady = steady.as_mut().filter(|steady| steady.count > 0);
            steady.map(|steady| (steady.sent, steady))
        });
        let (first, second) = match (&writes, &reads) {
            (Some((write, _)), Some((read, _))) if read < write => (reads, writes),
            _ => (writes, reads),
        };
        let told = [first, second].map(|one| Some(uncore.tell_of(core, one?.1)));
        let count = told.iter().flatten().map(|(count, _)| count).sum();
        let [first, second] = told;
        second.or(first).map(|(_, last)| (count, last))
    }

    /// A request, of which all are told, departs from the end of its route, and is back.
    #[inline]
    pub fn renew(
        &mut self,
        uncore: &Uncore,
        whose: (CoreId, u64),
        (flight, request): (&Flight, &BusRequest),
        times: (Ps, Ps),
    ) {
        let over = uncore.is_over(whose.0, (flight, request), times.1);
        self.of = self.of.map(|one| one.filter(|one| over && uncore.keeps(whose.0, one)));
        if over {
            self.of[usize::from(request.is_read())] =
                uncore.steady_after(whose, (flight, request), times);
        }
    }
}

impl Uncore {
    /// Whether a request to memory that has gone on its route, and is back, has left everything
    /// that it reserved.
    #[inline]
    fn is_over(&self, core: CoreId, (flight, request): (&Flight, &BusRequest), back: Ps) -> bool {
        let Unit::Memory(number) = flight.unit() else { return false };
        let sender = &self.routes.senders[core.index()];
        let out = &sender.routes[sender.last as usize % KEPT].out;
        let links_ps = self.mesh.occupancy_ps(out.flits.into());
        let bank_ps = self.controllers[usize::from(number)].occupancy_ps(access(request));
        flight.arrive.0 + links_ps.max(bank_ps) <= back.0
    }

    /// A core's request has gone on its route, from whose end it departs, and is back: what is
    /// known of the next one there if it has waited for nothing.
    #[inline]
    fn steady_after(
        &self,
        (core, period_ps): (CoreId, u64),
        (flight, request): (&Flight, &BusRequest),
        (departs, back): (Ps, Ps),
    ) -> Option<UncontendedRoute> {
        let Unit::Memory(number) = flight.unit() else { return None };
        if matches!(request, BusRequest::WriteLine { .. }) {
            // Of one route, they differ in how many bytes they carry.
            return None;
        }
        let ask = RouteKey::of(request)?;
        let controller = &self.controllers[usize::from(number)];
        let sender = &self.routes.senders[core.index()];
        let out = &sender.routes[sender.last as usize % KEPT].out;
        let first = flight.offset & !u64::from(!sender.segment);
        let last = first | u64::from(!sender.segment);
        let entered = Ps(flight.sent.0 + out.flight.arrive.0);
        let served = controller.served_at_once(flight.arrive);
        let free = flight.arrive == self.mesh.passed_at_once(&out.path, entered)
            && departs == self.departs(request, period_ps, served);
        let lasts_ps = back.0 - flight.sent.0;
        let mut from = *flight;
        (from.sent, from.arrive, from.offset) = (Ps(0), Ps(flight.arrive.0 - flight.sent.0), first);
        (free && controller.is_one_bank(first, last)).then(|| UncontendedRoute {
            key: ask.key(sender.segment),
            segment: sender.segment,
            place: sender.last,
            controller: number,
            access: access(request),
            reads: request.is_read(),
            bytes: ask.bytes,
            flight: from,
            lasts_ps,
            cycles: lasts_ps.div_ceil(period_ps),
            count: 0,
            sent: Ps(0),
            offset: first,
        })
    }

    /// Whether the route is still kept: another one may have taken its place.
    #[inline]
    fn keeps(&self, core: CoreId, steady: &UncontendedRoute) -> bool {
        let sender = &self.routes.senders[core.index()];
        sender.routes[steady.place as usize % KEPT].out.key == steady.key
    }

    fn tell_of(&mut self, core: CoreId, steady: &mut UncontendedRoute) -> (u64, Flight) {
        let (count, last) = (std::mem::take(&mut steady.count), steady.last());
        let Uncore { routes, mesh, controllers, .. } = self;
        let sender = &mut routes.senders[core.index()];
        (sender.sent, sender.last) = (last.sent, steady.place);
        let route = &mut sender.routes[steady.place as usize % KEPT];
        let (out, home) = (&mut route.out, &mut route.home);
        debug_assert_eq!(out.key, steady.key, "a route is old");
        out.packets += count;
        out.bytes += count * u64::from(steady.bytes);
        home.answers += count;
        home.waited_ps += count * steady.lasts_ps;
        let entered = Ps(last.sent.0 + out.flight.arrive.0);
        let arrived = mesh.send_along(&out.path, out.flits.into(), entered);
        debug_assert_eq!(arrived, last.arrive, "nothing is in the way");
        let controller = &mut controllers[usize::from(steady.controller)];
        controller.repeat(count - 1, steady.access);
        let served = controller.serve(last.arrive, last.offset, steady.access);
        debug_assert_eq!(served, controller.served_at_once(last.arrive), "nothing is in the way");
        controller.count(steady.reads, count);
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

    /// Mostly reads and writes of two segments, as a copy makes, in both halves of each.
    fn request(choice: u64) -> BusRequest {
        let line = CoreAddr((choice >> 8) as u32 & 0xFE0 | ((choice >> 20 & 3) as u32) << 23);
        let word = CoreAddr(line.0 | (choice >> 24) as u32 & 0x18);
        let data = [choice as u8; LINE_BYTES];
        match choice % 16 {
            0..6 => {
                BusRequest::Write { addr: word, size: 4, data: choice & 0xFFFF_FFFF, posted: false }
            }
            6 => BusRequest::Write { addr: word, size: 1, data: choice & 0xFF, posted: false },
            7 => BusRequest::Read { addr: word, size: 2 },
            8 => BusRequest::WriteLine {
                addr: line,
                data,
                enable: choice as u32,
                kind: DrainKind::WriteCombine,
            },
            _ => BusRequest::ReadLine { addr: line, kind: FillKind::Data },
        }
    }

    /// One by one, with all that this reserves: answer and time.
    fn ask(
        uncore: &mut Uncore,
        steady: &mut SteadyCourses,
        (core, time): (CoreId, Ps),
        request: &BusRequest,
    ) -> (BusResponse, Ps) {
        let (whose, mut answer) = ((core, PERIOD_PS), BusResponse::Acknowledge);
        let flight = uncore.inject_on_route(core, (time, PERIOD_PS), request).unwrap();
        let effects = &mut Effects::default();
        let departs = uncore.perform(whose, &flight, request, &mut answer, effects);
        let back = uncore.reply_along(core, &flight, departs);
        steady.renew(uncore, whose, (&flight, request), (departs, back));
        (answer, back)
    }

    /// Two cores take turns, each alone for a while; where one begins, links and banks may still be
    /// busy. Tells of how many requests nobody was told one by one.
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
            let mut steady = SteadyCourses::default();
            time = Ps(time.0.saturating_sub(random() % 300 * 1_000));
            for _ in 0..random() % 24 {
                let request = request(random());
                let others = &mut SteadyCourses::default();
                let (answer, back) = ask(&mut without, others, (core, time), &request);
                let asked = RouteKey::of(&request).unwrap();
                let own = match steady.next(&asked, time, Ps::NEVER) {
                    Some(next) => {
                        let mut own = BusResponse::Acknowledge;
                        move_bytes(next.dram(&mut with), next.offset, &request, &mut own);
                        assert_eq!(next.cycles, (next.back.0 - time.0).div_ceil(PERIOD_PS));
                        repeated += 1;
                        (own, next.back)
                    }
                    None => {
                        steady.tell(&mut with, core);
                        ask(&mut with, &mut steady, (core, time), &request)
                    }
                };
                assert_eq!(own, (answer, back));
                time = Ps(back.0.next_multiple_of(PERIOD_PS) + random() % 3 * PERIOD_PS);
            }
            steady.tell(&mut with, core);
        }
        with.count_courses();
        without.count_courses();
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
    fn each_is_told_of_where_a_segment_lies_in_several_banks() {
        let small = SCC.replace("banks = { value = 8", "banks = { value = 1024");
        assert!(small != SCC && compare(&small) == 0);
    }

    #[test]
    fn what_keeps_its_bank_beyond_its_answer_is_told_of() {
        let slow = SCC.replace("word_occupancy = { value = 23", "word_occupancy = { value = 999");
        assert!(slow != SCC && compare(&slow) > 0, "lines are not");
    }
}
