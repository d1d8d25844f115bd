//! ROOM

pub(crate) mod access_log;
pub(crate) mod checkpoint;
pub(crate) mod response;
