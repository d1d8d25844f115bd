//! The accesses of one core to memory that other cores can reach, recorded for an observer.

use std::sync::Arc;

use rockcreek_defs::{Access, CoreAddr, ProgramMemory};

/// Which addresses are watched, and the records not yet taken.
#[derive(Clone, Debug)]
pub(crate) struct Accesses {
    /// For each segment of the LUT, true if other cores can reach its memory.
    pub segments: Vec<bool>,
    /// The number of bits by which an address is shifted right to give its segment's number.
    pub shift: u32,
    /// The memory that a program's threads share, wherever it lies.
    pub program: Option<Arc<ProgramMemory>>,
    pub noted: Vec<Access>,
}

impl Accesses {
    #[inline]
    pub fn watch(&self, addr: CoreAddr) -> bool {
        self.segments.get((addr.0 >> self.shift) as usize).copied().unwrap_or(false)
    }

    /// True if a program's threads share the memory at a linear address.
    #[inline]
    pub fn watch_linear(&self, linear: u32) -> bool {
        self.program.as_ref().is_some_and(|program| program.shares(linear))
    }
}
