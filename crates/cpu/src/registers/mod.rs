//! The registers of the architecture: general, flags, segments, debug.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapters 3 and 10. This module
//! holds values and their fields. The effects of a load are elsewhere: of segments in
//! `memory/descriptor.rs`, of flags and control registers in `system/`, of debug registers in
//! `observe/debug_registers.rs`.

pub(crate) mod debug;
pub(crate) mod flags;
pub(crate) mod register_file;
pub mod segment;
