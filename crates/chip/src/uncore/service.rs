//! The effect of a request at its unit when it arrives there, and the time that it takes.
//!
//! Units serve one request at a time: a busy unit delays the response, but never changes the order.

use rockcreek_board::{Action, Reply, SystemInterface};
use rockcreek_defs::{BusRequest, BusResponse, CoreId, LINE_BYTES, Ps, TileId};
use rockcreek_memory::{Access, Dram};
use rockcreek_tile::{Effect, Requester};

use crate::uncore::Uncore;
use crate::uncore::request_path::Flight;
use crate::uncore::wiring::Unit;

/// What became of a request that arrived at its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The response, and the time at which it leaves the unit.
    Done(Ps, BusResponse),
    /// The request reads a serial port that has no input: the host must provide some first.
    NeedsInput,
}

/// Effects of an access on other parts than its unit.
#[derive(Debug, Default)]
pub struct Effects {
    pub board: Vec<Action>,
    pub tiles: Vec<(TileId, Effect)>,
    /// The time at which a voltage level changes next; `None` if the access started no change.
    pub voltage_step: Option<Ps>,
}

impl Effects {
    pub fn are_none(&self) -> bool {
        self.board.is_empty() && self.tiles.is_empty() && self.voltage_step.is_none()
    }
}

/// The kind of access to its controller that a request makes.
#[inline]
pub(crate) fn access(request: &BusRequest) -> Access {
    match request {
        BusRequest::ReadLine { .. } | BusRequest::WriteLine { .. } => Access::Line,
        _ => Access::Word,
    }
}

/// Moves the bytes of a request to or from memory. The write of a word, the most frequent case,
/// comes first.
#[inline(always)]
pub(crate) fn move_bytes(
    dram: &mut Dram,
    offset: u64,
    request: &BusRequest,
    answer: &mut BusResponse,
) {
    match *request {
        BusRequest::Write { size: 4, data, .. } => {
            dram.write_word(offset, (data as u32).to_le_bytes());
        }
        _ => move_other_bytes(dram, offset, request, answer),
    }
}

#[inline(never)]
fn move_other_bytes(dram: &mut Dram, offset: u64, request: &BusRequest, answer: &mut BusResponse) {
    match *request {
        BusRequest::ReadLine { .. } => *answer = BusResponse::Line(dram.line(offset)),
        BusRequest::Write { size, data, .. } => {
            dram.write_masked(offset, &data.to_le_bytes()[..size.into()], (1 << size) - 1);
        }
        BusRequest::WriteLine { ref data, enable, .. } => dram.write_masked(offset, data, enable),
        BusRequest::Read { size, .. } => {
            let mut value = [0; 8];
            dram.read(offset, &mut value[..size.into()]);
            *answer = BusResponse::Value(u64::from_le_bytes(value));
        }
        BusRequest::IoRead { .. } | BusRequest::IoWrite { .. } => {
            unreachable!("ports are not in memory")
        }
    }
}

impl Uncore {
    /// Performs the request at its unit, at `flight.arrive`. Adds to `effects` what other parts
    /// must do because of it.
    #[inline]
    pub fn arrive(
        &mut self,
        core: CoreId,
        period_ps: u64,
        flight: &Flight,
        request: &BusRequest,
        effects: &mut Effects,
    ) -> Outcome {
        if request.addr().is_none() {
            return self.arrive_at_port(core, flight, request, effects);
        }
        let mut answer = BusResponse::Acknowledge;
        let departs = self.perform(core, period_ps, flight, request, &mut answer, effects);
        Outcome::Done(departs, answer)
    }

    /// Performs an access to an I/O port.
    fn arrive_at_port(
        &mut self,
        core: CoreId,
        flight: &Flight,
        request: &BusRequest,
        effects: &mut Effects,
    ) -> Outcome {
        let answer = match *request {
            BusRequest::IoRead { port, size } => {
                match self.board.io_read(flight.arrive, core, port, size, &mut effects.board) {
                    Reply::Value(value) => BusResponse::Value(value.into()),
                    Reply::NeedsInput => return Outcome::NeedsInput,
                }
            }
            BusRequest::IoWrite { port, size, data } => {
                let bytes = &data.to_le_bytes()[..size.into()];
                self.board.io_write(flight.arrive, core, port, bytes, &mut effects.board);
                BusResponse::Acknowledge
            }
            _ => unreachable!("only port I/O has no address"),
        };
        Outcome::Done(self.serve_rarely(core, flight, request, effects), answer)
    }

    /// Moves the bytes of a request with an address, and reserves its unit. Returns the time at
    /// which the response leaves the unit. `answer` is an acknowledgement at first; the data of a
    /// read replaces it.
    #[inline(always)]
    pub(crate) fn perform(
        &mut self,
        core: CoreId,
        period_ps: u64,
        flight: &Flight,
        request: &BusRequest,
        answer: &mut BusResponse,
        effects: &mut Effects,
    ) -> Ps {
        match flight.unit() {
            Unit::Memory(n) => self.access_memory(n.into(), period_ps, flight, request, answer),
            Unit::Mpb(tile) => self.access_message_buffer(tile, flight, request, answer),
            _ => {
                *answer = self.access(core, flight, request, effects);
                self.serve_rarely(core, flight, request, effects)
            }
        }
    }

    /// Performs a request that has arrived at a message-passing buffer. Returns the time at which
    /// its response leaves.
    #[inline(never)]
    fn access_message_buffer(
        &mut self,
        tile: TileId,
        flight: &Flight,
        request: &BusRequest,
        answer: &mut BusResponse,
    ) -> Ps {
        let (mpb, offset) = (&mut self.tiles[tile.index()].mpb, flight.offset);
        match *request {
            BusRequest::ReadLine { .. } => *answer = BusResponse::Line(mpb.line(offset)),
            BusRequest::WriteLine { ref data, enable, .. } => mpb.write(offset, data, enable),
            BusRequest::Write { size, data, .. } => {
                mpb.write(offset, &data.to_le_bytes()[..size.into()], (1 << size) - 1);
            }
            BusRequest::Read { size, .. } => {
                let mut value = [0; 8];
                mpb.read(offset, &mut value[..size.into()]);
                *answer = BusResponse::Value(u64::from_le_bytes(value));
            }
            BusRequest::IoRead { .. } | BusRequest::IoWrite { .. } => {
                unreachable!("ports are not in a buffer")
            }
        }
        let service_ps = self.mpb_service_ps();
        self.mpb_ports[tile.index()].reserve(flight.arrive, service_ps)
    }

    /// Performs a request that has arrived at a memory controller. Returns the time at which its
    /// response leaves.
    #[inline(always)]
    fn access_memory(
        &mut self,
        controller: usize,
        period_ps: u64,
        flight: &Flight,
        request: &BusRequest,
        answer: &mut BusResponse,
    ) -> Ps {
        let controller = &mut self.controllers[controller];
        move_bytes(&mut controller.dram, flight.offset, request, answer);
        controller.count(request.is_read(), 1);
        let served = controller.serve(flight.arrive, flight.offset, access(request));
        self.departs(request, period_ps, served)
    }

    /// The time at which the response leaves a controller that has served the request at `served`.
    #[inline]
    pub(crate) fn departs(&self, request: &BusRequest, period_ps: u64, served: Ps) -> Ps {
        match request.is_read() {
            true => served,
            false => self.acknowledged(served, period_ps),
        }
    }

    /// The time at which the acknowledgement of a write leaves a controller that has served it at
    /// `served`.
    #[inline]
    fn acknowledged(&self, served: Ps, period_ps: u64) -> Ps {
        let cycles = self.description.timing.memory_write_core_cycles;
        Ps(served.0 + u64::from(cycles) * period_ps)
    }

    /// Performs a request at a unit other than memory or a message-passing buffer, apart from its
    /// time. Returns the response.
    fn access(
        &mut self,
        core: CoreId,
        flight: &Flight,
        request: &BusRequest,
        effects: &mut Effects,
    ) -> BusResponse {
        match *request {
            BusRequest::Write { size, data, .. } => {
                let data = &data.to_le_bytes()[..size.into()];
                self.write(flight, data, (1 << size) - 1, effects);
                BusResponse::Acknowledge
            }
            BusRequest::WriteLine { ref data, enable, .. } => {
                self.write(flight, data, enable, effects);
                BusResponse::Acknowledge
            }
            BusRequest::ReadLine { .. } => {
                let mut line = [0; LINE_BYTES];
                self.read(core, flight, &mut line);
                BusResponse::Line(line)
            }
            BusRequest::Read { size, .. } => {
                let mut value = [0; 8];
                self.read(core, flight, &mut value[..size.into()]);
                BusResponse::Value(u64::from_le_bytes(value))
            }
            BusRequest::IoRead { .. } | BusRequest::IoWrite { .. } => {
                unreachable!("ports have no bytes that are moved")
            }
        }
    }

    fn write(&mut self, flight: &Flight, data: &[u8], enable: u32, effects: &mut Effects) {
        let (offset, time) = (flight.offset, flight.arrive);
        match flight.unit() {
            Unit::Crb(tile) => {
                let registers = &mut self.tiles[tile.index()].registers;
                registers.write(offset as u32, data, enable, |effect| {
                    effects.tiles.push((tile, effect));
                });
                if registers.reaches_luts(offset as u32, data.len() as u32) {
                    self.forget_routes_of(tile);
                }
            }
            Unit::System => {
                self.board.write(time, offset, data, enable, &mut effects.board);
            }
            // `serve_rarely` performs the write to the regulator.
            Unit::Voltage | Unit::Nowhere | Unit::Mpb(_) | Unit::Memory(_) => {}
        }
    }

    /// Reads from a register block or the FPGA into `out`, which must be zero and stays so for the
    /// regulator, whose registers cannot be read, and where there is no unit.
    fn read(&mut self, core: CoreId, flight: &Flight, out: &mut [u8]) {
        let (offset, time) = (flight.offset, flight.arrive);
        match flight.unit() {
            Unit::Crb(tile) => {
                let sub = self.description.topology.z_of(core) as u32;
                let registers = &mut self.tiles[tile.index()].registers;
                registers.read(Requester { sub }, offset as u32, out);
            }
            Unit::System => self.board.read(time, offset, out),
            Unit::Voltage | Unit::Nowhere | Unit::Mpb(_) | Unit::Memory(_) => {}
        }
    }

    /// Reserves a unit other than memory and message-passing buffers. Returns the time at which the
    /// response leaves.
    fn serve_rarely(
        &mut self,
        core: CoreId,
        flight: &Flight,
        request: &BusRequest,
        effects: &mut Effects,
    ) -> Ps {
        let timing = &self.description.timing;
        let at = flight.arrive;
        match flight.unit() {
            Unit::Crb(tile) => {
                let service_ps = self.crb_service_ps();
                self.crb_ports[tile.index()].reserve(at, service_ps)
            }
            Unit::System => {
                let start = self.system_port.reserve(at, timing.fpga_occupancy_ps);
                let host = request.addr().is_none() || SystemInterface::is_host(flight.offset);
                start + timing.fpga_access_ps + if host { timing.host_port_ps } else { 0 }
            }
            Unit::Voltage => {
                let word = match *request {
                    BusRequest::Write { data, .. } => data as u32,
                    BusRequest::WriteLine { data: [a, b, c, d, ..], .. } => {
                        u32::from_le_bytes([a, b, c, d])
                    }
                    _ => return at,
                };
                let accepted = self.board.voltage.write(at, core, flight.offset, word);
                effects.voltage_step = self.board.voltage.take_next_step();
                accepted
            }
            Unit::Nowhere | Unit::Mpb(_) | Unit::Memory(_) => at,
        }
    }

    pub(crate) fn mpb_service_ps(&self) -> u64 {
        let cycles = self.description.timing.mpb_service_mesh_cycles;
        u64::from(cycles) * self.description.clocks.mesh_period_ps
    }

    pub(crate) fn crb_service_ps(&self) -> u64 {
        let cycles = self.description.timing.crb_service_mesh_cycles;
        u64::from(cycles) * self.description.clocks.mesh_period_ps
    }
}
