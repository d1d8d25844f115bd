//! The mesh interface unit (MIU): between the bus units of a tile's cores and its router.
//!
//! Modelled: the time a request and its answer spend between core and router, packet sizes, and
//! counts of what passed. Left out: its traffic generator and the host's access rings.

use rockcreek_defs::BusRequest;
use rockcreek_defs::bus::DrainKind;
use serde::{Deserialize, Serialize};

/// Core cycles between a core and its router, and sizes of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfaceTiming {
    /// Outwards: bus unit and interface.
    pub request_core_cycles: u32,
    /// Back to the core.
    pub response_core_cycles: u32,
    /// More for a line that the write-combine buffer sends, outwards.
    pub combined_line_core_cycles: u32,
    /// A whole read of the own tile's units when the LUT says bypass.
    pub bypass_core_cycles: u32,
    /// A packet without data.
    pub header_flits: u32,
    /// A packet with a 32-byte line.
    pub line_flits: u32,
    /// Data bytes in one flit.
    pub flit_bytes: u32,
}

impl InterfaceTiming {
    fn data_flits(&self, bytes: u32) -> u32 {
        self.header_flits + bytes.div_ceil(self.flit_bytes)
    }

    /// Flits of the request packet.
    pub fn request_flits(&self, request: &BusRequest) -> u32 {
        match request {
            BusRequest::WriteLine { .. } => self.line_flits,
            BusRequest::Write { size, .. } | BusRequest::IoWrite { size, .. } => {
                self.data_flits(u32::from(*size))
            }
            _ => self.header_flits,
        }
    }

    /// Flits of the answer.
    pub fn response_flits(&self, request: &BusRequest) -> u32 {
        match request {
            BusRequest::ReadLine { .. } => self.line_flits,
            BusRequest::Read { size, .. } | BusRequest::IoRead { size, .. } => {
                self.data_flits(u32::from(*size))
            }
            _ => self.header_flits,
        }
    }

    /// Core cycles from the bus unit to the router, beyond any offset of the target.
    pub fn outward_core_cycles(&self, request: &BusRequest) -> u32 {
        self.request_core_cycles + self.drain_core_cycles(request)
    }

    /// How a bypassed access splits its core cycles: to the unit, and back.
    pub fn bypass_split(&self, request: &BusRequest) -> (u32, u32) {
        let whole = self.request_core_cycles + self.response_core_cycles;
        let out = self.bypass_core_cycles * self.request_core_cycles / whole.max(1);
        (out + self.drain_core_cycles(request), self.bypass_core_cycles - out)
    }

    fn drain_core_cycles(&self, request: &BusRequest) -> u32 {
        match request {
            BusRequest::WriteLine { kind: DrainKind::WriteCombine, .. } => {
                self.combined_line_core_cycles
            }
            _ => 0,
        }
    }
}

/// Counts of one tile's interface; the bypass does not pass the router but passes here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeshInterface {
    pub reads: u64,
    pub writes: u64,
    pub bypassed: u64,
    /// Requests whose LUT entry leads nowhere.
    pub unmapped: u64,
}

impl MeshInterface {
    pub fn count(&mut self, request: &BusRequest) {
        if request.is_read() {
            self.reads += 1;
        } else {
            self.writes += 1;
        }
    }
}
