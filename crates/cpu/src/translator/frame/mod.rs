//! The core's use of the frame that host code reads and writes: filling it before a stay in
//! translated code, and settling it afterwards. Its layout is in `translator_frame/`.

pub(crate) mod core_side;
pub(crate) mod profile;
pub(crate) mod promotion;
