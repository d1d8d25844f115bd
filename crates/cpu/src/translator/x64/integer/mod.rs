//! Integer instructions as host code, by group. Operands in memory are found by `memory/`.
//! Flags are kept lazily (`flags.rs`).

pub(crate) mod alu;
pub(crate) mod bits;
pub(crate) mod exchange;
pub(crate) mod flags;
pub(crate) mod handler_calls;
pub(crate) mod mov_push;
pub(crate) mod multiply_divide;
pub(crate) mod shifts;
