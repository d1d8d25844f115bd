//! Addresses before and after the LUT.

use serde::{Deserialize, Serialize};

use crate::ids::Coord;

/// Cache lines, mesh packets and the write-combine buffer all carry 32 bytes.
pub const LINE_BYTES: usize = 32;

/// A 32-bit physical address as the core's bus sees it, before the LUT.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct CoreAddr(pub u32);

impl CoreAddr {
    /// The address of the 32-byte line that holds this byte.
    #[inline]
    pub fn line(self) -> CoreAddr {
        CoreAddr(self.0 & !(LINE_BYTES as u32 - 1))
    }

    /// The byte's offset in its line, 0..=31.
    pub fn line_offset(self) -> usize {
        self.0 as usize % LINE_BYTES
    }
}

impl std::fmt::Display for CoreAddr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

/// The 3-bit sub-destination of a packet: which port of the target router takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum SubDest {
    Core0 = 0,
    Core1 = 1,
    Crb = 2,
    Mpb = 3,
    East = 4,
    South = 5,
    West = 6,
    North = 7,
}

impl SubDest {
    /// The sub-destination with this number; only the low three bits count.
    pub fn from_bits(bits: u32) -> SubDest {
        use SubDest::{Core0, Core1, Crb, East, Mpb, North, South, West};
        [Core0, Core1, Crb, Mpb, East, South, West, North][(bits & 7) as usize]
    }
}

/// A 46-bit system address: the router, its port, and 34 bits inside the unit behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SystemAddr {
    pub router: Coord,
    pub sub: SubDest,
    /// Offset inside the unit, 34 bits.
    pub offset: u64,
    /// Reach the local tile's units without going through the router.
    pub bypass: bool,
}
