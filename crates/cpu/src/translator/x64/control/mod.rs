//! The end of a block as host code: branches, their prediction, the way to the next block. The
//! target buffer itself is in `units/`.

pub(crate) mod block_end;
pub(crate) mod branch_prediction;
pub(crate) mod transfers;
