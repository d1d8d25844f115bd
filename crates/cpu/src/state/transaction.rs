//! The transaction that a core waits for, and what its response completes.

use rockcreek_defs::BusRequest;
use serde::{Deserialize, Serialize};

/// The access for which a core waits for a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Target {
    /// A load of the instruction's memory operand.
    Load,
    /// A store of the instruction's memory operand.
    Store,
    /// A store of the instruction's memory operand, with the bus locked.
    LockedStore,
    /// A store, with the bus locked, of an access bit or busy bit in a descriptor.
    Update,
    /// Input from an I/O port, or output to it.
    Port,
    /// A read of a page directory or page table, to translate an address.
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
