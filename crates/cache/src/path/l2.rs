//! The second-level cache: unified, write-back, filled by reads, and by stores only if the chip
//! description makes them allocate.
//!
//! L2 is filled together with L1, or alone for locked accesses and allocating stores, and does not
//! invalidate L1's copy when it evicts a line. WBINVD
//! and INVD do not reach L2: software empties it by displacement (`scc-linux-2011`,
//! `barrelfish-tn005`). Lines of MPBT pages never enter L2 (`partheymueller-2011`). The WAYDISABLE
//! bit of L2CFG takes L2 out of the path; L2 then keeps its contents (a choice: no source describes
//! it).

use rockcreek_defs::bus::DrainKind;
use rockcreek_defs::{BusRequest, CoreAddr};
use serde::{Deserialize, Serialize};

use crate::array::Array;
use crate::array::line::LineData;
use crate::policy::config::Geometry;
use crate::policy::replacement::Replacement;

/// The second-level cache of one core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct L2 {
    pub(crate) array: Array,
    pub(crate) enabled: bool,
}

impl L2 {
    pub(crate) fn new(geometry: Geometry, policy: Replacement) -> L2 {
        L2 { array: Array::new(geometry, policy), enabled: true }
    }

    /// The number of the line that holds `addr`; `None` if L2 is off or does not have the line.
    #[inline]
    pub(crate) fn find(&self, addr: CoreAddr) -> Option<usize> {
        if self.enabled { self.array.find(addr) } else { None }
    }

    /// The write-back that must come before a line at `addr` can be filled; `None` if the line to
    /// be replaced is clean or L2 is off.
    pub(crate) fn dirty_victim(&self, addr: CoreAddr) -> Option<BusRequest> {
        if self.enabled { self.dirty_line(self.array.victim(addr)) } else { None }
    }

    /// The write-back of line number `line`; `None` if the line is not dirty.
    #[inline]
    pub(crate) fn dirty_line(&self, line: usize) -> Option<BusRequest> {
        self.array.is_dirty(line).then(|| BusRequest::WriteLine {
            addr: self.array.address(line),
            data: *self.array.data(line),
            enable: u32::MAX,
            kind: DrainKind::L2Victim,
        })
    }

    /// Inserts a clean line that came from memory. Returns false, without any change, if L2 is off.
    pub(crate) fn fill(&mut self, addr: CoreAddr, data: &LineData) -> bool {
        if self.enabled {
            let line = self.array.victim(addr);
            self.array.fill(line, addr, data, 0);
        }
        self.enabled
    }

    /// Performs a store of the low `size` bytes of `value`, if L2 has the line. Returns false,
    /// without any change, if it has not.
    pub(crate) fn write(&mut self, addr: CoreAddr, size: u8, value: u64) -> bool {
        let found = self.find(addr);
        if let Some(line) = found {
            self.array.touch(line);
            self.array.store(line, addr.line_offset(), size, value);
            self.array.set_dirty(line, true);
        }
        found.is_some()
    }

    /// Reads and touches the line that holds `addr`; `None` if L2 is off or does not have it.
    pub(crate) fn read(&mut self, addr: CoreAddr) -> Option<LineData> {
        let line = self.find(addr)?;
        self.array.touch(line);
        Some(*self.array.data(line))
    }
}
