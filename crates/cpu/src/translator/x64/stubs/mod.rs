//! ROOM

pub(crate) mod callbacks;
pub(crate) mod enter_leave;
pub(crate) mod profile_counts;
