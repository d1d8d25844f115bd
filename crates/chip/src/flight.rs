//! The way of a request to its unit, and of the answer back.
//!
//! Two steps, each called in the total order of events: [`Uncore::inject`] reserves the way there
//! when the request leaves its core, [`Uncore::reply`] the way back when it has taken effect. Here
//! from the LUT on; what repeats is looked up (`course.rs`).

use rockcreek_defs::{BusRequest, Coord, CoreId, Ps, TileId};
use serde::{Deserialize, Serialize};

use crate::uncore::Uncore;
use crate::wiring::Unit;

/// A request on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flight {
    /// When the request left the core.
    pub(crate) sent: Ps,
    /// When it takes effect.
    pub arrive: Ps,
    pub unit: Unit,
    pub(crate) router: Coord,
    pub offset: u64,
    pub(crate) bypass: bool,
    /// Through the own router and back to the tile.
    pub(crate) turns: bool,
}

impl Flight {
    pub(crate) fn bypasses(&self) -> bool {
        self.bypass
    }

    /// It uses no link.
    pub(crate) fn skips_mesh(&self) -> bool {
        self.bypass || self.unit == Unit::Nowhere
    }

    /// Its answer leaves the unit so much later that others use the links before it: none is
    /// reserved for it ahead of time. A controller's own answers cannot meet on a link: they follow
    /// each other at the pace of its data bus, which is less than that of a link.
    pub(crate) fn answers_late(&self) -> bool {
        matches!(self.unit, Unit::Memory(_) | Unit::System | Unit::Voltage)
    }

    /// The same, so much later.
    pub(crate) fn later(&self, ps: u64) -> Flight {
        Flight { sent: self.sent + ps, arrive: self.arrive + ps, ..*self }
    }

    /// One for tests, to a unit at this router.
    #[cfg(test)]
    pub(crate) fn within(unit: Unit, router: Coord) -> Flight {
        Flight { sent: Ps(0), arrive: Ps(0), unit, router, offset: 0, bypass: false, turns: false }
    }
}

impl Uncore {
    /// Where a request goes that leaves the core at `time`, and when it enters the mesh, as
    /// `arrive`; a core cycle lasts `period_ps`.
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
        Flight { sent: time, arrive, unit, router, offset, bypass, turns }
    }

    /// A request leaves the core at `time`; a core cycle lasts `period_ps`.
    #[inline]
    pub fn inject(
        &mut self,
        core: CoreId,
        time: Ps,
        period_ps: u64,
        request: &BusRequest,
    ) -> Flight {
        match self.inject_on_course(core, (time, period_ps), request) {
            Some(flight) => flight,
            None => self.inject_anyhow(core, (time, period_ps), request),
        }
    }

    pub(crate) fn inject_anyhow(
        &mut self,
        core: CoreId,
        (time, period_ps): (Ps, u64),
        request: &BusRequest,
    ) -> Flight {
        self.courses.leave(core);
        let packet = self.description.interface_timing.packet(request);
        let home = *self.places.home(core);
        let mut flight = self.plan(core, time, period_ps, request);
        let number = self.number(flight.unit);
        self.traffic.count(core.index(), number, packet.bytes.into());
        let interface = &mut self.tiles[home.tile.index()].interface;
        interface.count(&packet);
        if flight.skips_mesh() {
            interface.bypassed += u64::from(flight.bypass);
            interface.unmapped += u64::from(flight.unit == Unit::Nowhere);
        } else {
            flight.arrive = self.mesh.send(home.at, flight.router, packet.flits, flight.arrive);
        }
        flight
    }

    /// The answer leaves the unit at `departs`; tells when it reaches the core.
    #[inline]
    pub fn reply(
        &mut self,
        core: CoreId,
        period_ps: u64,
        flight: &Flight,
        request: &BusRequest,
        departs: Ps,
    ) -> Ps {
        match self.reply_on_course(core, period_ps, flight, departs) {
            Some(back) => back,
            None => self.reply_anyhow(core, period_ps, flight, request, departs),
        }
    }

    pub(crate) fn reply_anyhow(
        &mut self,
        core: CoreId,
        period_ps: u64,
        flight: &Flight,
        request: &BusRequest,
        departs: Ps,
    ) -> Ps {
        let mut arrival = departs;
        if !flight.bypass {
            let flits = self.description.interface_timing.response_flits(request);
            let home = self.places.home(core).at;
            arrival = match flight.answers_late() {
                true => self.mesh.pass(flight.router, home, flits, departs),
                false => self.mesh.send(flight.router, home, flits, departs),
            };
        }
        let back = self.at_core(period_ps, flight, arrival);
        let number = self.number(flight.unit);
        self.traffic.wait(core.index(), number, back.0 - flight.sent.0);
        back
    }

    /// When an answer that reaches the tile at `arrival` is with the core.
    #[inline]
    pub(crate) fn at_core(&self, period_ps: u64, flight: &Flight, arrival: Ps) -> Ps {
        let timing = &self.description.interface_timing;
        let cycles = match flight.bypass {
            true => timing.bypass_split().1,
            false => timing.response_core_cycles,
        };
        let turn_ps = if flight.turns { self.own_tile_ps() } else { 0 };
        arrival + (u64::from(cycles) * period_ps + turn_ps)
    }

    fn own_tile_ps(&self) -> u64 {
        let cycles = self.description.timing.own_tile_mesh_cycles;
        u64::from(cycles) * self.description.clocks.mesh_period_ps
    }

    /// A packet of the FPGA that sets a pin in a tile's GLCFG: when it takes effect. The way
    /// from the FPGA to the die is half of an access's round trip.
    pub fn send_interrupt(&mut self, tile: TileId, now: Ps) -> Ps {
        let from = self.description.topology.system_interface.router;
        let departs = now + self.description.timing.fpga_access_ps / 2;
        let flits = self.description.interface_timing.header_flits + 1;
        self.mesh.send(from, self.tiles[tile.index()].coord, flits, departs)
    }
}
