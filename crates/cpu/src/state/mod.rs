//! ROOM

pub(crate) mod access_log;
pub(crate) mod config;
pub(crate) mod core_state;
pub(crate) mod counters;
pub(crate) mod exception;
pub(crate) mod model_specific;
pub(crate) mod performance;
pub(crate) mod task_load;
pub(crate) mod transaction;
