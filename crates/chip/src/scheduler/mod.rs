//! The one order of events, and what each step of a core does.
//!
//! [`chip`] has the chip and its loop over events. [`simple_step`] performs a core's next step if
//! it is a frequent one, else [`step`] does. [`run_ahead`] lets a core run past the present and
//! rolls it back, [`window_batch`] chooses which windows run side by side, [`streams`] begins and
//! ends periodic streams. The effects of an access on other parts are in [`effects`] and [`reset`].
//! [`deadlock`] detects that no event can ever happen again. [`commit_log`] records instructions
//! and transactions, [`cycle_profile`] the causes of cycles, [`coherence_check`] informs the
//! checkers ([`block_check`]: that of a program's blocks), [`trace`] keeps the data of a trace, and [`faults`] injects faults.
//!
//! The uncore defines what a request does at its unit; a core defines what it does between two
//! requests.

pub(crate) mod block_check;
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
