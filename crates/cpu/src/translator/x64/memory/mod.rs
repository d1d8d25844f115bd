//! Loads and stores as host code, one file for each level of the hierarchy, or rule, that serves
//! them: L1D in place, fills, L2, write-around, write-combine buffer, memory.

pub(crate) mod access;
pub(crate) mod clean_to_dirty;
pub(crate) mod l1d_fill;
pub(crate) mod l1d_lookup;
pub(crate) mod l2_lookup;
pub(crate) mod line_predictor;
pub(crate) mod locked;
pub(crate) mod memory_fill;
pub(crate) mod misaligned;
pub(crate) mod mpbt;
pub(crate) mod same_line;
pub(crate) mod slow_access;
pub(crate) mod transactions;
pub(crate) mod undo_log;
pub(crate) mod write_around;
pub(crate) mod write_combine;
