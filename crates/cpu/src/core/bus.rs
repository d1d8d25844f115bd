//! The bus interface of a running core.
//!
//! A transaction that no other event can precede is performed at once, in the middle of the core's
//! run; the instruction then continues as after a run that ended for the transaction. The chip
//! decides which transactions these are; the choice changes no result.

use std::num::NonZero;
use std::ops::Range;

use rockcreek_defs::{BusRequest, BusResponse, CoreAddr, LINE_BYTES};

/// The result of a posted store: the core cycle at which the bus accepts it, and the number of core
/// cycles from then to the acknowledgement.
pub type Accepted = (NonZero<u64>, u64);

/// The interface through which a running core sends requests to the chip.
pub trait Bus {
    /// Sends a request that leaves the core at the core cycle `cycle`. If the chip performs the
    /// request at once, returns the core cycle at which the response reaches the core, and the
    /// response. `None`: the core's run must end, and the chip performs the request later.
    fn ask(&mut self, cycle: u64, request: &BusRequest) -> Option<(u64, &BusResponse)>;

    /// A posted write of four bytes that leaves the core at `cycle`, by a route through the mesh
    /// that the chip already knows from an earlier write. `None`: the chip does not know the route
    /// or cannot perform the write at once; nothing has changed, and the caller may use
    /// [`Bus::ask`].
    fn post_word(&mut self, _cycle: u64, _: CoreAddr, _word: u32) -> Option<Accepted> {
        None
    }

    /// As [`Bus::post_word`], for a posted write of eight bytes.
    fn post_double(&mut self, _cycle: u64, _: CoreAddr, _value: u64) -> Option<Accepted> {
        None
    }

    /// As [`Bus::post_word`], for the read of a 32-byte line. Returns the core cycle at which the
    /// line reaches the core, and the line.
    fn read_line(&mut self, _cycle: u64, _: CoreAddr) -> Option<(u64, &[u8; LINE_BYTES])> {
        None
    }

    /// As [`Bus::read_line`], but only if the number of core cycles that the read takes lies in
    /// `lasts`; otherwise returns `None` and changes nothing.
    fn read_line_within(
        &mut self,
        _cycle: u64,
        _: CoreAddr,
        _lasts: Range<u64>,
    ) -> Option<(u64, &[u8; LINE_BYTES])> {
        None
    }

    /// True if this bus may perform a transaction while the core runs; false if every transaction
    /// ends the run.
    fn answers(&self) -> bool {
        true
    }

    /// The host address of the memory behind a core address, used only to prefetch. The address is
    /// valid as long as the chip's memory is not moved; 0 if there is no memory.
    fn host_address(&self, _: CoreAddr) -> u64 {
        0
    }
}

/// A bus that performs no transaction: the core's run ends at each one.
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
