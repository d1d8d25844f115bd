//! The data that one core keeps for the translator: counts, flags and host addresses that
//! translated code reads and writes. This folder defines the layout; the code that uses it is in
//! `translator/`.
//!
//! [`Frame`] is almost empty if the host has no translator (`no_frame.rs`).

pub(crate) mod interface;

#[cfg(translator)]
pub(crate) mod host_frame;
#[cfg(translator)]
pub(crate) mod known_pages;
#[cfg(not(translator))]
mod no_frame;
#[cfg(translator)]
pub(crate) mod packed_counts;

#[cfg(translator)]
pub(crate) use self::host_frame::HostFrame as Frame;
#[cfg(not(translator))]
pub(crate) use self::no_frame::NoFrame as Frame;
