//! ROOM

pub(crate) mod checkpoint;
pub(crate) mod response;
pub(crate) mod transaction;
