//! What each core's requests look at: its routes, and where the last one is.
//!
//! A route has two places where it may be, so that those of two keys that lead to the same one do
//! not displace each other all the time.

use rockcreek_defs::{CoreId, Ps, prefetch};

use crate::description::Description;
use crate::uncore::route_cache::CachedRoute;
use crate::uncore::wiring::order;

/// Routes that are kept of each core.
pub(crate) const KEPT: usize = u64::BITS as usize;
/// Spreads the bits of a key: 2 to the 64th by the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// What a core's requests look at: first what each of them does, in one line of the host's caches.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Sender {
    /// When the last request left, or `NEVER` if it has no route, and the place of its route.
    pub sent: Ps,
    pub last: u32,
    /// The bits of an address that choose its entry of the LUT.
    pub segment: u32,
    /// The cycle of the core for which the routes hold.
    pub period_ps: u64,
    /// The places of the routes that there are, a bit each.
    pub taken: u64,
    /// Its tile's mesh interface in the order of events.
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

    /// The place of a route: the one where its key leads, or the other of that pair.
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

    /// Where a new route goes: not where the last one is, if there is a choice.
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

/// The routes of all cores.
#[derive(Clone, Debug, Default)]
pub(crate) struct RouteTable {
    /// By core.
    pub senders: Vec<Sender>,
}

/// They follow from what is compared.
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

    /// A core's request goes without a route.
    pub fn leave(&mut self, core: CoreId) {
        self.senders[core.index()].sent = Ps::NEVER;
    }

    /// What the core's next request looks at if it goes where the last one went, or what the answer
    /// to the one under way does.
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

    /// The core's mesh interface in the order of events.
    #[inline]
    pub fn interface(&self, core: CoreId) -> u32 {
        self.senders[core.index()].interface
    }
}
