//! ROOM

pub(crate) mod block_end;
pub(crate) mod branch_prediction;
