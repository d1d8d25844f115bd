//! The end of a block as host code: branches, their prediction, jumps to the next block. The branch
//! target buffer itself is in `units/`.

pub(crate) mod block_end;
pub(crate) mod branch_prediction;
pub(crate) mod conditional;
pub(crate) mod transfers;
