//! The core as the chip sees it: its parts, its pins, its bus, its snapshot.
//!
//! The behaviour of instructions and memory is in the rooms below this one.

pub(crate) mod host_prefetch;

pub(crate) mod bus;
pub(crate) mod chip_interface;
pub(crate) mod parts;
pub(crate) mod pins;
pub(crate) mod snapshot;
