//! The commit log: one plain record per retired instruction, for comparing two runs.

use serde::{Deserialize, Serialize};

/// A core's registers after one retired instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitRecord {
    /// Core cycle at which the instruction was finished.
    pub cycle: u64,
    /// Address of the instruction (offset in CS).
    pub eip: u32,
    pub eflags: u32,
    pub general: [u32; 8],
    /// The x87 status word (it contains the top of the stack) and the tag word.
    pub x87_status: u16,
    pub x87_tags: u16,
    /// True if the instruction was executed in ring 3.
    pub user: bool,
}

/// The records that the observer has not taken yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommitLog {
    pub records: Vec<CommitRecord>,
}

impl CommitLog {
    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn truncate(&mut self, length: usize) {
        self.records.truncate(length);
    }
}
