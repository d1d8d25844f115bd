//! The way of a request to its unit, and of its response back.
//!
//! There are two steps, each called in the total order of events: [`Uncore::inject`] reserves the
//! way out when the request leaves its core, [`Uncore::reply`] the way back when the request has
//! taken effect. This file handles the general case, from the LUT on; `route_cache.rs` handles
//! repeated requests.

use std::fmt;

use rockcreek_defs::{BusRequest, BusResponse, Coord, CoreId, Ps, TileId};
use serde::{Deserialize, Serialize};

use crate::uncore::Uncore;
use crate::uncore::wiring::{Unit, order};

/// A request on its way, in four words of 64 bits, because it is copied at each step.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Plan", into = "Plan")]
pub struct Flight {
    /// The time at which the request left the core.
    pub(crate) sent: Ps,
    /// The time at which the request takes effect in its unit.
    pub arrive: Ps,
    /// The accessed address as a byte offset in the unit's memory.
    pub offset: u64,
    /// Packed into one word: the unit's number in the order of events, the coordinates of its
    /// router, and the flags [`BYPASS`] and [`TURNS`].
    to: u64,
}

/// Bit positions and flags in `Flight::to`. BYPASS: the request goes to a unit of its own tile
/// without using the router; TURNS: it passes through the tile's own router and back.
const X_SHIFT: u32 = 32;
const Y_SHIFT: u32 = 40;
const BYPASS: u64 = 1 << 48;
const TURNS: u64 = 1 << 49;

/// The parts of a [`Flight`] in separate fields, for encoding.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Plan {
    sent: Ps,
    arrive: Ps,
    unit: Unit,
    router: Coord,
    offset: u64,
    bypass: bool,
    /// True if the request goes to its own tile's unit through the tile's router and back.
    turns: bool,
}

impl From<Plan> for Flight {
    fn from(plan: Plan) -> Flight {
        let Plan { sent, arrive, unit, router, offset, bypass, turns } = plan;
        let to = u64::from(order::unit(unit))
            | u64::from(router.x) << X_SHIFT
            | u64::from(router.y) << Y_SHIFT
            | if bypass { BYPASS } else { 0 }
            | if turns { TURNS } else { 0 };
        Flight { sent, arrive, offset, to }
    }
}

impl From<Flight> for Plan {
    fn from(flight: Flight) -> Plan {
        let Flight { sent, arrive, offset, .. } = flight;
        let (unit, router) = (flight.unit(), flight.router());
        let (bypass, turns) = (flight.bypasses(), flight.turns());
        Plan { sent, arrive, unit, router, offset, bypass, turns }
    }
}

impl fmt::Debug for Flight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Plan::from(*self).fmt(f)
    }
}

impl Flight {
    #[inline]
    pub fn unit(&self) -> Unit {
        order::whose(self.order())
    }

    /// The accessed address as a byte offset in the unit's memory.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The unit's number, by which events of equal time are ordered.
    #[inline]
    pub(crate) fn order(&self) -> u32 {
        self.to as u32
    }

    #[inline]
    pub(crate) fn router(&self) -> Coord {
        Coord { x: (self.to >> X_SHIFT) as u8, y: (self.to >> Y_SHIFT) as u8 }
    }

    #[inline]
    pub(crate) fn bypasses(&self) -> bool {
        self.to & BYPASS != 0
    }

    /// True if the request goes to its own tile's unit through the tile's router and back.
    #[inline]
    fn turns(&self) -> bool {
        self.to & TURNS != 0
    }

    /// True if the request uses no link of the mesh.
    pub(crate) fn skips_mesh(&self) -> bool {
        self.bypasses() || self.unit() == Unit::Nowhere
    }

    /// True if the response leaves the unit so late that other packets use the links of its way
    /// before it; its links are then not reserved when the request arrives. Two responses of one
    /// controller cannot collide on a link: they follow each other at the rate of the controller's
    /// data bus, which is below a link's.
    #[inline]
    pub(crate) fn answers_late(&self) -> bool {
        matches!(self.unit(), Unit::Memory(_) | Unit::System | Unit::Voltage)
    }

    /// This flight as if the request left, and took effect, `ps` picoseconds later.
    pub(crate) fn later(&self, ps: u64) -> Flight {
        Flight { sent: self.sent + ps, arrive: self.arrive + ps, ..*self }
    }

    /// This flight as if the request took effect `ps` picoseconds later; it left at the same time.
    pub(crate) fn delayed(&self, ps: u64) -> Flight {
        Flight { arrive: self.arrive + ps, ..*self }
    }

    /// A flight to the first byte of a unit at this router, with all times 0.
    pub(crate) fn within(unit: Unit, router: Coord) -> Flight {
        let (sent, arrive, offset) = (Ps(0), Ps(0), 0);
        Plan { sent, arrive, unit, router, offset, bypass: false, turns: false }.into()
    }
}

impl Uncore {
    /// The flight of a request that leaves the core at `time`, before links are reserved: its
    /// `arrive` is the time at which the request enters the mesh. `period_ps`: the length of a core
    /// cycle in picoseconds.
    pub(crate) fn plan(
        &self,
        core: CoreId,
        time: Ps,
        period_ps: u64,
        request: &BusRequest,
    ) -> Flight {
        let packet = self.description.interface_timing.packet(request);
        let home = self.places.home(core);
        let timing = &self.description.interface_timing;
        let found = packet.addr.map(|addr| {
            let lut = self.tiles[home.tile.index()].registers.lut(home.z);
            lut.find(addr)
        });
        let unit = self.places.unit(found.map(|(entry, _)| entry));
        let mut router = self.description.topology.system_interface.router;
        let (mut offset, mut bypass, mut turns) = (0, false, false);
        if let Some((entry, within)) = found {
            router = entry.router();
            offset = entry.address() | u64::from(within);
            if router == home.at && matches!(unit, Unit::Mpb(_) | Unit::Crb(_)) {
                bypass = entry.bypass();
                turns = !bypass;
            }
        }
        let mut cycles = match bypass {
            true => timing.bypass_split().0 + packet.drain_core_cycles,
            false => timing.outward_core_cycles(&packet),
        };
        match unit {
            Unit::Memory(_) => {
                let offset_cycles = self.description.timing.memory_request_offset_core_cycles;
                cycles = cycles.saturating_add_signed(offset_cycles);
            }
            Unit::Nowhere => router = home.at,
            _ => {}
        }
        let turn_ps = if turns { self.own_tile_ps() } else { 0 };
        let arrive = time + (u64::from(cycles) * period_ps + turn_ps);
        Plan { sent: time, arrive, unit, router, offset, bypass, turns }.into()
    }

    /// Sends a request that leaves the core at `time` into the mesh: reserves the links to its
    /// unit. Returns its flight, with the time of arrival. `period_ps`: the length of a core cycle
    /// in picoseconds.
    #[inline(always)]
    pub fn inject(
        &mut self,
        core: CoreId,
        time: Ps,
        period_ps: u64,
        request: &BusRequest,
    ) -> Flight {
        match self.inject_on_route(core, time, period_ps, request) {
            Some(flight) => {
                self.expect(&flight);
                flight
            }
            None => self.inject_without_route(core, time, period_ps, request),
        }
    }

    /// Like [`Uncore::inject`], for a request that has no cached route.
    pub(crate) fn inject_without_route(
        &mut self,
        core: CoreId,
        time: Ps,
        period_ps: u64,
        request: &BusRequest,
    ) -> Flight {
        self.routes.leave(core);
        let packet = self.description.interface_timing.packet(request);
        let home = *self.places.home(core);
        let mut flight = self.plan(core, time, period_ps, request);
        let number = self.number(flight.unit());
        self.traffic.count(core.index(), number, packet.bytes.into());
        let interface = &mut self.tiles[home.tile.index()].interface;
        interface.count(&packet);
        if flight.skips_mesh() {
            interface.bypassed += u64::from(flight.bypasses());
            interface.unmapped += u64::from(flight.unit() == Unit::Nowhere);
        } else {
            flight.arrive = self.mesh.send(home.at, flight.router(), packet.flits, flight.arrive);
        }
        flight
    }

    /// Sends the response that leaves the unit at `departs` back to the core: reserves links.
    /// Returns the time at which the core may continue; for a posted write to memory, `response`
    /// becomes the core cycles from then until the acknowledgement. `period_ps`: the length of a
    /// core cycle in picoseconds.
    #[inline]
    pub fn reply(
        &mut self,
        core: CoreId,
        period_ps: u64,
        flight: &Flight,
        request: &BusRequest,
        departs: Ps,
        response: &mut BusResponse,
    ) -> Ps {
        let back = match self.reply_on_route(core, period_ps, flight, departs) {
            Some(back) => back,
            None => self.reply_without_route(core, period_ps, flight, request, departs),
        };
        self.accept(period_ps, flight, request, departs, back, response)
    }

    /// The time at which the core may send its next request. A controller accepts a posted write as
    /// soon as it serves it; the response is then the number of core cycles until the
    /// acknowledgement, which leaves the controller at `departs` and reaches the core at `back`.
    /// For other requests the core waits until `back`.
    #[inline(always)]
    pub(crate) fn accept(
        &self,
        period_ps: u64,
        flight: &Flight,
        request: &BusRequest,
        departs: Ps,
        back: Ps,
        response: &mut BusResponse,
    ) -> Ps {
        match flight.unit() {
            Unit::Memory(n) if request.is_posted() => {
                let served = self.controllers[usize::from(n)].served_at_once(Ps(0));
                let accepted = Ps(departs.0 - self.departs(request, period_ps, served).0);
                *response = BusResponse::Value((back.0 - accepted.0).div_ceil(period_ps));
                accepted
            }
            _ => back,
        }
    }

    /// Sends a response that has no cached route back: reserves links. Returns the time at which it
    /// reaches the core.
    pub(crate) fn reply_without_route(
        &mut self,
        core: CoreId,
        period_ps: u64,
        flight: &Flight,
        request: &BusRequest,
        departs: Ps,
    ) -> Ps {
        let mut arrival = departs;
        if !flight.bypasses() {
            let flits = self.description.interface_timing.response_flits(request);
            let home = self.places.home(core).at;
            arrival = match flight.answers_late() {
                true => self.mesh.pass(flight.router(), home, flits, departs),
                false => self.mesh.send(flight.router(), home, flits, departs),
            };
        }
        let back = self.at_core(period_ps, flight, arrival);
        let number = self.number(flight.unit());
        self.traffic.wait(core.index(), number, back.0 - flight.sent.0);
        back
    }

    /// How much later a request arrives at its unit because of faulty links, in picoseconds; `None`
    /// if the request is lost.
    pub(crate) fn later_out(&mut self, core: CoreId, flight: &Flight) -> Option<u64> {
        let home = self.places.home(core).at;
        if flight.skips_mesh() {
            Some(0)
        } else {
            self.faulty_links.pass(self.mesh.legs(home, flight.router()))
        }
    }

    /// How much later a response reaches the core because of faulty links, in picoseconds; `None`
    /// if the response is lost.
    pub(crate) fn later_back(&mut self, core: CoreId, flight: &Flight) -> Option<u64> {
        let home = self.places.home(core).at;
        if flight.skips_mesh() {
            Some(0)
        } else {
            self.faulty_links.pass(self.mesh.legs(flight.router(), home))
        }
    }

    /// The time at which a response reaches the core, after it reached the core's tile at
    /// `arrival`.
    #[inline]
    pub(crate) fn at_core(&self, period_ps: u64, flight: &Flight, arrival: Ps) -> Ps {
        let timing = &self.description.interface_timing;
        let cycles = match flight.bypasses() {
            true => timing.bypass_split().1,
            false => timing.response_core_cycles,
        };
        let turn_ps = if flight.turns() { self.own_tile_ps() } else { 0 };
        arrival + (u64::from(cycles) * period_ps + turn_ps)
    }

    fn own_tile_ps(&self) -> u64 {
        let cycles = self.description.timing.own_tile_mesh_cycles;
        u64::from(cycles) * self.description.clocks.mesh_period_ps
    }

    /// Sends a packet from the FPGA to a tile, which sets a pin in the tile's GLCFG. Returns the
    /// time at which the pin changes. The way from the FPGA to the die takes half of an access's
    /// round trip.
    pub fn send_interrupt(&mut self, tile: TileId, now: Ps) -> Ps {
        let from = self.description.topology.system_interface.router;
        let departs = now + self.description.timing.fpga_access_ps / 2;
        let flits = self.description.interface_timing.header_flits + 1;
        self.mesh.send(from, self.tiles[tile.index()].coord, flits, departs)
    }
}
