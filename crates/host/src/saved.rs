//! Sessions in a snapshot: each session's fids, their paths, and their open files.
//!
//! A snapshot does not contain the host's files. When it is restored, open files are opened again
//! by their names; if a name no longer exists, restoring ends with an error. A file whose contents
//! have changed meanwhile is used as it is, as it would be while a chip runs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, PathBuf};
use std::sync::Arc;

use rockcreek_defs::CoreId;
use serde::{Deserialize, Serialize};

use crate::listing::{Names, Reading};
use crate::locks::Lock;
use crate::open_files::again;
use crate::session::{Fid, LARGEST_MESSAGE, Opened, SMALLEST_MESSAGE, Session};
use crate::shares::Shares;

/// The reason why the sessions of a snapshot cannot be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error("the file service's part of the snapshot is damaged")]
    Damaged,
    #[error("core {core} uses shared folder {share}, but {shares} are shared")]
    Share { core: u16, share: usize, shares: usize },
    #[error("core {core} has {path} open, which cannot be opened again (error {number})")]
    Open { core: u16, path: String, number: u32 },
}

#[derive(Serialize, Deserialize)]
enum SavedOpen {
    File {
        flags: u32,
        locks: Vec<Lock>,
    },
    /// The index of the listing that is being read, `None` if none is; and `Reading::count`.
    Directory {
        listing: Option<u32>,
        count: u64,
    },
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

#[derive(Default, Serialize, Deserialize)]
struct Saved {
    /// The listings, each once.
    listings: Vec<Names>,
    sessions: BTreeMap<u16, SavedSession>,
}

pub(crate) fn save(sessions: &BTreeMap<CoreId, Session>) -> Vec<u8> {
    let mut saved = Saved::default();
    let mut known = BTreeMap::new();
    for (core, session) in sessions {
        let fids = session.fids.iter().map(|(number, fid)| {
            let opened = fid.opened.as_ref().map(|opened| match opened {
                Opened::File { flags, locks, .. } => {
                    SavedOpen::File { flags: *flags, locks: locks.clone() }
                }
                Opened::Directory(Reading { listing, count }) => SavedOpen::Directory {
                    listing: listing.as_ref().map(|listing| {
                        *known.entry(Arc::as_ptr(listing)).or_insert_with(|| {
                            saved.listings.push(listing.names.clone());
                            saved.listings.len() as u32 - 1
                        })
                    }),
                    count: *count,
                },
            });
            let path = fid.path.as_os_str().as_bytes().to_vec();
            (*number, SavedFid { share: fid.share as u64, path, opened })
        });
        let (largest_message, fids) = (session.largest_message, fids.collect());
        saved.sessions.insert(core.0, SavedSession { largest_message, fids });
    }
    postcard::to_stdvec(&saved).expect("sessions are plain data")
}

pub(crate) fn restore(
    bytes: &[u8],
    shares: &Shares,
) -> Result<BTreeMap<CoreId, Session>, RestoreError> {
    if bytes.is_empty() {
        return Ok(BTreeMap::new());
    }
    let saved: Saved = postcard::from_bytes(bytes).map_err(|_| RestoreError::Damaged)?;
    let mut sessions = BTreeMap::new();
    for (core, session) in saved.sessions {
        let largest_message = session.largest_message.clamp(SMALLEST_MESSAGE, LARGEST_MESSAGE);
        let mut restored = Session { largest_message, ..Session::default() };
        for (number, fid) in session.fids {
            restored.fids.insert(number, restore_fid(core, fid, &saved.listings, shares)?);
        }
        sessions.insert(CoreId(core), restored);
    }
    Ok(sessions)
}

fn restore_fid(
    core: u16,
    fid: SavedFid,
    listings: &[Names],
    shares: &Shares,
) -> Result<Fid, RestoreError> {
    let number = fid.share as usize;
    let missing = RestoreError::Share { core, share: number, shares: shares.len() };
    let share = shares.get(number).ok_or(missing)?;
    let path = PathBuf::from(OsString::from_vec(fid.path));
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(RestoreError::Damaged);
    }
    let opened = match fid.opened {
        None => None,
        Some(SavedOpen::File { flags, locks }) => {
            let open = share.open_file(&path, again(flags)).and_then(|file| {
                let open = shares.files.adopt(file)?;
                Ok(Opened::File { open, flags, locks })
            });
            Some(open.map_err(|error| RestoreError::Open {
                core,
                path: format!("/{}", path.display()),
                number: error.number,
            })?)
        }
        Some(SavedOpen::Directory { listing, count }) => {
            let keep = |index: u32| {
                let names = listings.get(index as usize).ok_or(RestoreError::Damaged)?.clone();
                shares.listings.keep(number, &path, names).map_err(|_| RestoreError::Damaged)
            };
            let listing = listing.map(keep).transpose()?;
            Some(Opened::Directory(Reading { listing, count }))
        }
    };
    Ok(Fid { share: number, path, opened })
}
