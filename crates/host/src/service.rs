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
use crate::shares::Shares;
use crate::wire::Writer;

/// The doorbell number of the file service.
pub const FILE_SERVICE: u32 = 1;

/// The events of a service that the front end reports during and after a run.
#[derive(Debug, Default)]
pub struct Notices {
    /// Accesses that were refused because they lead out of a shared folder: the core, and the path
    /// from the folder's root. A guest sees EACCES.
    pub refusals: Vec<(CoreId, String)>,
    /// The host had no descriptor left for a core: what its guest got is no right answer.
    pub host_is_full: Option<CoreId>,
}

/// The notices, which grow while the service runs.
pub type SharedNotices = Arc<Mutex<Notices>>;

/// The number of refusals that are kept; the first refusals are enough to find the error.
const MOST_REFUSALS: usize = 16;

/// The most folders that can be shared.
const MOST_SHARES: usize = 255;

/// The reason why a folder cannot be shared.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    #[error("cannot share {}: {error}", path.display())]
    Open { path: PathBuf, error: std::io::Error },
    #[error("cannot share {}: {MOST_SHARES} folders are shared already", path.display())]
    TooMany { path: PathBuf },
}

/// Serves folders of the host to all cores of a chip.
#[derive(Debug)]
pub struct FileService {
    shares: Shares,
    sessions: BTreeMap<CoreId, Session>,
    notices: SharedNotices,
}

impl FileService {
    /// A service that shares nothing yet: attaching fails.
    pub fn new() -> FileService {
        FileService::with(Shares::new())
    }

    /// A service that holds at most `most` descriptors of the host for open files; the guests see
    /// no difference.
    pub fn with_descriptors(most: usize) -> FileService {
        FileService::with(Shares::with_descriptors(most))
    }

    fn with(shares: Shares) -> FileService {
        FileService { shares, sessions: BTreeMap::new(), notices: SharedNotices::default() }
    }

    /// Shares a folder. The first one is what a client gets that names none; the others are
    /// attached by their number, from 0 in the order of these calls.
    pub fn share(&mut self, path: &Path) -> Result<(), ShareError> {
        if self.shares.len() >= MOST_SHARES {
            return Err(ShareError::TooMany { path: path.to_owned() });
        }
        self.shares.add(path).map_err(|error| ShareError::Open { path: path.to_owned(), error })
    }

    pub fn notices(&self) -> SharedNotices {
        Arc::clone(&self.notices)
    }

    /// Takes the sessions of a saved service up again: the same folders must be shared, in the
    /// same order. Open files are opened again by their names.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        self.sessions = saved::restore(bytes, &self.shares)?;
        Ok(())
    }

    /// Answers one 9P2000.L message of a core. Bytes that are no message get an error reply. There
    /// is no answer if the host has no descriptor left.
    pub fn answer(&mut self, core: CoreId, request: &[u8]) -> Option<Vec<u8>> {
        let Some((kind, tag, body)) = split(request) else {
            let mut reply = Writer::new(RLERROR, NO_TAG);
            reply.u32(EINVAL.number);
            return Some(reply.finish());
        };
        let mut session = self.sessions.remove(&core).unwrap_or_default();
        let reply = session.answer(&self.shares, &self.sessions, kind, tag, body);
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = session.refused.take() {
            let entry = (core, format!("/{}", path.display()));
            if notices.refusals.len() < MOST_REFUSALS && !notices.refusals.contains(&entry) {
                notices.refusals.push(entry);
            }
        }
        let full = std::mem::take(&mut session.host_is_full);
        if full {
            notices.host_is_full.get_or_insert(core);
        }
        drop(notices);
        if let Some(renamed) = session.renamed.take() {
            self.sessions.values_mut().for_each(|other| other.follow(&renamed));
        }
        self.sessions.insert(core, session);
        (!full).then_some(reply)
    }
}

impl Default for FileService {
    fn default() -> FileService {
        FileService::new()
    }
}

impl HostService for FileService {
    fn call(&mut self, core: CoreId, service: u32, request: &[u8]) -> Option<Vec<u8>> {
        if service == FILE_SERVICE { self.answer(core, request) } else { None }
    }

    fn save(&self) -> Vec<u8> {
        saved::save(&self.sessions)
    }
}
