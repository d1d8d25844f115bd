//! Accesses of translated code that its own stubs do not complete: Rust functions that host code
//! calls, one file for each level that serves them.

pub(crate) mod bus_store;
pub(crate) mod code_fetch;
pub(crate) mod fast_access;
pub(crate) mod inline_transaction;
pub(crate) mod locked;
pub(crate) mod misaligned;
pub(crate) mod resume;
