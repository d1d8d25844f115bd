//! The crate's tests in one program: each file of this folder is a module of it.

mod common;
mod counters;
mod debugger;
mod description;
mod i586;
mod instants;
mod larger;
mod latency;
mod pins;
mod power;
mod random_programs;
mod registers;
mod scripted;
mod snapshot;
mod startup;
mod transactions;
mod waiting;
