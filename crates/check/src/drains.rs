//! What leaves a core for memory: drains of the write-combine buffer, whose bytes all reach memory
//! at one instant, and lines that a cache writes back.

use rockcreek_defs::LINE_BYTES;

use crate::copies::Copy;
use crate::finding::{Kind, Level, Origin, Site};
use crate::memory::{Byte, Key};
use crate::shadow::{Shadow, Transaction};
use crate::writes::{LINE, NONE};

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

    /// Records that a core's cache writes the whole line `copy` from `level` back to memory. Makes a
    /// finding if that overwrites newer bytes of another core.
    pub(crate) fn written_back(
        &mut self,
        transaction: &Transaction,
        level: Level,
        copy: Option<Copy>,
        data: &[u8; LINE_BYTES],
    ) {
        let Transaction { core, time_ps, was, .. } = *transaction;
        let Some(copy) = copy else { return };
        let held = std::mem::replace(&mut self.memory.line_mut(copy.key).held, copy.ids);
        let shown = self.clocks[core].show();
        let mut told = NONE;
        for byte in 0..LINE {
            let (old, new) = (held[byte], copy.ids[byte]);
            if old != new {
                self.writes.shows(new, shown, level);
            }
            if old == new || data[byte] == was[byte] || !self.is_older(new, old) {
                continue;
            }
            let Some(write) = self.writes.get_mut(old) else { continue };
            if usize::from(write.site.core) == core {
                continue;
            }
            write.lost = true;
            let victim = write.site;
            if told != old {
                told = old;
                let by = copy.stored.unwrap_or_default();
                let culprit = Site { time_ps: by.time_ps.max(copy.since_ps), ..by };
                let at = Byte { line: copy.key, offset: byte };
                let written = Origin { level, since_ps: time_ps };
                self.report(Kind::LostUpdate, at, victim, culprit, written);
            }
        }
    }
}
