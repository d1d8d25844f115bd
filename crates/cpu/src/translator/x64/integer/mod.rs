//! Integer instructions as host code, by group. `memory/` finds operands in memory. Flags are saved
//! only if they may be read (`flags.rs`).

pub(crate) mod alu;
pub(crate) mod bits;
pub(crate) mod exchange;
pub(crate) mod flags;
pub(crate) mod handler_calls;
pub(crate) mod mov_push;
pub(crate) mod multiply_divide;
pub(crate) mod shifts;
