//! ROOM

pub(crate) mod host_prefetch;

pub(crate) mod bus;
pub(crate) mod chip_interface;
pub(crate) mod parts;
pub(crate) mod pins;
pub(crate) mod snapshot;
