//! ROOM

pub(crate) mod line_split;
pub(crate) mod misaligned;
pub(crate) mod ops;
pub(crate) mod soft_functions;
pub(crate) mod stubs;
