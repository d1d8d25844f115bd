//! The mesh interface unit (MIU): between the bus units of a tile's cores and its router.
//!
//! Modelled: the time a request and its answer spend between core and router, packet sizes, and
//! counts of what passed. Left out: its traffic generator and the host's access rings.

use rockcreek_defs::bus::DrainKind;
use rockcreek_defs::{BusRequest, CoreAddr, LINE_BYTES};
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

/// The properties of a request on which its way to the unit depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// `None` for port I/O.
    pub addr: Option<CoreAddr>,
    pub reads: bool,
    /// Data bytes that it carries or asks for.
    pub bytes: u32,
    pub flits: u32,
    /// More than others take from the bus unit to the router.
    pub drain_core_cycles: u32,
}

impl InterfaceTiming {
    #[inline]
    fn data_flits(&self, bytes: u8) -> u32 {
        self.header_flits + u32::from(bytes).div_ceil(self.flit_bytes)
    }

    /// The packet that a request is.
    #[inline]
    pub fn packet(&self, request: &BusRequest) -> Packet {
        let asks = |addr, bytes| Packet {
            addr,
            reads: true,
            bytes,
            flits: self.header_flits,
            drain_core_cycles: 0,
        };
        let writes = |addr, size: u8| Packet {
            addr,
            reads: false,
            bytes: size.into(),
            flits: self.data_flits(size),
            drain_core_cycles: 0,
        };
        match *request {
            BusRequest::ReadLine { addr, .. } => asks(Some(addr), LINE_BYTES as u32),
            BusRequest::Read { addr, size } => asks(Some(addr), size.into()),
            BusRequest::Write { addr, size, .. } => writes(Some(addr), size),
            BusRequest::WriteLine { addr, enable, kind, .. } => Packet {
                addr: Some(addr),
                reads: false,
                bytes: enable.count_ones(),
                flits: self.line_flits,
                drain_core_cycles: match kind {
                    DrainKind::WriteCombine => self.combined_line_core_cycles,
                    DrainKind::L1Victim | DrainKind::L2Victim => 0,
                },
            },
            BusRequest::IoRead { size, .. } => asks(None, size.into()),
            BusRequest::IoWrite { size, .. } => writes(None, size),
        }
    }

    /// Flits of the answer.
    #[inline]
    pub fn response_flits(&self, request: &BusRequest) -> u32 {
        match request {
            BusRequest::ReadLine { .. } => self.line_flits,
            BusRequest::Read { size, .. } | BusRequest::IoRead { size, .. } => {
                self.data_flits(*size)
            }
            _ => self.header_flits,
        }
    }

    /// Core cycles from the bus unit to the router, beyond any offset of the target.
    #[inline]
    pub fn outward_core_cycles(&self, packet: &Packet) -> u32 {
        self.request_core_cycles + packet.drain_core_cycles
    }

    /// How a bypassed access splits its core cycles: to the unit, but for what a drain takes
    /// longer, and back.
    pub fn bypass_split(&self) -> (u32, u32) {
        let whole = self.request_core_cycles + self.response_core_cycles;
        let out = self.bypass_core_cycles * self.request_core_cycles / whole.max(1);
        (out, self.bypass_core_cycles - out)
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
    #[inline]
    pub fn count(&mut self, packet: &Packet) {
        if packet.reads {
            self.reads += 1;
        } else {
            self.writes += 1;
        }
    }
}
