//! Windows of an array: saving old contents, and restoring them.

use super::Array;
use crate::array::journal::SavedSet;

impl Array {
    pub(crate) fn begin_window(&mut self) {
        self.journal.begin(&mut self.sets);
        if let Some(quick) = &mut self.quick {
            quick.close_stores();
            quick.arrays.window = self.journal.is_open();
        }
    }

    /// Restores the cache's state at the start of the window, which stays open. Calls `restored`
    /// with the number and the tag of each line whose bytes or state bits the rollback may have
    /// changed.
    pub(crate) fn rollback(&mut self, mut restored: impl FnMut(usize, u32)) {
        for (line, data) in self.journal.saved_lines() {
            self.data[line] = *data;
        }
        for (saved, tags, before) in self.journal.saved_sets() {
            let set = saved.set as usize;
            self.sets[set] = self.sets[set].with(saved.replacement);
            if let Some(before) = before {
                self.orders[set] = before;
            }
            let base = set << self.way_bits;
            for (way, &tag) in tags[..1 << self.way_bits].iter().enumerate() {
                self.tags[base + way] = tag;
                restored(base + way, tag);
            }
        }
        self.journal.begin(&mut self.sets);
        if let Some(quick) = &mut self.quick {
            quick.close_all();
        }
    }

    /// True if the array's contents and replacement state equal those at the start of the window.
    pub(crate) fn unchanged(&self) -> bool {
        let same = |(saved, before, order): (&SavedSet, &[u32], Option<u64>)| {
            let set = saved.set as usize;
            let base = set << self.way_bits;
            let tags = &self.tags[base..base + (1 << self.way_bits)];
            self.sets[set].replacement() == saved.replacement
                && order.is_none_or(|order| self.orders[set] == order)
                && *tags == before[..tags.len()]
        };
        self.journal.saved_sets().all(same)
            && self.journal.saved_lines().all(|(line, data)| self.data[line] == *data)
    }

    #[inline(always)]
    pub(super) fn save_set(&mut self, set: usize) {
        if let Some(quick) = &mut self.quick {
            quick.close_set(set);
        }
        let base = set << self.way_bits;
        let tags = &self.tags[base..base + (1 << self.way_bits)];
        self.journal.save_set(set, &mut self.sets[set], self.orders.get(set), tags);
    }

    #[inline(always)]
    pub(super) fn save_line(&mut self, line: usize) {
        self.journal.save_line(line, &self.data[line]);
    }
}
