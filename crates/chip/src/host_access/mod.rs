//! What the management PC and a developer do to a chip from outside: load programs, look, change,
//! save and go on from what was saved.
//!
//! All of it happens at one instant, `Chip::now`, and takes no simulated time. Nothing here is
//! asked while events are performed.

mod debugger;
mod load;
pub mod outstanding;
mod probes;
pub mod snapshot;
mod state_hash;
mod statistics;
