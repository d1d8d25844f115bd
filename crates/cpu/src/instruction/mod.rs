//! The form of a decoded instruction, as the decoder, the pipes and the translator use it.
//!
//! The execution of instructions is in `execute/`.

pub(crate) mod shape;
