//! The transaction that a core waits for, and what its response completes.

use rockcreek_defs::BusRequest;
use serde::{Deserialize, Serialize};

/// The access for which a core waits for a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Target {
    /// A load for the instruction: of its memory operand, or from the stack or a table.
    Load,
    /// A store without LOCK: of the instruction's operand, to the stack, by the delivery of an
    /// exception or by a task switch, or of the line that leaves the write-combine buffer.
    Store,
    /// A store for the instruction, with the bus locked.
    LockedStore,
    /// A store, with the bus locked, of an access bit or busy bit in a descriptor.
    Update,
    /// Input from an I/O port, or output to it.
    Port,
    /// A read of a page directory or page table, or the update of its A or D bit; also a write-back
    /// of WBINVD or FLUSH#.
    Walk,
    /// An instruction fetch, which is repeated after the response.
    Fetch,
}

/// The transaction that a core waits for, and the access that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pending {
    pub request: BusRequest,
    /// True if the response completes the access; false if the access must be tried again.
    pub finishes: bool,
    pub target: Target,
}
