//! ROOM

pub(crate) mod breakpoints;
pub(crate) mod commit_log;
pub(crate) mod probes;
pub(crate) mod watchpoints;
