//! The ordinary path of an access through the caches, and of its response: all reads, writes and
//! fetches through L1D, L2 and the bus; L1 and L2 themselves; and the caches' event counts.

mod code_path;
pub mod data_path;
mod flush;
pub mod hierarchy;
pub mod inspect;
pub mod l1;
pub mod l2;
mod mpb_type;
pub mod refused_store;
pub mod stats;
pub mod write_combine;
