//! All routers and links.

use rockcreek_defs::{Coord, Ps};
use serde::{Deserialize, Serialize};

use crate::link::Link;
use crate::routing::{Direction, Leg, Routing};

/// The mesh clock and what a hop costs in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeshTiming {
    pub period_ps: u64,
    pub hop_mesh_cycles: u32,
}

/// The links of a way, by number, for who sends many packets along it: the way into the router
/// and each hop, or none within a router.
#[derive(Clone, Copy, Debug, Default)]
pub struct Path {
    count: u16,
    links: [u16; Path::MOST_HOPS + 1],
}

impl Path {
    /// Across a mesh of 16 by 16 routers, the largest that a LUT can address.
    pub const MOST_HOPS: usize = 30;

    #[inline]
    fn links(&self) -> &[u16] {
        &self.links[..usize::from(self.count).min(self.links.len())]
    }
}

/// The mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mesh {
    columns: u8,
    rows: u8,
    timing: MeshTiming,
    /// Not encoded: the chip description has it ([`Mesh::set_routing`]).
    #[serde(skip)]
    routing: Routing,
    links: Vec<Link>,
    /// Packets by the number of hops that they travelled.
    pub packets_by_hops: Vec<u64>,
}

impl Mesh {
    pub fn new(columns: u8, rows: u8, timing: MeshTiming) -> Mesh {
        let routers = usize::from(columns) * usize::from(rows);
        Mesh {
            columns,
            rows,
            timing,
            routing: Routing::default(),
            links: vec![Link::default(); routers * Direction::COUNT],
            packets_by_hops: vec![0; usize::from(columns) + usize::from(rows) - 1],
        }
    }

    /// Which way packets go from now on.
    pub fn set_routing(&mut self, routing: Routing) {
        self.routing = routing;
    }

    /// The straight parts of a packet's way.
    pub fn legs(&self, from: Coord, to: Coord) -> [Leg; 2] {
        self.routing.legs(from, to)
    }

    /// True if there is a router at this position.
    pub fn contains(&self, at: Coord) -> bool {
        at.x < self.columns && at.y < self.rows
    }

    fn index(&self, router: Coord, direction: Direction) -> usize {
        link_number(self.columns, router, direction)
    }

    /// The link that leaves `router` in `direction`.
    pub fn link(&self, router: Coord, direction: Direction) -> &Link {
        &self.links[self.index(router, direction)]
    }

    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    /// Computes the reservations of [`Mesh::send`] without making them. For each link of the way,
    /// by its number, a closure returns the time at which the packet gets the link, from the
    /// packet's arrival, the time at which the link is free, and the time for which the packet
    /// needs it. Returns the time at which the packet arrives.
    pub fn dry_run(
        &self,
        from: Coord,
        to: Coord,
        flits: u32,
        at: Ps,
        mut ask: impl FnMut(usize, Ps, Ps, u64) -> Ps,
    ) -> Ps {
        let occupancy_ps = u64::from(flits) * self.timing.period_ps;
        let hop_ps = self.hop_ps();
        if from == to {
            return at;
        }
        let mut take =
            |index: usize, at: Ps| ask(index, at, self.links[index].free_at(at), occupancy_ps);
        let mut time = take(self.index(from, Direction::Local), at);
        for link in self.hops(from, to) {
            time = take(link, time) + hop_ps;
        }
        time
    }

    /// A link is busy at least until then.
    pub fn hold(&mut self, link: usize, until: Ps) {
        self.links[link].hold(until);
    }

    /// Counts packets that have passed a link after waiting `waited_ps` each.
    pub fn repeat(&mut self, link: usize, packets: u64, flits: u32, waited_ps: u64) {
        self.links[link].repeat(packets, flits, waited_ps);
    }

    /// Counts packets that have gone from one router to another, by the number of hops.
    pub fn count_packets(&mut self, from: Coord, to: Coord, packets: u64) {
        self.packets_by_hops[from.hops(to) as usize] += packets;
    }

    /// A packet whose time is far ahead: nobody meets it, so it reserves no link, which would keep
    /// the packets before it waiting. Returns when it arrives.
    pub fn pass(&mut self, from: Coord, to: Coord, flits: u32, at: Ps) -> Ps {
        let hops = from.hops(to);
        self.packets_by_hops[hops as usize] += 1;
        if hops > 0 {
            let flits = u64::from(flits);
            let entry = self.index(from, Direction::Local);
            self.links[entry].count(1, flits);
            for link in self.hops(from, to) {
                self.links[link].count(1, flits);
            }
        }
        at + self.way_ps(from, to)
    }

    /// The links of a packet's hops, by number, in its order: the one traversal, which all that is
    /// sent, counted, looked ahead or kept in a [`Path`] takes.
    #[inline]
    fn hops(&self, from: Coord, to: Coord) -> impl Iterator<Item = usize> + use<> {
        let columns = self.columns;
        let legs = self.routing.legs(from, to).into_iter();
        legs.flat_map(move |leg| Mesh::links_of(columns, leg))
    }

    /// The numbers of a leg's links.
    #[inline]
    fn links_of(columns: u8, leg: Leg) -> impl Iterator<Item = usize> {
        let column = Direction::COUNT as isize;
        let row = column * isize::from(columns);
        let step = match leg.direction {
            Direction::East => column,
            Direction::North => row,
            Direction::West => -column,
            Direction::South => -row,
            Direction::Local => 0,
        };
        let first = link_number(columns, leg.from, leg.direction);
        (0..isize::from(leg.hops)).map(move |hop| first.wrapping_add_signed(hop * step))
    }

    /// The time of one hop of a packet that waits for no link.
    #[inline]
    fn hop_ps(&self) -> u64 {
        u64::from(self.timing.hop_mesh_cycles) * self.timing.period_ps
    }

    /// The time for which a packet of `flits` flits occupies each link.
    #[inline]
    pub fn occupancy_ps(&self, flits: u64) -> u64 {
        flits * self.timing.period_ps
    }

    /// The time of the whole way of a packet that waits for no link.
    pub fn way_ps(&self, from: Coord, to: Coord) -> u64 {
        u64::from(from.hops(to)) * self.hop_ps()
    }

    /// Sends a packet that enters the router at `from` at time `at`; returns the time at which the
    /// packet's head leaves the router at `to`. The time of the later flits is part of the fixed
    /// ends of a transaction.
    pub fn send(&mut self, from: Coord, to: Coord, flits: u32, at: Ps) -> Ps {
        self.packets_by_hops[from.hops(to) as usize] += 1;
        if from == to {
            // To a unit of the same router: its own reservation is the narrower place.
            return at;
        }
        let (flits, hop_ps) = (u64::from(flits), self.hop_ps());
        let occupancy_ps = self.occupancy_ps(flits);
        let entry = self.index(from, Direction::Local);
        let take = |link: &mut Link, at: Ps| {
            link.count(1, flits);
            link.reserve(at, occupancy_ps)
        };
        let mut time = take(&mut self.links[entry], at);
        for link in self.hops(from, to) {
            time = take(&mut self.links[link], time) + hop_ps;
        }
        time
    }

    /// The way from one router to another, which are at most `Path::MOST_HOPS` apart.
    pub fn path(&self, from: Coord, to: Coord) -> Path {
        let entry = (from != to).then(|| self.index(from, Direction::Local));
        let mut path = Path::default();
        let links = entry.into_iter().chain(self.hops(from, to));
        for (place, link) in path.links.iter_mut().zip(links) {
            *place = link as u16;
            path.count += 1;
        }
        path
    }

    /// As [`Mesh::send`], for who knows the way and counts the packets ([`Mesh::count_along`]).
    #[inline(always)]
    pub fn send_along(&mut self, path: &Path, flits: u64, at: Ps) -> Ps {
        let hop_ps = self.hop_ps();
        let occupancy_ps = self.occupancy_ps(flits);
        let Some((entry, rest)) = path.links().split_first() else { return at };
        let mut time = self.links[usize::from(*entry)].reserve(at, occupancy_ps);
        for link in rest {
            time = Ps(self.links[usize::from(*link)].reserve(time, occupancy_ps).0 + hop_ps);
        }
        time
    }

    /// The time at which a packet on this path arrives if it waits for no link.
    pub fn passed_at_once(&self, path: &Path, at: Ps) -> Ps {
        let hops = path.links().len().saturating_sub(1);
        Ps(at.0 + hops as u64 * self.hop_ps())
    }

    /// Counts packets that have gone along this path.
    pub fn count_along(&mut self, path: &Path, packets: u64, flits: u64) {
        let links = path.links();
        self.packets_by_hops[links.len().saturating_sub(1)] += packets;
        for link in links {
            self.links[usize::from(*link)].count(packets, flits);
        }
    }
}

/// The number of the link that leaves a router in that direction.
#[inline]
fn link_number(columns: u8, router: Coord, direction: Direction) -> usize {
    let router = usize::from(columns) * usize::from(router.y) + usize::from(router.x);
    router * Direction::COUNT + direction as usize
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    const TIMING: MeshTiming = MeshTiming { period_ps: 1250, hop_mesh_cycles: 4 };

    #[test]
    fn a_hop_costs_four_cycles() {
        let mut mesh = Mesh::new(6, 4, TIMING);
        let arrival = mesh.send(Coord { x: 0, y: 0 }, Coord { x: 5, y: 3 }, 1, Ps(1000));
        assert_eq!(arrival, Ps(1000 + 8 * 4 * 1250));
        assert_eq!(mesh.packets_by_hops[8], 1);
    }

    /// Router by router: along the row first, then along the column, or the other way round.
    fn walk(routing: Routing, mut at: Coord, to: Coord) -> Vec<(Coord, Direction)> {
        let mut walked = Vec::new();
        while at != to {
            let row = match at.x.cmp(&to.x) {
                Ordering::Less => Some(Direction::East),
                Ordering::Greater => Some(Direction::West),
                Ordering::Equal => None,
            };
            let column = match at.y.cmp(&to.y) {
                Ordering::Less => Some(Direction::North),
                Ordering::Greater => Some(Direction::South),
                Ordering::Equal => None,
            };
            let direction = match routing {
                Routing::Xy => row.or(column),
                Routing::Yx => column.or(row),
            };
            let direction = direction.expect("it is not there yet");
            walked.push((at, direction));
            match direction {
                Direction::East => at.x += 1,
                Direction::West => at.x -= 1,
                Direction::North => at.y += 1,
                _ => at.y -= 1,
            }
        }
        walked
    }

    fn mesh(routing: Routing) -> Mesh {
        let mut mesh = Mesh::new(6, 4, TIMING);
        mesh.set_routing(routing);
        mesh
    }

    #[test]
    fn a_packet_takes_the_links_of_its_route() {
        takes_the_links_of_its_route(Routing::Xy);
    }

    #[test]
    fn whatever_its_route_is() {
        takes_the_links_of_its_route(Routing::Yx);
    }

    fn takes_the_links_of_its_route(routing: Routing) {
        let place = |n: u8| Coord { x: n % 6, y: n / 6 };
        for (from, to) in (0..24).flat_map(|a| (0..24).map(move |b| (place(a), place(b)))) {
            let fresh = mesh(routing);
            let mut mesh = fresh.clone();
            mesh.send(from, to, 1, Ps(0));
            let links = walk(routing, from, to);
            let mut expected: Vec<usize> =
                links.iter().map(|(router, direction)| mesh.index(*router, *direction)).collect();
            if from != to {
                expected.push(mesh.index(from, Direction::Local));
            }
            let used = |link: &usize| mesh.links[*link].packets == 1;
            let links: Vec<usize> = (0..mesh.link_count()).filter(used).collect();
            expected.sort_unstable();
            assert_eq!(links, expected);
            let mut passed = fresh;
            passed.pass(from, to, 1, Ps(0));
            let mut surveyed = Vec::new();
            mesh.dry_run(from, to, 1, Ps(0), |link, came, _, _| {
                surveyed.push(link);
                came
            });
            let way: Vec<usize> = surveyed.iter().skip(1).copied().collect();
            let walked: Vec<usize> = walk(routing, from, to)
                .iter()
                .map(|(at, towards)| mesh.index(*at, *towards))
                .collect();
            assert_eq!(way, walked);
            let counts =
                |mesh: &Mesh| mesh.links.iter().map(|link| link.packets).collect::<Vec<_>>();
            assert_eq!(counts(&passed), counts(&mesh));
            let path = mesh.path(from, to);
            for n in 1..4 {
                let along = [mesh.clone(), passed.clone()].map(|mut mesh| {
                    let sent = mesh.send_along(&path, n, Ps(10 * n));
                    mesh.count_along(&path, 2, n);
                    (mesh, sent)
                });
                for (mesh, (same, sent)) in [&mut mesh, &mut passed].into_iter().zip(along) {
                    let flits = n as u32;
                    assert_eq!(mesh.send(from, to, flits, Ps(10 * n)), sent);
                    mesh.pass(from, to, flits, Ps(10 * n));
                    assert_eq!(*mesh, same);
                }
            }
        }
    }

    #[test]
    fn a_busy_link_delays_by_the_flits_before() {
        let mut mesh = Mesh::new(6, 4, TIMING);
        let (west, east) = (Coord { x: 0, y: 0 }, Coord { x: 2, y: 0 });
        let first = mesh.send(west, east, 3, Ps(0));
        let second = mesh.send(west, east, 3, Ps(0));
        assert_eq!(second.0 - first.0, 3 * 1250);
        assert_eq!(mesh.link(west, Direction::Local).waited_ps, 3 * 1250);
        // The other way and other rows are free.
        assert_eq!(mesh.send(east, west, 3, Ps(0)), Ps(2 * 4 * 1250));
    }
}
