//! A section of debug information that is read as often as is worth while. Units may share the
//! lines, ranges and names that they refer to, so that a few bytes of a file stand for any work.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use addr2line::gimli::{Error, LittleEndian, Reader, ReaderOffsetId, Result};
use rustix::time::ClockId;

/// Reads of one file, some half of which are kept: a program that uses much of the C++ library takes
/// a tenth of them.
const READS: u64 = 1 << 23;
/// What may pass between two looks at the clock: some entries have a million attributes of no byte.
const READS_PER_LOOK: u64 = 64;
/// Processor time for one file; large programs take a tenth of a second.
const TIME: Duration = Duration::from_secs(2);
/// Bytes of a name that cost as much as one read.
const NAME_BYTES: usize = 16;

/// How many reads of a file are left, and how much time.
#[derive(Debug)]
pub struct Meter {
    reads: AtomicU64,
    /// Nanoseconds of this thread: what is left, and, while something is asked, when that is over.
    left: AtomicU64,
    until: AtomicU64,
}

impl Meter {
    pub fn new() -> Arc<Self> {
        let [reads, left, until] = [READS, TIME.as_nanos() as u64, 0].map(AtomicU64::new);
        Arc::new(Self { reads, left, until })
    }

    /// Of a file of our own.
    pub fn without_end() -> Arc<Self> {
        let [reads, left, until] = [u64::MAX, u64::MAX, 0].map(AtomicU64::new);
        Arc::new(Self { reads, left, until })
    }

    /// What `body` reads of the file takes of the file's time.
    pub fn during<T>(&self, body: impl FnOnce() -> T) -> T {
        self.until.store(thread_ns().saturating_add(self.left.load(Relaxed)), Relaxed);
        let found = body();
        self.left.store(self.until.load(Relaxed).saturating_sub(thread_ns()), Relaxed);
        found
    }

    /// Nothing more is read.
    pub fn stop(&self) {
        self.reads.store(0, Relaxed);
    }

    /// Whether nothing more can be read; looks at the clock.
    pub fn is_empty(&self) -> bool {
        if self.reads.load(Relaxed) > 0 && thread_ns() > self.until.load(Relaxed) {
            self.stop();
        }
        self.has_ended()
    }

    /// Whether there was too much to read.
    pub fn has_ended(&self) -> bool {
        self.reads.load(Relaxed) == 0
    }

    fn spend(&self, reads: u64) -> Result<()> {
        let before = self.reads.load(Relaxed);
        let after = before.saturating_sub(reads);
        self.reads.store(after, Relaxed);
        let looks = before / READS_PER_LOOK != after / READS_PER_LOOK;
        if after == 0 || (looks && self.is_empty()) { Err(Error::Io) } else { Ok(()) }
    }
}

/// Processor time of this thread.
fn thread_ns() -> u64 {
    let time = rustix::time::clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// A part of a section.
#[derive(Clone)]
pub struct Metered {
    section: Arc<[u8]>,
    at: usize,
    end: usize,
    meter: Arc<Meter>,
}

impl Metered {
    pub fn new(section: &[u8], meter: &Arc<Meter>) -> Self {
        Self { section: section.into(), at: 0, end: section.len(), meter: Arc::clone(meter) }
    }

    fn bytes(&self) -> &[u8] {
        &self.section[self.at..self.end]
    }

    /// A name takes time and memory by its length.
    fn name(&self) -> Result<&[u8]> {
        self.meter.spend(1 + (self.len() / NAME_BYTES) as u64)?;
        Ok(self.bytes())
    }

    fn check(&self, length: usize) -> Result<()> {
        if length > self.len() { Err(Error::UnexpectedEof(self.offset_id())) } else { Ok(()) }
    }
}

impl fmt::Debug for Metered {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        write!(to, "{} to {} of a section", self.at, self.end)
    }
}

impl Reader for Metered {
    type Endian = LittleEndian;
    type Offset = usize;

    fn endian(&self) -> LittleEndian {
        LittleEndian
    }

    fn len(&self) -> usize {
        self.end - self.at
    }

    fn empty(&mut self) {
        self.end = self.at;
    }

    fn truncate(&mut self, length: usize) -> Result<()> {
        self.check(length)?;
        self.end = self.at + length;
        Ok(())
    }

    fn offset_from(&self, base: &Self) -> usize {
        self.at - base.at
    }

    fn offset_id(&self) -> ReaderOffsetId {
        ReaderOffsetId(self.section.as_ptr() as u64 + self.at as u64)
    }

    fn lookup_offset_id(&self, id: ReaderOffsetId) -> Option<usize> {
        let offset = usize::try_from(id.0.checked_sub(self.offset_id().0)?).ok()?;
        (offset <= self.len()).then_some(offset)
    }

    fn find(&self, byte: u8) -> Result<usize> {
        let found = self.bytes().iter().position(|&one| one == byte);
        self.meter.spend(1 + (found.unwrap_or(self.len()) / NAME_BYTES) as u64)?;
        found.ok_or_else(|| Error::UnexpectedEof(self.offset_id()))
    }

    fn skip(&mut self, length: usize) -> Result<()> {
        self.meter.spend(1)?;
        self.check(length)?;
        self.at += length;
        Ok(())
    }

    fn split(&mut self, length: usize) -> Result<Self> {
        let mut first = self.clone();
        first.truncate(length)?;
        self.skip(length)?;
        Ok(first)
    }

    fn to_slice(&self) -> Result<Cow<'_, [u8]>> {
        self.name().map(Cow::Borrowed)
    }

    fn to_string(&self) -> Result<Cow<'_, str>> {
        str::from_utf8(self.name()?).map(Cow::Borrowed).map_err(|_| Error::BadUtf8)
    }

    fn to_string_lossy(&self) -> Result<Cow<'_, str>> {
        self.name().map(String::from_utf8_lossy)
    }

    fn read_slice(&mut self, to: &mut [u8]) -> Result<()> {
        self.meter.spend(1)?;
        self.check(to.len())?;
        to.copy_from_slice(&self.bytes()[..to.len()]);
        self.at += to.len();
        Ok(())
    }
}
