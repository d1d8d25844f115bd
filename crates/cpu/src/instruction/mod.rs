//! The form of a decoded instruction, as decoder, pipes and translator see it. Its execution is in
//! `execute/`.

pub(crate) mod shape;
