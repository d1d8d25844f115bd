//! The access path: segment, page, TLB, cache, bus, in this order.
//!
//! What caches hold is in crate `rockcreek-cache`; what faults do is in `system/`.

pub(crate) mod access_path;
pub(crate) mod descriptor;
pub(crate) mod paging;
