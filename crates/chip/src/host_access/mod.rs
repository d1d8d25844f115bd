//! Access of the management PC and of developers to a chip: loading programs, reading, changing,
//! saving and restoring state.
//!
//! Each access happens at one instant, `Chip::now`, and takes no simulated time. No access is
//! possible while events are performed.

mod debugger;
mod load;
pub mod outstanding;
mod probes;
pub mod snapshot;
mod state_hash;
mod statistics;
