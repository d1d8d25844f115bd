//! The registers of the architecture: general, flags, segments, debug.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapters 3 and 10. This room holds
//! values and their fields; the effects of loading a register are in `system/`.

pub(crate) mod debug;
pub(crate) mod flags;
pub(crate) mod register_file;
pub mod segment;
