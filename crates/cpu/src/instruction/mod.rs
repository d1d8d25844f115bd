//! The form of a decoded instruction, as decoder, pipes and translator see it.
//!
//! The execution of instructions is in `execute/`.

pub(crate) mod shape;
