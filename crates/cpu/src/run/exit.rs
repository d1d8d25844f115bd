//! The reasons why a run of a core returns.

use rockcreek_defs::BusRequest;

use crate::state::exception::ShutdownCause;

/// The reason why [`Core::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// An instruction boundary at or after the limit.
    Limit,
    /// The core waits for this transaction, injected at `cycles()`.
    Bus(BusRequest),
    /// HLT, or STPCLK# or R/S# asserted; no event wakes the core now.
    Halted,
    /// Stopped until RESET.
    Shutdown(ShutdownCause),
    /// A debugger wants a stop before the next instruction.
    Break,
}
