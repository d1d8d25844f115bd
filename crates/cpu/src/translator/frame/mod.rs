//! The core's side of what host code reads and writes: filling the frame before a stay in
//! translated code, and settling it after. Its layout is in `translator_frame/`.

pub(crate) mod core_side;
pub(crate) mod profile;
pub(crate) mod promotion;
