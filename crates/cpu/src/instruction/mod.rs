//! The form of a decoded instruction as decoder, pipes and translator see it.
//!
//! What it does is in `execute/`.

pub(crate) mod shape;
