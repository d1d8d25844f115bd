//! The session of one core: its fids, and what each request does.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use cap_std::fs::{File, FileExt, FileType};
use rockcreek_defs::CoreId;

use crate::attributes::Qid;
use crate::errno::{EBADF, EBUSY, EINVAL, EIO, EISDIR, EMFILE, ENOENT, ENOTDIR, Errno};
use crate::locks::Lock;
use crate::message::{Name, RLERROR, Request, open_flags, parse};
use crate::share::{Share, checked_name};
use crate::wire::{HEADER_BYTES, Writer};

/// Largest message, whatever the client asks for.
pub(crate) const LARGEST_MESSAGE: u32 = 1 << 20;
/// Smallest useful one: room for a directory entry with the longest name.
pub(crate) const SMALLEST_MESSAGE: u32 = 512;
/// Fids of one session; an open one holds a file of the host.
const MOST_FIDS: usize = 1024;
/// Bytes of a reply around its data: header and count.
pub(crate) const DATA_OVERHEAD: u32 = HEADER_BYTES as u32 + 4;

/// What an open fid holds.
#[derive(Debug)]
pub(crate) enum Opened {
    /// A file, the flags it was opened with, and the locks that were taken by it.
    File { file: File, flags: u32, locks: Vec<Lock> },
    /// The names as they were when the directory was read from its start.
    Directory(Vec<(Vec<u8>, FileType)>),
}

/// A client's handle: a place in a share.
#[derive(Debug)]
pub(crate) struct Fid {
    pub(crate) share: usize,
    pub(crate) path: PathBuf,
    pub(crate) opened: Option<Opened>,
}

/// A name that moved, for the other sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Renamed {
    pub(crate) share: usize,
    pub(crate) from: PathBuf,
    pub(crate) to: PathBuf,
}

/// One core's session.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) fids: BTreeMap<u32, Fid>,
    pub(crate) largest_message: u32,
    /// The last request's rename.
    pub(crate) renamed: Option<Renamed>,
    /// What the last request was about, if that leads out of its share.
    pub(crate) refused: Option<PathBuf>,
}

impl Default for Session {
    fn default() -> Session {
        let largest_message = LARGEST_MESSAGE;
        Session { fids: BTreeMap::new(), largest_message, renamed: None, refused: None }
    }
}

impl Session {
    /// Answers one request. The other sessions may have locks.
    pub(crate) fn answer(
        &mut self,
        shares: &[Share],
        others: &BTreeMap<CoreId, Session>,
        kind: u8,
        tag: u16,
        body: &[u8],
    ) -> Vec<u8> {
        let mut reply = Writer::new(kind.wrapping_add(1), tag);
        let outcome = parse(kind, body).and_then(|request| {
            let outcome = self.perform(shares, others, &request, &mut reply);
            if outcome.is_err_and(|error| error.leads_out) {
                self.refused = self.subject(&request);
            }
            outcome
        });
        match outcome {
            Ok(()) => reply.finish(),
            Err(Errno { number, .. }) => {
                let mut error = Writer::new(RLERROR, tag);
                error.u32(number);
                error.finish()
            }
        }
    }

    /// The path that a request is about, from the root of its share.
    fn subject(&self, request: &Request<'_>) -> Option<PathBuf> {
        let (fid, name) = request.subject()?;
        let path = &self.fid(fid).ok()?.path;
        Some(name.map_or_else(|| path.clone(), |name| path.join(OsStr::from_bytes(name))))
    }

    /// Another session moved a name.
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
        shares: &[Share],
        others: &BTreeMap<CoreId, Session>,
        request: &Request<'_>,
        reply: &mut Writer,
    ) -> Result<(), Errno> {
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
            Request::Read { fid, offset, count } => self.read(fid, offset, count, reply),
            Request::Write { fid, offset, data } => self.write(fid, offset, data, reply),
            Request::ReadDirectory { fid, offset, count } => {
                self.read_directory(shares, fid, offset, count, reply)
            }
            Request::Synchronise { fid } => self.synchronise(fid),
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

    /// The share and path that a fid stands for.
    pub(crate) fn place<'s>(
        &self,
        shares: &'s [Share],
        fid: u32,
    ) -> Result<(&'s Share, &Path), Errno> {
        let fid = self.fid(fid)?;
        Ok((&shares[fid.share], &fid.path))
    }

    /// The share and path of a name in the directory that a fid stands for.
    pub(crate) fn child<'s>(
        &self,
        shares: &'s [Share],
        directory: u32,
        name: Name<'_>,
    ) -> Result<(&'s Share, PathBuf), Errno> {
        let (share, path) = self.place(shares, directory)?;
        let path = path.join(checked_name(name)?);
        Ok((share, path))
    }

    fn insert(&mut self, number: u32, fid: Fid) -> Result<(), Errno> {
        if self.fids.len() >= MOST_FIDS && !self.fids.contains_key(&number) {
            return Err(EMFILE);
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

    /// A share is attached by its number in decimal; no name is the first one.
    fn attach(
        &mut self,
        shares: &[Share],
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
        shares: &[Share],
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

    fn open(
        &mut self,
        shares: &[Share],
        fid: u32,
        flags: u32,
        reply: &mut Writer,
    ) -> Result<(), Errno> {
        if self.fid(fid)?.opened.is_some() {
            return Err(EBUSY);
        }
        let (share, path) = self.place(shares, fid)?;
        let is_directory = share.metadata(path)?.is_dir();
        let opened = if is_directory {
            if flags & (open_flags::ACCESS_MODE | open_flags::TRUNCATE) != 0 {
                return Err(EISDIR);
            }
            Opened::Directory(share.entries(path)?)
        } else {
            if flags & open_flags::DIRECTORY != 0 {
                return Err(ENOTDIR);
            }
            Opened::File { file: share.open_file(path, flags)?, flags, locks: Vec::new() }
        };
        let qid = share.qid(path)?;
        self.fids.get_mut(&fid).ok_or(EBADF)?.opened = Some(opened);
        qid.write(reply);
        reply.u32(self.largest_message - DATA_OVERHEAD);
        Ok(())
    }

    /// Creates a file in the fid's directory; the fid then stands for the open file.
    fn create(
        &mut self,
        shares: &[Share],
        fid: u32,
        name: Name<'_>,
        flags: u32,
        mode: u32,
        reply: &mut Writer,
    ) -> Result<(), Errno> {
        if self.fid(fid)?.opened.is_some() {
            return Err(EBUSY);
        }
        let (share, path) = self.child(shares, fid, name)?;
        let file = share.create_file(&path, flags, mode)?;
        let qid = share.qid(&path)?;
        let entry = self.fids.get_mut(&fid).ok_or(EBADF)?;
        entry.path = path;
        entry.opened = Some(Opened::File { file, flags, locks: Vec::new() });
        qid.write(reply);
        reply.u32(self.largest_message - DATA_OVERHEAD);
        Ok(())
    }

    fn read(&self, fid: u32, offset: u64, count: u32, reply: &mut Writer) -> Result<(), Errno> {
        let Opened::File { file, .. } = self.opened(fid)? else { return Err(EISDIR) };
        let count = count.min(self.largest_message - DATA_OVERHEAD) as usize;
        let mut data = vec![0; count];
        let mut done = 0;
        // A short read of the host must not become a short read of the guest.
        while done < count {
            match file.read_at(&mut data[done..], offset.saturating_add(done as u64)) {
                Ok(0) => break,
                Ok(more) => done += more,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        reply.u32(done as u32).bytes(&data[..done]);
        Ok(())
    }

    fn write(&self, fid: u32, offset: u64, data: &[u8], reply: &mut Writer) -> Result<(), Errno> {
        let Opened::File { file, flags, .. } = self.opened(fid)? else { return Err(EISDIR) };
        let offset = if flags & open_flags::APPEND != 0 { file.metadata()?.len() } else { offset };
        let mut done = 0;
        while done < data.len() {
            match file.write_at(&data[done..], offset.saturating_add(done as u64)) {
                Ok(more) if more > 0 => done += more,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                // What is written counts; the next write meets the error.
                _ if done > 0 => break,
                Ok(_) => return Err(EIO),
                Err(error) => return Err(error.into()),
            }
        }
        reply.u32(done as u32);
        Ok(())
    }

    fn synchronise(&self, fid: u32) -> Result<(), Errno> {
        if let Opened::File { file, .. } = self.opened(fid)? {
            file.sync_all()?;
        }
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
