//! ROOM

pub(crate) mod shape;
