//! One memory controller: when an access is served, and how long it keeps others waiting.
//!
//! A single uncached access occupies its bank for a closed-page row cycle; a line burst occupies
//! the data bus only for its transfer, so bursts overlap. Banks are equal consecutive parts of
//! the memory, so that cores that stream through one region share one bank, which is what the
//! published pipelines of uncached accesses show (about one access per 58 ns and controller).

use rockcreek_defs::Ps;
use serde::{Deserialize, Serialize};

use crate::ddr3::Dram;

/// Times of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControllerTiming {
    pub period_ps: u64,
    /// The time from a request's arrival to its answer, if it waits for nothing.
    pub access_memory_cycles: u32,
    /// A single access keeps its bank this long.
    pub word_occupancy_memory_cycles: u32,
    /// A line keeps its bank and the data bus this long, in thousandths of a memory cycle.
    pub line_occupancy_millicycles: u32,
    pub banks: u32,
}

/// The size of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Word,
    Line,
}

/// Times in picoseconds, computed once from the times and sizes of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pace {
    access_ps: u64,
    word_ps: u64,
    line_ps: u64,
    /// The size of a bank in bytes. If this size and the number of banks are powers of two, a
    /// bank's number is `offset >> bank_shift & bank_mask`.
    bank_bytes: u64,
    bank_shift: u32,
    bank_mask: Option<u64>,
}

impl Pace {
    fn of(timing: &ControllerTiming, bytes: u64, banks: usize) -> Pace {
        let cycles_ps = |cycles: u32| u64::from(cycles) * timing.period_ps;
        let bank_bytes = bytes.checked_div(banks as u64).unwrap_or(0).max(1);
        let shifted = bank_bytes.is_power_of_two() && banks.is_power_of_two();
        Pace {
            access_ps: cycles_ps(timing.access_memory_cycles),
            word_ps: cycles_ps(timing.word_occupancy_memory_cycles),
            line_ps: cycles_ps(timing.line_occupancy_millicycles) / 1000,
            bank_bytes,
            bank_shift: bank_bytes.trailing_zeros(),
            bank_mask: shifted.then(|| banks as u64 - 1),
        }
    }
}

/// A controller and its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "SavedController")]
pub struct Controller {
    timing: ControllerTiming,
    #[serde(skip)]
    pace: Pace,
    bank_busy_until: Vec<Ps>,
    bus_busy_until: Ps,
    pub dram: Dram,
    pub reads: u64,
    pub writes: u64,
    /// The sum of the times that banks were occupied; several may be at once.
    pub busy_ps: u64,
    /// The sum of the times that requests waited for banks and bus.
    pub waited_ps: u64,
}

/// A controller as a snapshot holds it.
#[derive(Deserialize)]
struct SavedController {
    timing: ControllerTiming,
    bank_busy_until: Vec<Ps>,
    bus_busy_until: Ps,
    dram: Dram,
    reads: u64,
    writes: u64,
    busy_ps: u64,
    waited_ps: u64,
}

impl From<SavedController> for Controller {
    fn from(saved: SavedController) -> Controller {
        let SavedController { timing, bank_busy_until, bus_busy_until, dram, .. } = saved;
        let SavedController { reads, writes, busy_ps, waited_ps, .. } = saved;
        let pace = Pace::of(&timing, dram.bytes(), bank_busy_until.len());
        Controller {
            timing,
            pace,
            bank_busy_until,
            bus_busy_until,
            dram,
            reads,
            writes,
            busy_ps,
            waited_ps,
        }
    }
}

impl Controller {
    pub fn new(bytes: u64, timing: ControllerTiming) -> Controller {
        Controller {
            timing,
            pace: Pace::of(&timing, bytes, timing.banks as usize),
            bank_busy_until: vec![Ps(0); timing.banks as usize],
            bus_busy_until: Ps(0),
            dram: Dram::new(bytes),
            reads: 0,
            writes: 0,
            busy_ps: 0,
            waited_ps: 0,
        }
    }

    #[inline]
    pub fn bank_of(&self, offset: u64) -> usize {
        let Pace { bank_bytes, bank_shift, bank_mask, .. } = self.pace;
        match bank_mask {
            Some(mask) => (offset >> bank_shift & mask) as usize,
            None => (offset / bank_bytes % self.bank_busy_until.len() as u64) as usize,
        }
    }

    /// Reserves bank and bus for an access that arrives at `at`; returns the time at which its
    /// answer leaves.
    #[inline]
    pub fn serve(&mut self, at: Ps, offset: u64, access: Access) -> Ps {
        let waited_ps = self.serve_waiting(at, offset, access);
        self.served_at_once(Ps(at.0 + waited_ps))
    }

    /// Serves an access; returns how long it waits for bank and bus.
    #[inline]
    fn serve_waiting(&mut self, at: Ps, offset: u64, access: Access) -> u64 {
        let (bank, occupancy_ps) = (self.bank_of(offset), self.occupancy_ps(access));
        let waits_ps = self.reserve(at, bank, access, occupancy_ps);
        self.count_busy(occupancy_ps, waits_ps);
        waits_ps
    }

    /// Reserves bank and bus for an access that keeps the bank for `occupancy_ps`, without counting
    /// it. Returns how long it waits.
    #[inline(always)]
    pub fn reserve(&mut self, at: Ps, bank: usize, access: Access, occupancy_ps: u64) -> u64 {
        let bank = &mut self.bank_busy_until[bank];
        let begins = at.max(*bank).max(self.bus_busy_until);
        *bank = Ps(begins.0 + occupancy_ps);
        if access == Access::Line {
            self.bus_busy_until = *bank;
        }
        begins.0 - at.0
    }

    /// Adds the time for which accesses have kept banks, and for which they have waited.
    #[inline]
    pub fn count_busy(&mut self, busy_ps: u64, waited_ps: u64) {
        self.busy_ps += busy_ps;
        self.waited_ps += waited_ps;
    }

    /// The bank that has all `bytes` bytes from `offset` on; `None` if they lie in several.
    pub fn bank_of_all(&self, offset: u64, bytes: u64) -> Option<usize> {
        let bank = self.bank_of(offset);
        // A bank's bytes are consecutive.
        let last = offset.checked_add(bytes.checked_sub(1)?)?;
        (bytes <= self.pace.bank_bytes && self.bank_of(last) == bank).then_some(bank)
    }

    /// The time that an access that arrives at `at` waits for its bank and the bus.
    #[inline]
    pub fn waits(&self, at: Ps, offset: u64) -> u64 {
        let bank = self.bank_busy_until[self.bank_of(offset)];
        at.max(bank).max(self.bus_busy_until).0 - at.0
    }

    /// The time at which the answer leaves, for an access at `at` that waits for nothing.
    #[inline]
    pub fn served_at_once(&self, at: Ps) -> Ps {
        Ps(at.0 + self.pace.access_ps)
    }

    /// The time for which an access occupies its bank, and a line also the bus.
    #[inline]
    pub fn occupancy_ps(&self, access: Access) -> u64 {
        match access {
            Access::Word => self.pace.word_ps,
            Access::Line => self.pace.line_ps,
        }
    }

    /// Counts accesses.
    #[inline]
    pub fn count(&mut self, reads: bool, accesses: u64) {
        *if reads { &mut self.reads } else { &mut self.writes } += accesses;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMING: ControllerTiming = ControllerTiming {
        period_ps: 2500,
        access_memory_cycles: 31,
        word_occupancy_memory_cycles: 23,
        line_occupancy_millicycles: 2400,
        banks: 8,
    };

    #[test]
    fn banks_are_equal_parts_of_any_memory() {
        for bytes in [8 << 30, 3 << 30, 8, 4, 0] {
            let banks = ControllerTiming { banks: 8, ..TIMING };
            let controller = Controller::new(bytes, banks);
            let bank_bytes = (bytes / 8).max(1);
            for offset in [0, 1, 7, 8, (1 << 30) - 1, 1 << 30, (3 << 30) - 1, 9 << 30] {
                let expected = (offset / bank_bytes % 8) as usize;
                assert_eq!(controller.bank_of(offset), expected, "{offset} of {bytes}");
            }
        }
    }

    #[test]
    fn words_queue_for_their_bank_and_lines_for_the_bus() {
        let mut controller = Controller::new(8 << 30, TIMING);
        let access = 31 * 2500;
        assert_eq!(controller.serve(Ps(0), 0, Access::Word), Ps(access));
        assert_eq!(controller.serve(Ps(0), 4096, Access::Word), Ps(23 * 2500 + access));
        assert_eq!(controller.serve(Ps(0), 1 << 30, Access::Word), Ps(access));
        assert_eq!(controller.serve(Ps(0), 2 << 30, Access::Line), Ps(access));
        assert_eq!(controller.serve(Ps(0), 3 << 30, Access::Line), Ps(6000 + access));
        assert_eq!(controller.waited_ps, 23 * 2500 + 6000);
        assert_eq!(controller.busy_ps, 3 * 23 * 2500 + 2 * 6000);
    }
}
