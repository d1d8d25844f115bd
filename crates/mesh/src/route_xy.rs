//! Dimension-ordered routing: along the row first, then along the column.

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
    /// From the tile's mesh interface, or an edge unit, into the router.
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

/// The next output on the way from `at` to `to`, or `None` on arrival.
pub fn next(at: Coord, to: Coord) -> Option<Direction> {
    if at.x < to.x {
        Some(Direction::East)
    } else if at.x > to.x {
        Some(Direction::West)
    } else if at.y < to.y {
        Some(Direction::North)
    } else if at.y > to.y {
        Some(Direction::South)
    } else {
        None
    }
}

/// The links of a route: each router that the packet leaves, and by which output.
pub fn route(from: Coord, to: Coord) -> impl Iterator<Item = (Coord, Direction)> {
    let mut at = from;
    std::iter::from_fn(move || {
        let direction = next(at, to)?;
        let left = at;
        match direction {
            Direction::East => at.x += 1,
            Direction::West => at.x -= 1,
            Direction::North => at.y += 1,
            Direction::South => at.y -= 1,
            Direction::Local => unreachable!("no route leaves by the local port"),
        }
        Some((left, direction))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x_comes_before_y() {
        let steps: Vec<_> = route(Coord { x: 3, y: 1 }, Coord { x: 1, y: 2 }).collect();
        assert_eq!(
            steps,
            [
                (Coord { x: 3, y: 1 }, Direction::West),
                (Coord { x: 2, y: 1 }, Direction::West),
                (Coord { x: 1, y: 1 }, Direction::North),
            ]
        );
    }

    #[test]
    fn a_route_is_as_long_as_its_hops() {
        for from in 0..24u8 {
            for to in 0..24u8 {
                let [a, b] = [from, to].map(|n| Coord { x: n % 6, y: n / 6 });
                assert_eq!(route(a, b).count() as u32, a.hops(b));
            }
        }
    }
}
