//! The guests' open files, and the host's descriptors for them.
//!
//! The service itself limits how many files guests may have open ([`crate::session`]); this limit
//! does not depend on the host. The host's descriptors are a cache: if it is full, the least
//! recently used descriptor is closed, and its file is opened again by its name when a guest uses
//! it. A file that is about to lose its name, or the right to be opened, keeps its descriptor until
//! the guest closes it. The inode shows whether a file opened again is still the same one: if
//! another program has replaced it, the guest gets ESTALE.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cap_std::fs::{File, Metadata, MetadataExt};
use lru::LruCache;

use crate::errno::{ESTALE, Errno, HOST_IS_FULL};
use crate::message::open_flags;
use crate::share::Share;

/// The identity of a file on the host (device and inode), which is equal for all names of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileNumber(u64, u64);

impl FileNumber {
    pub(crate) fn of(metadata: &Metadata) -> FileNumber {
        FileNumber(metadata.dev(), metadata.ino())
    }
}

#[derive(Debug)]
struct Cache {
    /// Descriptors that may be closed, by the number of the open file.
    held: LruCache<u64, Arc<File>>,
    /// Descriptors of files that cannot be opened again.
    pinned: BTreeMap<u64, Arc<File>>,
    /// The largest number of descriptors in both.
    most: usize,
    next: u64,
}

impl Cache {
    /// Puts a descriptor into the cache; closes the least recently used ones to make room.
    fn hold(&mut self, number: u64, file: &Arc<File>) {
        while self.held.len() + self.pinned.len() >= self.most && self.held.pop_lru().is_some() {}
        self.held.put(number, Arc::clone(file));
    }
}

/// All open files of one service.
#[derive(Clone, Debug)]
pub(crate) struct OpenFiles(Arc<Mutex<Cache>>);

impl OpenFiles {
    /// A cache of at most `most` descriptors.
    pub(crate) fn new(most: usize) -> OpenFiles {
        let cache = Cache {
            held: LruCache::unbounded(),
            pinned: BTreeMap::new(),
            most: most.max(1),
            next: 0,
        };
        OpenFiles(Arc::new(Mutex::new(cache)))
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a file that a guest has just opened.
    pub(crate) fn adopt(&self, file: File) -> Result<OpenFile, Errno> {
        let identity = FileNumber::of(&file.metadata()?);
        let mut cache = self.cache();
        cache.next += 1;
        let number = cache.next;
        cache.hold(number, &Arc::new(file));
        Ok(OpenFile { number, identity, files: self.clone() })
    }

    /// Closes all descriptors that can be opened again.
    pub(crate) fn give_back(&self) {
        self.cache().held.clear();
    }
}

/// One open file of a guest.
#[derive(Debug)]
pub(crate) struct OpenFile {
    number: u64,
    pub(crate) identity: FileNumber,
    files: OpenFiles,
}

impl OpenFile {
    /// The file; opens it again by `path`, its present name, if it has no descriptor.
    pub(crate) fn file(&self, share: &Share, path: &Path, flags: u32) -> Result<Arc<File>, Errno> {
        let mut cache = self.files.cache();
        if let Some(file) = cache.pinned.get(&self.number) {
            return Ok(Arc::clone(file));
        }
        if let Some(file) = cache.held.get(&self.number) {
            return Ok(Arc::clone(file));
        }
        let file = Arc::new(share.open_file(path, again(flags))?);
        if FileNumber::of(&file.metadata()?) != self.identity {
            return Err(ESTALE);
        }
        cache.hold(self.number, &file);
        Ok(file)
    }

    /// Keeps the file's descriptor until the guest closes the file.
    pub(crate) fn pin(&self, share: &Share, path: &Path, flags: u32) -> Result<(), Errno> {
        let file = self.file(share, path, flags)?;
        let mut cache = self.files.cache();
        if cache.pinned.len() >= cache.most && !cache.pinned.contains_key(&self.number) {
            return Err(HOST_IS_FULL);
        }
        cache.held.pop(&self.number);
        cache.pinned.insert(self.number, file);
        Ok(())
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        let mut cache = self.files.cache();
        cache.held.pop(&self.number);
        cache.pinned.remove(&self.number);
    }
}

/// The flags with which a file is opened again. The others (create, truncate) took effect when the
/// guest opened it.
pub(crate) fn again(flags: u32) -> u32 {
    flags & (open_flags::ACCESS_MODE | open_flags::APPEND)
}
