//! What all sessions have in common: the shared folders, and what the host keeps for open files.

use std::ops::Index;
use std::path::Path;

use crate::listing::Listings;
use crate::open_files::OpenFiles;
use crate::share::Share;

/// Descriptors that a service holds where the host gives no number: POSIX promises a process 20.
const FEW_DESCRIPTORS: u64 = 20;
/// Descriptors that pay: beyond, opening again costs less than what the host keeps for each.
const MANY_DESCRIPTORS: u64 = 4096;

/// The folders in the order of their numbers, and the caches.
#[derive(Debug)]
pub(crate) struct Shares {
    folders: Vec<Share>,
    pub(crate) files: OpenFiles,
    pub(crate) listings: Listings,
}

impl Shares {
    /// No folder yet; as many descriptors as the host lets this process have, without the half
    /// that is left to everything else in it.
    pub(crate) fn new() -> Shares {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let most = limit.unwrap_or(2 * MANY_DESCRIPTORS) / 2;
        Shares::with_descriptors(most.clamp(FEW_DESCRIPTORS / 2, MANY_DESCRIPTORS) as usize)
    }

    pub(crate) fn with_descriptors(most: usize) -> Shares {
        Shares { folders: Vec::new(), files: OpenFiles::new(most), listings: Listings::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.folders.len()
    }

    /// Adds a folder under the next number.
    pub(crate) fn add(&mut self, path: &Path) -> std::io::Result<()> {
        self.folders.push(Share::open(path, self.folders.len() as u8)?);
        Ok(())
    }

    pub(crate) fn get(&self, number: usize) -> Option<&Share> {
        self.folders.get(number)
    }
}

impl Index<usize> for Shares {
    type Output = Share;

    fn index(&self, number: usize) -> &Share {
        &self.folders[number]
    }
}
