//! The data of what observes a core: accesses, breakpoints, probes, watchpoints, commit
//! records, charges of cycles, control transfers.
//!
//! What fills and asks them is in `observe/`.

pub(crate) mod accesses;
pub(crate) mod breakpoints;
pub(crate) mod commit_log;
pub(crate) mod cycle_charges;
pub(crate) mod probes;
pub(crate) mod transfers;
pub(crate) mod watchpoints;
