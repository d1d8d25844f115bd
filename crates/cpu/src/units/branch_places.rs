//! Where the branch target buffer has the entries of branches, by their addresses: generated code
//! looks here instead of through a set.
//!
//! The branches of a set are told apart by four bits more of their addresses. For each of these
//! places there is where one of its branches was found last, which is compared before it is used,
//! and how many entries the place has: if none, the branch has none. Every core has its own, for
//! the same branch lies in another way on each. It depends on the entries alone and is no state.
//!
//! Gain: against a memo beside the code of each branch, which the cores of a chip overwrote for each other,
//! NPB LU W on 16 cores 1.07 times as fast, SQLite, TinyCC 1.0 (processor time in turns, 2026-11-27).

use crate::units::branch_target_buffer::{ENTRIES, Entry, SET_SHIFT, SETS, state};

/// Places of a set: they fill a line of the host's caches.
const IN_SET: u32 = 1 << SUB_BITS;
pub(crate) const SUB_BITS: u32 = 4;
const PLACES: usize = SETS << SUB_BITS;

/// Generated code reads it, so its layout is fixed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BranchPlace {
    /// Offset of an entry.
    pub offset: u16,
    /// Entries of branches of this place.
    pub count: u8,
}

/// By [`number`].
#[repr(C, align(64))]
#[derive(Clone, Debug)]
pub(crate) struct BranchPlaces([BranchPlace; PLACES]);

impl Default for BranchPlaces {
    fn default() -> BranchPlaces {
        BranchPlaces([BranchPlace::default(); PLACES])
    }
}

/// The place of a branch's address.
pub(crate) const fn number(branch: u32) -> usize {
    let set = branch >> SET_SHIFT & (SETS as u32 - 1);
    let within = (branch ^ branch >> 8 ^ branch >> 12) & (IN_SET - 1);
    (set << SUB_BITS | within) as usize
}

/// The offset of an entry.
pub(crate) const fn offset(at: usize) -> u16 {
    const { assert!(ENTRIES * size_of::<Entry>() <= u16::MAX as usize) };
    (at * size_of::<Entry>()) as u16
}

impl BranchPlaces {
    /// The places of all these entries.
    pub fn of(entries: &[Entry]) -> BranchPlaces {
        let mut places = BranchPlaces::default();
        for (at, entry) in entries.iter().enumerate() {
            places.add(at, entry);
        }
        places
    }

    /// An entry was found, or is there now.
    pub fn note(&mut self, at: usize, branch: u32) {
        self.0[number(branch)].offset = offset(at);
    }

    /// Entry `at` was `old` and is `new` now.
    pub fn replace(&mut self, at: usize, old: &Entry, new: &Entry) {
        if old.state != state::NONE {
            self.0[number(old.branch)].count -= 1;
        }
        self.add(at, new);
    }

    fn add(&mut self, at: usize, entry: &Entry) {
        if entry.state != state::NONE {
            self.0[number(entry.branch)].count += 1;
            self.note(at, entry.branch);
        }
    }

    /// Whether a branch of this address's place may have an entry.
    #[cfg(test)]
    pub fn may_have(&self, branch: u32) -> bool {
        self.0[number(branch)].count > 0
    }
}
