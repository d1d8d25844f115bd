//! ROOM

pub(crate) mod access_path;
pub(crate) mod descriptor;
pub(crate) mod paging;
