//! The data of a core's observers: accesses, breakpoints, probes, watchpoints, commit records,
//! charges of cycles, control transfers.
//!
//! The code that fills and reads the data is in `observe/`.

pub(crate) mod accesses;
pub(crate) mod breakpoints;
pub(crate) mod commit_log;
pub(crate) mod cycle_charges;
pub(crate) mod probes;
pub(crate) mod snapshots;
pub(crate) mod transfers;
pub(crate) mod watchpoints;
