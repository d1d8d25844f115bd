//! Memory accesses that translated code cannot do itself, but that L1D, L2 or the write-combine
//! buffer can serve; for loads, also with transactions. The caches change as in the interpreter's
//! access; translated code then moves the bytes at the address returned.
//!
//! NPB LU (class S, one core) takes 2.5 times the host's instructions without this path
//! (2026-11-29).

use rockcreek_cache::{HostLookup, InPlace, Load, MemoryType, Page, Room, StoreEnd};
use rockcreek_defs::{BusResponse, CoreAddr, LINE_BYTES};

use crate::core::parts::Core;
use crate::memory::access_path::Intent;
use crate::state::counters::Stall;
use crate::state::exception::Stop;
use crate::state::transaction::{Pending, Target};
use crate::translator::x64::stubs::callbacks::MAY_WAIT;
use crate::translator_frame::host_frame::{BUSY, HOST_PLACES};
use crate::units::tlb::Entry;

/// The kind of an instruction's access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Load,
    Store,
    /// A load and a store at one address.
    Modify,
}

impl Core {
    /// Performs an aligned access of `size` bytes, except for moving the bytes, if L1D, L2 or the
    /// write-combine buffer can serve it at once. `None` if the interpreter must do it; for a
    /// store, `HostFrame::beyond` is then the reason and, except with `BUSY`, the address (0: no
    /// reason is recorded).
    #[inline]
    pub(crate) fn reach(&mut self, linear: u32, size: u8, access: Access) -> Option<InPlace> {
        self.host.beyond = 0;
        let (entry, settled) = self.recent_entry(linear >> 12)?;
        let (addr, page) = self.page_for(linear, &entry, settled, access)?;
        let ty = entry.memory_type;
        let place = match access {
            Access::Load => self.caches.load_in_place(addr, &page, ty)?,
            Access::Store => return self.reach_for_store(addr, size, &page, ty),
            Access::Modify => self.caches.modify_in_place(addr, size, &page, ty)?,
        };
        self.open(&page);
        self.state.counters.read_stall_cycles += u64::from(place.cycles);
        Some(place)
    }

    fn reach_for_store(
        &mut self,
        addr: CoreAddr,
        size: u8,
        page: &Page,
        ty: MemoryType,
    ) -> Option<InPlace> {
        let store = match self.caches.store_in_place(addr, size, page, ty) {
            Ok(store) => store,
            Err(refusal) => {
                self.host.note_beyond(refusal, addr);
                return None;
            }
        };
        self.open(page);
        let mut place = InPlace { origin: store.origin, cycles: 0 };
        if store.end == StoreEnd::InL2 {
            let now = self.state.cycles;
            let wait = self.line_is_free(addr, now) - now;
            if wait != 0 && !self.may_wait_for_line(wait) {
                return None;
            }
            self.store_in_l2(addr);
            self.caches.count_stores_around(1);
            place.cycles = wait as u32;
        }
        Some(place)
    }

    /// True if a store may wait `wait` core cycles at its place in the code for the previous store.
    /// If an x87 instruction in progress forbids the wait, records `BUSY` in `HostFrame::beyond`.
    /// This is a copy of the rule in the stub for stores (`same_line.rs`).
    fn may_wait_for_line(&mut self, wait: u64) -> bool {
        if self.host.how >> 16 & MAY_WAIT == 0 {
            self.host.beyond = BUSY;
            return false;
        }
        wait <= u64::from(self.l2_cycles())
    }

    /// Performs a store that spans two lines of a page, except for moving the bytes, if L1D has
    /// both lines: `HostFrame::split` then holds the places of the bytes. Otherwise returns false.
    /// See `line_split.rs`.
    pub(crate) fn reach_split_store(&mut self, linear: u32) -> bool {
        let Some((entry, settled)) = self.recent_entry(linear >> 12) else { return false };
        let Some((addr, page)) = self.page_for(linear, &entry, settled, Access::Store) else {
            return false;
        };
        let places = self.caches.store_in_two_lines(addr, &page, entry.memory_type);
        self.host.split.places = places.unwrap_or_default();
        if places.is_some() {
            self.open(&page);
        }
        places.is_some()
    }

    /// Performs a load except for moving the bytes, with a page walk and transactions unless one of
    /// these ends the core's run. `None` if the interpreter must do the load, or if it has waited
    /// until `HostFrame::reach_limit`; what has been done so far stays. Also returns the core
    /// cycles waited.
    pub(crate) fn reach_beyond(&mut self, linear: u32) -> (Option<InPlace>, u64) {
        let begun = self.state.cycles;
        let place = self.load_beyond(linear);
        let waited = self.has_waited(begun);
        (place.filter(|_| waited == 0 || self.state.cycles < self.host.reach_limit), waited)
    }

    /// Returns the core cycles since cycle `begun`, and prolongs this stay in translated code by
    /// them, because no event is counted in a wait.
    #[inline]
    pub(crate) fn has_waited(&mut self, begun: u64) -> u64 {
        let waited = self.state.cycles - begun;
        if waited != 0 {
            self.host.stay_end += waited;
            self.set_limits();
        }
        waited
    }

    fn load_beyond(&mut self, linear: u32) -> Option<InPlace> {
        let (entry, settled) = match self.recent_entry(linear >> 12) {
            Some(found) => found,
            None => {
                let entry = self.walk_for(linear)?;
                let place = self.host.bus().host_address(CoreAddr(entry.frame));
                // At least 1, because 0 means that no page has used the entry.
                self.host.places.0[(linear >> 12) as usize % HOST_PLACES] = place.max(1);
                (entry, false)
            }
        };
        let (addr, page) = match self.host.pages.is_past_l2(linear) {
            // A page whose lines bypass L2 keeps its known lines, and its lines are not opened.
            true => {
                let page = Page { linear: linear & !0xFFF, settled: false, writable: false };
                (CoreAddr(entry.frame | linear & 0xFFF), page)
            }
            false => self.page_for(linear, &entry, settled, Access::Load)?,
        };
        self.open(&page);
        loop {
            match self.caches.load_or_ask(addr, &page, entry.memory_type) {
                Load::Done(place) => {
                    self.state.cycles += u64::from(place.cycles);
                    self.state.counters.read_stall_cycles += u64::from(place.cycles);
                    return Some(InPlace { cycles: 0, ..place });
                }
                Load::Ask(room) => return self.load_from_memory(&room, &page),
                Load::Need(request) => {
                    let pending = Pending { request, finishes: false, target: Target::Load };
                    self.state.pending = Some(pending);
                    if !self.ask(self.host.bus()) {
                        return None;
                    }
                }
            }
        }
    }

    /// Requests a line that is in no cache, and performs its load except for moving the bytes.
    /// `None` if the response does not come at once; the core then waits for it.
    fn load_from_memory(&mut self, room: &Room, page: &Page) -> Option<InPlace> {
        let line = self.ask_for_line(room)?;
        Some(self.caches.load_with(room, line, page))
    }

    /// Counts a victim of L1D that translated code has written into L2 (`HostFrame::owes`). Then,
    /// if the L2 line number `line`, which a fill will replace, is dirty, writes it to memory.
    /// Returns false if the core must wait for that.
    #[inline]
    pub(crate) fn clear_victim(&mut self, line: u32) -> bool {
        if std::mem::take(&mut self.host.owes) != 0 {
            self.caches.victim_has_gone();
        }
        let Some(request) = self.caches.dirty_line_of_l2(line) else { return true };
        if self.ask_at_once(&request, Stall::Read, self.host.bus()).is_some() {
            self.caches.line_of_l2_is_written(line);
            return true;
        }
        self.state.pending = Some(Pending { request, finishes: false, target: Target::Load });
        false
    }

    /// Requests the line that will replace the lines of `room`. `None` if the response does not
    /// come at once; the core then waits for it.
    #[inline]
    pub(crate) fn ask_for_line<'a>(&mut self, room: &Room) -> Option<&'a [u8; LINE_BYTES]> {
        if let Some(line) = self.read_line_at_once(room.addr(), self.host.bus()) {
            self.caches.line_has_come(room);
            return Some(line);
        }
        match self.ask_at_once(&room.request(), Stall::Read, self.host.bus()) {
            Some(BusResponse::Line(line)) => {
                self.caches.line_has_come(room);
                Some(line)
            }
            Some(response) => panic!("{response:?} does not answer the request for a line"),
            None => {
                let request = self.caches.await_line(room);
                let pending = Pending { request, finishes: false, target: Target::Load };
                self.state.pending = Some(pending);
                None
            }
        }
    }

    /// Requests a load's line while an x87 instruction is in progress that ends before L2 could
    /// serve the load. Does so only if L2's line number `victim` is clean, the transaction takes at
    /// least as long as L2, ends before `HostFrame::reach_limit`, and the chip knows its route;
    /// otherwise returns `None`, and nothing has changed.
    pub(crate) fn fetch_settling<'a>(
        &mut self,
        room: &Room,
        victim: u32,
    ) -> Option<&'a [u8; LINE_BYTES]> {
        if !self.may_ask() || self.caches.dirty_line_of_l2(victim).is_some() {
            return None;
        }
        let (from, least) = (self.sends_from(), u64::from(self.l2_cycles()));
        let lasts = least..self.host.reach_limit.saturating_sub(from);
        let (cycle, line) = self.host.bus().read_line_within(from, room.addr(), lasts)?;
        self.await_bus();
        self.wait_until(cycle, Stall::Read);
        self.caches.line_has_come(room);
        Some(line)
    }

    /// Walks the page tables for a load and returns the new entry of the data TLB; `None` if the
    /// core must wait (the run ends) or a fault is due.
    fn walk_for(&mut self, linear: u32) -> Option<Entry> {
        let need = self.need(Intent::READ);
        while let Err(stop) = self.translate_beyond(linear, need, Intent::READ, false) {
            if stop != Stop::Wait || !self.ask(self.host.bus()) {
                return None;
            }
        }
        self.refresh_quick();
        self.tlbs.data.recent(linear >> 12).copied()
    }

    /// The TLB entry of a page, which becomes the most recently used one of its set, and true if it
    /// already was. `None` if the data TLB does not have the page.
    #[inline]
    fn recent_entry(&mut self, page: u32) -> Option<(Entry, bool)> {
        if let Some(entry) = self.tlbs.data.recent(page) {
            return Some((*entry, true));
        }
        let entry = self.tlbs.data.lookup(page)?;
        self.forget_displaced();
        Some((entry, false))
    }

    /// The TLB entry of the page of `linear`, if it permits the access without a change of the page
    /// tables; otherwise `None`. The page becomes the most recently used one of its TLB set.
    #[inline]
    pub(crate) fn entry_for(&mut self, linear: u32, access: Access) -> Option<Entry> {
        let (entry, _) = self.recent_entry(linear >> 12)?;
        self.allows(&entry, access).then_some(entry)
    }

    #[inline]
    fn allows(&self, entry: &Entry, access: Access) -> bool {
        let load = access == Access::Load;
        let need = if load { self.state.need_read } else { self.state.need_write };
        entry.permit & need == need
    }

    /// The physical address of an access and its page, which becomes known to translated code;
    /// `None` if the TLB entry does not permit the access. `settled`: true if the entry already was
    /// the most recently used one of its set. The page's `settled` is true only if its lines are to
    /// be opened.
    #[inline]
    fn page_for(
        &mut self,
        linear: u32,
        entry: &Entry,
        settled: bool,
        access: Access,
    ) -> Option<(CoreAddr, Page)> {
        let insists = (self.host.patience as i32) < 0;
        // Lines of MPBT pages are requested anew in each round, so a request does not show that the
        // page will be used again.
        let lasts = entry.memory_type.rules().host_lookup != HostLookup::MessageLines;
        if lasts || insists {
            self.host.patience = self.host.patience_anew;
        }
        if !self.allows(entry, access) {
            return None;
        }
        let load = access == Access::Load;
        // Open a page in which lines are looked up repeatedly.
        let asked = &mut self.host.asked[usize::from(load)];
        let again = lasts && std::mem::replace(asked, linear >> 12) == linear >> 12;
        let settled = settled && lasts && (again || insists);
        let page = self.page_in_use(linear, entry, settled);
        Some((CoreAddr(entry.frame | linear & 0xFFF), page))
    }

    /// Records in the TLB that lines of this page may be open (usable without a lookup). A page
    /// without open lines can be evicted without further work.
    #[inline]
    fn open(&mut self, page: &Page) {
        if page.settled {
            self.tlbs.data.open_recent(page.linear >> 12);
        }
    }

    /// Adds to the core's counters what translated code has counted of L2: stores that bypassed
    /// L1D, how long they waited, and lines that moved between L1D and L2; also the stalls that
    /// these caused. If there are such counts, clears `HostFrame::combining`.
    #[inline]
    pub(crate) fn settle_l2(&mut self) {
        let host = &self.host;
        if host.stores_around | host.refills | host.write_backs | host.store_waits != 0 {
            self.settle_some_l2();
        }
    }

    #[inline(never)]
    fn settle_some_l2(&mut self) {
        self.settle_stores_around();
        self.settle_refills();
    }

    pub(crate) fn settle_stores_around(&mut self) {
        let stores = std::mem::take(&mut self.host.stores_around);
        self.caches.count_stores_around(stores);
        let waits = std::mem::take(&mut self.host.store_waits);
        self.state.counters.write_stall_cycles += waits;
        self.caches.count_waits_in_l2(waits);
    }

    fn settle_refills(&mut self) {
        let host = &mut self.host;
        // Translated code detects by a change of `refills` that lines have come, so the count must
        // not fall back to a recorded value.
        host.combining = 0;
        let (refills, back) =
            (std::mem::take(&mut host.refills), std::mem::take(&mut host.write_backs));
        if refills | back == 0 {
            return;
        }
        self.caches.count_refills(refills, back);
        self.state.counters.read_stall_cycles += (refills + back) * u64::from(self.l2_cycles());
    }
}
