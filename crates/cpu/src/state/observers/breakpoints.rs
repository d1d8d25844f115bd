//! Where a debugger wants a core to stop.

use std::collections::BTreeSet;

use crate::state::observers::watchpoints::Watches;

/// How far a core has got: one more of any of them ends a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    pub instructions: u64,
    pub exceptions: u64,
    pub interrupts: u64,
}

/// What a debugger wants to be told of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Breaks {
    pub addresses: BTreeSet<u32>,
    /// Cycle and linear address of the stop that was reported last.
    pub passed: Option<(u64, u32)>,
    pub step_from: Option<Progress>,
    pub watches: Watches,
}
