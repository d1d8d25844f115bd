//! The requests of 9P2000.L (as diod and the Linux client v9fs write it down), parsed.
//!
//! A reply has the request's type plus one; a failed request is answered by Rlerror.

use crate::errno::{EINVAL, EOPNOTSUPP, Errno};
use crate::locks::LockRequest;
use crate::wire::{HEADER_BYTES, Reader};

/// Type of the error reply.
pub(crate) const RLERROR: u8 = 7;
/// The tag of a version request, and of a reply to what had no readable tag.
pub(crate) const NO_TAG: u16 = u16::MAX;
/// Most names in one walk.
const MOST_NAMES: u16 = 16;

/// Open flags, as Linux on x86 numbers them.
pub(crate) mod open_flags {
    pub(crate) const ACCESS_MODE: u32 = 0o3;
    pub(crate) const WRITE_ONLY: u32 = 0o1;
    pub(crate) const READ_WRITE: u32 = 0o2;
    pub(crate) const EXCLUSIVE: u32 = 0o200;
    pub(crate) const TRUNCATE: u32 = 0o1000;
    pub(crate) const APPEND: u32 = 0o2000;
    pub(crate) const DIRECTORY: u32 = 0o200_000;
}

/// Bits of `SetAttributes::valid` that do something here; owners and times are fixed.
pub(crate) mod attribute_bits {
    pub(crate) const MODE: u32 = 0x1;
    pub(crate) const SIZE: u32 = 0x8;
}

/// Flag of Tunlinkat: remove a directory.
pub(crate) const REMOVE_DIRECTORY: u32 = 0x200;

/// A name or a link's target: bytes, as Linux has them.
pub(crate) type Name<'a> = &'a [u8];

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request<'a> {
    Version { size: u32, version: &'a [u8] },
    Attach { fid: u32, name: Name<'a> },
    Flush,
    Walk { fid: u32, new_fid: u32, names: Vec<Name<'a>> },
    Clunk { fid: u32 },
    Remove { fid: u32 },
    Open { fid: u32, flags: u32 },
    Create { fid: u32, name: Name<'a>, flags: u32, mode: u32 },
    Read { fid: u32, offset: u64, count: u32 },
    Write { fid: u32, offset: u64, data: &'a [u8] },
    ReadDirectory { fid: u32, offset: u64, count: u32 },
    GetAttributes { fid: u32 },
    SetAttributes { fid: u32, valid: u32, mode: u32, size: u64 },
    FileSystem { fid: u32 },
    Synchronise { fid: u32 },
    MakeDirectory { directory: u32, name: Name<'a>, mode: u32 },
    MakeSymlink { directory: u32, name: Name<'a>, target: Name<'a> },
    ReadSymlink { fid: u32 },
    Link { directory: u32, fid: u32, name: Name<'a> },
    Rename { fid: u32, directory: u32, name: Name<'a> },
    RenameAt { from: u32, name: Name<'a>, to: u32, new_name: Name<'a> },
    UnlinkAt { directory: u32, name: Name<'a>, flags: u32 },
    Lock { fid: u32, wanted: LockRequest },
    GetLock { fid: u32, wanted: LockRequest },
}

impl<'a> Request<'a> {
    /// The fid of a request that changes names in more than one step.
    pub(crate) fn makes_or_removes(&self) -> Option<u32> {
        match *self {
            Request::Create { fid, .. } | Request::Remove { fid } => Some(fid),
            Request::MakeDirectory { directory, .. } | Request::MakeSymlink { directory, .. } => {
                Some(directory)
            }
            _ => None,
        }
    }

    /// The fid that the request is about, and the name below it.
    pub(crate) fn subject(&self) -> Option<(u32, Option<Name<'a>>)> {
        match *self {
            Request::Open { fid, .. }
            | Request::GetAttributes { fid }
            | Request::SetAttributes { fid, .. }
            | Request::ReadDirectory { fid, .. }
            | Request::ReadSymlink { fid }
            | Request::Remove { fid } => Some((fid, None)),
            Request::Create { fid: directory, name, .. }
            | Request::MakeDirectory { directory, name, .. }
            | Request::MakeSymlink { directory, name, .. }
            | Request::Link { directory, name, .. }
            | Request::Rename { directory, name, .. }
            | Request::RenameAt { to: directory, new_name: name, .. }
            | Request::UnlinkAt { directory, name, .. } => Some((directory, Some(name))),
            Request::Walk { fid, ref names, .. } => Some((fid, names.first().copied())),
            _ => None,
        }
    }
}

/// Type, tag and body of a message whose length field is right.
pub(crate) fn split(message: &[u8]) -> Option<(u8, u16, &[u8])> {
    let (start, body) = message.split_at_checked(HEADER_BYTES)?;
    let mut reader = Reader::new(start);
    let length = reader.u32().ok()?;
    let (kind, tag) = (reader.u8().ok()?, reader.u16().ok()?);
    (length as usize == message.len()).then_some((kind, tag, body))
}

/// Parses a body. What the protocol has and this service has not is EOPNOTSUPP, bytes that are no
/// message are EINVAL.
pub(crate) fn parse(kind: u8, body: &[u8]) -> Result<Request<'_>, Errno> {
    let mut body = Reader::new(body);
    match kind {
        8..=40 => parse_attributes(kind, &mut body),
        50..=76 => parse_names(kind, &mut body),
        _ => parse_basic(kind, &mut body),
    }
}

/// The messages that 9P2000 already had.
fn parse_basic<'a>(kind: u8, body: &mut Reader<'a>) -> Result<Request<'a>, Errno> {
    Ok(match kind {
        100 => Request::Version { size: body.u32()?, version: body.string()? },
        104 => {
            let (fid, _authentication) = (body.u32()?, body.u32()?);
            let _user = body.string()?;
            Request::Attach { fid, name: body.string()? }
        }
        108 => Request::Flush,
        110 => {
            let (fid, new_fid, count) = (body.u32()?, body.u32()?, body.u16()?);
            if count > MOST_NAMES {
                return Err(EINVAL);
            }
            let names = (0..count).map(|_| body.string()).collect::<Result<_, _>>()?;
            Request::Walk { fid, new_fid, names }
        }
        116 => Request::Read { fid: body.u32()?, offset: body.u64()?, count: body.u32()? },
        118 => {
            let (fid, offset, count) = (body.u32()?, body.u64()?, body.u32()?);
            Request::Write { fid, offset, data: body.bytes(count as usize)? }
        }
        120 => Request::Clunk { fid: body.u32()? },
        122 => Request::Remove { fid: body.u32()? },
        // Tauth: there is nobody to authenticate.
        102 => return Err(EOPNOTSUPP),
        _ => return Err(EINVAL),
    })
}

fn parse_attributes<'a>(kind: u8, body: &mut Reader<'a>) -> Result<Request<'a>, Errno> {
    Ok(match kind {
        8 => Request::FileSystem { fid: body.u32()? },
        12 => Request::Open { fid: body.u32()?, flags: body.u32()? },
        14 => Request::Create {
            fid: body.u32()?,
            name: body.string()?,
            flags: body.u32()?,
            mode: body.u32()?,
        },
        16 => Request::MakeSymlink {
            directory: body.u32()?,
            name: body.string()?,
            target: body.string()?,
        },
        20 => Request::Rename { fid: body.u32()?, directory: body.u32()?, name: body.string()? },
        22 => Request::ReadSymlink { fid: body.u32()? },
        24 => Request::GetAttributes { fid: body.u32()? },
        26 => {
            let (fid, valid, mode) = (body.u32()?, body.u32()?, body.u32()?);
            let _owner_and_group = (body.u32()?, body.u32()?);
            Request::SetAttributes { fid, valid, mode, size: body.u64()? }
        }
        40 => Request::ReadDirectory { fid: body.u32()?, offset: body.u64()?, count: body.u32()? },
        // Device nodes and extended attributes.
        18 | 30 | 32 => return Err(EOPNOTSUPP),
        _ => return Err(EINVAL),
    })
}

fn parse_names<'a>(kind: u8, body: &mut Reader<'a>) -> Result<Request<'a>, Errno> {
    Ok(match kind {
        50 => Request::Synchronise { fid: body.u32()? },
        52 => {
            let (fid, kind, _flags) = (body.u32()?, body.u8()?, body.u32()?);
            Request::Lock { fid, wanted: parse_lock(kind, body)? }
        }
        54 => {
            let (fid, kind) = (body.u32()?, body.u8()?);
            Request::GetLock { fid, wanted: parse_lock(kind, body)? }
        }
        70 => Request::Link { directory: body.u32()?, fid: body.u32()?, name: body.string()? },
        72 => {
            let (directory, name) = (body.u32()?, body.string()?);
            Request::MakeDirectory { directory, name, mode: body.u32()? }
        }
        74 => {
            let (from, name) = (body.u32()?, body.string()?);
            Request::RenameAt { from, name, to: body.u32()?, new_name: body.string()? }
        }
        76 => {
            let (directory, name) = (body.u32()?, body.string()?);
            Request::UnlinkAt { directory, name, flags: body.u32()? }
        }
        _ => return Err(EINVAL),
    })
}

/// The end of a request about a lock; who the client is, the session knows.
fn parse_lock(kind: u8, body: &mut Reader<'_>) -> Result<LockRequest, Errno> {
    let (start, length, process) = (body.u64()?, body.u64()?, body.u32()?);
    let _client = body.string()?;
    Ok(LockRequest { kind, start, length, process })
}
