//! How a cache returns to the start of a window.
//!
//! Before the first change to a set (tags, state bits, replacement state) or to a line's bytes in
//! a window, the old contents are saved; a rollback puts them back. A window costs what it
//! touched, not what the cache holds. The journal is no part of the chip's state.
//!
//! There is room for each set and line once, so that generated code can save them too
//! (`quick.rs`); memory that was never used costs nothing.

use rockcreek_defs::LINE_BYTES;

use crate::line::LineData;
use crate::replacement::MAX_WAYS;

/// What changed in the open window. Without an open window nothing is recorded.
#[repr(C)]
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    /// Sets and lines that are saved.
    pub(crate) sets_used: u64,
    pub(crate) lines_used: u64,
    /// Number of the open window; 0 = none.
    window: u32,
    last_window: u32,
    /// The window in which each set and line was last saved.
    set_marks: Box<[u32]>,
    line_marks: Box<[u32]>,
    sets: Box<[SavedSet]>,
    lines: Box<[SavedLine]>,
}

/// A set before its first change in the window. Generated code writes it, so its layout is fixed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SavedSet {
    pub tags: [u32; MAX_WAYS],
    pub set: u32,
    pub replacement: u8,
}

/// The same of a line.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SavedLine {
    pub data: LineData,
    pub line: u32,
}

/// Host addresses of a journal, for generated code.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct JournalAddresses {
    /// Two numbers of 64 bits: sets and lines that are saved.
    pub used: u64,
    pub set_marks: u64,
    pub line_marks: u64,
    /// Of [`SavedSet`], and of [`SavedLine`].
    pub sets: u64,
    pub lines: u64,
}

impl Journal {
    pub(crate) fn new(sets: usize, lines: usize) -> Journal {
        let set = SavedSet { tags: [0; MAX_WAYS], set: 0, replacement: 0 };
        let line = SavedLine { data: [0; LINE_BYTES], line: 0 };
        Journal {
            sets_used: 0,
            lines_used: 0,
            window: 0,
            last_window: 0,
            set_marks: vec![0; sets].into(),
            line_marks: vec![0; lines].into(),
            sets: vec![set; sets].into(),
            lines: vec![line; lines].into(),
        }
    }

    /// Opens a window; what was recorded before can no longer be undone.
    pub(crate) fn begin(&mut self) {
        if self.last_window == u32::MAX {
            self.set_marks.fill(0);
            self.line_marks.fill(0);
            self.last_window = 0;
        }
        self.last_window += 1;
        self.window = self.last_window;
        (self.sets_used, self.lines_used) = (0, 0);
    }

    /// The open window; 0: none.
    pub(crate) fn window(&self) -> u32 {
        self.window
    }

    /// What [`JournalAddresses::used`] is.
    pub(crate) fn address(&self) -> u64 {
        std::ptr::from_ref(&self.sets_used) as usize as u64
    }

    pub(crate) fn addresses(&mut self) -> JournalAddresses {
        JournalAddresses {
            used: std::ptr::from_mut(&mut self.sets_used) as usize as u64,
            set_marks: self.set_marks.as_mut_ptr() as usize as u64,
            line_marks: self.line_marks.as_mut_ptr() as usize as u64,
            sets: self.sets.as_mut_ptr() as usize as u64,
            lines: self.lines.as_mut_ptr() as usize as u64,
        }
    }

    /// Saves a set before its first change in the window.
    #[inline(always)]
    pub(crate) fn save_set(&mut self, set: usize, replacement: u8, tags: &[u32]) {
        let mark = &mut self.set_marks[set];
        if *mark == self.window || self.window == 0 {
            return;
        }
        *mark = self.window;
        let saved = &mut self.sets[self.sets_used as usize];
        self.sets_used += 1;
        (saved.set, saved.replacement) = (set as u32, replacement);
        match tags.first_chunk::<4>() {
            Some(four) if tags.len() == 4 => saved.tags[..4].copy_from_slice(four),
            _ => saved.tags[..tags.len()].copy_from_slice(tags),
        }
    }

    /// The same for a line's bytes.
    #[inline(always)]
    pub(crate) fn save_line(&mut self, line: usize, data: &LineData) {
        let mark = &mut self.line_marks[line];
        if *mark == self.window || self.window == 0 {
            return;
        }
        *mark = self.window;
        self.lines[self.lines_used as usize] = SavedLine { data: *data, line: line as u32 };
        self.lines_used += 1;
    }

    /// True if a line's bytes are saved for the open window.
    pub(crate) fn has_line(&self, line: usize) -> bool {
        self.window != 0 && self.line_marks[line] == self.window
    }

    /// The saved sets: number, replacement state, tags.
    pub(crate) fn saved_sets(&self) -> impl Iterator<Item = (usize, u8, &[u32; MAX_WAYS])> {
        let saved = self.sets[..self.sets_used as usize].iter();
        saved.map(|saved| (saved.set as usize, saved.replacement, &saved.tags))
    }

    /// The saved lines: number, bytes.
    pub(crate) fn saved_lines(&self) -> impl Iterator<Item = (usize, &LineData)> {
        let saved = self.lines[..self.lines_used as usize].iter();
        saved.map(|saved| (saved.line as usize, &saved.data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(journal: &Journal) -> Vec<(usize, u8)> {
        journal.saved_sets().map(|(set, state, _)| (set, state)).collect()
    }

    #[test]
    fn a_set_is_saved_once_in_a_window() {
        let mut journal = Journal::new(2, 4);
        journal.save_set(0, 1, &[1; 4]);
        assert_eq!(saved(&journal), [], "no window is open");
        journal.begin();
        journal.save_set(0, 1, &[1; 4]);
        journal.save_set(0, 2, &[2; 4]);
        assert_eq!(saved(&journal), [(0, 1)]);
        journal.save_line(3, &[7; LINE_BYTES]);
        journal.save_line(3, &[8; LINE_BYTES]);
        assert_eq!(journal.saved_lines().collect::<Vec<_>>(), [(3, &[7; LINE_BYTES])]);
        assert!(journal.has_line(3) && !journal.has_line(2));
        journal.begin();
        assert!(!journal.has_line(3));
        journal.save_set(0, 3, &[1; 4]);
        assert_eq!(saved(&journal), [(0, 3)]);
    }

    #[test]
    fn window_numbers_may_wrap() {
        let mut journal = Journal::new(1, 1);
        journal.begin();
        journal.save_set(0, 1, &[1; 4]);
        journal.last_window = u32::MAX;
        journal.begin();
        journal.save_set(0, 1, &[1; 4]);
        assert_eq!(saved(&journal).len(), 1, "window 1 comes twice; the old mark must not count");
    }
}
