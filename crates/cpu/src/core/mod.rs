//! ROOM

pub(crate) mod bus;
pub(crate) mod config;
pub(crate) mod flags;
pub(crate) mod parts;
pub(crate) mod registers;
pub(crate) mod state;
