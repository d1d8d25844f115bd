//! ROOM

pub(crate) mod core_side;
pub(crate) mod profile;
pub(crate) mod promotion;
