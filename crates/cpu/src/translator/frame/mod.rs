//! The core's functions on the host frame: filling it before a stay in translated code, and moving
//! its values into the state afterwards. The layout is in `translator_frame/`.

pub(crate) mod core_side;
pub(crate) mod profile;
pub(crate) mod promotion;
