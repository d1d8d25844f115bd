//! The engine under the chip: the total order of events and the hash of a state.
//!
//! The crate has no knowledge of hardware. Units and sources are numbers whose meaning the chip
//! defines.

pub mod hash;
pub mod order;
pub mod steps;

pub use hash::{StateHash, state_hash};
pub use order::{Key, Queue};
pub use steps::{Bound, Steps};
