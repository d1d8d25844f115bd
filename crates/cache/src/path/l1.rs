//! The first-level caches: L1D with its MB tags, L1I with its version ids.
//!
//! L1D is filled by reads only (no write allocate) and is write-back or write-through, depending on
//! the page (`partheymueller-2011`). L1I is read-only. The page offset alone selects the set in
//! both.

use rockcreek_defs::CoreAddr;
use serde::{Deserialize, Serialize};

use crate::array::Array;
use crate::array::line::LineData;
use crate::path::mpb_type::MessageBufferLines;
use crate::policy::config::Geometry;
use crate::policy::replacement::Replacement;

/// The data cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct L1Data {
    pub(crate) array: Array,
    #[serde(skip)]
    pub(crate) message_buffer: MessageBufferLines,
}

impl L1Data {
    pub(crate) fn new(geometry: Geometry, policy: Replacement) -> L1Data {
        let array = Array::new(geometry, policy);
        L1Data { array, message_buffer: MessageBufferLines::default() }
    }

    pub(crate) fn begin_window(&mut self) {
        self.array.begin_window();
    }

    pub(crate) fn rollback(&mut self) {
        let lines = &mut self.message_buffer;
        self.array.rollback(|line, tag| lines.restored(line, tag));
    }
}

/// Host addresses of L1I's parts, for translated code. L1I has the replacement policy of L1D.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct CodeLines {
    pub tags: u64,
    /// Host address of one byte for each set: the set's state (`set_state.rs`).
    pub states: u64,
    /// Host address of one 32-bit number for each line: the core's id for the line's bytes, 0 for
    /// none. See [`Caches::set_code_version`](crate::Caches::set_code_version).
    pub versions: u64,
    /// The number of sets less one: a mask for the set's number.
    pub set_mask: u32,
}

/// The instruction cache.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct L1Code {
    pub(crate) array: Array,
    /// For each line, the id that the core gave to its bytes at its address; 0: none yet. The ids
    /// belong to the decoder's tables, not to the chip's state: they are neither saved nor
    /// compared.
    #[serde(skip)]
    versions: Vec<u32>,
}

impl PartialEq for L1Code {
    fn eq(&self, other: &L1Code) -> bool {
        self.array == other.array
    }
}

impl L1Code {
    pub(crate) fn new(geometry: Geometry, policy: Replacement) -> L1Code {
        L1Code { array: Array::new(geometry, policy), versions: Vec::new() }
    }

    /// Drops the line of `addr`, because this core stores into it. Returns true if L1I had the
    /// line.
    #[inline(always)]
    pub(crate) fn snoop_store(&mut self, addr: CoreAddr) -> bool {
        let found = self.array.find(addr);
        if let Some(line) = found {
            self.array.invalidate(line);
        }
        found.is_some()
    }

    pub(crate) fn fill(&mut self, addr: CoreAddr, data: &LineData, version: u32) -> usize {
        let line = self.array.victim(addr);
        self.array.fill(line, addr, data, 0);
        self.set_version(line, version);
        line
    }

    #[inline]
    pub(crate) fn version(&self, line: usize) -> u32 {
        // The list is empty after a restore, when no id is known.
        self.versions.get(line).copied().unwrap_or(0)
    }

    pub(crate) fn set_version(&mut self, line: usize, version: u32) {
        if self.versions.is_empty() {
            self.versions.resize(self.array.len(), 0);
        }
        self.versions[line] = version;
    }

    /// Removes all ids of lines. Call when the core has emptied its table of decoded lines.
    pub(crate) fn forget_versions(&mut self) {
        self.versions.fill(0);
    }

    /// The host addresses of L1I's parts, for translated code; valid until L1I is moved in host
    /// memory.
    pub(crate) fn lines(&mut self) -> CodeLines {
        self.versions.resize(self.array.len(), 0);
        CodeLines {
            tags: self.array.tags_address(),
            states: self.array.states_address(),
            versions: self.versions.as_ptr() as usize as u64,
            set_mask: self.array.sets() as u32 - 1,
        }
    }

    pub(crate) fn begin_window(&mut self) {
        self.array.begin_window();
    }

    pub(crate) fn rollback(&mut self) {
        let versions = &mut self.versions;
        self.array.rollback(|line, _| {
            // The rollback may have restored older bytes.
            if let Some(version) = versions.get_mut(line) {
                *version = 0;
            }
        });
    }
}
