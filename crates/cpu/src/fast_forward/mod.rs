//! Loops that are passed without executing them: counted delays, polls that see the same value.
//!
//! What is passed leaves the state, the counters and the time that execution would have left.

pub(crate) mod delay_loop;
pub(crate) mod induction;
pub(crate) mod poll_loop;
pub(crate) mod trip_count;
