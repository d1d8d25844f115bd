//! The routes of each core, and the index of the last one used.

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

    /// The index of the route with this key; `None` if it is not stored or was stored for another
    /// clock period.
    #[inline]
    pub fn find(&self, key: u64, period_ps: u64) -> Option<usize> {
        let place = place_of(key);
        let is_there = self.routes[place].out.key == key && self.period_ps == period_ps;
        is_there.then_some(place)
    }
}

/// The index at which the route with this key is stored.
#[inline]
pub(crate) fn place_of(key: u64) -> usize {
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
