//! One shared folder, reached by paths relative to it.
//!
//! A path is a list of names without `.` and `..`, so it cannot lead out by itself; cap-std sees
//! to it that no symbolic link on the way does. Nothing here follows a link at the end of a path:
//! links are the client's business.

use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{
    Dir, DirBuilder, DirBuilderExt, File, FileType, Metadata, OpenOptions, OpenOptionsExt,
    Permissions, PermissionsExt, ReadDir,
};

use crate::attributes::Qid;
use crate::errno::{EACCES, EINVAL, EISDIR, ELOOP, ENOENT, ENOTDIR, Errno, LEADS_OUT};
use crate::listing::{Kind, Names};
use crate::message::open_flags;

/// Group and others never get write permission from a create: a fixed umask, so that the host's
/// own does not show.
const UMASK: u32 = 0o022;
/// `O_NONBLOCK`: opening a pipe must not wait for its other end.
const NON_BLOCKING: i32 = if cfg!(target_os = "macos") { 0x4 } else { 0o4000 };

/// Descriptors of the host that a request takes at most for its own use.
const REQUEST_DESCRIPTORS: usize = 8;

/// A folder of the host.
#[derive(Debug)]
pub(crate) struct Share {
    root: Dir,
    /// The share's number; names and paths of the host must not show in inode numbers.
    number: u8,
}

/// A checked name: one component of a path.
pub(crate) fn checked_name(name: &[u8]) -> Result<&Path, Errno> {
    let bad = name.is_empty() || name == b"." || name == b".." || name.contains(&b'/');
    if bad || name.contains(&0) {
        return Err(if name.is_empty() { ENOENT } else { EINVAL });
    }
    Ok(Path::new(std::ffi::OsStr::from_bytes(name)))
}

impl Share {
    pub(crate) fn open(path: &Path, number: u8) -> io::Result<Share> {
        let root = Dir::open_ambient_dir(path, ambient_authority())?;
        Ok(Share { root, number })
    }

    /// The metadata of the entry at a path; a link at its end is not followed.
    pub(crate) fn metadata(&self, path: &Path) -> Result<Metadata, Errno> {
        if path.as_os_str().is_empty() {
            return Ok(self.root.dir_metadata()?);
        }
        Ok(self.root.symlink_metadata(path)?)
    }

    pub(crate) fn qid(&self, path: &Path) -> Result<Qid, Errno> {
        Ok(self.qid_of(Kind::of(self.metadata(path)?.file_type()), path))
    }

    /// The qid of a path whose type is known.
    pub(crate) fn qid_of(&self, kind: Kind, path: &Path) -> Qid {
        Qid::new(kind, &[&[self.number], path.as_os_str().as_bytes()].concat())
    }

    /// Opens a regular file.
    pub(crate) fn open_file(&self, path: &Path, flags: u32) -> Result<File, Errno> {
        refuse_unless_regular(self.metadata(path)?.file_type())?;
        let file = self.root.open_with(path, &options(flags))?;
        // The name may have changed hands in between.
        refuse_unless_regular(file.metadata()?.file_type())?;
        if flags & open_flags::TRUNCATE != 0 && is_writable(flags) {
            file.set_len(0)?;
        }
        Ok(file)
    }

    /// Creates a file, or opens it if it exists and the flags allow that.
    pub(crate) fn create_file(&self, path: &Path, flags: u32, mode: u32) -> Result<File, Errno> {
        let mut create = options(flags);
        create.create_new(true).write(true).mode(0o600);
        match self.root.open_with(path, &create) {
            Ok(file) => {
                file.set_permissions(Permissions::from_mode(mode & 0o777 & !UMASK))?;
                Ok(file)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if flags & open_flags::EXCLUSIVE != 0 {
                    return Err(error.into());
                }
                self.open_file(path, flags)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Names and types in a directory, sorted by name.
    pub(crate) fn names(&self, path: &Path) -> Result<Names, Errno> {
        Names::sorted(self.entries(path)?.map(|entry| {
            let entry = entry?;
            Ok((entry.file_name().into_vec(), Kind::of(entry.file_type()?)))
        }))
    }

    pub(crate) fn refuse_unless_readable(&self, path: &Path) -> Result<(), Errno> {
        self.entries(path).map(drop)
    }

    pub(crate) fn entries(&self, path: &Path) -> Result<ReadDir, Errno> {
        let root = path.as_os_str().is_empty();
        Ok(if root { self.root.entries()? } else { self.root.read_dir(path)? })
    }

    /// An error unless the host has the descriptors that a single request may take.
    pub(crate) fn find_room(&self) -> Result<(), Errno> {
        let some: io::Result<Vec<Dir>> =
            (0..REQUEST_DESCRIPTORS).map(|_| self.root.try_clone()).collect();
        Ok(some.map(drop)?)
    }

    pub(crate) fn make_directory(&self, path: &Path, mode: u32) -> Result<(), Errno> {
        let mut builder = DirBuilder::new();
        builder.mode(0o700);
        self.root.create_dir_with(path, &builder)?;
        let permissions = Permissions::from_mode(mode & 0o777 & !UMASK);
        Ok(self.root.set_permissions(path, permissions)?)
    }

    /// Makes a symbolic link, unless its target leads out of the folder.
    pub(crate) fn make_symlink(&self, path: &Path, target: &[u8]) -> Result<(), Errno> {
        let target = self.planted(path, target)?;
        Ok(self.root.symlink(target, path)?)
    }

    /// The target of a symbolic link, as the link contains it.
    pub(crate) fn link_contents(&self, path: &Path) -> Result<PathBuf, Errno> {
        Ok(self.root.read_link_contents(path)?)
    }

    /// Refuses a path that a link leads out of the folder; nothing needs to be there.
    pub(crate) fn refuse_if_led_out(&self, path: &Path) -> Result<(), Errno> {
        match self.root.metadata(path).map_err(Errno::from) {
            Err(LEADS_OUT) => Err(LEADS_OUT),
            _ => Ok(()),
        }
    }

    pub(crate) fn link(&self, from: &Path, to: &Path) -> Result<(), Errno> {
        self.refuse_planting(from, to)?;
        Ok(self.root.hard_link(from, &self.root, to)?)
    }

    pub(crate) fn rename(&self, from: &Path, to: &Path) -> Result<(), Errno> {
        self.refuse_planting(from, to)?;
        Ok(self.root.rename(from, &self.root, to)?)
    }

    pub(crate) fn remove_file(&self, path: &Path) -> Result<(), Errno> {
        if self.metadata(path)?.is_dir() {
            return Err(EISDIR);
        }
        Ok(self.root.remove_file(path)?)
    }

    pub(crate) fn remove_directory(&self, path: &Path) -> Result<(), Errno> {
        if !self.metadata(path)?.is_dir() {
            return Err(ENOTDIR);
        }
        Ok(self.root.remove_dir(path)?)
    }

    pub(crate) fn set_size(&self, path: &Path, size: u64) -> Result<(), Errno> {
        Ok(self.open_file(path, open_flags::WRITE_ONLY)?.set_len(size)?)
    }

    pub(crate) fn set_mode(&self, path: &Path, mode: u32) -> Result<(), Errno> {
        if self.metadata(path)?.file_type().is_symlink() {
            return Err(ELOOP);
        }
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        Ok(self.root.set_permissions(path, Permissions::from_mode(mode & 0o777))?)
    }
}

fn is_writable(flags: u32) -> bool {
    flags & open_flags::ACCESS_MODE != 0
}

fn options(flags: u32) -> OpenOptions {
    let access = flags & open_flags::ACCESS_MODE;
    let mut options = OpenOptions::new();
    options.read(access != open_flags::WRITE_ONLY);
    options.write(access == open_flags::WRITE_ONLY || access == open_flags::READ_WRITE);
    options.custom_flags(NON_BLOCKING);
    options
}

/// Devices, pipes and sockets of the host are not served; links are for the client to follow.
fn refuse_unless_regular(file_type: FileType) -> Result<(), Errno> {
    match () {
        () if file_type.is_file() => Ok(()),
        () if file_type.is_dir() => Err(EISDIR),
        () if file_type.is_symlink() => Err(ELOOP),
        () => Err(EACCES),
    }
}
