//! How a cache returns to the start of a window.
//!
//! Before the first change to a set (tags, state bits, replacement state) or to a line's bytes in
//! a window, the old contents are saved; a rollback puts them back. A window costs what it
//! touched, not what the cache holds. The journal is no part of the chip's state.

use crate::line::LineData;
use crate::replacement::MAX_WAYS;

/// The tags and replacement state of one set before they changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedSet {
    pub(crate) set: u32,
    pub(crate) replacement: u8,
    pub(crate) tags: [u32; MAX_WAYS],
}

/// The bytes of one line before they changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedLine {
    pub(crate) line: u32,
    pub(crate) data: LineData,
}

/// What changed in the open window. Without an open window nothing is recorded.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    /// Number of the open window; 0 = none.
    window: u32,
    last_window: u32,
    /// The window in which each set and line was last saved.
    set_marks: Box<[u32]>,
    line_marks: Box<[u32]>,
    pub(crate) sets: Vec<SavedSet>,
    pub(crate) lines: Vec<SavedLine>,
}

impl Journal {
    pub(crate) fn new(sets: usize, lines: usize) -> Journal {
        Journal {
            window: 0,
            last_window: 0,
            set_marks: vec![0; sets].into(),
            line_marks: vec![0; lines].into(),
            sets: Vec::new(),
            lines: Vec::new(),
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
        self.sets.clear();
        self.lines.clear();
    }

    /// The host address of the windows in which the sets were saved last, and the open window.
    pub(crate) fn set_marks(&self) -> (u64, u32) {
        (self.set_marks.as_ptr() as usize as u64, self.window)
    }

    /// True if this set must be saved now, before its first change in the window.
    #[inline(always)]
    pub(crate) fn claim_set(&mut self, set: usize) -> bool {
        let first = self.set_marks[set] != self.window && self.window != 0;
        if first {
            self.set_marks[set] = self.window;
        }
        first
    }

    /// The same for a line's bytes.
    #[inline(always)]
    pub(crate) fn claim_line(&mut self, line: usize) -> bool {
        let first = self.line_marks[line] != self.window && self.window != 0;
        if first {
            self.line_marks[line] = self.window;
        }
        first
    }

    /// True if a line's bytes are saved for the open window.
    pub(crate) fn has_line(&self, line: usize) -> bool {
        self.window != 0 && self.line_marks[line] == self.window
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_claimed_once_in_a_window() {
        let mut journal = Journal::new(2, 4);
        assert!(!journal.claim_set(0), "no window is open");
        journal.begin();
        assert!(journal.claim_set(0));
        assert!(!journal.claim_set(0));
        assert!(journal.claim_line(3));
        assert!(!journal.claim_line(3));
        journal.begin();
        assert!(journal.claim_set(0));
    }

    #[test]
    fn window_numbers_may_wrap() {
        let mut journal = Journal::new(1, 1);
        journal.begin();
        assert!(journal.claim_set(0));
        journal.last_window = u32::MAX;
        journal.begin();
        assert!(journal.claim_set(0), "window 1 comes twice; the old mark must not count");
    }
}
