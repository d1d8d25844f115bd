//! Opening, creating, reading and writing files.

use std::collections::BTreeMap;
use std::sync::Arc;

use cap_std::fs::{File, FileExt};
use rockcreek_defs::CoreId;

use crate::errno::{EBADF, EBUSY, EIO, EISDIR, ENOTDIR, Errno};
use crate::listing::Reading;
use crate::message::{Name, Request, attribute_bits, open_flags};
use crate::open_files::FileNumber;
use crate::session::{DATA_OVERHEAD, Fid, Opened, Session};
use crate::shares::Shares;
use crate::wire::Writer;

impl Session {
    pub(crate) fn open(
        &mut self,
        shares: &Shares,
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
            share.refuse_unless_readable(path)?;
            Opened::Directory(Reading::default())
        } else {
            if flags & open_flags::DIRECTORY != 0 {
                return Err(ENOTDIR);
            }
            let open = shares.files.adopt(share.open_file(path, flags)?)?;
            Opened::File { open, flags, locks: Vec::new() }
        };
        let qid = share.qid(path)?;
        self.fids.get_mut(&fid).ok_or(EBADF)?.opened = Some(opened);
        qid.write(reply);
        reply.u32(self.largest_message - DATA_OVERHEAD);
        Ok(())
    }

    /// Creates a file in the fid's directory; the fid then stands for the open file.
    pub(crate) fn create(
        &mut self,
        shares: &Shares,
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
        let open = shares.files.adopt(share.create_file(&path, flags, mode)?)?;
        if !reopens(mode) {
            open.pin(share, &path, flags)?;
        }
        let qid = share.qid(&path)?;
        let entry = self.fids.get_mut(&fid).ok_or(EBADF)?;
        entry.path = path;
        entry.opened = Some(Opened::File { open, flags, locks: Vec::new() });
        qid.write(reply);
        reply.u32(self.largest_message - DATA_OVERHEAD);
        Ok(())
    }

    pub(crate) fn read(
        &self,
        shares: &Shares,
        fid: u32,
        offset: u64,
        count: u32,
        reply: &mut Writer,
    ) -> Result<(), Errno> {
        let (file, _) = self.file(shares, fid)?;
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

    pub(crate) fn write(
        &self,
        shares: &Shares,
        fid: u32,
        offset: u64,
        data: &[u8],
        reply: &mut Writer,
    ) -> Result<(), Errno> {
        let (file, flags) = self.file(shares, fid)?;
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

    pub(crate) fn synchronise(&self, shares: &Shares, fid: u32) -> Result<(), Errno> {
        if let Opened::File { .. } = self.opened(fid)? {
            self.file(shares, fid)?.0.sync_all()?;
        }
        Ok(())
    }

    /// The file that a fid has open, and the flags that it was opened with.
    fn file(&self, shares: &Shares, fid: u32) -> Result<(Arc<File>, u32), Errno> {
        self.opened(fid)?;
        self.fid(fid)?.file(shares)?.ok_or(EISDIR)
    }
}

impl Fid {
    /// The file, if the fid has one open, and the flags that it was opened with.
    pub(crate) fn file(&self, shares: &Shares) -> Result<Option<(Arc<File>, u32)>, Errno> {
        let Some(Opened::File { open, flags, .. }) = &self.opened else { return Ok(None) };
        Ok(Some((open.file(&shares[self.share], &self.path, *flags)?, *flags)))
    }

    /// Holds the file open, if there is one, until the fid closes it.
    fn pin(&self, shares: &Shares) -> Result<(), Errno> {
        let Some(Opened::File { open, flags, .. }) = &self.opened else { return Ok(()) };
        open.pin(&shares[self.share], &self.path, *flags)
    }
}

/// True if the owner of a file with this mode can open it again to read and to write.
fn reopens(mode: u32) -> bool {
    mode & 0o600 == 0o600
}

impl Session {
    /// Holds those open files that a request takes the name or the right to open from.
    pub(crate) fn hold_what_goes(
        &self,
        shares: &Shares,
        others: &BTreeMap<CoreId, Session>,
        request: &Request<'_>,
    ) -> Result<(), Errno> {
        let (fid, name) = match *request {
            Request::UnlinkAt { directory, name, .. }
            | Request::Rename { directory, name, .. }
            | Request::RenameAt { to: directory, new_name: name, .. } => (directory, Some(name)),
            Request::Remove { fid } => (fid, None),
            Request::SetAttributes { fid, valid, mode, .. }
                if valid & attribute_bits::MODE != 0 && mode & 0o700 != 0o700 =>
            {
                (fid, None)
            }
            _ => return Ok(()),
        };
        let (share, path) = match name {
            Some(name) => self.child(shares, fid, name)?,
            None => self.place(shares, fid).map(|(share, path)| (share, path.to_owned()))?,
        };
        let Ok(metadata) = share.metadata(&path) else { return Ok(()) };
        let number = FileNumber::of(&metadata);
        let place = self.fid(fid)?.share;
        let goes = |fid: &&Fid| match &fid.opened {
            Some(Opened::File { open, .. }) if metadata.is_file() => open.identity == number,
            // What lies in a directory that may not be entered any more.
            Some(Opened::File { .. }) => fid.share == place && fid.path.starts_with(&path),
            _ => false,
        };
        let sessions = others.values().chain([self]);
        sessions.flat_map(|one| one.fids.values()).filter(goes).try_for_each(|fid| fid.pin(shares))
    }
}
