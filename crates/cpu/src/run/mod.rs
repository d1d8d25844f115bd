//! ROOM

pub(crate) mod boundary;
pub(crate) mod exit;
pub(crate) mod run_loop;
