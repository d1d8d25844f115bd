//! The attributes of a file that a guest sees: they do not depend on the user, the time or the file
//! system of the host.

use cap_std::fs::{Metadata, PermissionsExt};
use xxhash_rust::xxh3::xxh3_64;

use crate::listing::Kind;
use crate::wire::Writer;

/// 2010-01-01 since 1970-01-01, in seconds: every file's dates, and where guest clocks begin.
const FIXED_TIME: u64 = 1_262_304_000;
const BLOCK_BYTES: u64 = 4096;
/// The unit of a file's `blocks`, by definition.
const SECTOR_BYTES: u64 = 512;
/// Attributes that a reply always holds (Tgetattr's "basic" mask).
const BASIC: u64 = 0x7FF;

/// A file's unique id, as walk and open return it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Qid {
    kind: u8,
    path: u64,
}

const QID_DIRECTORY: u8 = 0x80;
const QID_SYMLINK: u8 = 0x02;

impl Qid {
    /// `place` is the file's name inside all shares; it stands for the inode number.
    pub(crate) fn new(kind: Kind, place: &[u8]) -> Qid {
        let kind = match kind {
            Kind::Directory => QID_DIRECTORY,
            Kind::Symlink => QID_SYMLINK,
            Kind::File | Kind::Other => 0,
        };
        Qid { kind, path: xxh3_64(place) }
    }

    pub(crate) fn write(self, reply: &mut Writer) {
        reply.u8(self.kind).u32(0).u64(self.path);
    }
}

/// Length of a qid in a message.
pub(crate) const QID_BYTES: usize = 13;

/// The type of a directory entry, as `getdents` numbers it.
pub(crate) fn entry_type(kind: Kind) -> u8 {
    (mode_type(kind) >> 12) as u8
}

fn mode_type(kind: Kind) -> u32 {
    match kind {
        Kind::Directory => 0o040_000,
        Kind::Symlink => 0o120_000,
        Kind::File => 0o100_000,
        // Devices, sockets and pipes are reported as one kind, and cannot be opened.
        Kind::Other => 0o140_000,
    }
}

/// Writes the body of Rgetattr.
pub(crate) fn write_attributes(reply: &mut Writer, qid: Qid, metadata: &Metadata) {
    let kind = Kind::of(metadata.file_type());
    let (permissions, links, size) = match kind {
        Kind::Directory => (metadata.permissions().mode() & 0o777, 2, BLOCK_BYTES),
        Kind::Symlink => (0o777, 1, metadata.len()),
        Kind::File | Kind::Other => (metadata.permissions().mode() & 0o777, 1, metadata.len()),
    };
    let owner_and_group = (0, 0);
    reply.u64(BASIC);
    qid.write(reply);
    reply.u32(mode_type(kind) | permissions).u32(owner_and_group.0).u32(owner_and_group.1);
    let device = 0;
    reply.u64(links).u64(device).u64(size).u64(BLOCK_BYTES).u64(size.div_ceil(SECTOR_BYTES));
    for _access_change_status_birth in 0..4 {
        reply.u64(FIXED_TIME).u64(0);
    }
    let (generation, data_version) = (0, 0);
    reply.u64(generation).u64(data_version);
}

/// Writes the body of Rstatfs: a file system of fixed size, half full.
pub(crate) fn write_file_system(reply: &mut Writer) {
    const V9FS_MAGIC: u32 = 0x0102_1997;
    const BLOCKS: u64 = 1 << 20;
    const LONGEST_NAME: u32 = 255;
    reply.u32(V9FS_MAGIC).u32(BLOCK_BYTES as u32);
    reply.u64(BLOCKS).u64(BLOCKS / 2).u64(BLOCKS / 2);
    reply.u64(BLOCKS).u64(BLOCKS / 2);
    let file_system_id = 0;
    reply.u64(file_system_id).u32(LONGEST_NAME);
}
