//! Error numbers of i386 Linux, whatever the host calls them.

use std::io::{Error, ErrorKind};

/// A Linux error number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) u32);

pub(crate) const EPERM: Errno = Errno(1);
pub(crate) const ENOENT: Errno = Errno(2);
pub(crate) const EIO: Errno = Errno(5);
pub(crate) const EBADF: Errno = Errno(9);
pub(crate) const ENOMEM: Errno = Errno(12);
pub(crate) const EACCES: Errno = Errno(13);
pub(crate) const EBUSY: Errno = Errno(16);
pub(crate) const EEXIST: Errno = Errno(17);
pub(crate) const EXDEV: Errno = Errno(18);
pub(crate) const ENOTDIR: Errno = Errno(20);
pub(crate) const EISDIR: Errno = Errno(21);
pub(crate) const EINVAL: Errno = Errno(22);
pub(crate) const EMFILE: Errno = Errno(24);
pub(crate) const ETXTBSY: Errno = Errno(26);
pub(crate) const EFBIG: Errno = Errno(27);
pub(crate) const ENOSPC: Errno = Errno(28);
pub(crate) const EROFS: Errno = Errno(30);
pub(crate) const EMLINK: Errno = Errno(31);
pub(crate) const ENAMETOOLONG: Errno = Errno(36);
pub(crate) const ENOTEMPTY: Errno = Errno(39);
pub(crate) const ELOOP: Errno = Errno(40);
pub(crate) const EOPNOTSUPP: Errno = Errno(95);
pub(crate) const EDQUOT: Errno = Errno(122);

impl From<Error> for Errno {
    fn from(error: Error) -> Errno {
        match error.raw_os_error() {
            Some(number) if cfg!(target_os = "linux") => Errno(number.unsigned_abs()),
            _ => from_kind(error.kind()),
        }
    }
}

/// The number for a kind of error: for other hosts, and for cap-std's refusal to leave the folder,
/// which has no number and is [`ErrorKind::PermissionDenied`].
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
        assert_eq!(Errno::from(escape), EACCES);
        assert_eq!(Errno::from(Error::other("?")), EIO);
    }
}
