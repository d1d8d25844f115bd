//! Everything outside the cores, wired together: a request goes through the LUT and the mesh to
//! its unit, takes effect there when it arrives, and its answer travels back.
//!
//! Two steps, each called in the total order of events: [`Uncore::inject`] reserves the way
//! there, [`Uncore::arrive`] performs the access and reserves the unit, [`Uncore::reply`] the way
//! back. Units serialise: a busy unit delays the answer, never the order.

use rockcreek_board::{Action, BoardConfig, Reply, SystemInterface, fpga_registers::FpgaConfig};
use rockcreek_defs::{BusRequest, BusResponse, Coord, CoreId, LINE_BYTES, Ps, TileId};
use rockcreek_memory::{Access, Controller};
use rockcreek_mesh::Mesh;
use rockcreek_observe::TrafficMatrix;
use rockcreek_tile::{Effect, Requester, Tile};
use serde::{Deserialize, Serialize};

use crate::description::Description;
use crate::memory_map::fill_default_lut;
use crate::places::Places;
use crate::port::Port;
use crate::wiring::{Unit, unit_names};

/// A request on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flight {
    /// When the request left the core.
    sent: Ps,
    /// When it takes effect.
    pub arrive: Ps,
    pub unit: Unit,
    pub(crate) router: Coord,
    pub offset: u64,
    bypass: bool,
    /// Through the own router and back to the tile.
    turns: bool,
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

/// What came of an arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The answer leaves the unit at this time.
    Done(Ps, BusResponse),
    /// The host must first give input to this core.
    NeedsInput,
}

/// What an access makes happen besides its answer.
#[derive(Debug, Default)]
pub struct Effects {
    pub board: Vec<Action>,
    pub tiles: Vec<(TileId, Effect)>,
}

impl Effects {
    pub fn are_none(&self) -> bool {
        self.board.is_empty() && self.tiles.is_empty()
    }
}

/// The chip without its cores, and the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Uncore {
    pub(crate) description: Description,
    pub tiles: Vec<Tile>,
    pub mesh: Mesh,
    pub controllers: Vec<Controller>,
    pub board: SystemInterface,
    /// By tile.
    pub mpb_ports: Vec<Port>,
    pub crb_ports: Vec<Port>,
    pub system_port: Port,
    /// Requests by core and unit, with the bytes that they carry or fetch.
    pub traffic: TrafficMatrix,
    #[serde(skip)]
    places: Places,
}

/// The bytes of a request that writes, with their enables.
fn written(request: &BusRequest, line: &mut [u8; LINE_BYTES]) -> Option<(usize, u32)> {
    match *request {
        BusRequest::Write { size, data, .. } => {
            line[..8].copy_from_slice(&data.to_le_bytes());
            Some((size.into(), (1 << size) - 1))
        }
        BusRequest::WriteLine { data, enable, .. } => {
            *line = data;
            Some((LINE_BYTES, enable))
        }
        _ => None,
    }
}

fn response(request: &BusRequest, line: &[u8; LINE_BYTES]) -> BusResponse {
    match request {
        BusRequest::ReadLine { .. } => BusResponse::Line(*line),
        BusRequest::Read { .. } => {
            let bytes = line.first_chunk().expect("a line has eight bytes");
            BusResponse::Value(u64::from_le_bytes(*bytes))
        }
        _ => BusResponse::Acknowledge,
    }
}

pub(crate) fn payload_bytes(request: &BusRequest) -> u64 {
    match *request {
        BusRequest::ReadLine { .. } => LINE_BYTES as u64,
        BusRequest::WriteLine { enable, .. } => enable.count_ones().into(),
        BusRequest::Read { size, .. }
        | BusRequest::Write { size, .. }
        | BusRequest::IoRead { size, .. }
        | BusRequest::IoWrite { size, .. } => size.into(),
    }
}

impl Uncore {
    /// The state after the host's initialisation: MPBs zero, locks free, default LUTs, all cores
    /// held in reset.
    pub fn new(description: &Description) -> Uncore {
        let topology = &description.topology;
        let tiles = description.tiles();
        let mut all: Vec<Tile> = (0..tiles)
            .map(|n| Tile::new(topology.coord(TileId(n as u16)), &description.tile))
            .collect();
        for core in (0..description.cores()).map(|n| CoreId(n as u16)) {
            let tile = &mut all[topology.tile_of(core).index()];
            fill_default_lut(description, core, tile.registers.lut_mut(topology.z_of(core)));
        }
        let controller =
            Controller::new(description.memory_bytes_per_controller, description.memory_timing);
        let fpga = FpgaConfig {
            timestamp_period_ps: description.clocks.timestamp_period_ps,
            fast_clock_mhz: description.clocks.fast_mhz,
            private_slots: description.address_map.private_slots,
            dimm_sizes: dimm_sizes(description),
            request_index: description.request_index,
            cores: description.cores(),
        };
        Uncore {
            tiles: all,
            mesh: Mesh::new(topology.columns, topology.rows, description.mesh_timing),
            controllers: vec![controller; topology.memory_controllers.len()],
            board: SystemInterface::new(&BoardConfig {
                cores: description.cores(),
                fpga,
                voltage: description.voltage,
            }),
            mpb_ports: vec![Port::default(); tiles],
            crb_ports: vec![Port::default(); tiles],
            system_port: Port::default(),
            traffic: TrafficMatrix::new(
                description.cores(),
                unit_names(tiles, topology.memory_controllers.len()),
            ),
            places: Places::of(description),
            description: description.clone(),
        }
    }

    /// After it has been decoded: what follows from the description.
    pub(crate) fn complete(&mut self) {
        self.places = Places::of(&self.description);
    }

    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Whether this may be the uncore of such a chip: as many of everything, and as large.
    pub(crate) fn has_shape_of(&self, description: &Description) -> bool {
        let fresh = Uncore::new(description);
        let sizes = |uncore: &Uncore| {
            let tiles =
                uncore.tiles.iter().map(|tile| (tile.coord, tile.size())).collect::<Vec<_>>();
            let banks = uncore.controllers.iter().map(|one| one.dram.bytes()).collect::<Vec<_>>();
            let busy = (uncore.mpb_ports.len(), uncore.crb_ports.len());
            (tiles, banks, busy)
        };
        sizes(self) == sizes(&fresh)
    }

    pub(crate) fn home(&self, core: CoreId) -> (TileId, Coord) {
        let home = self.places.home(core);
        (home.tile, home.at)
    }

    /// The core's mesh interface in the order of events.
    pub(crate) fn interface(&self, core: CoreId) -> u32 {
        self.places.home(core).interface
    }

    /// Who answers a request of a core.
    pub(crate) fn unit_of(&self, core: CoreId, request: &BusRequest) -> Unit {
        let Some(addr) = request.addr() else { return Unit::System };
        let home = self.places.home(core);
        let lut = self.tiles[home.tile.index()].registers.lut(home.z);
        self.places.unit(&lut.translate(addr))
    }

    /// Where a request goes that leaves the core at `time`, and when it enters the mesh, as
    /// `arrive`; a core cycle lasts `period_ps`.
    pub(crate) fn plan(
        &self,
        core: CoreId,
        time: Ps,
        period_ps: u64,
        request: &BusRequest,
    ) -> Flight {
        let timing = &self.description.interface_timing;
        let home = self.places.home(core);
        let (mut unit, mut router, mut offset) =
            (Unit::System, self.description.topology.system_interface.router, 0);
        let (mut bypass, mut turns) = (false, false);
        if let Some(addr) = request.addr() {
            let lut = self.tiles[home.tile.index()].registers.lut(home.z);
            let system = lut.translate(addr);
            unit = self.places.unit(&system);
            (router, offset) = (system.router, system.offset);
            let local = router == home.at && matches!(unit, Unit::Mpb(_) | Unit::Crb(_));
            bypass = system.bypass && local;
            turns = local && !bypass;
        }
        let mut cycles = match bypass {
            true => timing.bypass_split(request).0,
            false => timing.outward_core_cycles(request),
        };
        if matches!(unit, Unit::Memory(_)) {
            let offset_cycles = self.description.timing.memory_request_offset_core_cycles;
            cycles = cycles.saturating_add_signed(offset_cycles);
        }
        if unit == Unit::Nowhere {
            router = home.at;
        }
        let turn_ps = if turns { self.own_tile_ps() } else { 0 };
        let arrive = time + u64::from(cycles) * period_ps + turn_ps;
        Flight { sent: time, arrive, unit, router, offset, bypass, turns }
    }

    /// A request leaves the core at `time`; a core cycle lasts `period_ps`.
    pub fn inject(
        &mut self,
        core: CoreId,
        time: Ps,
        period_ps: u64,
        request: &BusRequest,
    ) -> Flight {
        let plan = self.plan(core, time, period_ps, request);
        let (tile, home) = self.home(core);
        self.traffic.count(core.index(), self.number(plan.unit), payload_bytes(request));
        let interface = &mut self.tiles[tile.index()].interface;
        interface.count(request);
        interface.bypassed += u64::from(plan.bypass);
        interface.unmapped += u64::from(plan.unit == Unit::Nowhere);
        if plan.skips_mesh() {
            return plan;
        }
        let flits = self.description.interface_timing.request_flits(request);
        let arrive = self.mesh.send(home, plan.router, flits, plan.arrive);
        Flight { arrive, ..plan }
    }

    /// The request takes effect now, which is `flight.arrive`.
    pub fn arrive(
        &mut self,
        core: CoreId,
        period_ps: u64,
        flight: &Flight,
        request: &BusRequest,
        effects: &mut Effects,
    ) -> Outcome {
        let answer = match *request {
            BusRequest::IoRead { port, size } => {
                match self.board.io_read(core, port, size, &mut effects.board) {
                    Reply::Value(value) => BusResponse::Value(value.into()),
                    Reply::NeedsInput => return Outcome::NeedsInput,
                }
            }
            BusRequest::IoWrite { port, size, data } => {
                let bytes = &data.to_le_bytes()[..size.into()];
                self.board.io_write(flight.arrive, core, port, bytes, &mut effects.board);
                BusResponse::Acknowledge
            }
            _ => self.access(core, flight, request, effects),
        };
        Outcome::Done(self.serve(period_ps, flight, request), answer)
    }

    /// The answer leaves the unit at `departs`; tells when it reaches the core.
    pub fn reply(
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
            let (_, home) = self.home(core);
            arrival = match flight.answers_late() {
                true => self.mesh.pass(flight.router, home, flits, departs),
                false => self.mesh.send(flight.router, home, flits, departs),
            };
        }
        let back = self.at_core(period_ps, flight, request, arrival);
        let number = self.number(flight.unit);
        self.traffic.wait(core.index(), number, back.0 - flight.sent.0);
        back
    }

    /// When an answer that reaches the tile at `arrival` is with the core.
    pub(crate) fn at_core(
        &self,
        period_ps: u64,
        flight: &Flight,
        request: &BusRequest,
        arrival: Ps,
    ) -> Ps {
        let timing = &self.description.interface_timing;
        let cycles = match flight.bypass {
            true => timing.bypass_split(request).1,
            false => timing.response_core_cycles,
        };
        let turn_ps = if flight.turns { self.own_tile_ps() } else { 0 };
        arrival + u64::from(cycles) * period_ps + turn_ps
    }

    fn own_tile_ps(&self) -> u64 {
        let cycles = self.description.timing.own_tile_mesh_cycles;
        u64::from(cycles) * self.description.clocks.mesh_period_ps
    }

    pub(crate) fn mpb_service_ps(&self) -> u64 {
        let cycles = self.description.timing.mpb_service_mesh_cycles;
        u64::from(cycles) * self.description.clocks.mesh_period_ps
    }

    pub(crate) fn crb_service_ps(&self) -> u64 {
        let cycles = self.description.timing.crb_service_mesh_cycles;
        u64::from(cycles) * self.description.clocks.mesh_period_ps
    }

    /// The unit as [`unit_names`] counts.
    pub(crate) fn number(&self, unit: Unit) -> usize {
        unit.number(self.tiles.len(), self.controllers.len())
    }

    /// Moves the bytes.
    fn access(
        &mut self,
        core: CoreId,
        flight: &Flight,
        request: &BusRequest,
        effects: &mut Effects,
    ) -> BusResponse {
        let mut line = [0; LINE_BYTES];
        let (offset, time) = (flight.offset, flight.arrive);
        if let Some((count, enable)) = written(request, &mut line) {
            let data = &line[..count];
            match flight.unit {
                Unit::Mpb(tile) => self.tiles[tile.index()].mpb.write(offset, data, enable),
                Unit::Crb(tile) => {
                    let registers = &mut self.tiles[tile.index()].registers;
                    registers.write(offset as u32, data, enable, |effect| {
                        effects.tiles.push((tile, effect));
                    });
                }
                Unit::Memory(n) => {
                    self.controllers[usize::from(n)].dram.write_masked(offset, data, enable);
                }
                Unit::System => {
                    self.board.write(time, offset, data, enable, &mut effects.board);
                }
                // The regulator's write is what `serve` waits for.
                Unit::Voltage | Unit::Nowhere => {}
            }
            return BusResponse::Acknowledge;
        }
        let count = match *request {
            BusRequest::Read { size, .. } => size.into(),
            _ => LINE_BYTES,
        };
        let out = &mut line[..count];
        match flight.unit {
            Unit::Mpb(tile) => self.tiles[tile.index()].mpb.read(offset, out),
            Unit::Crb(tile) => {
                let sub = self.description.topology.z_of(core) as u32;
                let registers = &mut self.tiles[tile.index()].registers;
                registers.read(Requester { sub }, offset as u32, out);
            }
            Unit::Memory(n) => self.controllers[usize::from(n)].dram.read(offset, out),
            Unit::System => self.board.read(time, offset, out),
            Unit::Voltage | Unit::Nowhere => {}
        }
        response(request, &line)
    }

    /// Reserves the unit; tells when the answer leaves it.
    fn serve(&mut self, period_ps: u64, flight: &Flight, request: &BusRequest) -> Ps {
        let timing = self.description.timing;
        let at = flight.arrive;
        match flight.unit {
            Unit::Mpb(tile) => {
                let service_ps = self.mpb_service_ps();
                self.mpb_ports[tile.index()].reserve(at, service_ps)
            }
            Unit::Crb(tile) => {
                let service_ps = self.crb_service_ps();
                self.crb_ports[tile.index()].reserve(at, service_ps)
            }
            Unit::Memory(n) => {
                let controller = &mut self.controllers[usize::from(n)];
                let access = match request {
                    BusRequest::Read { .. } | BusRequest::Write { .. } => Access::Word,
                    _ => Access::Line,
                };
                let served = controller.serve(at, flight.offset, access);
                if request.is_read() {
                    controller.reads += 1;
                    served
                } else {
                    controller.writes += 1;
                    served + u64::from(timing.memory_write_core_cycles) * period_ps
                }
            }
            Unit::System => {
                let start = self.system_port.reserve(at, timing.fpga_occupancy_ps);
                let host = request.addr().is_none() || SystemInterface::is_host(flight.offset);
                start + timing.fpga_access_ps + if host { timing.host_port_ps } else { 0 }
            }
            Unit::Voltage => {
                let mut line = [0; LINE_BYTES];
                if written(request, &mut line).is_none() {
                    return at;
                }
                let word = line.first_chunk().expect("a line has four bytes");
                self.board.voltage.write(at, flight.offset, u32::from_le_bytes(*word))
            }
            Unit::Nowhere => at,
        }
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

/// The FPGA's DIMM register: the memory of each controller in two equal slots if possible, two
/// bits each (0, 2, 4, 8 GB).
fn dimm_sizes(description: &Description) -> u32 {
    let gib = (description.memory_bytes_per_controller >> 30) as u32;
    let (first, second) = match gib {
        16 => (3, 3),
        8 => (2, 2),
        4 => (1, 1),
        2 => (1, 0),
        _ => (0, 0),
    };
    (0..description.topology.memory_controllers.len())
        .fold(0, |word, n| word | (first | second << 2) << (4 * n))
}
