//! The one order of events, and what each step of a core does.
//!
//! [`chip`] has the chip and its loop over events. A core's next step is performed by
//! [`simple_step`] if it is a common one, else by [`step`]; a transaction that nothing comes
//! between is performed while its core runs ([`inline_transaction`]). What an access makes happen
//! elsewhere is in [`effects`] and [`reset`], and when nothing can ever change again in
//! [`deadlock`].
//!
//! What a request does at its unit is the uncore's, what a core does between two requests its own.

pub mod chip;
mod deadlock;
mod effects;
pub mod inline_transaction;
mod reset;
mod simple_step;
mod step;
