//! The copies of shared memory that one core holds in its L1D, L2 and write-combine buffer.
//!
//! Lines are identified by the core's own address. The core does not report L1D victims that L2
//! absorbs, so these moves are inferred: a line that is dirty here, and that L1D no longer has, is
//! in L2.

use crate::finding::Site;
use crate::hash::Map;
use crate::memory::Key;
use crate::writes::{Id, Ids, LINE, NONE};

/// A line in L1D or L2, with the id of the write that gave each byte its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    pub key: Key,
    pub ids: Ids,
    pub dirty: bool,
    /// The simulated time, in picoseconds, at which the line came into the cache.
    pub since_ps: u64,
    /// The last store of this core into the line; `None` if there was none since the line came.
    pub stored: Option<Site>,
}

/// The copies of shared lines that one core holds: in L1D (`first`) and in L2 (`second`), by the
/// core's address of the line.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    pub first: Map<u32, Copy>,
    pub second: Map<u32, Copy>,
    /// The line in the write-combine buffer: its address, and for each byte the id of its write,
    /// `NONE` where nothing was written. `None` if the buffer is empty.
    pub combining: Option<(u32, Ids)>,
    /// The store that the core's next transaction sends: its address and the id of its write.
    pub sent: Option<(u32, Id)>,
    /// The load for which the core's next transaction is made.
    pub asked: Option<Site>,
}

impl Copies {
    /// Records that a line comes from memory into L1D (first flag true), into L2 (second flag
    /// true), or into both.
    pub fn fill(&mut self, line: u32, copy: Copy, [first, second]: [bool; 2]) {
        if first {
            self.first.insert(line, copy);
        }
        if second {
            self.second.insert(line, copy);
        }
    }

    /// Records that L1D no longer has the line. If the line was dirty in L1D, L2 now has its bytes.
    pub fn moved(&mut self, line: u32) {
        let Some(first) = self.first.remove(&line) else { return };
        if first.dirty
            && let Some(second) = self.second.get_mut(&line)
        {
            second.ids = first.ids;
            second.dirty = true;
            second.stored = first.stored;
        }
    }

    /// Records that L1D receives the line from L2, clean.
    pub fn refill(&mut self, line: u32) {
        self.moved(line);
        if let Some(second) = self.second.get(&line) {
            self.first.insert(line, Copy { dirty: false, ..*second });
        }
    }

    /// Records that L1D writes a line back to memory; returns the line. L1D keeps the line, clean.
    pub fn first_victim(&mut self, line: u32) -> Option<Copy> {
        let copy = self.first.get_mut(&line)?;
        copy.dirty = false;
        Some(*copy)
    }

    /// Records that L2 writes a line back to memory; returns the line, `None` if the shadow has no
    /// copy of it. `holds`: true if L1D has a dirty copy of the line; if false, a line that the
    /// shadow thought dirty in L1D has moved to L2 before.
    pub fn second_victim(&mut self, line: u32, holds: bool) -> Option<Copy> {
        if !holds && self.first.get(&line).is_some_and(|first| first.dirty) {
            self.moved(line);
        }
        let copy = self.second.get_mut(&line)?;
        copy.dirty = false;
        Some(*copy)
    }

    /// Records a store of write `id` into the write-combine buffer; `bytes`: the offsets in the
    /// line.
    pub fn combine(&mut self, line: u32, bytes: impl Iterator<Item = usize>, id: Id) {
        let (held, ids) = self.combining.get_or_insert((line, [NONE; LINE]));
        if *held != line {
            (*held, *ids) = (line, [NONE; LINE]);
        }
        bytes.for_each(|byte| ids[byte] = id);
    }

    /// The ids of all writes to which these copies and the store under way refer. An id may come
    /// several times, and `NONE` comes for bytes that nobody has written.
    pub fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        let lines = self.first.values().chain(self.second.values());
        let combining = self.combining.iter().flat_map(|(_, ids)| ids);
        let sent = self.sent.iter().map(|(_, id)| id);
        lines.flat_map(|copy| &copy.ids).chain(combining).chain(sent).copied()
    }
}
