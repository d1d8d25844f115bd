//! ROOM

pub(crate) mod debug;
pub(crate) mod flags;
pub(crate) mod register_file;
pub mod segment;
