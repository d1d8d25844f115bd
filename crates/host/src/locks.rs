//! Locks on ranges of bytes, as POSIX defines them: on each byte of a file a core has one lock or
//! none. Locks are advisory: reads and writes ignore them. A lock is stored in the fid that took
//! it; the identity of the fid's file on the host names the locked file.

use std::collections::BTreeMap;

use rockcreek_defs::CoreId;
use serde::{Deserialize, Serialize};

use crate::errno::{EBADF, EINVAL, ENOLCK, Errno};
use crate::open_files::FileNumber;
use crate::session::{Opened, Session};
use crate::wire::Writer;

/// The largest number of locks of one session, because they take the host's memory.
const MOST_LOCKS: usize = 4096;

/// Answers to Tlock. A client that waits for a lock repeats its request.
const GRANTED: u8 = 0;
const BLOCKED: u8 = 1;

/// The kind of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum LockKind {
    Read = 0,
    Write = 1,
}

/// The kind in an unlock request, and in an answer that reports no lock.
const UNLOCKED: u8 = 2;

/// The bytes from `start` to before `end`; `u64::MAX` stands for the end of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Range {
    start: u64,
    end: u64,
}

impl Range {
    const ALL: Range = Range { start: 0, end: u64::MAX };

    /// The range of a request; as in the protocol, length 0 means up to the end of the file.
    fn new(start: u64, length: u64) -> Result<Range, Errno> {
        let end = if length == 0 { Some(u64::MAX) } else { start.checked_add(length) };
        end.map(|end| Range { start, end }).ok_or(EINVAL)
    }

    fn length(self) -> u64 {
        if self.end == u64::MAX { 0 } else { self.end - self.start }
    }

    fn overlaps(self, other: Range) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The parts of this range before and after `other`.
    fn without(self, other: Range) -> impl Iterator<Item = Range> {
        let before = Range { start: self.start, end: self.end.min(other.start) };
        let behind = Range { start: self.start.max(other.end), end: self.end };
        [before, behind].into_iter().filter(|rest| rest.start < rest.end)
    }
}

/// One lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lock {
    kind: LockKind,
    range: Range,
    /// The number that the client gave its process.
    process: u32,
}

impl Lock {
    /// The parts of the lock outside a range.
    fn without(self, range: Range) -> impl Iterator<Item = Lock> {
        self.range.without(range).map(move |range| Lock { range, ..self })
    }
}

/// The arguments of Tlock and Tgetlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LockRequest {
    pub(crate) kind: u8,
    pub(crate) start: u64,
    pub(crate) length: u64,
    pub(crate) process: u32,
}

impl LockRequest {
    fn range(self) -> Result<Range, Errno> {
        Range::new(self.start, self.length)
    }

    /// The requested lock; `None` for an unlock.
    fn lock(self) -> Result<Option<Lock>, Errno> {
        let kind = match self.kind {
            0 => LockKind::Read,
            1 => LockKind::Write,
            UNLOCKED => return Ok(None),
            _ => return Err(EINVAL),
        };
        Ok(Some(Lock { kind, range: self.range()?, process: self.process }))
    }
}

impl Session {
    /// Handles Tlock: grants a lock, or replies that another session's lock conflicts; or unlocks.
    pub(crate) fn lock(
        &mut self,
        others: &BTreeMap<CoreId, Session>,
        fid: u32,
        wanted: LockRequest,
        reply: &mut Writer,
    ) -> Result<(), Errno> {
        let number = self.file_number(fid)?;
        let (range, lock) = (wanted.range()?, wanted.lock()?);
        if lock.is_some_and(|lock| conflict(others, number, lock).is_some()) {
            reply.u8(BLOCKED);
            return Ok(());
        }
        // An unlock in the middle of a lock leaves two locks.
        if self.count_without(number, range) + usize::from(lock.is_some()) > MOST_LOCKS {
            return Err(ENOLCK);
        }
        self.unlock(number, range);
        let fid = self.fids.get_mut(&fid).ok_or(EBADF)?;
        if let Some(Opened::File { locks, .. }) = &mut fid.opened {
            locks.extend(lock);
        }
        reply.u8(GRANTED);
        Ok(())
    }

    /// Reports a lock that conflicts with the requested one, if there is one.
    pub(crate) fn get_lock(
        &self,
        others: &BTreeMap<CoreId, Session>,
        fid: u32,
        wanted: LockRequest,
        reply: &mut Writer,
    ) -> Result<(), Errno> {
        let number = self.file_number(fid)?;
        let lock = wanted.lock()?.ok_or(EINVAL)?;
        match conflict(others, number, lock) {
            Some((core, Lock { kind, range, process })) => {
                reply.u8(kind as u8).u64(range.start).u64(range.length());
                reply.u32(process).string(format!("core {}", core.0).as_bytes());
            }
            None => {
                reply.u8(UNLOCKED).u64(wanted.start).u64(wanted.length);
                reply.u32(wanted.process).string(b"");
            }
        }
        Ok(())
    }

    /// Closes a fid, and removes all locks of this session on its file, as POSIX demands.
    pub(crate) fn clunk(&mut self, fid: u32) -> Result<(), Errno> {
        if self.locks().next().is_some()
            && let Ok(number) = self.file_number(fid)
        {
            self.unlock(number, Range::ALL);
        }
        self.fids.remove(&fid).map(|_| ()).ok_or(EBADF)
    }

    fn unlock(&mut self, number: FileNumber, range: Range) {
        for fid in self.fids.values_mut() {
            let Some(Opened::File { open, locks, .. }) = &mut fid.opened else { continue };
            if open.identity == number {
                *locks = locks.iter().flat_map(|lock| lock.without(range)).collect();
            }
        }
    }

    /// The number of this session's locks after those of a file are removed from a range.
    fn count_without(&self, number: FileNumber, range: Range) -> usize {
        let counts = self.locks().map(|(file, locks)| {
            if file != number {
                return locks.len();
            }
            locks.iter().map(|lock| lock.without(range).count()).sum()
        });
        counts.sum()
    }

    fn file_number(&self, fid: u32) -> Result<FileNumber, Errno> {
        match self.opened(fid)? {
            Opened::File { open, .. } => Ok(open.identity),
            Opened::Directory(_) => Err(EBADF),
        }
    }

    /// The files on which this session has locks, each with these locks.
    fn locks(&self) -> impl Iterator<Item = (FileNumber, &[Lock])> {
        self.fids.values().filter_map(|fid| match &fid.opened {
            Some(Opened::File { open, locks, .. }) if !locks.is_empty() => {
                Some((open.identity, &locks[..]))
            }
            _ => None,
        })
    }
}

/// The first lock of another core on this file that conflicts with the wanted one.
fn conflict(
    others: &BTreeMap<CoreId, Session>,
    number: FileNumber,
    wanted: Lock,
) -> Option<(CoreId, Lock)> {
    let all = others.iter().flat_map(|(core, session)| {
        let same = session.locks().filter(move |(file, _)| *file == number);
        same.flat_map(move |(_, locks)| locks.iter().map(move |lock| (*core, *lock)))
    });
    all.filter(|(_, lock)| lock.range.overlaps(wanted.range))
        .find(|(_, lock)| lock.kind == LockKind::Write || wanted.kind == LockKind::Write)
}
