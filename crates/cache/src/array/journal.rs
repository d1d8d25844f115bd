//! The undo log: how a cache returns to its state at the start of a window.
//!
//! Before the first change to a set (tags, state bits, replacement state) or to a line's bytes in a
//! window, the old contents are saved; a rollback restores them. The cost of a window depends on
//! the sets and lines that it changed, not on the size of the cache. The undo log is not part of
//! the chip's state.
//!
//! The log has room for each set and each line once, so that translated code can save them too
//! (`quick.rs`). The host spends no memory on room that is never used.

use crate::array::line::LineData;
use crate::policy::replacement::{MAX_TABLE_WAYS, MAX_WAYS};
use crate::policy::set_state::SetState;

/// The undo log: the old contents of the sets and lines that the open window has changed. Without
/// an open window, nothing is recorded.
#[repr(C)]
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    /// The numbers of valid entries in `sets` and in `lines`. Translated code writes them, too.
    pub(crate) sets_used: u64,
    pub(crate) lines_used: u64,
    /// True from the first window on; a window then stays open until the next one begins. Before
    /// it, the marks of saved sets and lines have no meaning.
    open: bool,
    /// For each line of the cache, true if its bytes are saved for the open window. The marks of
    /// sets are in [`SetState`].
    line_marks: Box<[bool]>,
    sets: Box<[SavedSet]>,
    /// For each saved set, its order of use and its tags; empty if the replacement policy keeps no
    /// order of use.
    orders: Box<[SavedOrder]>,
    lines: Box<[SavedLine]>,
}

/// The contents of a set before its first change in the window. Translated code writes it, so its
/// layout is fixed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SavedSet {
    pub tags: [u32; MAX_TABLE_WAYS],
    pub set: u32,
    pub replacement: u8,
}

/// The additional part of a saved set that has an order of use (`true_lru.rs`): the order, and all
/// tags, because the set may have more ways.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedOrder {
    order: u64,
    tags: [u32; MAX_WAYS],
}

/// The contents of a line before its first change in the window. Translated code writes it, so its
/// layout is fixed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SavedLine {
    pub data: LineData,
    pub line: u32,
}

/// Host addresses of an undo log's parts, for translated code, which saves sets and lines itself.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct JournalAddresses {
    /// Host address of two 64-bit numbers: how many sets are saved, then how many lines.
    pub used: u64,
    /// Host address of one byte for each line of the cache: not zero if the line's bytes are saved.
    pub line_marks: u64,
    /// Host addresses of the lists of [`SavedSet`]s and of [`SavedLine`]s, each with room for every
    /// set or line.
    pub sets: u64,
    pub lines: u64,
}

/// Makes a list of entries whose bytes are all 0. The host gives zeroed pages when they are first
/// used; of the 20 MB of a chip's undo logs most never are.
///
/// # Safety
///
/// A `T` may consist of zeros.
unsafe fn zeroed<T>(entries: usize) -> Box<[T]> {
    // SAFETY: as the caller promises.
    unsafe { Box::new_zeroed_slice(entries).assume_init() }
}

impl Journal {
    /// Makes an undo log for a cache with this number of sets and of lines. `ordered`: the number
    /// of sets that keep an order of use: none (0) or all of them.
    pub(crate) fn new(sets: usize, lines: usize, ordered: usize) -> Journal {
        // SAFETY: the entries consist of integers.
        let (sets, orders, saved) = unsafe { (zeroed(sets), zeroed(ordered), zeroed(lines)) };
        Journal {
            sets_used: 0,
            lines_used: 0,
            open: false,
            line_marks: vec![false; lines].into(),
            sets,
            orders,
            lines: saved,
        }
    }

    /// Opens a window here: clears the log, so that changes before this instant can no longer be
    /// undone. `sets`: the states of the cache's sets, whose marks are removed.
    pub(crate) fn begin(&mut self, sets: &mut [SetState]) {
        if !self.open {
            self.open = true;
            sets.iter_mut().for_each(SetState::forget_saved);
            self.line_marks.fill(false);
        }
        for saved in &self.sets[..self.sets_used as usize] {
            sets[saved.set as usize].forget_saved();
        }
        for saved in &self.lines[..self.lines_used as usize] {
            self.line_marks[saved.line as usize] = false;
        }
        (self.sets_used, self.lines_used) = (0, 0);
    }

    /// True if a window is open.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// The host address of the two counters that [`JournalAddresses::used`] describes.
    pub(crate) fn address(&self) -> u64 {
        std::ptr::from_ref(&self.sets_used) as usize as u64
    }

    pub(crate) fn addresses(&mut self) -> JournalAddresses {
        JournalAddresses {
            used: std::ptr::from_mut(&mut self.sets_used) as usize as u64,
            line_marks: self.line_marks.as_mut_ptr() as usize as u64,
            sets: self.sets.as_mut_ptr() as usize as u64,
            lines: self.lines.as_mut_ptr() as usize as u64,
        }
    }

    /// Saves a set before its first change in the window; does nothing at later changes. `order`:
    /// the set's order of use, `None` if the policy keeps none.
    #[inline(always)]
    pub(crate) fn save_set(
        &mut self,
        set: usize,
        state: &mut SetState,
        order: Option<&u64>,
        tags: &[u32],
    ) {
        if state.is_saved() {
            return;
        }
        state.mark_saved();
        if !self.open {
            return;
        }
        if let (Some(order), Some(saved)) = (order, self.orders.get_mut(self.sets_used as usize)) {
            saved.order = *order;
            saved.tags[..tags.len()].copy_from_slice(tags);
        }
        let saved = &mut self.sets[self.sets_used as usize];
        self.sets_used += 1;
        (saved.set, saved.replacement) = (set as u32, state.replacement());
        match tags.first_chunk::<4>() {
            Some(four) if tags.len() == 4 => saved.tags[..4].copy_from_slice(four),
            _ => saved.tags.iter_mut().zip(tags).for_each(|(saved, tag)| *saved = *tag),
        }
    }

    /// Saves a line's bytes before their first change in the window; does nothing at later changes.
    #[inline(always)]
    pub(crate) fn save_line(&mut self, line: usize, data: &LineData) {
        if std::mem::replace(&mut self.line_marks[line], true) || !self.open {
            return;
        }
        self.lines[self.lines_used as usize] = SavedLine { data: *data, line: line as u32 };
        self.lines_used += 1;
    }

    /// True if a window is open and the line's bytes are already saved for it.
    pub(crate) fn has_line(&self, line: usize) -> bool {
        self.open && self.line_marks[line]
    }

    /// Each saved set with the tags that it had at the start of the window and, if the policy keeps
    /// one, its order of use then.
    pub(crate) fn saved_sets(&self) -> impl Iterator<Item = (&SavedSet, &[u32], Option<u64>)> {
        let saved = self.sets[..self.sets_used as usize].iter().enumerate();
        saved.map(|(n, saved)| match self.orders.get(n) {
            None => (saved, &saved.tags[..], None),
            Some(more) => (saved, &more.tags[..], Some(more.order)),
        })
    }

    /// Each saved line: its number, and its bytes at the start of the window.
    pub(crate) fn saved_lines(&self) -> impl Iterator<Item = (usize, &LineData)> {
        let saved = self.lines[..self.lines_used as usize].iter();
        saved.map(|saved| (saved.line as usize, &saved.data))
    }
}

#[cfg(test)]
mod tests {
    use rockcreek_defs::LINE_BYTES;

    use super::*;

    fn saved(journal: &Journal) -> Vec<(usize, u8)> {
        journal.saved_sets().map(|(saved, ..)| (saved.set as usize, saved.replacement)).collect()
    }

    #[test]
    fn a_set_is_saved_once_in_a_window() {
        let (mut journal, mut sets) = (Journal::new(2, 4, 0), [SetState::of(1); 2]);
        journal.save_set(0, &mut sets[0], None, &[1; 4]);
        assert_eq!(saved(&journal), [], "no window is open");
        journal.begin(&mut sets);
        journal.save_set(0, &mut sets[0], None, &[1; 4]);
        sets[0] = sets[0].with(2);
        journal.save_set(0, &mut sets[0], None, &[2; 4]);
        assert_eq!(saved(&journal), [(0, 1)]);
        journal.save_line(3, &[7; LINE_BYTES]);
        journal.save_line(3, &[8; LINE_BYTES]);
        assert_eq!(journal.saved_lines().collect::<Vec<_>>(), [(3, &[7; LINE_BYTES])]);
        assert!(journal.has_line(3) && !journal.has_line(2));
        journal.begin(&mut sets);
        assert!(!journal.has_line(3) && !sets[0].is_saved());
        journal.save_set(0, &mut sets[0], None, &[1; 4]);
        assert_eq!(saved(&journal), [(0, 2)]);
    }

    #[test]
    fn what_was_marked_before_the_first_window_is_saved_in_it() {
        let (mut journal, mut sets) = (Journal::new(1, 1, 0), [SetState::of(1)]);
        journal.save_set(0, &mut sets[0], None, &[1; 4]);
        journal.save_line(0, &[7; LINE_BYTES]);
        assert!(!journal.has_line(0), "no window is open");
        journal.begin(&mut sets);
        journal.save_set(0, &mut sets[0], None, &[1; 4]);
        journal.save_line(0, &[7; LINE_BYTES]);
        assert_eq!((saved(&journal).len(), journal.saved_lines().count()), (1, 1));
    }
}
