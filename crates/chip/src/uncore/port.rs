//! The port of a unit: requests pass one after the other, in the order of their arrival.

use rockcreek_defs::Ps;
use serde::{Deserialize, Serialize};

/// A unit's port: it serves one request at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Port {
    busy_until: Ps,
    /// The time for which the port has served requests, summed over all requests, in picoseconds.
    pub busy_ps: u64,
    /// The sum of the times that requests waited for the port, in picoseconds.
    pub waited_ps: u64,
}

impl Port {
    /// The first time, from `at` on, at which the port is free.
    pub fn free_at(&self, at: Ps) -> Ps {
        at.max(self.busy_until)
    }

    /// Makes the port busy at least until `until`.
    pub fn hold(&mut self, until: Ps) {
        self.busy_until = self.busy_until.max(until);
    }

    /// Adds `requests` requests to the counts without performing them; each took `service_ps` and
    /// waited `waited_ps` (picoseconds).
    pub fn repeat(&mut self, requests: u64, service_ps: u64, waited_ps: u64) {
        self.busy_ps += requests * service_ps;
        self.waited_ps += requests * waited_ps;
    }

    /// Reserves the port for `service_ps` picoseconds, from `at` or, if the port is busy then, from
    /// when it is free. Returns the start.
    #[inline]
    pub fn reserve(&mut self, at: Ps, service_ps: u64) -> Ps {
        let start = at.max(self.busy_until);
        self.busy_until = start + service_ps;
        self.busy_ps += service_ps;
        self.waited_ps += start.0 - at.0;
        start
    }
}
