//! What of a request determines its route: the key of a cached route, and its group.

use rockcreek_defs::bus::DrainKind;
use rockcreek_defs::{BusRequest, CoreAddr, LINE_BYTES};

/// The parts of a request that determine its route: kind, address, number of bytes moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RouteKey {
    pub addr: CoreAddr,
    pub(super) kind: u32,
    pub(super) bytes: u32,
}

/// The number of values of `RouteKey::group`.
pub(super) const GROUPS: usize = 4;

/// Kinds of requests in a key. For less than a line, the size in bytes is added to the kind.
pub(super) mod kind {
    pub const READ_LINE: u32 = 0x100;
    pub const READ: u32 = READ_LINE;
    pub const WRITE_LINE: u32 = 0x200;
    pub const WRITE: u32 = WRITE_LINE;
    pub const POSTED_WRITE: u32 = 0x280;
    pub const COMBINED_LINE: u32 = 0x300;
}

impl RouteKey {
    /// The key of a posted write of `bytes` bytes.
    #[inline(always)]
    pub fn posted(addr: CoreAddr, bytes: u32) -> RouteKey {
        RouteKey { addr, kind: kind::POSTED_WRITE + bytes, bytes }
    }

    /// The key of the read of a line.
    #[inline(always)]
    pub fn read_line(addr: CoreAddr) -> RouteKey {
        RouteKey { addr, kind: kind::READ_LINE, bytes: LINE_BYTES as u32 }
    }

    /// The key of a request; `None` for port I/O.
    #[inline(always)]
    pub fn of(request: &BusRequest) -> Option<RouteKey> {
        let sized = |addr, kind, size: u8| (addr, kind + u32::from(size), u32::from(size));
        let (addr, kind, bytes) = match *request {
            BusRequest::Write { addr, size, posted, .. } => {
                sized(addr, if posted { kind::POSTED_WRITE } else { kind::WRITE }, size)
            }
            BusRequest::ReadLine { addr, .. } => (addr, kind::READ_LINE, LINE_BYTES as u32),
            BusRequest::WriteLine { addr, enable, kind: drain, .. } => {
                let combined = matches!(drain, DrainKind::WriteCombine);
                let kind = if combined { kind::COMBINED_LINE } else { kind::WRITE_LINE };
                (addr, kind, enable.count_ones())
            }
            BusRequest::Read { addr, size } => sized(addr, kind::READ, size),
            BusRequest::IoRead { .. } | BusRequest::IoWrite { .. } => return None,
        };
        Some(RouteKey { addr, kind, bytes })
    }

    #[inline(always)]
    pub(super) fn reads(&self) -> bool {
        self.kind < kind::WRITE
    }

    /// The number of the request's group: kinds that often follow each other are in different ones.
    #[inline(always)]
    pub(super) fn group(&self) -> usize {
        const POSTED_WORD: u32 = kind::POSTED_WRITE + 4;
        match self.kind {
            _ if self.reads() => 0,
            POSTED_WORD => 1,
            kind::WRITE_LINE | kind::COMBINED_LINE => 2,
            _ => 3,
        }
    }

    /// The route's number in the table. `segment`: the address bits that select the LUT entry.
    #[inline]
    pub(super) fn key(&self, segment: u32) -> u64 {
        u64::from(self.kind) << u32::BITS | u64::from(self.addr.0 & segment)
    }
}
