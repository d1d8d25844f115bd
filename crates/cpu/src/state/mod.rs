//! The state of a core, as plain data with no behaviour beyond its own fields.
//!
//! All data of a snapshot is in this folder, in `registers/` or in `units/`. The code that changes
//! the data is in `execute/`, `memory/`, `system/` and `run/`.

pub(crate) mod access_log;
pub(crate) mod checkpoint_data;
pub(crate) mod config;
pub(crate) mod core_state;
pub(crate) mod counters;
pub(crate) mod delay_detector;
pub(crate) mod exception;
pub(crate) mod fetched_lines;
pub(crate) mod model_specific;
pub(crate) mod observers;
pub(crate) mod performance;
pub(crate) mod task_load;
pub(crate) mod tlbs;
pub(crate) mod transaction;
