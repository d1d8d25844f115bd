//! The bits of the debug registers DR6 and DR7.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 17.

/// DR7.GD: a move to or from a debug register traps. The bit is cleared when #DB is raised.
pub(crate) const DR7_GENERAL_DETECT: u32 = 1 << 13;
/// Bits of DR6 and DR7 that read as one.
pub(crate) const DR6_ONES: u32 = 0xFFFF_0FF0;
pub(crate) const DR7_ONES: u32 = 0x0000_0400;
/// Bits that programs can set: in DR6, B0 to B3, BD, BS and BT; in DR7, all but bits 10 to 12, 14
/// and 15.
pub(crate) const DR6_WRITABLE: u32 = 0x0000_E00F;
pub(crate) const DR7_WRITABLE: u32 = 0xFFFF_23FF;
/// The number of breakpoints.
pub(crate) const BREAKPOINTS: usize = 4;

/// The bits of `State::armed`: which kinds of access a breakpoint watches.
pub(crate) mod armed {
    pub const CODE: u8 = 1 << 0;
    pub const DATA: u8 = 1 << 1;
    pub const PORT: u8 = 1 << 2;
}

/// The values of the R/W field of DR7.
pub(crate) mod kind {
    pub const CODE: u32 = 0;
    pub const WRITE: u32 = 1;
    pub const PORT: u32 = 2;
}
