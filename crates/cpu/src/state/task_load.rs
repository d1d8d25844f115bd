//! The second half of a task switch. This half may wait and is then executed again.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 13. The switch itself is in
//! `system/task_switch.rs`.

use serde::{Deserialize, Serialize};

use crate::state::exception::Event;

/// The data that the second half of a task switch needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TaskLoad {
    /// The selectors of ES, CS, SS, DS, FS and GS.
    pub selectors: [u16; 6],
    pub local_table: u16,
    /// The error code to push on the new task's stack.
    pub error: Option<u32>,
    /// The EXT bit of the error codes of faults in this half.
    pub external: u32,
    /// The event that is being delivered through a task gate.
    pub event: Option<Event>,
    pub trap: bool,
    pub wide: bool,
}
