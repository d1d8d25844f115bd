//! The saved form of a core, and the restoring of a core from it.

use rockcreek_cache::Caches;
use serde::{Deserialize, Serialize};

use crate::core::parts::Core;
use crate::state::access_log::AccessLog;
use crate::state::checkpoint_data::Saved;
use crate::state::core_state::State;
use crate::state::exception::ShutdownCause;
use crate::state::tlbs::Tlbs;
use crate::translator_frame::Frame;
use crate::units::branch_target_buffer::{BranchTargets, Table};

/// The saved and hashed data of a core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoreSnapshot {
    state: State,
    log: AccessLog,
    walk_log: AccessLog,
    tlbs: Tlbs,
    branches: Table,
    caches: Caches,
    shutdown: Option<ShutdownCause>,
}

impl Core {
    /// The saved form of this core.
    pub fn snapshot(&self) -> CoreSnapshot {
        let mut state = self.flushed_state();
        state.set_watched(false);
        CoreSnapshot {
            state,
            log: self.log.clone(),
            walk_log: self.walk_log.clone(),
            tlbs: self.tlbs_of_nobody_watching(),
            branches: self.branches.table().clone(),
            caches: self.caches.clone(),
            shutdown: self.shutdown,
        }
    }

    /// Sets the core's state from a snapshot, and begins a window there. The snapshot must come
    /// from a core of the same configuration.
    pub fn restore(&mut self, snapshot: &CoreSnapshot) {
        self.state = snapshot.state.clone();
        self.log = snapshot.log.clone();
        self.walk_log = snapshot.walk_log.clone();
        self.tlbs = snapshot.tlbs.clone();
        self.branches = BranchTargets::of(&snapshot.branches);
        self.caches = snapshot.caches.clone();
        self.caches.set_policy(&self.config.cache);
        self.shutdown = snapshot.shutdown;
        self.x87_is_clear = false;
        self.fetched.forget();
        self.host = Frame::default();
        self.code_invalidations = self.caches.stats().l1i_snoop_invalidations;
        *self.saved = Saved::of(&self.state, &self.tlbs);
        self.look_up();
        self.note_observers();
        self.begin_window();
    }
}
