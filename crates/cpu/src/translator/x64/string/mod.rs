//! String instructions as host code: single ones, repeated ones, and their stores that no cache
//! takes. The cost of an element is in `execute/isa/string.rs`.

pub(crate) mod bus_stores;
pub(crate) mod repeated;
pub(crate) mod single;
