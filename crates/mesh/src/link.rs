//! One link: busy until a time, and what has passed.

use rockcreek_defs::Ps;
use serde::{Deserialize, Serialize};

/// A link, in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    busy_until: Ps,
    pub packets: u64,
    pub flits: u64,
    /// How long packets waited for this link, added up.
    pub waited_ps: u64,
}

impl Link {
    /// Takes the link for `occupancy_ps` from `at` on or as soon as it is free; tells when.
    pub fn reserve(&mut self, at: Ps, flits: u32, occupancy_ps: u64) -> Ps {
        let start = at.max(self.busy_until);
        self.busy_until = start + occupancy_ps;
        self.packets += 1;
        self.flits += u64::from(flits);
        self.waited_ps += start.0 - at.0;
        start
    }
}
