//! ROOM

pub(crate) mod core_side;
pub(crate) mod promotion;
