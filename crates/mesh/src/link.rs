//! One link: busy until a time, and what has passed.

use rockcreek_defs::Ps;
use serde::{Deserialize, Serialize};

/// A link, in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    busy_until: Ps,
    pub packets: u64,
    pub flits: u64,
    /// The sum of the times that packets waited for this link.
    pub waited_ps: u64,
}

impl Link {
    pub(crate) fn free_at(&self, at: Ps) -> Ps {
        at.max(self.busy_until)
    }

    /// Makes the link busy at least until `until`.
    pub(crate) fn hold(&mut self, until: Ps) {
        self.busy_until = self.busy_until.max(until);
    }

    /// Counts packets that have passed after waiting `waited_ps` each.
    pub(crate) fn repeat(&mut self, packets: u64, flits: u32, waited_ps: u64) {
        self.count(packets, flits.into());
        self.waited_ps += packets * waited_ps;
    }

    /// Counts packets that have passed, of `flits` flits each.
    #[inline]
    pub(crate) fn count(&mut self, packets: u64, flits: u64) {
        self.packets += packets;
        self.flits += packets * flits;
    }

    /// Takes the link for `occupancy_ps` at `at` or as soon as the link is free, for a packet that
    /// the caller counts; returns the time at which the link was taken.
    #[inline]
    pub(crate) fn reserve(&mut self, at: Ps, occupancy_ps: u64) -> Ps {
        let start = at.max(self.busy_until);
        self.busy_until = Ps(start.0 + occupancy_ps);
        self.waited_ps += start.0 - at.0;
        start
    }
}
