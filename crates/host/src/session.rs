//! The session of one core: its fids, and the effect of each request.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rockcreek_defs::CoreId;

use crate::attributes::Qid;
use crate::errno::{
    Cause, EBADF, EBUSY, EINVAL, EMFILE, ENAMETOOLONG, ENFILE, ENOENT, ENOTDIR, Errno,
};
use crate::listing::Reading;
use crate::locks::Lock;
use crate::message::{Name, RLERROR, Request, parse};
use crate::open_files::OpenFile;
use crate::share::{Share, checked_name};
use crate::shares::Shares;
use crate::wire::{HEADER_BYTES, Writer};

/// The largest message size that a client can negotiate.
pub(crate) const LARGEST_MESSAGE: u32 = 1 << 20;
/// The smallest message size: it has room for a directory entry with the longest name.
pub(crate) const SMALLEST_MESSAGE: u32 = 512;
/// Fids of one core, of which each may be an open file; a further one is EMFILE. The number is
/// the same on every host, so that no guest sees how many files its host lets a process open.
const MOST_FIDS: usize = 1024;
/// The largest number of fids of all cores; a further one is ENFILE.
const MOST_FIDS_IN_ALL: usize = 16_384;
/// The largest number of bytes of a path from its share's root, as in Linux.
const LONGEST_PATH: usize = 4096;
/// Bytes of a reply around its data: header and count.
pub(crate) const DATA_OVERHEAD: u32 = HEADER_BYTES as u32 + 4;

/// The open file or directory of a fid.
#[derive(Debug)]
pub(crate) enum Opened {
    /// A file, the flags it was opened with, and the locks that were taken by it.
    File { open: OpenFile, flags: u32, locks: Vec<Lock> },
    /// A directory, and the state of reading it.
    Directory(Reading),
}

/// A fid, which is a client's handle: a path in a share, and what is open there.
#[derive(Debug)]
pub(crate) struct Fid {
    pub(crate) share: usize,
    pub(crate) path: PathBuf,
    pub(crate) opened: Option<Opened>,
}

/// A rename by one session, which the other sessions apply to the paths of their fids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Renamed {
    pub(crate) share: usize,
    pub(crate) from: PathBuf,
    pub(crate) to: PathBuf,
}

/// The session of one core.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) fids: BTreeMap<u32, Fid>,
    pub(crate) largest_message: u32,
    /// The last request's rename.
    pub(crate) renamed: Option<Renamed>,
    /// The path of the last request, if it leads out of its share.
    pub(crate) refused: Option<PathBuf>,
    /// True if the host had no descriptor left for the last request.
    pub(crate) host_is_full: bool,
    /// The number of fids that this core may have beside those of the other cores.
    pub(crate) room: usize,
}

impl Default for Session {
    fn default() -> Session {
        let largest_message = LARGEST_MESSAGE;
        Session {
            fids: BTreeMap::new(),
            largest_message,
            renamed: None,
            refused: None,
            host_is_full: false,
            room: MOST_FIDS_IN_ALL,
        }
    }
}

impl Session {
    /// Answers one request. `others`: the sessions of the other cores, for their locks.
    pub(crate) fn answer(
        &mut self,
        shares: &Shares,
        others: &BTreeMap<CoreId, Session>,
        kind: u8,
        tag: u16,
        body: &[u8],
    ) -> Vec<u8> {
        let in_all: usize = others.values().map(|other| other.fids.len()).sum();
        self.room = MOST_FIDS_IN_ALL.saturating_sub(in_all);
        let outcome = parse(kind, body).and_then(|request| {
            let outcome =
                self.outcome(shares, others, &request, Writer::new(kind.wrapping_add(1), tag));
            match outcome.as_ref().map_err(|error| error.cause) {
                Err(Cause::LeadsOut) => self.refused = self.subject(&request),
                Err(Cause::HostIsFull) => self.host_is_full = true,
                _ => {}
            }
            outcome
        });
        outcome.unwrap_or_else(|Errno { number, .. }| {
            let mut error = Writer::new(RLERROR, tag);
            error.u32(number);
            error.finish()
        })
    }

    /// The reply to a request. If the host has no descriptor left, closes those of the cache and
    /// tries again.
    fn outcome(
        &mut self,
        shares: &Shares,
        others: &BTreeMap<CoreId, Session>,
        request: &Request<'_>,
        empty: Writer,
    ) -> Result<Vec<u8>, Errno> {
        let mut reply = empty.clone();
        let mut outcome = self.perform(shares, others, request, &mut reply);
        if outcome.is_err_and(|error| error.cause == Cause::HostIsFull) {
            shares.files.give_back();
            reply = empty;
            outcome = self.perform(shares, others, request, &mut reply);
        }
        outcome.map(|()| reply.finish())
    }

    /// The path that a request is about, from the root of its share.
    fn subject(&self, request: &Request<'_>) -> Option<PathBuf> {
        let (fid, name) = request.subject()?;
        let path = &self.fid(fid).ok()?.path;
        Some(name.map_or_else(|| path.clone(), |name| path.join(OsStr::from_bytes(name))))
    }

    /// Applies another session's rename to the paths of this session's fids.
    pub(crate) fn follow(&mut self, renamed: &Renamed) {
        for fid in self.fids.values_mut().filter(|fid| fid.share == renamed.share) {
            if let Ok(below) = fid.path.strip_prefix(&renamed.from) {
                fid.path = if below.as_os_str().is_empty() {
                    renamed.to.clone()
                } else {
                    renamed.to.join(below)
                };
            }
        }
    }

    fn perform(
        &mut self,
        shares: &Shares,
        others: &BTreeMap<CoreId, Session>,
        request: &Request<'_>,
        reply: &mut Writer,
    ) -> Result<(), Errno> {
        // A second attempt must not meet the half of a first one.
        if let Some(fid) = request.makes_or_removes() {
            self.place(shares, fid)?.0.find_room()?;
        }
        self.hold_what_goes(shares, others, request)?;
        match *request {
            Request::Version { size, version } => self.version(size, version, reply),
            Request::Attach { fid, name } => self.attach(shares, fid, name, reply),
            Request::Flush => Ok(()),
            Request::Walk { fid, new_fid, ref names } => {
                self.walk(shares, fid, new_fid, names, reply)
            }
            Request::Clunk { fid } => self.clunk(fid),
            Request::Remove { fid } => self.remove(shares, fid),
            Request::Open { fid, flags } => self.open(shares, fid, flags, reply),
            Request::Create { fid, name, flags, mode } => {
                self.create(shares, fid, name, flags, mode, reply)
            }
            Request::Read { fid, offset, count } => self.read(shares, fid, offset, count, reply),
            Request::Write { fid, offset, data } => self.write(shares, fid, offset, data, reply),
            Request::ReadDirectory { fid, offset, count } => {
                self.read_directory(shares, fid, offset, count, reply)
            }
            Request::Synchronise { fid } => self.synchronise(shares, fid),
            Request::Lock { fid, wanted } => self.lock(others, fid, wanted, reply),
            Request::GetLock { fid, wanted } => self.get_lock(others, fid, wanted, reply),
            _ => self.perform_on_names(shares, request, reply),
        }
    }

    pub(crate) fn fid(&self, fid: u32) -> Result<&Fid, Errno> {
        self.fids.get(&fid).ok_or(EBADF)
    }

    pub(crate) fn opened(&self, fid: u32) -> Result<&Opened, Errno> {
        self.fid(fid)?.opened.as_ref().ok_or(EBADF)
    }

    /// The share and the path of a fid.
    pub(crate) fn place<'s>(
        &self,
        shares: &'s Shares,
        fid: u32,
    ) -> Result<(&'s Share, &Path), Errno> {
        let fid = self.fid(fid)?;
        Ok((&shares[fid.share], &fid.path))
    }

    /// The share and the path of a name in a fid's directory.
    pub(crate) fn child<'s>(
        &self,
        shares: &'s Shares,
        directory: u32,
        name: Name<'_>,
    ) -> Result<(&'s Share, PathBuf), Errno> {
        let (share, path) = self.place(shares, directory)?;
        let path = path.join(checked_name(name)?);
        Ok((share, path))
    }

    fn insert(&mut self, number: u32, fid: Fid) -> Result<(), Errno> {
        if fid.path.as_os_str().len() > LONGEST_PATH {
            return Err(ENAMETOOLONG);
        }
        if !self.fids.contains_key(&number) {
            match self.fids.len() {
                MOST_FIDS.. => return Err(EMFILE),
                fids if fids >= self.room => return Err(ENFILE),
                _ => {}
            }
        }
        self.fids.insert(number, fid);
        Ok(())
    }

    fn version(&mut self, size: u32, version: &[u8], reply: &mut Writer) -> Result<(), Errno> {
        if size < SMALLEST_MESSAGE {
            return Err(EINVAL);
        }
        *self = Session { largest_message: size.min(LARGEST_MESSAGE), ..Session::default() };
        let known = version == b"9P2000.L";
        let answer: &[u8] = if known { version } else { b"unknown" };
        reply.u32(self.largest_message).string(answer);
        Ok(())
    }

    /// Handles Tattach: the name is a share's number in decimal; an empty name is the first share.
    fn attach(
        &mut self,
        shares: &Shares,
        fid: u32,
        name: Name<'_>,
        reply: &mut Writer,
    ) -> Result<(), Errno> {
        let name = name.strip_prefix(b"/").unwrap_or(name);
        let number = if name.is_empty() { b"0" } else { name };
        let share = (0..shares.len()).find(|index| index.to_string().as_bytes() == number);
        let share = share.ok_or(ENOENT)?;
        if self.fids.contains_key(&fid) {
            return Err(EBUSY);
        }
        let qid = shares[share].qid(Path::new(""))?;
        self.insert(fid, Fid { share, path: PathBuf::new(), opened: None })?;
        qid.write(reply);
        Ok(())
    }

    /// Walks names one by one; a symbolic link ends the walk, as any other non-directory.
    fn walk(
        &mut self,
        shares: &Shares,
        fid: u32,
        new_fid: u32,
        names: &[Name<'_>],
        reply: &mut Writer,
    ) -> Result<(), Errno> {
        if new_fid != fid && self.fids.contains_key(&new_fid) {
            return Err(EBUSY);
        }
        let start = self.fid(fid)?;
        if new_fid == fid && start.opened.is_some() {
            return Err(EBUSY);
        }
        let (number, share) = (start.share, &shares[start.share]);
        let mut path = start.path.clone();
        let mut qids = Vec::new();
        for name in names {
            match step(share, &path, name) {
                Ok((next, qid)) => {
                    path = next;
                    qids.push(qid);
                }
                Err(error) if qids.is_empty() => return Err(error),
                Err(_) => break,
            }
        }
        if qids.len() == names.len() {
            self.insert(new_fid, Fid { share: number, path, opened: None })?;
        }
        reply.u16(qids.len() as u16);
        qids.into_iter().for_each(|qid| qid.write(reply));
        Ok(())
    }
}

/// One name further.
fn step(share: &Share, path: &Path, name: Name<'_>) -> Result<(PathBuf, Qid), Errno> {
    if !share.metadata(path)?.is_dir() {
        return Err(ENOTDIR);
    }
    let next = match name {
        b"." => path.to_owned(),
        // The root is its own parent.
        b".." => path.parent().unwrap_or(Path::new("")).to_owned(),
        _ => path.join(checked_name(name)?),
    };
    let qid = share.qid(&next)?;
    Ok((next, qid))
}
