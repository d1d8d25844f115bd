//! The recorded accesses of one core to memory that other cores reach too, for an observer.

use rockcreek_defs::{Access, CoreAddr};

/// The watched addresses, and the records not yet taken.
#[derive(Clone, Debug)]
pub(crate) struct Accesses {
    /// By segment of the LUT: true if other cores may reach it.
    pub segments: Vec<bool>,
    /// The number of bits by which an address is shifted right to give its segment's number.
    pub shift: u32,
    pub noted: Vec<Access>,
}

impl Accesses {
    #[inline]
    pub fn watch(&self, addr: CoreAddr) -> bool {
        self.segments.get((addr.0 >> self.shift) as usize).copied().unwrap_or(false)
    }
}
