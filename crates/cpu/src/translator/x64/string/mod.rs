//! ROOM

pub(crate) mod bus_stores;
pub(crate) mod repeated;
pub(crate) mod single;
