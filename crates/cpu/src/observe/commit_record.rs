//! The commit log: one plain record per retired instruction, for comparing two runs.

use crate::core::parts::Core;
use crate::state::observers::commit_log::{CommitLog, CommitRecord};

impl Core {
    /// Turns the recording of retired instructions on or off.
    pub fn record_commits(&mut self, on: bool) {
        self.commits = on.then(CommitLog::default);
        self.note_observers();
    }

    /// Removes and returns the records of retired instructions. Call at the start of a window, when
    /// no rollback can undo them.
    pub fn drain_commits(&mut self) -> Vec<CommitRecord> {
        self.forget_saved_commits();
        self.commits.as_mut().map(|log| std::mem::take(&mut log.records)).unwrap_or_default()
    }

    /// The number of records that nobody has taken yet.
    pub fn recorded_commits(&self) -> usize {
        self.commits.as_ref().map_or(0, CommitLog::len)
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
            user: self.state.cpl == 3,
        };
        if let Some(log) = &mut self.commits {
            log.records.push(record);
        }
    }
}
