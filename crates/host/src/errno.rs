//! Error numbers of i386 Linux, whatever the host calls them.

use std::io::{Error, ErrorKind};

/// A Linux error number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errno {
    pub(crate) number: u32,
    pub(crate) cause: Cause,
}

/// The cause of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The request itself, or the file.
    Request,
    /// The request was refused because it leads out of the shared folder.
    LeadsOut,
    /// The host has no descriptor left: no answer for a guest.
    HostIsFull,
}

impl Errno {
    const fn new(number: u32) -> Errno {
        Errno { number, cause: Cause::Request }
    }
}

/// EACCES for what leads out of the shared folder.
pub(crate) const LEADS_OUT: Errno = Errno { number: 13, cause: Cause::LeadsOut };

/// No descriptor is left in this process, or on this host.
pub(crate) const HOST_IS_FULL: Errno = Errno { number: 5, cause: Cause::HostIsFull };

pub(crate) const EPERM: Errno = Errno::new(1);
pub(crate) const ENOENT: Errno = Errno::new(2);
pub(crate) const EIO: Errno = Errno::new(5);
pub(crate) const EBADF: Errno = Errno::new(9);
pub(crate) const ENOMEM: Errno = Errno::new(12);
pub(crate) const EACCES: Errno = Errno::new(13);
pub(crate) const EBUSY: Errno = Errno::new(16);
pub(crate) const EEXIST: Errno = Errno::new(17);
pub(crate) const EXDEV: Errno = Errno::new(18);
pub(crate) const ENOTDIR: Errno = Errno::new(20);
pub(crate) const EISDIR: Errno = Errno::new(21);
pub(crate) const EINVAL: Errno = Errno::new(22);
pub(crate) const ENFILE: Errno = Errno::new(23);
pub(crate) const EMFILE: Errno = Errno::new(24);
pub(crate) const ETXTBSY: Errno = Errno::new(26);
pub(crate) const EFBIG: Errno = Errno::new(27);
pub(crate) const ENOSPC: Errno = Errno::new(28);
pub(crate) const EROFS: Errno = Errno::new(30);
pub(crate) const EMLINK: Errno = Errno::new(31);
pub(crate) const ENAMETOOLONG: Errno = Errno::new(36);
pub(crate) const ENOLCK: Errno = Errno::new(37);
pub(crate) const ENOTEMPTY: Errno = Errno::new(39);
pub(crate) const ELOOP: Errno = Errno::new(40);
pub(crate) const EOPNOTSUPP: Errno = Errno::new(95);
pub(crate) const ESTALE: Errno = Errno::new(116);
pub(crate) const EDQUOT: Errno = Errno::new(122);

impl From<Error> for Errno {
    fn from(error: Error) -> Errno {
        match error.raw_os_error() {
            // These two have one number on every Unix.
            Some(number) if [ENFILE.number, EMFILE.number].contains(&number.unsigned_abs()) => {
                HOST_IS_FULL
            }
            Some(number) if cfg!(target_os = "linux") => Errno::new(number.unsigned_abs()),
            // cap-std refuses to leave the folder with an error that has no number.
            None if error.kind() == ErrorKind::PermissionDenied => LEADS_OUT,
            _ => from_kind(error.kind()),
        }
    }
}

/// The number for a kind of error, for other hosts.
fn from_kind(kind: ErrorKind) -> Errno {
    match kind {
        ErrorKind::NotFound => ENOENT,
        ErrorKind::PermissionDenied => EACCES,
        ErrorKind::AlreadyExists => EEXIST,
        ErrorKind::InvalidInput => EINVAL,
        ErrorKind::NotADirectory => ENOTDIR,
        ErrorKind::IsADirectory => EISDIR,
        ErrorKind::DirectoryNotEmpty => ENOTEMPTY,
        ErrorKind::ReadOnlyFilesystem => EROFS,
        ErrorKind::StorageFull => ENOSPC,
        ErrorKind::QuotaExceeded => EDQUOT,
        ErrorKind::FileTooLarge => EFBIG,
        ErrorKind::ResourceBusy => EBUSY,
        ErrorKind::ExecutableFileBusy => ETXTBSY,
        ErrorKind::CrossesDevices => EXDEV,
        ErrorKind::TooManyLinks => EMLINK,
        ErrorKind::InvalidFilename => ENAMETOOLONG,
        ErrorKind::OutOfMemory => ENOMEM,
        ErrorKind::Unsupported => EOPNOTSUPP,
        _ => EIO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_stays_a_full_disk() {
        assert_eq!(Errno::from(Error::from(ErrorKind::StorageFull)), ENOSPC);
        if let Ok(mut full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
            let error = std::io::Write::write(&mut full, b"x").unwrap_err();
            assert_eq!(Errno::from(error), ENOSPC);
        }
    }

    #[test]
    fn errors_without_a_number_go_by_their_kind() {
        let escape = Error::new(ErrorKind::PermissionDenied, "a path led outside");
        assert_eq!(Errno::from(escape), LEADS_OUT);
        assert_eq!(Errno::from(Error::other("?")), EIO);
    }
}
