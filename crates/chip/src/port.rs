//! The one way into a unit: requests pass one after the other, in the order of their arrival.

use rockcreek_defs::Ps;
use serde::{Deserialize, Serialize};

/// A unit's port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Port {
    busy_until: Ps,
    /// How long it served, added up.
    pub busy_ps: u64,
    /// How long requests waited for it, added up.
    pub waited_ps: u64,
}

impl Port {
    /// Takes the port for `service_ps` from `at` on or as soon as it is free; tells when.
    pub fn reserve(&mut self, at: Ps, service_ps: u64) -> Ps {
        let start = at.max(self.busy_until);
        self.busy_until = start + service_ps;
        self.busy_ps += service_ps;
        self.waited_ps += start.0 - at.0;
        start
    }
}
