//! The accesses to each word of four bytes that are kept for the detection of races: those that no
//! later access makes unnecessary.
//!
//! A page of guest memory takes 40 KB of host memory here. There is room for [`MOST_PAGES`] pages,
//! 320 MB, and for [`MOST_MORE`] accesses in addition to the first of each word. When the pages are
//! full, the page that was added first is removed.

use std::collections::VecDeque;

use super::clocks::{Clock, Tid};
use crate::hash::Map;

/// The number of words in a page.
const WORDS: usize = 1024;
const MOST_PAGES: usize = 1 << 13;
/// The largest number of accesses that are kept for one word (4 bytes) in addition to its first
/// one.
const MOST_OF_WORD: usize = 63;
/// The largest number of accesses that are kept for all words together, in addition to each word's
/// first one: 128 MB of host memory.
const MOST_MORE: usize = 1 << 22;

/// An access to one word by a thread in one of its epochs. A thread's epoch is the time between two
/// of its releases of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Cell {
    /// The number of the thread's epoch; 0: the entry is empty.
    pub epoch: u32,
    pub eip: u32,
    pub value: u32,
    pub time_ps: u64,
    pub tid: Tid,
    /// The accessed bytes of the word, one bit for each of its 4 bytes.
    pub mask: u8,
    pub write: bool,
    pub atomic: bool,
}

impl Cell {
    /// True if both accesses share a byte, at least one of them writes, and not both are atomic.
    fn conflicts(&self, other: &Cell) -> bool {
        self.mask & other.mask != 0 && (self.write || other.write) && !(self.atomic && other.atomic)
    }

    /// True if every later access that races with `other` also races with this access, so that
    /// `other` need not be kept. `other` must happen before this access.
    fn stands_for(&self, other: &Cell) -> bool {
        other.mask & !self.mask == 0
            && (self.write || !other.write)
            && (!self.atomic || other.atomic)
    }
}

#[derive(Clone, Debug, Default)]
struct Word {
    first: Cell,
    #[expect(clippy::box_collection, reason = "most words have none: one pointer, not three")]
    more: Option<Box<Vec<Cell>>>,
}

#[derive(Debug, Default)]
pub(super) struct Cells {
    pages: Map<u32, Box<[Word]>>,
    order: VecDeque<u32>,
    /// How many accesses are kept for all words together, in addition to each word's first one.
    more: usize,
}

impl Cells {
    /// Records a thread's access to word number `word` (address / 4); returns an earlier access
    /// that races with it, `None` if there is none. `clock`: the thread's clock.
    #[inline]
    pub fn touch(&mut self, word: u32, new: Cell, clock: &Clock) -> Option<Cell> {
        let (page, within) = (word / WORDS as u32, word as usize % WORDS);
        if !self.pages.contains_key(&page) {
            self.add_page(page);
        }
        let word = &mut self.pages.get_mut(&page)?[within];
        let first = &mut word.first;
        if word.more.is_none() && (first.epoch == 0 || is_same(first, &new)) {
            *first = new;
            return None;
        }
        let before = word.more.as_ref().map_or(0, |more| more.len());
        let raced = word.put(new, clock, self.more < MOST_MORE);
        let after = word.more.as_ref().map_or(0, |more| more.len());
        self.more = self.more + after - before;
        raced
    }

    /// Removes the recorded accesses to the `bytes` bytes from address `at` on; a word that the
    /// range only touches in part is removed as a whole.
    pub fn forget(&mut self, at: u32, bytes: u32) {
        if bytes == 0 {
            return;
        }
        let (mut word, end) = (at / 4, (at + (bytes - 1)) / 4 + 1);
        while word < end {
            let (page, within) = (word / WORDS as u32, word as usize % WORDS);
            let count = (WORDS - within).min((end - word) as usize);
            if let Some(words) = self.pages.get_mut(&page) {
                for word in &mut words[within..within + count] {
                    self.more -= word.more.as_ref().map_or(0, |more| more.len());
                    *word = Word::default();
                }
            }
            word += count as u32;
        }
    }

    #[cfg(test)]
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    #[cold]
    fn add_page(&mut self, page: u32) {
        if self.pages.len() >= MOST_PAGES
            && let Some(oldest) = self.order.pop_front()
            && let Some(words) = self.pages.remove(&oldest)
        {
            let more = words.iter().filter_map(|word| word.more.as_ref());
            self.more -= more.map(|more| more.len()).sum::<usize>();
        }
        self.pages.insert(page, vec![Word::default(); WORDS].into_boxed_slice());
        self.order.push_back(page);
    }
}

/// True if `old` is of this thread and epoch, and no later access could race with `old` alone:
/// `new` then replaces it.
fn is_same(old: &Cell, new: &Cell) -> bool {
    (old.tid, old.epoch) == (new.tid, new.epoch) && new.stands_for(old)
}

impl Word {
    fn put(&mut self, new: Cell, clock: &Clock, has_room: bool) -> Option<Cell> {
        let mut cells = match self.more.take() {
            Some(more) => *more,
            None => Vec::with_capacity(2),
        };
        if self.first.epoch != 0 {
            cells.insert(0, self.first);
        }
        let mut raced = None;
        let mut is_needed = true;
        cells.retain(|old| {
            let knows = clock.get(usize::from(old.tid)).copied().unwrap_or(0) >= old.epoch;
            let before = old.tid == new.tid || knows;
            if !before && old.conflicts(&new) {
                raced = raced.or(Some(*old));
            }
            // Within one epoch, a write also makes a read after it unnecessary.
            if (old.tid, old.epoch) == (new.tid, new.epoch) && old.stands_for(&new) {
                is_needed &= new.stands_for(old);
            }
            !(before || raced == Some(*old)) || !new.stands_for(old)
        });
        if is_needed {
            if cells.len() > MOST_OF_WORD || (!has_room && !cells.is_empty()) {
                cells.remove(0);
            }
            cells.push(new);
        }
        self.first = cells.remove(0);
        self.more = (!cells.is_empty()).then(|| Box::new(cells));
        raced
    }
}
