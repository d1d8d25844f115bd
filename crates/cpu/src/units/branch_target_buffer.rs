//! The branch target buffer: which branches are predicted, and how.
//!
//! Source: `fog-microarchitecture`, branch prediction of the P1. 256 entries, four ways. An entry
//! is made in the state "strongly taken" when a branch that has none is taken. A branch is
//! predicted as taken, to its last target, in the upper two of four states. The states count up and
//! down, except for the quirk of the P1: from "strongly not taken" a taken branch goes to "strongly
//! taken". A branch without an entry is predicted as not taken. Far transfers, interrupts and IRET
//! have no entries.
//!
//! Chosen: the set is bits 7 to 2 of the branch's linear address (the P1 uses the address of the
//! previous instruction, which differs for few branches); a shift register selects the victim in a
//! full set. Left out: on the P1, a second branch within the next clocks disturbs a prediction.
//!
//! A rollback of a window restores the entries that the window wrote.

use serde::{Deserialize, Serialize};

use crate::units::branch_places::BranchPlaces;

pub(crate) const WAYS: usize = 4;
pub(crate) const SETS: usize = 64;
/// The lowest bit of a branch's address that is part of its set's number.
pub(crate) const SET_SHIFT: u32 = 2;
pub(crate) const ENTRIES: usize = WAYS * SETS;
/// The start value of the shift register; any value except zero is possible.
const SEED: u8 = 1;

/// The states of an entry; `NONE` means that the entry is empty.
pub(crate) mod state {
    pub const NONE: u8 = 0;
    pub const STRONGLY_NOT_TAKEN: u8 = 1;
    pub const WEAKLY_NOT_TAKEN: u8 = 2;
    pub const WEAKLY_TAKEN: u8 = 3;
    pub const STRONGLY_TAKEN: u8 = 4;
}

/// One entry. Translated code reads it, so its layout is fixed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub branch: u32,
    pub target: u32,
    pub state: u8,
}

/// All entries of the buffer, set after set, four for each set; the index is set * 4 + way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    shift: u8,
}

impl Default for Table {
    fn default() -> Table {
        Table { entries: vec![Entry::default(); ENTRIES], shift: SEED }
    }
}

/// How a branch was predicted. `hit`: true if it had an entry; `foreseen`: true if it was predicted
/// correctly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub hit: bool,
    pub foreseen: bool,
}

/// The buffer, and what is needed to restore its state at the start of the window.
#[derive(Clone, Debug, Default)]
pub(crate) struct BranchTargets {
    table: Table,
    /// Bit i is set if entry i has been written in this window; its old value is in `saved`.
    pub(crate) written: [u64; ENTRIES / 64],
    saved: Table,
    pub(crate) places: BranchPlaces,
}

impl BranchTargets {
    pub fn entries(&self) -> &[Entry] {
        &self.table.entries
    }

    pub fn of(table: &Table) -> BranchTargets {
        let places = BranchPlaces::of(&table.entries);
        let written = [0; ENTRIES / 64];
        BranchTargets { table: table.clone(), written, saved: table.clone(), places }
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    pub fn begin_window(&mut self) {
        self.written = [0; ENTRIES / 64];
        self.saved.shift = self.table.shift;
    }

    pub fn rollback(&mut self) {
        for (word, bits) in self.written.iter_mut().enumerate() {
            while *bits != 0 {
                let at = 64 * word + bits.trailing_zeros() as usize;
                let (now, before) = (&mut self.table.entries[at], &self.saved.entries[at]);
                self.places.replace(at, now, before);
                *now = *before;
                *bits &= *bits - 1;
            }
        }
        self.table.shift = self.saved.shift;
    }

    /// True if the buffer is in the state that it had at the start of the window.
    pub fn unchanged(&self) -> bool {
        let written = |at: &usize| self.written[at / 64] >> (at % 64) & 1 != 0;
        let same = |at: usize| self.table.entries[at] == self.saved.entries[at];
        self.table.shift == self.saved.shift
            && (self.written == [0; ENTRIES / 64] || (0..ENTRIES).filter(written).all(same))
    }

    fn write(&mut self, at: usize, entry: Entry) {
        let (word, bit) = (at / 64, 1 << (at % 64));
        if self.written[word] & bit == 0 {
            self.written[word] |= bit;
            self.saved.entries[at] = self.table.entries[at];
        }
        self.table.entries[at] = entry;
    }

    /// Records a branch at linear address `branch` that went to `target` (`taken`) or was not
    /// taken; returns how it had been predicted.
    #[inline]
    pub fn resolve(&mut self, branch: u32, taken: bool, target: u32) -> Outcome {
        let first = (branch >> SET_SHIFT) as usize % SETS * WAYS;
        let set = &self.table.entries[first..first + WAYS];
        let here = |entry: &Entry| entry.branch == branch && entry.state != state::NONE;
        match set.iter().position(here) {
            Some(way) => {
                self.places.note(first + way, branch);
                self.hit(first + way, taken, target)
            }
            None => {
                let new = Entry { branch, target, state: state::STRONGLY_TAKEN };
                if taken {
                    self.allocate(first, new);
                }
                Outcome { hit: false, foreseen: !taken }
            }
        }
    }

    #[inline]
    fn hit(&mut self, at: usize, taken: bool, target: u32) -> Outcome {
        let entry = self.table.entries[at];
        let foreseen = if entry.state >= state::WEAKLY_TAKEN {
            taken && entry.target == target
        } else {
            !taken
        };
        let next = if taken {
            let up = match entry.state {
                state::STRONGLY_NOT_TAKEN | state::STRONGLY_TAKEN => state::STRONGLY_TAKEN,
                other => other + 1,
            };
            Entry { target, state: up, ..entry }
        } else {
            Entry { state: (entry.state - 1).max(state::STRONGLY_NOT_TAKEN), ..entry }
        };
        if next != entry {
            self.write(at, next);
        }
        Outcome { hit: true, foreseen }
    }

    /// Writes an entry into the set that begins at entry number `first`: into an empty way, or in
    /// place of one that the shift register selects.
    fn allocate(&mut self, first: usize, entry: Entry) {
        let set = &self.table.entries[first..first + WAYS];
        let free = set.iter().position(|entry| entry.state == state::NONE);
        let way = free.unwrap_or_else(|| {
            // x^8 + x^6 + x^5 + x^4 + 1: the register takes all values except zero in turn.
            let carry = self.table.shift & 1;
            self.table.shift = self.table.shift >> 1 ^ carry.wrapping_neg() & 0xB8;
            usize::from(self.table.shift) % WAYS
        });
        let at = first + way;
        self.places.replace(at, &self.table.entries[at], &entry);
        self.write(at, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each outcome of one branch, true if it was predicted correctly.
    fn foreseen(outcomes: &[bool]) -> Vec<bool> {
        let mut targets = BranchTargets::default();
        outcomes.iter().map(|&taken| targets.resolve(0x1000, taken, 0x2000).foreseen).collect()
    }

    #[test]
    fn a_loop_is_foreseen_but_for_its_first_and_last_turn() {
        let turn = [true, true, true, false];
        let first = [false, true, true, false];
        let later = [true, true, true, false];
        assert_eq!(foreseen(&[turn, turn, turn].concat()), [first, later, later].concat());
    }

    #[test]
    fn a_rare_branch_leaves_the_lowest_state_for_the_highest() {
        // One outcome "not taken" does not change the prediction "taken".
        assert_eq!(foreseen(&[true, false, true, false]), [false, false, true, false]);
        // Taken every fourth time: two of the three others are mispredicted too.
        let rare = [true, false, false, false, true, false, false, false, true];
        let expected = [false, false, false, true, false, false, false, true, false];
        assert_eq!(foreseen(&rare), expected);
    }

    #[test]
    fn a_branch_that_is_not_taken_has_no_entry() {
        let mut targets = BranchTargets::default();
        for _ in 0..3 {
            let outcome = targets.resolve(0x1000, false, 0x1002);
            let expected = Outcome { hit: false, foreseen: true };
            assert_eq!(outcome, expected);
        }
        assert!(targets.unchanged());
    }

    #[test]
    fn a_target_that_changes_is_not_foreseen() {
        let mut targets = BranchTargets::default();
        let mut to = |target| targets.resolve(0x1000, true, target).foreseen;
        assert_eq!([to(1), to(1), to(2), to(2)], [false, true, false, true]);
    }

    #[test]
    fn a_set_holds_four_and_a_window_takes_all_back() {
        let mut targets = BranchTargets::default();
        for i in 0..4 {
            targets.resolve(i * 256, true, 1);
        }
        assert!((0..4).all(|i| targets.resolve(i * 256, true, 1).hit));
        targets.begin_window();
        let before = targets.table().clone();
        targets.resolve(4 * 256, true, 1);
        targets.resolve(256, false, 1);
        assert!(!targets.unchanged());
        assert_eq!((0..5).filter(|i| targets.resolve(i * 256, false, 1).hit).count(), 4);
        targets.rollback();
        assert!((0..4).all(|i| targets.places.may_have(i * 256)));
        assert!(!targets.places.may_have(4 * 256));
        assert_eq!(*targets.table(), before);
        assert!(targets.unchanged());
    }
}
