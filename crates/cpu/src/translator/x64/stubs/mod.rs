//! Code that all regions share: entering and leaving, calls of Rust functions, profile counts.
//! Stubs for one kind of access are in `../memory/`.

pub(crate) mod callbacks;
pub(crate) mod enter_leave;
pub(crate) mod profile_counts;
