//! Decides which lines and pages translated code may use in place (without a lookup), and stores
//! the host addresses of their tables.

use rockcreek_cache::{HostLookup, Page};

use crate::core::parts::Core;
use crate::state::core_state::State;
use crate::translator::access::misaligned::MOST_PENALTIES;
use crate::translator::x64;
use crate::translator_frame::host_frame::PATIENCE;
use crate::units::tlb::{Displaced, Entry as TlbEntry, Tlb};

/// Back-off of the promotion threshold (how many uses of a page open it). Opening a page that is
/// soon closed costs more than not opening it, so the threshold doubles when an open page has been
/// closed, up to `MOST_PATIENCE`, and its increase above `PATIENCE` decays by 1/8 in each stay. NPB
/// LU and TinyCC take as many of the host's instructions, to 0.2 %, with 64 as the most (2026-11-29).
const MOST_PATIENCE: u32 = 1024;
pub(crate) const PATIENCE_DECAY: u32 = 8;
/// The largest number of accesses to L2 for one operand: L2 takes L1D's line, and a locked operand
/// is read and written there.
const MOST_SERVICES: u64 = 3;

impl Core {
    /// Stores the host addresses of the TLB for translated code, and, the first time, the constants
    /// that depend on the core's settings. Forgets the addresses of the tables of lines if these
    /// are no longer current; `refresh_quick` then finds them anew.
    pub(crate) fn note_tables(&mut self) {
        if !self.caches.quick_lines_are([self.host.quick, self.host.around]) {
            self.host.quick = 0;
        }
        let (tlb, host) = (&self.tlbs.data, &mut self.host);
        host.tlb_uses = tlb.uses.as_ptr() as u64;
        host.tlb_entries = tlb.entries.as_ptr() as u64;
        host.large_pages = self.tlbs.data_large.pages.as_ptr() as u64;
        let shaped = tlb.ways == 4 && self.tlbs.data_large.pages.len() == x64::LARGE_PAGES;
        // While accesses are watched, translated code must not fill the TLB, so it gets no address.
        let walks = shaped && self.accesses.is_none();
        host.tlb_pages = if walks { tlb.pages.as_ptr() as u64 } else { 0 };
        if host.patience_anew == 0 {
            host.patience_anew = PATIENCE;
            host.turns = Tlb::turns_of_four();
            host.tlb_mask = tlb.set_mask() * x64::SET_BYTES;
            host.code_tlb_mask = self.tlbs.code.set_mask() * x64::SET_BYTES;
            host.set_mask = (self.config.cache.l1d.sets() - 1) * x64::SET_BYTES;
            host.walk_cycles = u64::from(self.config.tlb_miss_cycles);
            host.l2_cycles = u64::from(self.config.cache.l2_hit_cycles);
            let penalty = u64::from(self.config.misaligned_cycles);
            host.misaligned_cycles = penalty;
            host.access_cycles = MOST_SERVICES * host.l2_cycles + MOST_PENALTIES * penalty;
        }
    }

    /// Does the work of [`Core::refresh_quick`], in the frequent case that the data TLB has been
    /// used at most once since the last call of either function.
    #[inline]
    pub(crate) fn forget_displaced(&mut self) {
        let known = self.host.quick != 0;
        match known.then(|| self.tlbs.data.take_one_displaced()).flatten() {
            Some(None) => {}
            Some(Some(page)) => self.forget_known(page << 12),
            None => self.refresh_quick(),
        }
    }

    #[inline]
    pub(crate) fn forget_known(&mut self, page: u32) {
        let eighths = self.host.pages.forget(page);
        if eighths != 0 {
            self.caches.forget_page(page, eighths);
        }
    }

    /// Removes from the tables the lines and pages that translated code may no longer use in place,
    /// because a TLB entry or the privilege level has changed. Finds the tables' addresses if these
    /// are unknown. Doubles the promotion threshold if an open page was closed.
    pub(crate) fn refresh_quick(&mut self) {
        let needs = (self.state.need_read, self.state.need_write);
        let (displaced, closed) = (self.tlbs.data.take_displaced(), self.tlbs.data.take_closed());
        if closed != Displaced::None {
            self.host.patience_anew = (2 * self.host.patience_anew).min(MOST_PATIENCE);
        }
        let nothing = displaced == Displaced::None && closed == Displaced::None;
        if nothing && self.host.needs == needs && self.host.quick != 0 {
            return;
        }
        if self.host.quick == 0 && !self.note_lines() {
            return;
        }
        let same = std::mem::replace(&mut self.host.needs, needs) == needs;
        let (Some(forget), Some(close)) = (displaced.pages().filter(|_| same), closed.pages())
        else {
            self.host.pages.forget_all();
            self.caches.close_all();
            return;
        };
        for page in forget.into_iter().flatten() {
            self.forget_known(page << 12);
        }
        // Only open pages need closing here: an open page that is evicted has been closed first.
        close.into_iter().flatten().for_each(|page| self.caches.close_page(page << 12));
    }

    /// Stores the host addresses of L1D's, L2's and L1I's lines, for translated code. Returns
    /// false, and stores nothing, if the caches have no tables of lines (`Caches::quick_lines`).
    fn note_lines(&mut self) -> bool {
        let code_lines = self.caches.code_lines();
        let Some(tables) = self.caches.quick_lines() else { return false };
        let host = &mut self.host;
        [host.quick, host.around] =
            tables.each_ref().map(|table| std::ptr::from_ref(*table) as u64);
        host.looks_up = tables[0].usable != 0 && code_lines.is_some();
        host.code_lines = code_lines.unwrap_or_default();
        host.code_sets = host.code_lines.set_mask * x64::SET_BYTES;
        true
    }

    /// Call after the interpreter's access at `linear`: makes its page known and opens its line, if
    /// the next load there would change nothing, so that the next access may be done in place.
    pub(crate) fn admit(&mut self, linear: u32) {
        let need_read = self.state.need_read;
        let Some(entry) = self.tlbs.data.recent(linear >> 12).copied() else { return };
        if entry.permit & need_read != need_read {
            return;
        }
        let page = self.page_in_use(linear, &entry, true);
        let addr = rockcreek_defs::CoreAddr(entry.frame | linear & 0xFFF);
        if self.caches.admit(addr, &page, entry.memory_type) {
            self.tlbs.data.open_recent(linear >> 12);
        }
    }

    /// Returns the page of an access, and makes it known to translated code (usable without a TLB
    /// lookup) if it may be read and L1D caches it. `entry`, its TLB entry, must be the most
    /// recently used one of its TLB set. `settled`: true if it was so before this access.
    #[inline]
    pub(crate) fn page_in_use(&mut self, linear: u32, entry: &TlbEntry, settled: bool) -> Page {
        let State { need_read, need_write, .. } = self.state;
        let writable = entry.permit & need_write == need_write;
        let readable = entry.permit & need_read == need_read;
        let usable = entry.memory_type.rules().host_lookup != HostLookup::Nothing;
        if self.host.looks_up && readable && usable {
            let turn = self.tlbs.data.turn_of_recent(linear >> 12);
            let left = self.host.pages.put(linear, entry, turn, writable);
            if let Some((page, eighths)) = left {
                self.caches.forget_page(page, eighths);
            }
        }
        Page { linear: linear & !0xFFF, settled, writable }
    }
}
