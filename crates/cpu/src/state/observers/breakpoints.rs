//! A debugger's stops of a core.

use std::collections::BTreeSet;

use crate::state::observers::watchpoints::Watches;

/// The progress of a core: a change of any of these counts ends a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    pub instructions: u64,
    pub exceptions: u64,
    pub interrupts: u64,
}

/// The stops and watchpoints of a debugger.
#[derive(Clone, Debug, Default)]
pub(crate) struct Breaks {
    pub addresses: BTreeSet<u32>,
    /// Cycle and linear address of the stop that was reported last.
    pub passed: Option<(u64, u32)>,
    pub step_from: Option<Progress>,
    pub watches: Watches,
}
