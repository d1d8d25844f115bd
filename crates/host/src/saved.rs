//! Sessions in a snapshot: which fids exist, where they point, what is open.
//!
//! A file of the host cannot be saved, so an open one is opened again by its name when the
//! snapshot is restored. A file that has lost its name meanwhile is a clear error; contents that
//! changed meanwhile are the user's business, as they are while a chip runs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use cap_std::fs::FileType;
use rockcreek_defs::CoreId;
use serde::{Deserialize, Serialize};

use crate::locks::Lock;
use crate::message::open_flags;
use crate::session::{Fid, LARGEST_MESSAGE, Opened, SMALLEST_MESSAGE, Session};
use crate::share::Share;

/// Why the sessions of a snapshot cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error("the file service's part of the snapshot is damaged")]
    Damaged,
    #[error("core {core} uses shared folder {share}, but {shares} are shared")]
    Share { core: u16, share: usize, shares: usize },
    #[error("core {core} has {path} open, which cannot be opened again (error {number})")]
    Open { core: u16, path: String, number: u32 },
}

/// The type of a directory entry.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Kind {
    Directory,
    File,
    Symlink,
    Other,
}

#[derive(Serialize, Deserialize)]
enum SavedOpen {
    File { flags: u32, locks: Vec<Lock> },
    Directory(Vec<(Vec<u8>, Kind)>),
}

#[derive(Serialize, Deserialize)]
struct SavedFid {
    share: u64,
    path: Vec<u8>,
    opened: Option<SavedOpen>,
}

#[derive(Serialize, Deserialize)]
struct SavedSession {
    largest_message: u32,
    fids: BTreeMap<u32, SavedFid>,
}

impl Kind {
    fn of(file_type: FileType) -> Kind {
        match () {
            () if file_type.is_dir() => Kind::Directory,
            () if file_type.is_file() => Kind::File,
            () if file_type.is_symlink() => Kind::Symlink,
            () => Kind::Other,
        }
    }

    /// A symbolic link's type cannot be made up: it is asked for at `path`.
    fn file_type(self, share: &Share, path: &Path) -> FileType {
        match self {
            Kind::Directory => FileType::dir(),
            Kind::File => FileType::file(),
            Kind::Other => FileType::unknown(),
            Kind::Symlink => {
                share.metadata(path).map_or(FileType::unknown(), |metadata| metadata.file_type())
            }
        }
    }
}

pub(crate) fn save(sessions: &BTreeMap<CoreId, Session>) -> Vec<u8> {
    let fid = |fid: &Fid| SavedFid {
        share: fid.share as u64,
        path: fid.path.as_os_str().as_bytes().to_vec(),
        opened: fid.opened.as_ref().map(|opened| match opened {
            Opened::File { flags, locks, .. } => {
                SavedOpen::File { flags: *flags, locks: locks.clone() }
            }
            Opened::Directory(entries) => {
                let kinds = entries.iter().map(|(name, kind)| (name.clone(), Kind::of(*kind)));
                SavedOpen::Directory(kinds.collect())
            }
        }),
    };
    let session = |session: &Session| SavedSession {
        largest_message: session.largest_message,
        fids: session.fids.iter().map(|(number, one)| (*number, fid(one))).collect(),
    };
    let all: BTreeMap<u16, SavedSession> =
        sessions.iter().map(|(core, one)| (core.0, session(one))).collect();
    postcard::to_stdvec(&all).expect("sessions are plain data")
}

pub(crate) fn restore(
    bytes: &[u8],
    shares: &[Share],
) -> Result<BTreeMap<CoreId, Session>, RestoreError> {
    if bytes.is_empty() {
        return Ok(BTreeMap::new());
    }
    let all: BTreeMap<u16, SavedSession> =
        postcard::from_bytes(bytes).map_err(|_| RestoreError::Damaged)?;
    let mut sessions = BTreeMap::new();
    for (core, saved) in all {
        let largest_message = saved.largest_message.clamp(SMALLEST_MESSAGE, LARGEST_MESSAGE);
        let mut session = Session { largest_message, ..Session::default() };
        for (number, fid) in saved.fids {
            session.fids.insert(number, restore_fid(core, fid, shares)?);
        }
        sessions.insert(CoreId(core), session);
    }
    Ok(sessions)
}

fn restore_fid(core: u16, fid: SavedFid, shares: &[Share]) -> Result<Fid, RestoreError> {
    let number = fid.share as usize;
    let missing = RestoreError::Share { core, share: number, shares: shares.len() };
    let share = shares.get(number).ok_or(missing)?;
    let path = PathBuf::from(OsString::from_vec(fid.path));
    let opened = match fid.opened {
        None => None,
        Some(SavedOpen::File { flags, locks }) => {
            // Whatever the first open did to the file is done.
            let again = flags & (open_flags::ACCESS_MODE | open_flags::APPEND);
            let file = share.open_file(&path, again).map_err(|error| RestoreError::Open {
                core,
                path: format!("/{}", path.display()),
                number: error.number,
            })?;
            Some(Opened::File { file, flags, locks })
        }
        Some(SavedOpen::Directory(entries)) => {
            let entries = entries.into_iter().map(|(name, kind)| {
                let at = path.join(OsString::from_vec(name.clone()));
                (name, kind.file_type(share, &at))
            });
            Some(Opened::Directory(entries.collect()))
        }
    };
    Ok(Fid { share: number, path, opened })
}
