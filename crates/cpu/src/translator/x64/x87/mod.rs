//! x87 instructions as host code: on the host's unit where that is exact, by calls where it is not.
//! Rounding rules are in crate `rockcreek-x87`.

pub(crate) mod line_split;
pub(crate) mod misaligned;
pub(crate) mod ops;
pub(crate) mod posted;
pub(crate) mod soft_functions;
pub(crate) mod stubs;
