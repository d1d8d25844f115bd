//! The commit log: one plain record per retired instruction, for comparing two runs.

use serde::{Deserialize, Serialize};

use crate::core::parts::Core;

/// The registers after one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitRecord {
    /// Core cycle at which the instruction was finished.
    pub cycle: u64,
    /// Address of the instruction (offset in CS).
    pub eip: u32,
    pub eflags: u32,
    pub general: [u32; 8],
    /// x87 status word (with the top of stack) and tag word.
    pub x87_status: u16,
    pub x87_tags: u16,
}

/// Records not yet drained.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommitLog {
    records: Vec<CommitRecord>,
}

impl CommitLog {
    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn truncate(&mut self, length: usize) {
        self.records.truncate(length);
    }
}

impl Core {
    /// Starts or ends the recording of retired instructions.
    pub fn record_commits(&mut self, on: bool) {
        self.commits = on.then(CommitLog::default);
        self.note_observers();
    }

    /// Takes the records; called at the start of a window, when none can be undone.
    pub fn drain_commits(&mut self) -> Vec<CommitRecord> {
        self.forget_saved_commits();
        self.commits.as_mut().map(|log| std::mem::take(&mut log.records)).unwrap_or_default()
    }

    pub(crate) fn record_commit(&mut self, eip: u32) {
        let state = &self.state;
        let mut general = [0; 8];
        general.copy_from_slice(&state.general[..8]);
        let record = CommitRecord {
            cycle: state.cycles,
            eip,
            eflags: state.eflags(),
            general,
            x87_status: state.fpu.status_word(),
            x87_tags: state.fpu.tag_word(),
        };
        if let Some(log) = &mut self.commits {
            log.records.push(record);
        }
    }
}
