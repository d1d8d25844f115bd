//! The session of one core: its fids, and what each request does.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use cap_std::fs::{File, FileExt, FileType};

use crate::attributes::{QID_BYTES, Qid, entry_type, write_attributes, write_file_system};
use crate::errno::{
    EBADF, EBUSY, EINVAL, EIO, EISDIR, EMFILE, ENOENT, ENOTDIR, EOPNOTSUPP, EPERM, EXDEV, Errno,
};
use crate::message::{Name, REMOVE_DIRECTORY, RLERROR, Request, attribute_bits, open_flags, parse};
use crate::share::{Share, checked_name};
use crate::wire::{HEADER_BYTES, Writer};

/// Largest message, whatever the client asks for.
const LARGEST_MESSAGE: u32 = 1 << 20;
/// Smallest useful one: room for a directory entry with the longest name.
const SMALLEST_MESSAGE: u32 = 512;
/// Fids of one session; an open one holds a file of the host.
const MOST_FIDS: usize = 1024;
/// Bytes of a reply around its data: header and count.
const DATA_OVERHEAD: u32 = HEADER_BYTES as u32 + 4;

/// What an open fid holds.
#[derive(Debug)]
enum Opened {
    File {
        file: File,
        append: bool,
    },
    /// The names as they were when the directory was read from its start.
    Directory(Vec<(Vec<u8>, FileType)>),
}

/// A client's handle: a place in a share.
#[derive(Debug)]
struct Fid {
    share: usize,
    path: PathBuf,
    opened: Option<Opened>,
}

/// A name that moved, for the other sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Renamed {
    share: usize,
    from: PathBuf,
    to: PathBuf,
}

/// One core's session.
#[derive(Debug)]
pub(crate) struct Session {
    fids: BTreeMap<u32, Fid>,
    largest_message: u32,
    /// The last request's rename.
    pub(crate) renamed: Option<Renamed>,
}

impl Default for Session {
    fn default() -> Session {
        Session { fids: BTreeMap::new(), largest_message: LARGEST_MESSAGE, renamed: None }
    }
}

impl Session {
    /// Answers one request.
    pub(crate) fn answer(&mut self, shares: &[Share], kind: u8, tag: u16, body: &[u8]) -> Vec<u8> {
        let mut reply = Writer::new(kind.wrapping_add(1), tag);
        match parse(kind, body).and_then(|request| self.perform(shares, &request, &mut reply)) {
            Ok(()) => reply.finish(),
            Err(Errno(number)) => {
                let mut error = Writer::new(RLERROR, tag);
                error.u32(number);
                error.finish()
            }
        }
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
            Request::Clunk { fid } => self.fids.remove(&fid).map(|_| ()).ok_or(EBADF),
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
            Request::Lock { fid } => {
                // One process a session: every lock is granted.
                let granted = 0;
                self.fid(fid)?;
                reply.u8(granted);
                Ok(())
            }
            Request::GetLock { fid, start, length, process, client } => {
                let unlocked = 2;
                self.fid(fid)?;
                reply.u8(unlocked).u64(start).u64(length).u32(process).string(client);
                Ok(())
            }
            _ => self.perform_on_names(shares, request, reply),
        }
    }

    /// Requests about names and attributes.
    fn perform_on_names(
        &mut self,
        shares: &[Share],
        request: &Request<'_>,
        reply: &mut Writer,
    ) -> Result<(), Errno> {
        match *request {
            Request::GetAttributes { fid } => self.get_attributes(shares, fid, reply),
            Request::SetAttributes { fid, valid, mode, size } => {
                self.set_attributes(shares, fid, valid, mode, size)
            }
            Request::FileSystem { fid } => {
                self.fid(fid)?;
                write_file_system(reply);
                Ok(())
            }
            Request::MakeDirectory { directory, name, mode } => {
                let (share, path) = self.child(shares, directory, name)?;
                share.make_directory(&path, mode)?;
                share.qid(&path)?.write(reply);
                Ok(())
            }
            Request::MakeSymlink { directory, name, target } => {
                let (share, path) = self.child(shares, directory, name)?;
                share.make_symlink(&path, target)?;
                share.qid(&path)?.write(reply);
                Ok(())
            }
            Request::ReadSymlink { fid } => {
                let (share, path) = self.place(shares, fid)?;
                reply.string(share.read_symlink(path)?.as_os_str().as_bytes());
                Ok(())
            }
            Request::Link { directory, fid, name } => {
                if self.fid(fid)?.share != self.fid(directory)?.share {
                    return Err(EXDEV);
                }
                let (share, to) = self.child(shares, directory, name)?;
                share.link(&self.fid(fid)?.path, &to)
            }
            Request::Rename { fid, directory, name } => {
                let from = self.fid(fid)?.path.clone();
                let source = self.fid(fid)?.share;
                self.rename(shares, source, from, directory, name)
            }
            Request::RenameAt { from, name, to, new_name } => {
                let (_, path) = self.child(shares, from, name)?;
                let source = self.fid(from)?.share;
                self.rename(shares, source, path, to, new_name)
            }
            Request::UnlinkAt { directory, name, flags } => {
                let (share, path) = self.child(shares, directory, name)?;
                if flags & REMOVE_DIRECTORY != 0 {
                    share.remove_directory(&path)
                } else {
                    share.remove_file(&path)
                }
            }
            _ => Err(EOPNOTSUPP),
        }
    }

    fn fid(&self, fid: u32) -> Result<&Fid, Errno> {
        self.fids.get(&fid).ok_or(EBADF)
    }

    fn opened(&self, fid: u32) -> Result<&Opened, Errno> {
        self.fid(fid)?.opened.as_ref().ok_or(EBADF)
    }

    /// The share and path that a fid stands for.
    fn place<'s>(&self, shares: &'s [Share], fid: u32) -> Result<(&'s Share, &Path), Errno> {
        let fid = self.fid(fid)?;
        Ok((&shares[fid.share], &fid.path))
    }

    /// The share and path of a name in the directory that a fid stands for.
    fn child<'s>(
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
            let append = flags & open_flags::APPEND != 0;
            Opened::File { file: share.open_file(path, flags)?, append }
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
        let append = flags & open_flags::APPEND != 0;
        let entry = self.fids.get_mut(&fid).ok_or(EBADF)?;
        entry.path = path;
        entry.opened = Some(Opened::File { file, append });
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
        let Opened::File { file, append } = self.opened(fid)? else { return Err(EISDIR) };
        let offset = if *append { file.metadata()?.len() } else { offset };
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

    /// Entries from number `offset` on, as many as fit. `.` and `..` come first.
    fn read_directory(
        &mut self,
        shares: &[Share],
        fid: u32,
        offset: u64,
        count: u32,
        reply: &mut Writer,
    ) -> Result<(), Errno> {
        let Opened::Directory(_) = self.opened(fid)? else { return Err(ENOTDIR) };
        let (share, path) = self.place(shares, fid)?;
        let path = path.to_owned();
        if offset == 0 {
            let entries = share.entries(&path)?;
            self.fids.get_mut(&fid).ok_or(EBADF)?.opened = Some(Opened::Directory(entries));
        }
        let Opened::Directory(entries) = self.opened(fid)? else { return Err(ENOTDIR) };
        let directory = share.metadata(&path)?.file_type();
        let parent = path.parent().unwrap_or(Path::new(""));
        let dots = [(b".".as_slice(), path.as_path()), (b"..".as_slice(), parent)];
        let dots = dots.map(|(name, at)| (name, directory, at.to_owned()));
        let others = entries.iter().map(|(name, file_type)| {
            let name = name.as_slice();
            (name, *file_type, path.join(std::ffi::OsStr::from_bytes(name)))
        });
        let room = count.min(self.largest_message - DATA_OVERHEAD) as usize;
        let mut data = Writer::new(0, 0);
        let mut used = 0;
        let all = dots.into_iter().chain(others).enumerate();
        for (number, (name, file_type, at)) in all.skip(offset.min(1 << 32) as usize) {
            used += QID_BYTES + 8 + 1 + 2 + name.len();
            if used > room {
                break;
            }
            share.qid_of(file_type, &at).write(&mut data);
            data.u64(number as u64 + 1).u8(entry_type(file_type)).string(name);
        }
        let data = data.finish();
        let data = &data[HEADER_BYTES..];
        reply.u32(data.len() as u32).bytes(data);
        Ok(())
    }

    fn synchronise(&self, fid: u32) -> Result<(), Errno> {
        if let Opened::File { file, .. } = self.opened(fid)? {
            file.sync_all()?;
        }
        Ok(())
    }

    fn get_attributes(&self, shares: &[Share], fid: u32, reply: &mut Writer) -> Result<(), Errno> {
        let (share, path) = self.place(shares, fid)?;
        // An open file may have lost its name.
        let metadata = match &self.fid(fid)?.opened {
            Some(Opened::File { file, .. }) => file.metadata()?,
            _ => share.metadata(path)?,
        };
        let qid = share.qid_of(metadata.file_type(), path);
        write_attributes(reply, qid, &metadata);
        Ok(())
    }

    fn set_attributes(
        &self,
        shares: &[Share],
        fid: u32,
        valid: u32,
        mode: u32,
        size: u64,
    ) -> Result<(), Errno> {
        let (share, path) = self.place(shares, fid)?;
        if valid & attribute_bits::MODE != 0 {
            share.set_mode(path, mode)?;
        }
        if valid & attribute_bits::SIZE != 0 {
            // An open file is cut by its handle: it may have lost its name.
            match &self.fid(fid)?.opened {
                Some(Opened::File { file, .. }) => file.set_len(size)?,
                _ => share.set_size(path, size)?,
            }
        }
        Ok(())
    }

    fn rename(
        &mut self,
        shares: &[Share],
        source: usize,
        from: PathBuf,
        directory: u32,
        name: Name<'_>,
    ) -> Result<(), Errno> {
        let (share, to) = self.child(shares, directory, name)?;
        if self.fid(directory)?.share != source {
            return Err(EXDEV);
        }
        if from.as_os_str().is_empty() {
            return Err(EBUSY);
        }
        share.rename(&from, &to)?;
        let renamed = Renamed { share: source, from, to };
        self.follow(&renamed);
        self.renamed = Some(renamed);
        Ok(())
    }

    /// Removes what the fid stands for; the fid is gone whatever happens.
    fn remove(&mut self, shares: &[Share], fid: u32) -> Result<(), Errno> {
        let Fid { share, path, .. } = self.fids.remove(&fid).ok_or(EBADF)?;
        let share = &shares[share];
        if path.as_os_str().is_empty() {
            return Err(EPERM);
        }
        if share.metadata(&path)?.is_dir() {
            share.remove_directory(&path)
        } else {
            share.remove_file(&path)
        }
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
