//! The transaction that a core waits for, and the use of its response.

use rockcreek_defs::BusRequest;
use serde::{Deserialize, Serialize};

/// The access that a transaction belongs to.
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
    /// An instruction fetch: fetched again after the response.
    Fetch,
}

/// The transaction that a core waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pending {
    pub request: BusRequest,
    /// True if the response completes the access.
    pub finishes: bool,
    pub target: Target,
}
