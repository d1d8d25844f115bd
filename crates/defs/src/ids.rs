//! The numbers of cores and tiles, and mesh coordinates.

use serde::{Deserialize, Serialize};

/// Hardware core number (sccKit's PID), dense from 0. How it maps to a tile is the chip
/// description's business: on the SCC `pid = 12*y + 2*x + z`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct CoreId(pub u16);

/// Tile index, dense from 0, row by row from the south-west corner: `columns*y + x`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct TileId(pub u16);

/// Position of a router in the mesh; x grows to the east, y to the north.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Coord {
    pub x: u8,
    pub y: u8,
}

impl CoreId {
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl TileId {
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Coord {
    /// Hops between two routers under dimension-ordered routing.
    #[inline]
    pub fn hops(self, other: Coord) -> u32 {
        u32::from(self.x.abs_diff(other.x)) + u32::from(self.y.abs_diff(other.y))
    }
}

impl std::fmt::Display for CoreId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:02}", self.0)
    }
}

impl std::fmt::Display for Coord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}
