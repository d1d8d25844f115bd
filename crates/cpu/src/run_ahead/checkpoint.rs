//! Windows: the checkpoint to which a core is rolled back if it ran too far ahead.
//!
//! A window begins at a committed point, after a completed transaction; no other core sees what the
//! core does in the window. `rollback` restores the checkpoint exactly; only the host's speed may
//! differ. The caches keep their own undo log; all other state is small and copied.

use crate::core::parts::Core;
use crate::state::core_state::Activity;
use crate::state::observers::commit_log::CommitLog;
use crate::state::observers::probes::Probes;
use crate::translator_frame::interface::TranslatorFrame;

impl Core {
    /// Starts a window here: [`Core::rollback`] returns to this state, and nothing can undo earlier
    /// work.
    pub fn begin_window(&mut self) {
        self.flush_frame();
        self.host.begin_checkpoint();
        let saved = &mut *self.saved;
        saved.state.clone_from(&self.state);
        if self.tlbs.take_changed() {
            saved.tlbs.copy_from(&self.tlbs);
        }
        saved.log.copy_from(&self.log);
        saved.walk_log.copy_from(&self.walk_log);
        saved.commits = self.commits.as_ref().map_or(0, CommitLog::len);
        saved.accesses = self.accesses.as_ref().map_or(0, |accesses| accesses.noted.len());
        if let Some(charges) = &mut self.charges {
            charges.begin_window();
        }
        if let Some(probes) = &mut self.probes {
            Probes::begin_window(probes);
        }
        if let Some(breaks) = &mut self.breaks {
            breaks.watches.begin_window();
        }
        self.begin_window_of_transfers();
        self.caches.begin_window();
        self.branches.begin_window();
    }

    /// Records that the commit records made so far have been taken, so that a rollback must not
    /// remove any of them.
    pub(crate) fn forget_saved_commits(&mut self) {
        self.saved.commits = 0;
    }

    /// Restores the state at the start of the window. The window stays open.
    pub fn rollback(&mut self) {
        self.forget_resumption();
        let saved = &*self.saved;
        let (before, after) = (&saved.state.counters, &self.state.counters);
        self.unequal.undone += after.instructions - before.instructions;
        self.state.clone_from(&saved.state);
        if self.state.activity != Activity::Shutdown {
            self.shutdown = None;
        }
        if self.tlbs.take_changed() {
            self.tlbs.copy_from(&saved.tlbs);
        }
        self.log.copy_from(&saved.log);
        self.walk_log.copy_from(&saved.walk_log);
        if let Some(commits) = &mut self.commits {
            commits.truncate(saved.commits);
        }
        if let Some(charges) = &mut self.charges {
            charges.rollback();
        }
        if let Some(accesses) = &mut self.accesses {
            accesses.noted.truncate(saved.accesses);
        }
        if let Some(probes) = &mut self.probes {
            Probes::rollback(probes);
        }
        if let Some(breaks) = &mut self.breaks {
            breaks.watches.rollback();
        }
        self.take_transfers_back();
        self.caches.rollback();
        self.branches.rollback();
        self.code_invalidations = self.caches.stats().l1i_snoop_invalidations;
        self.fetched.forget();
        self.x87_is_clear = false;
        self.note_observers();
    }
}
