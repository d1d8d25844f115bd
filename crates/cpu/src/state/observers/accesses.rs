//! The recorded accesses of one core to memory that other cores reach too, for an observer.

use std::sync::Arc;

use rockcreek_defs::{Access, CoreAddr, ProgramMemory};

/// The watched addresses, and the records not yet taken.
#[derive(Clone, Debug)]
pub(crate) struct Accesses {
    /// By segment of the LUT: true if other cores may reach it.
    pub segments: Vec<bool>,
    /// The number of bits by which an address is shifted right to give its segment's number.
    pub shift: u32,
    /// What a program's threads share, whatever memory it lies in.
    pub program: Option<Arc<ProgramMemory>>,
    pub noted: Vec<Access>,
}

impl Accesses {
    #[inline]
    pub fn watch(&self, addr: CoreAddr) -> bool {
        self.segments.get((addr.0 >> self.shift) as usize).copied().unwrap_or(false)
    }

    /// Whether threads share what lies at a linear address.
    #[inline]
    pub fn watch_linear(&self, linear: u32) -> bool {
        self.program.as_ref().is_some_and(|program| program.shares(linear))
    }
}
