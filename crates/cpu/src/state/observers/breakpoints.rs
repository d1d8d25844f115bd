//! The stops of a core that a debugger has set.

use std::collections::BTreeSet;

use crate::state::observers::watchpoints::Watches;

/// How far a core has come. A single step has ended when any of these counts has changed.
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
    /// Core cycle and linear address of the stop that was reported last; `None`: none has been
    /// reported. The core does not stop there again.
    pub passed: Option<(u64, u32)>,
    pub step_from: Option<Progress>,
    pub watches: Watches,
}
