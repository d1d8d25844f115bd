//! The transaction that a core waits for, and what its response completes.

use rockcreek_defs::BusRequest;
use serde::{Deserialize, Serialize};

/// The access for which a core waits for a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Target {
    /// A load of the instruction.
    Load,
    /// A store of the instruction.
    Store,
    /// A locked store of the instruction.
    LockedStore,
    /// A locked store of descriptor attributes.
    Update,
    /// Port input or output.
    Port,
    /// A page walk.
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
