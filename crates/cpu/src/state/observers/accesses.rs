//! The accesses of one core to memory that others reach too, for who watches them.

use rockcreek_defs::{Access, CoreAddr};

/// Which addresses are watched, and what has not yet been taken.
#[derive(Clone, Debug)]
pub(crate) struct Accesses {
    /// By segment of the LUT: others may reach it.
    pub segments: Vec<bool>,
    /// By so much an address is shifted right to be its segment's number.
    pub shift: u32,
    pub noted: Vec<Access>,
}

impl Accesses {
    #[inline]
    pub fn watch(&self, addr: CoreAddr) -> bool {
        self.segments.get((addr.0 >> self.shift) as usize).copied().unwrap_or(false)
    }
}
