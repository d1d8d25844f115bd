//! TLB fills from within translated code, for pages whose page-table words are in L1D.
//!
//! The walk itself is in `memory/paging.rs`.
//!
//! Accesses all over 48 MB take as many of the host's instructions without `walk_for_new_page`:
//! `x64/paging/page_walk.rs` does nearly all walks (2026-11-29).

use crate::core::parts::Core;
use crate::memory::paging::{LARGE_PAGE_BYTES, PAGE_BYTES};
use crate::units::tlb::Entry;

impl Core {
    /// Fills the data TLB for a page that it does not have, and charges the walk, if paging is on,
    /// L1D has the page-table words, and these permit `need`. Otherwise returns `None` and has no
    /// effect.
    #[inline]
    pub(crate) fn walk_for_new_page(&mut self, linear: u32, need: u8) -> Option<Entry> {
        let large = linear / LARGE_PAGE_BYTES;
        if !self.paging() || self.tlbs.data_large.find(large).is_some() {
            return None;
        }
        let entry = self.walk_in_l1d(linear, need)?;
        let cycles = u64::from(self.config.tlb_miss_cycles);
        self.state.cycles += cycles;
        self.state.counters.read_stall_cycles += cycles;
        self.state.counters.dtlb_misses += 1;
        self.state.walks_for_data = false;
        self.tlbs.data.fill_new(linear / PAGE_BYTES, entry);
        Some(entry)
    }

    /// The ITLB entry for the page of `linear`, which the ITLB does not have, by a walk of the page
    /// tables; `None` if paging is off or L1D cannot serve the walk (`walk_in_l1d`).
    pub(crate) fn find_code_page(&mut self, linear: u32, need: u8) -> Option<Entry> {
        if self.paging() { self.walk_in_l1d(linear, need) } else { None }
    }
}
