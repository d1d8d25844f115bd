//! The access path: segment, page, TLB, cache, bus, in this order.
//!
//! Cache contents are in crate `rockcreek-cache`; faults are delivered in `system/`.

pub(crate) mod access_path;
pub(crate) mod descriptor;
pub(crate) mod paging;
