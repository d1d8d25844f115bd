//! A table that maps a branch's address to its entry in the branch target buffer. Translated code
//! looks here instead of searching a set.
//!
//! Four further bits of a branch's address choose one of 16 places in its set. A place holds the
//! entry at which one of its branches was found last (the entry's address is compared before use),
//! and the number of entries of its branches: 0 means that none of them has an entry. Every core
//! has its own table, because a branch lies in another way on each core. The table follows from the
//! entries alone and is no state.
//!
//! Gain: against a memo beside the code of each branch, which the cores of a chip overwrote for
//! each other, NPB LU W on 16 cores 1.07 times as fast, SQLite, TinyCC 1.0 (processor time in
//! turns, 2026-11-27).

use crate::units::branch_target_buffer::{ENTRIES, Entry, SET_SHIFT, SETS, state};

/// The number of places for each set: they fill a cache line of the host.
const IN_SET: u32 = 1 << SUB_BITS;
pub(crate) const SUB_BITS: u32 = 4;
const PLACES: usize = SETS << SUB_BITS;

/// One place. Translated code reads it, so its layout is fixed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BranchPlace {
    /// The byte offset, in the buffer, of the entry at which a branch of this place was found last.
    pub offset: u16,
    /// How many entries of the buffer belong to branches of this place.
    pub count: u8,
}

/// The places, indexed by [`number`].
#[repr(C, align(64))]
#[derive(Clone, Debug)]
pub(crate) struct BranchPlaces([BranchPlace; PLACES]);

impl Default for BranchPlaces {
    fn default() -> BranchPlaces {
        BranchPlaces([BranchPlace::default(); PLACES])
    }
}

/// The number of the place that a branch's address belongs to.
pub(crate) const fn number(branch: u32) -> usize {
    let set = branch >> SET_SHIFT & (SETS as u32 - 1);
    let within = (branch ^ branch >> 8 ^ branch >> 12) & (IN_SET - 1);
    (set << SUB_BITS | within) as usize
}

/// The byte offset of entry number `at` in the buffer.
pub(crate) const fn offset(at: usize) -> u16 {
    const { assert!(ENTRIES * size_of::<Entry>() <= u16::MAX as usize) };
    (at * size_of::<Entry>()) as u16
}

impl BranchPlaces {
    /// The table that follows from these entries.
    pub fn of(entries: &[Entry]) -> BranchPlaces {
        let mut places = BranchPlaces::default();
        for (at, entry) in entries.iter().enumerate() {
            places.add(at, entry);
        }
        places
    }

    /// Records that the entry of the branch at address `branch` was found or made at index `at`.
    pub fn note(&mut self, at: usize, branch: u32) {
        self.0[number(branch)].offset = offset(at);
    }

    /// Updates the counts after entry `at` has changed from `old` to `new`.
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

    /// True if some branch of this address's place has an entry, so that this branch may have one.
    #[cfg(test)]
    pub fn may_have(&self, branch: u32) -> bool {
        self.0[number(branch)].count > 0
    }
}
