//! ROOM

pub(crate) mod op;

pub(crate) mod isa;
pub(crate) mod retire;
