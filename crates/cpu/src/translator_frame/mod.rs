//! ROOM

pub(crate) mod host_frame;
pub(crate) mod known_pages;
pub(crate) mod packed_counts;
