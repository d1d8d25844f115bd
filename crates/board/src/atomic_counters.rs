//! The atomic increment counters of the system FPGA (system FPGA guide).
//!
//! 96 counters: 0 to 47 at 0xE000, 48 to 95 at 0xF000, 8 bytes each. At +0 a read returns the
//! value and adds one, a write of anything subtracts one; at +4 both are plain. A larger chip has
//! as many for every 48 cores (an extension).

use serde::{Deserialize, Serialize};

/// The number of counters for 48 cores.
pub(crate) const COUNTERS: usize = 96;

/// All counters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtomicCounters {
    values: Vec<u32>,
}

impl AtomicCounters {
    /// The counters for `groups` times 48 cores.
    pub fn new(groups: usize) -> AtomicCounters {
        AtomicCounters { values: vec![0; COUNTERS * groups] }
    }

    /// Reads counter `n`. A read at +0 (`plain` false) also adds one to the counter; a read at +4
    /// (`plain` true) leaves the counter unchanged.
    pub fn read(&mut self, n: usize, plain: bool) -> u32 {
        let value = self.values[n];
        if !plain {
            self.values[n] = value.wrapping_add(1);
        }
        value
    }

    /// Writes counter `n`. A write at +4 (`plain` true) sets the counter to `value`; a write at +0
    /// (`plain` false) subtracts one from the counter.
    pub fn write(&mut self, n: usize, plain: bool, value: u32) {
        self.values[n] = if plain { value } else { self.values[n].wrapping_sub(1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_counts_up_and_a_write_down() {
        let mut counters = AtomicCounters::new(1);
        assert_eq!((counters.read(95, false), counters.read(95, false)), (0, 1));
        counters.write(95, false, 77);
        assert_eq!(counters.read(95, true), 1);
        counters.write(95, true, 9);
        assert_eq!(counters.read(95, true), 9);
    }
}
