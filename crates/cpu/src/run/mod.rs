//! ROOM

pub(crate) mod boundary;
pub(crate) mod run_loop;
