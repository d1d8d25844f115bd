//! ROOM

pub(crate) mod host_prefetch;

pub(crate) mod bus;
pub(crate) mod parts;
