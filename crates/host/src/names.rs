//! Requests about names: attributes, directories, links, renaming and removing.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::attributes::{QID_BYTES, entry_type, write_attributes, write_file_system};
use crate::errno::{EBADF, EBUSY, ENOTDIR, EOPNOTSUPP, EPERM, EXDEV, Errno};
use crate::listing::{Kind, Listing};
use crate::message::{Name, REMOVE_DIRECTORY, Request, attribute_bits};
use crate::session::{DATA_OVERHEAD, Fid, Opened, Renamed, Session};
use crate::shares::Shares;
use crate::wire::{HEADER_BYTES, Writer};

/// Entries of a directory before its names.
const DOTS: u64 = 2;

impl Session {
    /// Requests about names and attributes.
    pub(crate) fn perform_on_names(
        &mut self,
        shares: &Shares,
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

    /// Entries from number `offset` on, as many as fit. `.` and `..` come first.
    pub(crate) fn read_directory(
        &mut self,
        shares: &Shares,
        fid: u32,
        offset: u64,
        count: u32,
        reply: &mut Writer,
    ) -> Result<(), Errno> {
        let Opened::Directory(_) = self.opened(fid)? else { return Err(ENOTDIR) };
        let (share, path) = self.place(shares, fid)?;
        let path = path.to_owned();
        let listing = self.listing(shares, fid, offset)?;
        let first = usize::try_from(offset).unwrap_or(usize::MAX);
        let parent = path.parent().unwrap_or(Path::new(""));
        let dots = [(b".".as_slice(), path.as_path()), (b"..".as_slice(), parent)];
        let dots = dots.map(|(name, at)| (name, Kind::Directory, at.to_owned()));
        let names = listing
            .iter()
            .flat_map(|listing| listing.names.from(first.saturating_sub(DOTS as usize)));
        let others = names.map(|(name, kind)| (name, kind, path.join(OsStr::from_bytes(name))));
        let room = count.min(self.largest_message - DATA_OVERHEAD) as usize;
        let mut data = Writer::new(0, 0);
        let mut used = 0;
        let all = dots.into_iter().skip(first).chain(others);
        for (number, (name, kind, at)) in (offset.min(1 << 32) + 1..).zip(all) {
            used += QID_BYTES + 8 + 1 + 2 + name.len();
            if used > room {
                break;
            }
            share.qid_of(kind, &at).write(&mut data);
            data.u64(number).u8(entry_type(kind)).string(name);
        }
        let data = data.finish();
        let data = &data[HEADER_BYTES..];
        reply.u32(data.len() as u32).bytes(data);
        Ok(())
    }

    /// The names that a read from this number on finds; none behind the last one. They are read
    /// at the start, and again if a client goes back to the middle of what it has read to the end.
    fn listing(
        &mut self,
        shares: &Shares,
        fid: u32,
        offset: u64,
    ) -> Result<Option<Arc<Listing>>, Errno> {
        let entry = self.fids.get_mut(&fid).ok_or(EBADF)?;
        let Some(Opened::Directory(reading)) = &mut entry.opened else { return Err(ENOTDIR) };
        if offset > DOTS && offset - DOTS >= reading.count {
            reading.listing = None;
            return Ok(None);
        }
        if offset == 0 || reading.listing.is_none() {
            let names = shares[entry.share].names(&entry.path)?;
            reading.count = names.len() as u64;
            reading.listing = Some(shares.listings.keep(entry.share, &entry.path, names)?);
        }
        Ok(reading.listing.clone())
    }

    fn get_attributes(&self, shares: &Shares, fid: u32, reply: &mut Writer) -> Result<(), Errno> {
        let (share, path) = self.place(shares, fid)?;
        // An open file may have lost its name.
        let metadata = match self.fid(fid)?.file(shares)? {
            Some((file, _)) => file.metadata()?,
            None => share.metadata(path)?,
        };
        let qid = share.qid_of(Kind::of(metadata.file_type()), path);
        write_attributes(reply, qid, &metadata);
        Ok(())
    }

    fn set_attributes(
        &self,
        shares: &Shares,
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
            match self.fid(fid)?.file(shares)? {
                Some((file, _)) => file.set_len(size)?,
                None => share.set_size(path, size)?,
            }
        }
        Ok(())
    }

    fn rename(
        &mut self,
        shares: &Shares,
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
    pub(crate) fn remove(&mut self, shares: &Shares, fid: u32) -> Result<(), Errno> {
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
