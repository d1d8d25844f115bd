//! Why a run of a core came back.

use rockcreek_defs::BusRequest;

use crate::state::exception::ShutdownCause;

/// Why [`Core::run`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// An instruction boundary at or after the limit.
    Limit,
    /// The core waits for this transaction, injected at `cycles()`.
    Bus(BusRequest),
    /// HLT, or STPCLK# or R/S# asserted, and nothing wakes it now.
    Halted,
    /// Stopped until RESET.
    Shutdown(ShutdownCause),
    /// A debugger wants a stop before the next instruction.
    Break,
}
