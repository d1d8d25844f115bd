//! The data that a core copies at a checkpoint, to return to it.
//!
//! Caches and branch target buffer keep their own journals. The return itself is in
//! `run_ahead/checkpoint.rs`.

use crate::state::access_log::AccessLog;
use crate::state::core_state::State;
use crate::state::tlbs::Tlbs;

/// The copied data.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    pub state: State,
    pub tlbs: Tlbs,
    pub log: AccessLog,
    pub walk_log: AccessLog,
    /// The number of commit records at the checkpoint; a rollback removes later ones.
    pub commits: usize,
    /// The number of recorded accesses at the checkpoint; a rollback removes later ones.
    pub accesses: usize,
}

impl Saved {
    pub fn of(core_state: &State, tlbs: &Tlbs) -> Saved {
        Saved {
            state: core_state.clone(),
            tlbs: tlbs.clone(),
            log: AccessLog::default(),
            walk_log: AccessLog::default(),
            commits: 0,
            accesses: 0,
        }
    }
}
