//! ROOM

pub(crate) mod bus_store;
pub(crate) mod fast_access;
pub(crate) mod inline_transaction;
pub(crate) mod locked;
pub(crate) mod misaligned;
pub(crate) mod resume;
