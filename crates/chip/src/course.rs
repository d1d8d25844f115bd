//! What is the same in many requests of a core: those of one kind that one entry of its LUT leads
//! to the same place. Worked out at the first of them, so that the others look it up.
//!
//! It follows from the description, the LUT's entry and the core's clock, by which it is found
//! again, and is no part of the state. What goes on a course is counted there, and added to the
//! counts of links, interfaces and traffic when the chip stops. Only requests to memory and through
//! the mesh to message-passing buffers: others are rare.

use rockcreek_defs::bus::DrainKind;
use rockcreek_defs::registers::lut::lut0;
use rockcreek_defs::{BusRequest, Coord, CoreAddr, CoreId, LINE_BYTES, Ps};
use rockcreek_mesh::Path;
use rockcreek_observe::Traffic;

use crate::flight::Flight;
use crate::uncore::Uncore;
use crate::wiring::Unit;

/// Courses that are kept of each core.
const KEPT: usize = 16;
/// The part of a LUT's entry that says where it leads, but for the address there.
const WHERE: u32 = lut0::BYPASS | lut0::X | lut0::Y | lut0::SUB;
/// Spreads the bits of a number: 2 to the 32nd by the golden ratio.
const SPREAD: u32 = 0x9E37_79B9;

/// What of a request its course depends on, its address, and the bytes that it carries or fetches.
#[derive(Clone, Copy, Debug)]
struct Ask {
    addr: CoreAddr,
    kind: u32,
    bytes: u32,
}

/// Kinds of requests; others than those of whole lines have their size added.
mod kind {
    pub const READ_LINE: u32 = 0;
    pub const READ: u32 = 0x100;
    pub const WRITE_LINE: u32 = 0x200;
    pub const COMBINED_LINE: u32 = 0x201;
    pub const WRITE: u32 = 0x300;
}

impl Ask {
    /// None for port I/O.
    #[inline]
    fn of(request: &BusRequest) -> Option<Ask> {
        let (addr, kind, bytes) = match *request {
            BusRequest::ReadLine { addr, .. } => (addr, kind::READ_LINE, LINE_BYTES as u32),
            BusRequest::Read { addr, size } => {
                (addr, kind::READ + u32::from(size), u32::from(size))
            }
            BusRequest::Write { addr, size, .. } => {
                (addr, kind::WRITE + u32::from(size), u32::from(size))
            }
            BusRequest::WriteLine { addr, enable, kind: drain, .. } => {
                let combined = matches!(drain, DrainKind::WriteCombine);
                let kind = if combined { kind::COMBINED_LINE } else { kind::WRITE_LINE };
                (addr, kind, enable.count_ones())
            }
            BusRequest::IoRead { .. } | BusRequest::IoWrite { .. } => return None,
        };
        Some(Ask { addr, kind, bytes })
    }
}

/// A course: first what a request on its way there looks at, in one line of the host's caches if
/// the way is not long, then what its answer does, in another.
#[derive(Clone, Copy, Debug, Default)]
struct Course {
    out: Out,
    home: Home,
}

/// The way to the unit.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Out {
    /// The core's, 0 if this is none; kind of request; where the LUT leads.
    period_ps: u64,
    kind: u32,
    place: u32,
    /// From the core to the mesh.
    ps: u64,
    /// What has been sent, and not been added to the counts.
    packets: u64,
    bytes: u64,
    unit: Unit,
    router: Coord,
    flits: u16,
    turns: bool,
    path: Path,
}

impl Default for Out {
    fn default() -> Out {
        Out {
            period_ps: 0,
            kind: 0,
            place: 0,
            ps: 0,
            packets: 0,
            bytes: 0,
            unit: Unit::Nowhere,
            router: Coord::default(),
            flits: 0,
            turns: false,
            path: Path::default(),
        }
    }
}

/// The way back.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct Home {
    period_ps: u64,
    /// From the mesh to the core, or all the way if the answer uses no link.
    ps: u64,
    /// What has come, and how long the core waited for it: not yet added to the counts.
    answers: u64,
    waited_ps: u64,
    flits: u16,
    path: Path,
}

/// What a core has sent last: on which course, and when.
#[derive(Clone, Copy, Debug)]
struct Sent {
    at: Ps,
    course: u32,
}

/// The courses of all cores.
#[derive(Clone, Debug, Default)]
pub(crate) struct Courses {
    all: Vec<Course>,
    /// By core.
    last: Vec<Sent>,
}

/// They follow from what is compared.
impl PartialEq for Courses {
    fn eq(&self, _: &Courses) -> bool {
        true
    }
}

impl Courses {
    pub fn new(cores: usize) -> Courses {
        let nothing = Sent { at: Ps::NEVER, course: 0 };
        Courses { all: vec![Course::default(); cores * KEPT], last: vec![nothing; cores] }
    }

    /// A core's request goes without a course.
    pub fn leave(&mut self, core: CoreId) {
        self.last[core.index()].at = Ps::NEVER;
    }
}

impl Uncore {
    /// A request leaves the core at `time`; a core cycle lasts `period_ps`. Does nothing if it has
    /// no course.
    #[inline]
    pub(crate) fn inject_on_course(
        &mut self,
        core: CoreId,
        (time, period_ps): (Ps, u64),
        request: &BusRequest,
    ) -> Option<Flight> {
        let ask = Ask::of(request)?;
        let home = *self.places.home(core);
        let registers = &self.tiles[home.tile.index()].registers;
        let (entry, within) = registers.lut(home.z).find(ask.addr);
        let place = entry.0 & WHERE;
        let spread = (place ^ ask.kind).wrapping_mul(SPREAD) >> (u32::BITS - KEPT.ilog2());
        let number = core.index() * KEPT + spread as usize;
        let out = &self.courses.all[number].out;
        if !(out.place == place && out.kind == ask.kind && out.period_ps == period_ps) {
            let course = self.chart(core, place, period_ps, request)?;
            self.count_course(number);
            self.courses.all[number] = course;
        }
        self.courses.last[core.index()] = Sent { at: time, course: number as u32 };
        let out = &mut self.courses.all[number].out;
        out.packets += 1;
        out.bytes += u64::from(ask.bytes);
        let offset = entry.address() | u64::from(within);
        let Out { unit, router, turns, .. } = *out;
        let arrive = self.mesh.send_along(&out.path, out.flits.into(), Ps(time.0 + out.ps));
        Some(Flight { sent: time, arrive, unit, router, offset, bypass: false, turns })
    }

    /// Works out a course, if such a request has one.
    #[cold]
    fn chart(
        &self,
        core: CoreId,
        place: u32,
        period_ps: u64,
        request: &BusRequest,
    ) -> Option<Course> {
        let flight = self.plan(core, Ps(0), period_ps, request);
        let Flight { unit, router, turns, .. } = flight;
        if !matches!(unit, Unit::Memory(_) | Unit::Mpb(_)) || flight.bypasses() {
            return None;
        }
        let (_, at) = self.home(core);
        let timing = &self.description.interface_timing;
        let out = Out {
            period_ps,
            kind: Ask::of(request)?.kind,
            place,
            ps: flight.arrive.0,
            unit,
            router,
            flits: timing.packet(request).flits as u16,
            turns,
            path: self.mesh.path(at, router),
            ..Out::default()
        };
        let links_ps = if flight.answers_late() { self.mesh.way_ps(router, at) } else { 0 };
        let home = Home {
            period_ps,
            ps: self.at_core(period_ps, &flight, Ps(links_ps)).0,
            flits: timing.response_flits(request) as u16,
            path: self.mesh.path(router, at),
            ..Home::default()
        };
        Some(Course { out, home })
    }

    /// The answer to the core's last request leaves the unit at `departs`; tells when it reaches
    /// the core. Does nothing if the request was not sent on a course, or is of another time: one
    /// of a snapshot or a train, or one before a change of the clock.
    #[inline]
    pub(crate) fn reply_on_course(
        &mut self,
        core: CoreId,
        period_ps: u64,
        flight: &Flight,
        departs: Ps,
    ) -> Option<Ps> {
        let last = self.courses.last[core.index()];
        let home = &self.courses.all[last.course as usize].home;
        let known = last.at == flight.sent && home.period_ps == period_ps;
        known.then(|| self.reply_along(core, flight, departs))
    }

    /// The same, of a request that has just been sent on its course.
    #[inline]
    pub(crate) fn reply_along(&mut self, core: CoreId, flight: &Flight, departs: Ps) -> Ps {
        let last = self.courses.last[core.index()];
        let home = &mut self.courses.all[last.course as usize].home;
        debug_assert_eq!(last.at, flight.sent);
        let arrival = match flight.answers_late() {
            true => departs,
            false => self.mesh.send_along(&home.path, home.flits.into(), departs),
        };
        let back = Ps(arrival.0 + home.ps);
        home.answers += 1;
        home.waited_ps += back.0 - flight.sent.0;
        back
    }

    /// Adds what has gone on courses to the counts of links, interfaces and traffic.
    pub fn count_courses(&mut self) {
        (0..self.courses.all.len()).for_each(|number| self.count_course(number));
    }

    fn count_course(&mut self, number: usize) {
        let Course { out, home } = &mut self.courses.all[number];
        let Out { packets, bytes, .. } = *out;
        let Home { answers, waited_ps, .. } = *home;
        if packets + answers == 0 {
            return;
        }
        (out.packets, out.bytes, home.answers, home.waited_ps) = (0, 0, 0, 0);
        self.mesh.count_along(&out.path, packets, out.flits.into());
        self.mesh.count_along(&home.path, answers, home.flits.into());
        let reads = out.kind < kind::WRITE_LINE;
        let (core, unit) = (number / KEPT, out.unit);
        let interface = &mut self.tiles[self.places.homes[core].tile.index()].interface;
        *if reads { &mut interface.reads } else { &mut interface.writes } += packets;
        self.traffic.add(core, self.number(unit), &Traffic { packets, bytes, waited_ps });
    }
}

#[cfg(test)]
mod tests {
    use rockcreek_defs::bus::FillKind;
    use rockcreek_tile::LutEntry;

    use super::*;
    use crate::description::Description;

    const SCC: &str = include_str!("../../../machine/presets/scc.toml");

    fn request(choice: u64, addr: u32) -> BusRequest {
        let (line, size) = (CoreAddr(addr & !31), 1 << (choice >> 8 & 3));
        let (word, data, enable) = (CoreAddr(addr & !7), [0; LINE_BYTES], choice as u32);
        match choice % 7 {
            0 => BusRequest::ReadLine { addr: line, kind: FillKind::Data },
            1 => BusRequest::Read { addr: word, size },
            2 => BusRequest::Write { addr: word, size, data: choice },
            3 => BusRequest::WriteLine { addr: line, data, enable, kind: DrainKind::WriteCombine },
            4 => BusRequest::WriteLine { addr: line, data, enable, kind: DrainKind::L2Victim },
            5 => BusRequest::IoRead { port: 0x3F8, size: 1 },
            _ => BusRequest::IoWrite { port: 0x3F8, size: 1, data: 65 },
        }
    }

    /// Random requests, while LUT entries and clocks change.
    #[test]
    fn a_course_is_the_way_without_it() {
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
                }
            }
            let flight = with.inject(core, time, period_ps, &request);
            assert_eq!(flight, without.inject_anyhow(core, (time, period_ps), &request));
            let departs = flight.arrive + random() % 50_000;
            let later_ps = if random() % 50 == 0 { 1250 } else { period_ps };
            let on_course = with.reply_on_course(core, later_ps, &flight, departs);
            known += u32::from(on_course.is_some());
            let back = on_course
                .unwrap_or_else(|| with.reply_anyhow(core, later_ps, &flight, &request, departs));
            assert_eq!(back, without.reply_anyhow(core, later_ps, &flight, &request, departs));
        }
        assert!(known > 2_000, "{known} courses");
        with.count_courses();
        assert_eq!(with.traffic, without.traffic);
        assert_eq!(with.mesh, without.mesh);
        assert!(with == without);
    }
}
