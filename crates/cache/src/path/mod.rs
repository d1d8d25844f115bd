//! The way of an access through the caches: L1D, L2 and the bus, forth and back. The ordinary path
//! of all reads, writes and fetches, L1 and L2 themselves, and what the caches count.

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
