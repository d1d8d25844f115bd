//! The names in a directory, as they were when a guest began to read it.
//!
//! A guest may have many directories partly read. The size of all their names together is limited,
//! and fids that read one directory with equal names share one list.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use cap_std::fs::FileType;
use serde::{Deserialize, Serialize};

use crate::errno::{ENOMEM, Errno};

/// The largest number of bytes of names and entries of all directories that all cores are reading.
/// Beyond it a guest gets ENOMEM.
pub(crate) const MOST_NAME_BYTES: usize = 64 << 20;
/// The bytes of an entry besides its name.
const ENTRY_BYTES: usize = size_of::<(u32, Kind)>();

/// The type of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    Directory,
    File,
    Symlink,
    Other,
}

impl Kind {
    pub(crate) fn of(file_type: FileType) -> Kind {
        match () {
            () if file_type.is_dir() => Kind::Directory,
            () if file_type.is_file() => Kind::File,
            () if file_type.is_symlink() => Kind::Symlink,
            () => Kind::Other,
        }
    }
}

/// The names of a directory, one after the other in `bytes`; `ends`: for each the offset of its
/// end, and its kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Names {
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    ends: Vec<(u32, Kind)>,
}

impl Names {
    /// The names, sorted; ENOMEM if they alone exceed [`MOST_NAME_BYTES`].
    pub(crate) fn sorted(
        entries: impl Iterator<Item = std::io::Result<(Vec<u8>, Kind)>>,
    ) -> Result<Names, Errno> {
        let (mut all, mut bytes) = (Vec::new(), 0);
        for entry in entries {
            let entry = entry?;
            bytes += entry.0.len() + ENTRY_BYTES;
            if bytes > MOST_NAME_BYTES {
                return Err(ENOMEM);
            }
            all.push(entry);
        }
        all.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let mut names = Names::default();
        for (name, kind) in all {
            names.bytes.extend(name);
            names.ends.push((names.bytes.len() as u32, kind));
        }
        names.bytes.shrink_to_fit();
        names.ends.shrink_to_fit();
        Ok(names)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The entries from number `first` on.
    pub(crate) fn from(&self, first: usize) -> impl Iterator<Item = (&[u8], Kind)> {
        (first..self.ends.len()).map(|index| {
            let begin = index.checked_sub(1).map_or(0, |before| self.ends[before].0);
            let (end, kind) = self.ends[index];
            (&self.bytes[begin as usize..end as usize], kind)
        })
    }

    /// True if the offsets fit the bytes. They may not in a snapshot that was changed.
    fn is_sound(&self) -> bool {
        let ends: Vec<u32> = self.ends.iter().map(|(end, _)| *end).collect();
        ends.is_sorted() && ends.last().copied().unwrap_or(0) as usize == self.bytes.len()
    }

    fn size(&self) -> usize {
        self.bytes.len() + self.ends.len() * ENTRY_BYTES
    }
}

/// Names that count against the limit as long as some fid reads them.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) names: Names,
    used: Arc<AtomicUsize>,
}

impl Drop for Listing {
    fn drop(&mut self) {
        self.used.fetch_sub(self.names.size(), Ordering::Relaxed);
    }
}

/// Listings by share and path.
type Known = BTreeMap<(usize, PathBuf), Weak<Listing>>;

/// All listings of one service.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listings {
    used: Arc<AtomicUsize>,
    /// The latest listing of each directory that some fid is reading.
    known: Arc<Mutex<Known>>,
}

impl Listings {
    /// Returns the listing of these names for a directory: the present one if its names are equal,
    /// otherwise a new one.
    pub(crate) fn keep(
        &self,
        share: usize,
        path: &Path,
        names: Names,
    ) -> Result<Arc<Listing>, Errno> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, listing| listing.strong_count() > 0);
        let place = (share, path.to_owned());
        let before = known.get(&place).and_then(Weak::upgrade);
        if let Some(before) = before.filter(|before| before.names == names) {
            return Ok(before);
        }
        if !names.is_sound() || self.used.load(Ordering::Relaxed) + names.size() > MOST_NAME_BYTES {
            return Err(ENOMEM);
        }
        self.used.fetch_add(names.size(), Ordering::Relaxed);
        let listing = Arc::new(Listing { names, used: Arc::clone(&self.used) });
        known.insert(place, Arc::downgrade(&listing));
        Ok(listing)
    }
}

/// The state of a fid that reads a directory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    /// The names; `None` before the first read and after the last name was read.
    pub(crate) listing: Option<Arc<Listing>>,
    /// The number of names in the listing that was read last.
    pub(crate) count: u64,
}
