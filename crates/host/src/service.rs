//! The file service: shared folders and one session per core.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rockcreek_board::HostService;
use rockcreek_defs::CoreId;

use crate::errno::EINVAL;
use crate::message::{NO_TAG, RLERROR, split};
use crate::saved::{self, RestoreError};
use crate::session::Session;
use crate::share::Share;
use crate::wire::Writer;

/// The doorbell number of the file service.
pub const FILE_SERVICE: u32 = 1;

/// Accesses that were refused because they lead out of a shared folder: the core, and the path
/// from the folder's root. Kept for the messages of the front end; a guest sees EACCES.
pub type Refusals = Arc<Mutex<Vec<(CoreId, String)>>>;

/// How many refusals are kept: the first ones tell what is wrong.
const MOST_REFUSALS: usize = 16;

/// The most folders that can be shared.
const MOST_SHARES: usize = 255;

/// Why a folder cannot be shared.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    #[error("cannot share {}: {error}", path.display())]
    Open { path: PathBuf, error: std::io::Error },
    #[error("cannot share {}: {MOST_SHARES} folders are shared already", path.display())]
    TooMany { path: PathBuf },
}

/// Serves folders of the host to all cores of a chip.
#[derive(Debug, Default)]
pub struct FileService {
    shares: Vec<Share>,
    sessions: BTreeMap<CoreId, Session>,
    refusals: Refusals,
}

impl FileService {
    /// A service that shares nothing yet: attaching fails.
    pub fn new() -> FileService {
        FileService::default()
    }

    /// Shares a folder. The first one is what a client gets that names none; the others are
    /// attached by their number, from 0 in the order of these calls.
    pub fn share(&mut self, path: &Path) -> Result<(), ShareError> {
        if self.shares.len() >= MOST_SHARES {
            return Err(ShareError::TooMany { path: path.to_owned() });
        }
        let share = Share::open(path, self.shares.len() as u8)
            .map_err(|error| ShareError::Open { path: path.to_owned(), error })?;
        self.shares.push(share);
        Ok(())
    }

    /// The list of refused accesses, which grows while the service runs.
    pub fn refusals(&self) -> Refusals {
        Arc::clone(&self.refusals)
    }

    /// Takes the sessions of a saved service up again: the same folders must be shared, in the
    /// same order. Open files are opened again by their names.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        self.sessions = saved::restore(bytes, &self.shares)?;
        Ok(())
    }

    /// Answers one 9P2000.L message of a core. Bytes that are no message get an error reply.
    pub fn answer(&mut self, core: CoreId, request: &[u8]) -> Vec<u8> {
        let Some((kind, tag, body)) = split(request) else {
            let mut reply = Writer::new(RLERROR, NO_TAG);
            reply.u32(EINVAL.number);
            return reply.finish();
        };
        let mut session = self.sessions.remove(&core).unwrap_or_default();
        let reply = session.answer(&self.shares, &self.sessions, kind, tag, body);
        if let Some(path) = session.refused.take() {
            let entry = (core, format!("/{}", path.display()));
            let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
            if refusals.len() < MOST_REFUSALS && !refusals.contains(&entry) {
                refusals.push(entry);
            }
        }
        if let Some(renamed) = session.renamed.take() {
            self.sessions.values_mut().for_each(|other| other.follow(&renamed));
        }
        self.sessions.insert(core, session);
        reply
    }
}

impl HostService for FileService {
    fn call(&mut self, core: CoreId, service: u32, request: &[u8]) -> Option<Vec<u8>> {
        (service == FILE_SERVICE).then(|| self.answer(core, request))
    }

    fn save(&self) -> Vec<u8> {
        saved::save(&self.sessions)
    }
}
