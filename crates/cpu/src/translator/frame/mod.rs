//! ROOM

pub(crate) mod promotion;
