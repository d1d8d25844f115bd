//! Whom a core asks before it stops for a transaction.
//!
//! A transaction with which nothing can interfere is performed at once, in the middle of the
//! core's run: the instruction then goes on as after a run that ended for it. Whether that is so
//! is for the chip to know; it changes no result.

use std::num::NonZero;
use std::ops::Range;

use rockcreek_defs::{BusRequest, BusResponse, CoreAddr, LINE_BYTES};

/// The cycle at which a posted store is accepted, and how many cycles later it is acknowledged.
pub type Accepted = (NonZero<u64>, u64);

/// The way out of a core while it runs.
pub trait Bus {
    /// A request leaves the core at `cycle`. If it is performed at once: when its answer reaches
    /// the core, and the answer. If not, the run ends for it.
    fn ask(&mut self, cycle: u64, request: &BusRequest) -> Option<(u64, &BusResponse)>;

    /// As [`Bus::ask`] for a posted write of four bytes, if that is one of many alike.
    fn post_word(&mut self, _cycle: u64, _: CoreAddr, _word: u32) -> Option<Accepted> {
        None
    }

    /// The same of eight bytes.
    fn post_double(&mut self, _cycle: u64, _: CoreAddr, _value: u64) -> Option<Accepted> {
        None
    }

    /// As [`Bus::ask`] for the read of a line, if that is one of many alike.
    fn read_line(&mut self, _cycle: u64, _: CoreAddr) -> Option<(u64, &[u8; LINE_BYTES])> {
        None
    }

    /// The same, if it lasts so many cycles. Nothing has begun if it is not performed.
    fn read_line_within(
        &mut self,
        _cycle: u64,
        _: CoreAddr,
        _lasts: Range<u64>,
    ) -> Option<(u64, &[u8; LINE_BYTES])> {
        None
    }

    /// Whether it ever performs one at once.
    fn answers(&self) -> bool {
        true
    }

    /// Where the host has the memory at an address, as long as it does not move; 0: it has none. No
    /// more than a hint of what to fetch ahead.
    fn host_address(&self, _: CoreAddr) -> u64 {
        0
    }
}

/// Each transaction ends the run.
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
