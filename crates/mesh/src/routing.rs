//! Dimension-ordered routing: which links a packet takes. Nobody else knows.
//!
//! The SCC's routers go along the row first, then along the column (`salihundam-jssc-2011`). The chip
//! description may choose the other order. Another routing is another arm of [`Routing::legs`]: it
//! may have more legs, but no more hops than `Coord::hops` says, by which packets are counted.

use rockcreek_defs::Coord;
use serde::{Deserialize, Serialize};

/// A router's outputs towards its neighbours, and the way in from its own tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Direction {
    East = 0,
    North = 1,
    West = 2,
    South = 3,
    /// The input from the tile's mesh interface, or from an edge unit.
    Local = 4,
}

impl Direction {
    pub const COUNT: usize = 5;
    pub const ALL: [Direction; Self::COUNT] =
        [Self::East, Self::North, Self::West, Self::South, Self::Local];

    pub fn name(self) -> &'static str {
        match self {
            Self::East => "east",
            Self::North => "north",
            Self::West => "west",
            Self::South => "south",
            Self::Local => "local",
        }
    }
}

/// A straight part of a route: routers one after the other, each left by the same output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    pub from: Coord,
    pub direction: Direction,
    pub hops: u8,
}

/// The order of a packet's dimensions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Routing {
    /// Along the row first.
    #[default]
    Xy,
    /// Along the column first.
    Yx,
}

impl Routing {
    /// The parts of a packet's way; each may be empty.
    #[inline]
    pub fn legs(self, from: Coord, to: Coord) -> [Leg; 2] {
        let x = if from.x < to.x { Direction::East } else { Direction::West };
        let y = if from.y < to.y { Direction::North } else { Direction::South };
        let row = |from| Leg { from, direction: x, hops: from.x.abs_diff(to.x) };
        let column = |from| Leg { from, direction: y, hops: from.y.abs_diff(to.y) };
        match self {
            Routing::Xy => [row(from), column(Coord { x: to.x, y: from.y })],
            Routing::Yx => [column(from), row(Coord { x: from.x, y: to.y })],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x_comes_before_y() {
        let legs = Routing::Xy.legs(Coord { x: 3, y: 1 }, Coord { x: 1, y: 2 });
        let expected = [
            Leg { from: Coord { x: 3, y: 1 }, direction: Direction::West, hops: 2 },
            Leg { from: Coord { x: 1, y: 1 }, direction: Direction::North, hops: 1 },
        ];
        assert_eq!(legs, expected);
    }

    #[test]
    fn y_comes_before_x_if_the_description_says_so() {
        let legs = Routing::Yx.legs(Coord { x: 3, y: 1 }, Coord { x: 1, y: 2 });
        let expected = [
            Leg { from: Coord { x: 3, y: 1 }, direction: Direction::North, hops: 1 },
            Leg { from: Coord { x: 3, y: 2 }, direction: Direction::West, hops: 2 },
        ];
        assert_eq!(legs, expected);
    }

    #[test]
    fn a_route_is_as_long_as_its_hops() {
        for from in 0..24u8 {
            for to in 0..24u8 {
                let [a, b] = [from, to].map(|n| Coord { x: n % 6, y: n / 6 });
                for routing in [Routing::Xy, Routing::Yx] {
                    let legs = routing.legs(a, b);
                    let hops: u32 = legs.iter().map(|leg| u32::from(leg.hops)).sum();
                    assert_eq!(hops, a.hops(b));
                }
            }
        }
    }
}
