//! ROOM

pub(crate) mod branch_target_buffer;
pub(crate) mod decode;
pub(crate) mod decoded_cache;
pub(crate) mod fetch;
pub(crate) mod host_prefetch;
pub(crate) mod op;
pub(crate) mod shape;
