//! Cached routes: the common part of a core's requests of one kind to one segment of its LUT.
//!
//! A route follows from the description, the LUT and the core's clock. It is dropped when these
//! change, and is not part of the state. Each route counts its packets; the counts of links,
//! interfaces and traffic are updated from it when the chip stops. Only requests to memory, and
//! requests through the mesh to message-passing buffers, have routes.
//!
//! Without this path a copy of 1 MB (`benches/programs/copy.c`) takes 2.7 times the host's
//! instructions (2026-11-29).

use std::mem;

use rockcreek_defs::{BusRequest, Coord, CoreId, Ps, TileId};
use rockcreek_mesh::{Mesh, Path};
use rockcreek_observe::Traffic;

use crate::uncore::Uncore;
use crate::uncore::request_path::Flight;
use crate::uncore::route_key::kind;
use crate::uncore::route_table::{KEPT, Sender, place_of};
use crate::uncore::wiring::Unit;

pub(crate) use crate::uncore::route_key::RouteKey;
pub(crate) use crate::uncore::uncontended_route::{Next, UncontendedRoutes};

/// The value of `Out::key` in an unused entry.
const NONE: u64 = 0;

/// A route. A request uses the first part, which is in one cache line of the host unless the way is
/// long; its response uses the second part, in another line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CachedRoute {
    pub out: Out,
    pub home: Home,
}

/// The request's way to the unit.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Out {
    pub key: u64,
    /// The flight, up to its arrival at the mesh, of a request to the segment's first byte that
    /// leaves the core at time 0.
    pub(super) flight: Flight,
    /// Packets and bytes that requests have sent and that are not in the chip's counts yet.
    pub(super) packets: u64,
    pub(super) bytes: u64,
    pub(super) flits: u16,
    pub(super) path: Path,
}

/// The response's way back.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Home {
    /// Picoseconds from the mesh to the core; from the unit, if the response uses no link.
    pub(super) ps: u64,
    /// Responses on this route that are not yet in the chip's counts: their number, and how long
    /// the core waited for them, in picoseconds.
    pub(super) answers: u64,
    pub(super) waited_ps: u64,
    /// The value of [`Flight::answers_late`]: true if no link is reserved in advance.
    pub(super) late: bool,
    pub(super) flits: u16,
    pub(super) path: Path,
}

impl Default for Out {
    fn default() -> Out {
        let flight = Flight::within(Unit::Nowhere, Coord::default());
        Out { key: NONE, flight, packets: 0, bytes: 0, flits: 0, path: Path::default() }
    }
}

impl Sender {
    /// Sends the response to the core's last request back on its route, from `departs` on. Returns
    /// the time at which it reaches the core.
    #[inline(always)]
    fn reply_along(&mut self, mesh: &mut Mesh, flight: &Flight, departs: Ps) -> Ps {
        debug_assert_eq!(self.sent, flight.sent);
        let home = &mut self.routes[self.last as usize % KEPT].home;
        let arrival = match home.late {
            true => departs,
            false => mesh.send_along(&home.path, home.flits.into(), departs),
        };
        let back = Ps(arrival.0 + home.ps);
        home.answers += 1;
        home.waited_ps += back.0 - flight.sent.0;
        back
    }
}

impl Uncore {
    /// Sends a request that leaves the core at `time` on its cached route; a core cycle is
    /// `period_ps` long. Returns its flight; `None` if such a request has no route.
    #[inline(always)]
    pub(crate) fn inject_on_route(
        &mut self,
        core: CoreId,
        time: Ps,
        period_ps: u64,
        request: &BusRequest,
    ) -> Option<Flight> {
        let ask = RouteKey::of(request)?;
        let sender = &self.routes.senders[core.index()];
        let key = ask.key(sender.segment);
        let place = match sender.find(key, period_ps) {
            Some(place) => place,
            None => self.fill(core, key, period_ps, request)?,
        };
        let Uncore { routes, mesh, .. } = self;
        let sender = &mut routes.senders[core.index()];
        (sender.sent, sender.last) = (time, place as u32);
        let out = &mut sender.routes[place % KEPT].out;
        out.packets += 1;
        out.bytes += u64::from(ask.bytes);
        let mut flight = out.flight;
        flight.offset |= u64::from(ask.addr.0 & !sender.segment);
        (flight.sent, flight.arrive) = (time, Ps(time.0 + flight.arrive.0));
        let arrive = mesh.send_along(&out.path, out.flits.into(), flight.arrive);
        debug_assert_eq!(flight, self.plan(core, time, period_ps, request), "a route is old");
        flight.arrive = arrive;
        Some(flight)
    }

    /// Prefetches, into the host's caches, the memory that a request will access when it arrives.
    #[inline(always)]
    pub(crate) fn expect(&self, flight: &Flight) {
        if let Unit::Memory(n) = flight.unit() {
            self.controllers[usize::from(n)].dram.expect(flight.offset);
        }
    }

    /// Computes and stores a request's route; returns its index, `None` if it can have no route.
    #[cold]
    #[inline(never)]
    fn fill(
        &mut self,
        core: CoreId,
        key: u64,
        period_ps: u64,
        request: &BusRequest,
    ) -> Option<usize> {
        if self.routes.senders[core.index()].period_ps != period_ps {
            self.forget_routes(core);
            self.routes.senders[core.index()].period_ps = period_ps;
        }
        let route = self.route(core, key, period_ps, request)?;
        let place = place_of(key);
        self.count_route(core.index(), place);
        let sender = &mut self.routes.senders[core.index()];
        sender.taken |= 1 << place;
        sender.routes[place] = route;
        Some(place)
    }

    fn route(
        &self,
        core: CoreId,
        key: u64,
        period_ps: u64,
        request: &BusRequest,
    ) -> Option<CachedRoute> {
        let mut flight = self.plan(core, Ps(0), period_ps, request);
        if !matches!(flight.unit(), Unit::Memory(_) | Unit::Mpb(_)) || flight.bypasses() {
            return None;
        }
        let (addr, segment) = (request.addr()?, self.routes.senders[core.index()].segment);
        flight.offset &= !u64::from(addr.0 & !segment);
        let (router, (_, at)) = (flight.router(), self.home(core));
        let timing = &self.description.interface_timing;
        let out = Out {
            key,
            flight,
            flits: timing.packet(request).flits as u16,
            path: self.mesh.path(at, router),
            ..Out::default()
        };
        let links_ps = if flight.answers_late() { self.mesh.way_ps(router, at) } else { 0 };
        let home = Home {
            ps: self.at_core(period_ps, &flight, Ps(links_ps)).0,
            late: flight.answers_late(),
            flits: timing.response_flits(request) as u16,
            path: self.mesh.path(router, at),
            ..Home::default()
        };
        Some(CachedRoute { out, home })
    }

    /// Sends the response to the core's last request, which leaves the unit at `departs`, back on
    /// its cached route. Returns the time at which it reaches the core. `None`, without any change,
    /// if `flight` was not the last request on its route.
    #[inline(always)]
    pub(crate) fn reply_on_route(
        &mut self,
        core: CoreId,
        period_ps: u64,
        flight: &Flight,
        departs: Ps,
    ) -> Option<Ps> {
        let Uncore { routes, mesh, .. } = self;
        let sender = &mut routes.senders[core.index()];
        let known = sender.sent == flight.sent && sender.period_ps == period_ps;
        known.then(|| sender.reply_along(mesh, flight, departs))
    }

    /// Like [`Uncore::reply_on_route`], for a request that has just been sent on its route.
    #[inline(always)]
    pub(crate) fn reply_along(&mut self, core: CoreId, flight: &Flight, departs: Ps) -> Ps {
        let Uncore { routes, mesh, .. } = self;
        routes.senders[core.index()].reply_along(mesh, flight, departs)
    }

    /// Drops the routes of a tile's cores: a write to its registers may have changed LUTs.
    pub(crate) fn forget_routes_of(&mut self, tile: TileId) {
        let cores = self.description.topology.cores_per_tile as usize;
        (0..cores).for_each(|z| self.forget_routes(self.description.topology.core(tile, z)));
    }

    fn forget_routes(&mut self, core: CoreId) {
        self.count_routes_of(core.index());
        let sender = &mut self.routes.senders[core.index()];
        for route in &mut sender.routes {
            route.out.key = NONE;
        }
        (sender.sent, sender.taken) = (Ps::NEVER, 0);
    }

    /// Adds what routes have counted to the counts of links, interfaces and traffic.
    pub fn count_routes(&mut self) {
        (0..self.routes.senders.len()).for_each(|core| self.count_routes_of(core));
    }

    fn count_routes_of(&mut self, core: usize) {
        let mut left = self.routes.senders[core].taken;
        while left != 0 {
            self.count_route(core, left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }

    fn count_route(&mut self, core: usize, place: usize) {
        let CachedRoute { out, home } = &mut self.routes.senders[core].routes[place];
        let (packets, bytes) = (mem::take(&mut out.packets), mem::take(&mut out.bytes));
        let (answers, waited_ps) = (mem::take(&mut home.answers), mem::take(&mut home.waited_ps));
        if packets + answers == 0 {
            return;
        }
        self.mesh.count_along(&out.path, packets, out.flits.into());
        self.mesh.count_along(&home.path, answers, home.flits.into());
        let reads = out.key >> u32::BITS < u64::from(kind::WRITE_LINE);
        let unit = out.flight.unit();
        let interface = &mut self.tiles[self.places.homes[core].tile.index()].interface;
        *if reads { &mut interface.reads } else { &mut interface.writes } += packets;
        self.traffic.add(core, self.number(unit), &Traffic { packets, bytes, waited_ps });
    }
}

#[cfg(test)]
mod tests {
    use rockcreek_defs::bus::{DrainKind, FillKind};
    use rockcreek_defs::registers::lut::lut0;
    use rockcreek_defs::{CoreAddr, LINE_BYTES, SubDest};
    use rockcreek_tile::LutEntry;

    use super::*;
    use crate::description::Description;
    use crate::uncore::service::Effects;

    const SCC: &str = include_str!("../../../../machine/presets/scc.toml");

    fn request(choice: u64, addr: u32) -> BusRequest {
        let (line, size) = (CoreAddr(addr & !31), 1 << (choice >> 8 & 3));
        let (word, data, enable) = (CoreAddr(addr & !7), [0; LINE_BYTES], choice as u32);
        match choice % 7 {
            0 => BusRequest::ReadLine { addr: line, kind: FillKind::Data },
            1 => BusRequest::Read { addr: word, size },
            2 => BusRequest::Write { addr: word, size, data: choice, posted: false },
            3 => BusRequest::WriteLine { addr: line, data, enable, kind: DrainKind::WriteCombine },
            4 => BusRequest::WriteLine { addr: line, data, enable, kind: DrainKind::L2Victim },
            5 => BusRequest::IoRead { port: 0x3F8, size: 1 },
            _ => BusRequest::IoWrite { port: 0x3F8, size: 1, data: 65 },
        }
    }

    /// Random requests by cached routes and without them, while LUT entries and clocks change.
    #[test]
    fn a_cached_route_is_the_way_without_it() {
        let mut with = Uncore::new(&Description::parse(SCC).unwrap());
        let mut without = with.clone();
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 24
        };
        let mut known = 0;
        for n in 0..20_000 {
            let core = CoreId((random() % 5) as u16);
            let period_ps = [1250, 1875][(random() % 50 / 49) as usize];
            let addr = (random() as u32 & 0xFF00_0FFF) | 0x8000_0000;
            let (time, request) = (Ps(n * 20_000), request(random(), addr));
            if random() % 20 == 0 {
                let entry = LutEntry(random() as u32 & 0x3F_FFFF);
                for uncore in [&mut with, &mut without] {
                    let (tile, _) = uncore.home(core);
                    let lut = uncore.tiles[tile.index()].registers.lut_mut(core.index() % 2);
                    lut.set((addr >> 24) as usize, entry);
                    uncore.forget_routes_of(tile);
                }
            }
            let flight = with.inject(core, time, period_ps, &request);
            assert_eq!(flight, without.inject_without_route(core, time, period_ps, &request));
            let departs = flight.arrive + random() % 50_000;
            let later_ps = if random() % 50 == 0 { 1250 } else { period_ps };
            let on_route = with.reply_on_route(core, later_ps, &flight, departs);
            known += u32::from(on_route.is_some());
            let back = on_route.unwrap_or_else(|| {
                with.reply_without_route(core, later_ps, &flight, &request, departs)
            });
            assert_eq!(
                back,
                without.reply_without_route(core, later_ps, &flight, &request, departs)
            );
        }
        assert!(known > 2_000, "{known} routes");
        with.count_routes();
        assert_eq!(with.traffic, without.traffic);
        assert_eq!(with.mesh, without.mesh);
        assert!(with == without);
    }

    /// A core that rewrites its own LUT reaches the new target with its next request.
    #[test]
    fn a_cached_route_ends_where_its_entry_is_rewritten() {
        const OWN_CRB: u32 = 0xF800_0000;
        let mut uncore = Uncore::new(&Description::parse(SCC).unwrap());
        let (core, lut) = (CoreId(4), OWN_CRB + lut0::OFFSET);
        let read = BusRequest::Read { addr: CoreAddr(0x0012_3450), size: 4 };
        for (n, sub) in [(0, SubDest::East), (10, SubDest::West), (0, SubDest::Mpb)] {
            let unit = uncore.inject(core, Ps(n), 1875, &read).unit();
            let router = Coord { x: if sub == SubDest::East { 5 } else { 0 }, y: 2 };
            let entry = LutEntry::new(router, sub, 0, false);
            let write = BusRequest::Write {
                addr: CoreAddr(lut),
                size: 4,
                data: entry.0.into(),
                posted: false,
            };
            let flight = uncore.inject(core, Ps(n), 1875, &write);
            uncore.arrive(core, 1875, &flight, &write, &mut Effects::default());
            let now = uncore.inject(core, Ps(n), 1875, &read);
            assert_eq!(now.router(), router);
            assert_ne!(now.unit(), unit);
        }
    }
}
