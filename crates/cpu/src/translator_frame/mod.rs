//! The data that one core keeps for the translator: counts, flags and addresses that host code
//! reads and writes. This room has its layout; the code that uses it is in `translator/`.
//!
//! [`Frame`] is empty where the host has no translator.

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
