//! The reasons why a run of a core returns.

use rockcreek_defs::BusRequest;

use crate::state::exception::ShutdownCause;

/// The reason why [`Core::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The core is at an instruction boundary at or after the limit.
    Limit,
    /// The core waits for this transaction, whose request leaves the core at core cycle `cycles()`.
    Bus(BusRequest),
    /// The core executed HLT, or stopped before an x87 instruction because of FERR#, and no event
    /// wakes it now; or its pin STPCLK# or R/S# is asserted.
    Halted,
    /// The core is stopped until RESET.
    Shutdown(ShutdownCause),
    /// The core must stop for a debugger before the next instruction.
    Break,
}
