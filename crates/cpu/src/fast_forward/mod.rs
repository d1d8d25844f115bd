//! Loops that are skipped instead of executed: delay loops, and polling loops that read an
//! unchanged value.
//!
//! Skipping leaves exactly the state, the counters and the time that execution would leave.

pub(crate) mod delay_loop;
pub(crate) mod induction;
pub(crate) mod poll_loop;
pub(crate) mod trip_count;
