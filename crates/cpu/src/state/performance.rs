//! The registers of performance monitoring: the events that CESR selects, and the counters CTR0 and
//! CTR1.
//!
//! Manual: Intel SDM vol. 3, "performance monitoring (Pentium processors)". The events are in
//! `observe/performance_counters.rs`.

use serde::{Deserialize, Serialize};

/// Bits of CESR's control field: count at CPL 0 to 2; at CPL 3.
pub(crate) const CONTROL_INNER: u32 = 1 << 0;
pub(crate) const CONTROL_USER: u32 = 1 << 1;

/// CESR, CTR0 and CTR1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Performance {
    pub select: u32,
    pub counters: [u64; 2],
    /// For each counter, how often its event had happened when the counter was last brought up to
    /// date.
    pub starts: [u64; 2],
    /// The number of the line of code that was read last.
    pub code_line: u32,
}

impl Performance {
    pub fn event(&self, counter: usize) -> u32 {
        self.select >> (16 * counter) & 0x3F
    }

    pub fn control(&self, counter: usize) -> u32 {
        self.select >> (16 * counter + 6) & 7
    }

    /// True if a counter counts this event at some privilege level.
    pub fn selects(&self, event: u32) -> bool {
        let levels = CONTROL_INNER | CONTROL_USER;
        (0..2).any(|counter| self.event(counter) == event && self.control(counter) & levels != 0)
    }
}
