//! The routes of each core, and the index of the last one used.
//!
//! A route has two possible places, so that two keys that hash to one place do not always evict
//! each other.
//!
//! Without the second place, messages of 768 bytes that are put and got through the MPB take 1.01
//! times the host's instructions (2026-11-29).

use rockcreek_defs::{CoreId, Ps, prefetch};

use crate::description::Description;
use crate::uncore::route_cache::CachedRoute;
use crate::uncore::wiring::order;

/// The largest number of routes that are cached for each core.
pub(crate) const KEPT: usize = u64::BITS as usize;
/// 2^64 divided by the golden ratio: a multiplier that spreads the bits of a key.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The cached routes of one core's requests. The fields that each request uses come first, in one
/// cache line of the host.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Sender {
    /// The time at which the core's last request left (`NEVER` if it used no cached route), and the
    /// index of its route.
    pub sent: Ps,
    pub last: u32,
    /// A mask of the address bits that select the LUT entry.
    pub segment: u32,
    /// The core's clock period for which the routes are valid, in picoseconds.
    pub period_ps: u64,
    /// The indices of `routes` that hold a route, a bit each.
    pub taken: u64,
    /// The number of the tile's mesh interface as a unit in the order of events.
    interface: u32,
    pub routes: [CachedRoute; KEPT],
}

impl Sender {
    fn new(description: &Description, core: CoreId) -> Sender {
        let tile = description.topology.tile_of(core);
        Sender {
            sent: Ps::NEVER,
            last: 0,
            segment: (description.tile.lut_segment_bytes as u32).wrapping_neg(),
            period_ps: 0,
            taken: 0,
            interface: order::interface(tile.index()),
            routes: [CachedRoute::default(); KEPT],
        }
    }

    /// The index of the route with this key, in one of its two places; `None` if it is not stored
    /// or was stored for another clock period.
    #[inline]
    pub fn find(&self, key: u64, period_ps: u64) -> Option<usize> {
        let first = first_place(key);
        if self.routes[first].out.key == key && self.period_ps == period_ps {
            return Some(first);
        }
        self.find_beside(first, key, period_ps)
    }

    #[inline(never)]
    fn find_beside(&self, first: usize, key: u64, period_ps: u64) -> Option<usize> {
        let is_there = self.routes[first ^ 1].out.key == key && self.period_ps == period_ps;
        is_there.then_some(first ^ 1)
    }

    /// The index at which a new route with this key is stored: of its two places a free one,
    /// otherwise one whose route was not used last.
    pub fn place_for(&self, key: u64) -> usize {
        let first = first_place(key);
        let is_free = |place: usize| self.taken >> place & 1 == 0;
        match is_free(first) || !is_free(first ^ 1) && first != self.last as usize {
            true => first,
            false => first ^ 1,
        }
    }
}

#[inline]
fn first_place(key: u64) -> usize {
    (key.wrapping_mul(SPREAD) >> (u64::BITS - KEPT.ilog2())) as usize
}

/// The cached routes of all cores' requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct RouteTable {
    /// The routes of each core.
    pub senders: Vec<Sender>,
}

/// Always equal: routes follow from data that is compared elsewhere.
impl PartialEq for RouteTable {
    fn eq(&self, _: &RouteTable) -> bool {
        true
    }
}

impl RouteTable {
    pub fn new(description: &Description) -> RouteTable {
        let sender = |n: usize| Sender::new(description, CoreId(n as u16));
        RouteTable { senders: (0..description.cores()).map(sender).collect() }
    }

    /// Records that the core's last request used no cached route.
    pub fn leave(&mut self, core: CoreId) {
        self.senders[core.index()].sent = Ps::NEVER;
    }

    /// Prefetches, on the host, the data of the core's last route that its next request (`enters`)
    /// or the response to its present request will use.
    #[inline(always)]
    pub fn fetch_ahead(&self, core: CoreId, enters: bool) {
        let sender = &self.senders[core.index()];
        let route = &sender.routes[sender.last as usize % KEPT];
        prefetch(sender);
        match enters {
            true => prefetch(&route.out),
            false => prefetch(&route.home),
        }
    }

    /// The number of the core's mesh interface as a unit in the order of events.
    #[inline]
    pub fn interface(&self, core: CoreId) -> u32 {
        self.senders[core.index()].interface
    }
}
