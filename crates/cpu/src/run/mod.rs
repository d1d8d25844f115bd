//! ROOM

pub(crate) mod boundary;
pub(crate) mod engine;
pub(crate) mod exit;
pub(crate) mod interpreter;
pub(crate) mod run_loop;
