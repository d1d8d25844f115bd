//! Loops that are skipped instead of executed: delays, and polls that see the same value.
//!
//! Skipping leaves the state, the counters and the time that execution would leave.

pub(crate) mod delay_loop;
pub(crate) mod induction;
pub(crate) mod poll_loop;
pub(crate) mod trip_count;
