//! The crate's tests in one program.

mod client;
mod protocol;
mod reverse;
