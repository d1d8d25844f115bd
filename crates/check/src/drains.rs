//! Drains of the write-combine buffer: all its bytes reach memory at one instant.

use crate::finding::Level;
use crate::memory::Key;
use crate::shadow::Shadow;
use crate::writes::NONE;

impl Shadow {
    /// Records that the write-combine buffer of `core` has drained: its enabled bytes (`enable`, a
    /// bit each) have reached memory, in line `key`.
    pub(crate) fn drained(&mut self, core: usize, key: Key, enable: u32) {
        let Some((_, ids)) = self.cores[core].combining.take() else { return };
        let numbers = ids.iter().filter_map(|&id| self.writes.get(id)).map(|write| write.number);
        let last = numbers.max().unwrap_or(0);
        let shown = self.clocks[core].show();
        let line = self.memory.line_mut(key);
        for (byte, &id) in ids.iter().enumerate() {
            if let Some(write) = self.writes.get_mut(id) {
                write.up_to = last;
            }
            if enable >> byte & 1 != 0 && id != NONE {
                line.held[byte] = id;
                self.writes.shows(id, shown, Level::WriteCombine);
            }
        }
    }
}
