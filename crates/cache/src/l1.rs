//! The first-level caches: L1D with its MB tags, L1I with its version ids.
//!
//! L1D is filled by reads only (no write allocate) and is write-back or write-through as the page
//! says (`partheymueller-2011`). L1I is read-only. Both are indexed below the page offset.

use rockcreek_defs::CoreAddr;
use serde::{Deserialize, Serialize};

use crate::array::Array;
use crate::config::Geometry;
use crate::line::LineData;
use crate::mpb_type::MessageBufferLines;
use crate::replacement::Replacement;

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

/// The instruction cache.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct L1Code {
    pub(crate) array: Array,
    /// By line, the id under which the core knows these bytes at this address; 0 = not asked
    /// yet. A memory of the decoder, not chip state: it is neither saved nor compared.
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

    /// A store of this core drops the line that it changes. True if there was one.
    #[inline(always)]
    pub(crate) fn snoop_store(&mut self, addr: CoreAddr) -> bool {
        let found = self.array.find(addr);
        if let Some(line) = found {
            self.array.invalidate(line);
        }
        found.is_some()
    }

    pub(crate) fn fill(&mut self, addr: CoreAddr, data: &LineData) -> usize {
        let line = self.array.victim(addr);
        self.array.fill(line, addr, data, 0);
        self.set_version(line, 0);
        line
    }

    #[inline]
    pub(crate) fn version(&self, line: usize) -> u32 {
        // Empty after a restore: nothing is known then.
        self.versions.get(line).copied().unwrap_or(0)
    }

    pub(crate) fn set_version(&mut self, line: usize, version: u32) {
        self.versions.resize(self.array.len(), 0);
        self.versions[line] = version;
    }

    /// Forgets all version ids; the core's table was emptied.
    pub(crate) fn forget_versions(&mut self) {
        self.versions.clear();
    }

    pub(crate) fn begin_window(&mut self) {
        self.array.begin_window();
    }

    pub(crate) fn rollback(&mut self) {
        let versions = &mut self.versions;
        self.array.rollback(|line, _| {
            // The bytes may be older ones again.
            if let Some(version) = versions.get_mut(line) {
                *version = 0;
            }
        });
    }
}
