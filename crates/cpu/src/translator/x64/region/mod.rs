//! ROOM

pub(crate) mod coverage;
pub(crate) mod emit;
pub(crate) mod slow_path;
