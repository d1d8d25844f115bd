//! The bus interface of a running core.
//!
//! A transaction that no other event can precede is performed at once, in the middle of the core's
//! run; the instruction then continues as after a run that ended for the transaction. The chip
//! decides which transactions these are; the choice changes no result.

use std::num::NonZero;
use std::ops::Range;

use rockcreek_defs::{BusRequest, BusResponse, CoreAddr, LINE_BYTES};

/// The cycle at which a posted store is accepted, and how many cycles later it is acknowledged.
pub type Accepted = (NonZero<u64>, u64);

/// The way out of a core while it runs.
pub trait Bus {
    /// Sends a request that leaves the core at `cycle`. If it is performed at once, returns the
    /// cycle at which its answer reaches the core, and the answer. `None`: the run ends for it.
    fn ask(&mut self, cycle: u64, request: &BusRequest) -> Option<(u64, &BusResponse)>;

    /// [`Bus::ask`] for a posted write of four bytes, if it repeats an earlier one's route.
    fn post_word(&mut self, _cycle: u64, _: CoreAddr, _word: u32) -> Option<Accepted> {
        None
    }

    /// [`Bus::ask`] for a posted write of eight bytes, if it repeats an earlier one's route.
    fn post_double(&mut self, _cycle: u64, _: CoreAddr, _value: u64) -> Option<Accepted> {
        None
    }

    /// [`Bus::ask`] for the read of a line, if it repeats an earlier one's route.
    fn read_line(&mut self, _cycle: u64, _: CoreAddr) -> Option<(u64, &[u8; LINE_BYTES])> {
        None
    }

    /// [`Bus::read_line`], if the read takes the given number of cycles; otherwise nothing happens.
    fn read_line_within(
        &mut self,
        _cycle: u64,
        _: CoreAddr,
        _lasts: Range<u64>,
    ) -> Option<(u64, &[u8; LINE_BYTES])> {
        None
    }

    /// True if this bus may perform transactions at once.
    fn answers(&self) -> bool {
        true
    }

    /// The host address of the memory at a core address, valid as long as that memory does not
    /// move; 0 if there is none. Only a hint for prefetching.
    fn host_address(&self, _: CoreAddr) -> u64 {
        0
    }
}

/// A bus that ends the run for each transaction.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoBus;

impl Bus for NoBus {
    fn ask(&mut self, _: u64, _: &BusRequest) -> Option<(u64, &BusResponse)> {
        None
    }

    fn answers(&self) -> bool {
        false
    }
}
