//! The one order of events, and what each step of a core does.
//!
//! [`chip`] has the chip and its loop over events. A core's next step is performed by
//! [`simple_step`] if it is a common one, else by [`step`]. [`run_ahead`] lets a core go past the
//! present and takes it back, [`window_batch`] chooses which windows run side by side, [`streams`]
//! begins and ends periodic streams. What an access makes happen elsewhere is in [`effects`] and
//! [`reset`]; [`deadlock`] finds that nothing can ever change again; [`commit_log`] writes down
//! what happened, [`cycle_profile`] where cycles went, [`coherence_check`] tells the checker of it,
//! [`trace`] keeps what a trace shows, and [`faults`] breaks things.
//!
//! What a request does at its unit is the uncore's, what a core does between two requests its own.

pub mod chip;
mod coherence_check;
mod commit_log;
pub mod cycle_profile;
mod deadlock;
mod effects;
mod faults;
mod reset;
mod run_ahead;
mod simple_step;
mod step;
mod streams;
pub mod trace;
mod window_batch;
