//! Accesses in place: what a load or a store of one line does to the caches, without its bytes.
//!
//! The caller (translated code, string instructions) moves the bytes itself, at the host address
//! that it is given. Only what L1D and L2 serve without a transaction is done here; everything
//! else is refused before anything has changed, and the ordinary access does it.

use rockcreek_defs::{BusRequest, CoreAddr, LINE_BYTES};

use crate::data_path::Room;
use crate::hierarchy::{Caches, StoreEnd};
use crate::l1::CodeLines;
use crate::policy::{MemoryType, ReadMiss, StoreBeyond};
use crate::quick::{Page, QUICK_SETS, QuickLines};
use crate::refused_store::Refusal;

pub(crate) const PAGE_BYTES: u32 = 4096;

/// Where the bytes of an access are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InPlace {
    /// Host address of the byte with linear address zero, were it in the line.
    pub origin: u64,
    /// Cycles beyond an L1 hit.
    pub cycles: u32,
}

/// Where a store is done, and how it ends: one in L2 is still to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    pub origin: u64,
    pub end: StoreEnd,
}

/// How far a load got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    Done(InPlace),
    /// It needs this line, and then is done: see [`Caches::load_with`] and [`Caches::await_line`].
    Ask(Room),
    /// A transaction after which it is tried again.
    Need(BusRequest),
}

/// Where the elements of a string instruction in one line are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// Host address of the first one.
    pub first: u64,
    /// Cycles beyond L1 hits, of all loads together; of stores in L2 the caller knows.
    pub cycles: u32,
    /// Stores go around L1D.
    pub around: bool,
}

impl Caches {
    /// The tables of lines that may be used in place: of L1D, and of L2 for stores that go around
    /// L1D. `None` if the caches are not made for that: a set of L1D has one line of a page.
    #[inline]
    pub fn quick_lines(&mut self) -> Option<[&mut QuickLines; 2]> {
        let takes_part = self.l2_takes_part();
        let allocates = u32::from(self.stores_allocate());
        let (first, second) = (&mut self.l1d.array, &mut self.l2.array);
        let sets = first.sets();
        if sets != QUICK_SETS || second.sets() < sets {
            return None;
        }
        let (first, second) = (first.enable_quick(sets, false), second.enable_quick(sets, true));
        second.usable &= u32::from(takes_part);
        second.allocates = allocates;
        Some([first, second])
    }

    /// A linear page, which is closed, may mean something else from now on; only in these eighths
    /// of it, a bit for each, there are known lines.
    pub fn forget_page(&mut self, page: u32, eighths: u8) {
        self.each_quick(|quick| quick.forget_page(page, eighths));
    }

    /// A linear page is no longer its TLB set's most recent.
    pub fn close_page(&mut self, page: u32) {
        self.each_quick(|quick| quick.close_page(page));
    }

    /// Nothing may be used in place.
    pub fn close_all(&mut self) {
        self.each_quick(QuickLines::close_all);
    }

    fn each_quick(&mut self, close: impl Fn(&mut QuickLines)) {
        for array in [&mut self.l1d.array, &mut self.l2.array] {
            if let Some(quick) = &mut array.quick {
                close(quick);
            }
        }
    }

    /// Whether the tables that [`Caches::quick_lines`] gave last are as it would give them now; it
    /// tells where they are.
    #[inline]
    pub fn quick_lines_are(&self, tables: [u64; 2]) -> bool {
        self.l1d.array.quick_is(tables[0], true)
            && self.l2.array.quick_is(tables[1], self.l2_takes_part())
    }

    /// Of tables that are where they were: whether they still say rightly if L2 takes part.
    #[inline]
    pub fn l2_takes_part_as_noted(&self) -> bool {
        self.l2.array.quick_takes_part(self.l2_takes_part())
    }

    /// L2 serves an access with its own cycles alone.
    fn l2_takes_part(&self) -> bool {
        self.l2.enabled && self.bus.owed_cycles == 0
    }

    /// What L2 was busy with for a victim: from then on it takes part again.
    #[inline]
    pub(crate) fn take_owed_cycles(&mut self) -> u32 {
        let owed = std::mem::take(&mut self.bus.owed_cycles);
        if owed != 0 {
            let usable = self.l2.enabled && self.l2.array.is_lookable();
            if let Some(quick) = &mut self.l2.array.quick {
                quick.usable = u32::from(usable);
            }
        }
        owed
    }

    /// Where generated code finds the lines of L1I; `None` if it cannot look there.
    pub fn code_lines(&mut self) -> Option<CodeLines> {
        self.l1i.array.is_lookable().then(|| self.l1i.lines())
    }

    /// After an access to a page: lets its line of L1D be used in place; false if it is not there.
    pub fn admit(&mut self, addr: CoreAddr, page: &Page, ty: MemoryType) -> bool {
        let Some(line) = self.l1d.array.find(addr) else { return false };
        self.l1d.array.admit(line, page, page.writable && is_write_back(ty));
        true
    }

    /// A load, but for its bytes: a hit in L1D, or a fill from L2.
    #[inline]
    pub fn load_in_place(
        &mut self,
        addr: CoreAddr,
        page: &Page,
        ty: MemoryType,
    ) -> Option<InPlace> {
        let (line, cycles) = self.line_for_load(addr, ty)?;
        let store = page.writable && is_write_back(ty);
        Some(InPlace { origin: self.l1d.array.admit(line, page, store), cycles })
    }

    /// A load of a type that L1D holds, but for its bytes, or the line or the transaction that it
    /// needs first.
    #[inline]
    pub fn load_or_ask(&mut self, addr: CoreAddr, page: &Page, ty: MemoryType) -> Load {
        let cached = ty.rules().read_miss == ReadMiss::ThroughL2;
        let (line, cycles) = match self.l1d.array.find_or_victim(addr) {
            Ok(line) => {
                self.l1d.array.touch(line);
                (line, 0)
            }
            Err(victim) if cached => match self.room_for(addr, victim) {
                Some(room) => return Load::Ask(room),
                None => match self.refill_from_l2(addr) {
                    Some(found) => found,
                    None => return Load::Need(self.ask_for_line(addr)),
                },
            },
            Err(victim) => return Load::Need(self.ask_past_l2(addr, victim, ty)),
        };
        let store = page.writable && is_write_back(ty);
        Load::Done(InPlace { origin: self.l1d.array.admit(line, page, store), cycles })
    }

    /// The line that such a load has asked for: the load is done, but for its bytes.
    #[inline]
    pub fn load_with(&mut self, room: &Room, data: &[u8; LINE_BYTES], page: &Page) -> InPlace {
        self.fill_room(room, data);
        let origin = self.l1d.array.admit_filled(room.first as usize, room.addr, page);
        InPlace { origin, cycles: 0 }
    }

    /// Such a load is tried again after a transaction: where its line is now, if that has come.
    #[inline]
    pub fn arrived(&mut self, addr: CoreAddr, page: &Page) -> Option<u64> {
        let line = self.l1d.array.find(addr)?;
        self.l1d.array.touch(line);
        Some(self.l1d.array.admit(line, page, false))
    }

    /// Whether the line of a load is still in L1D after the load of another one.
    #[inline]
    pub fn keeps_latest_line(&self) -> bool {
        self.l1d.array.keeps_latest()
    }

    /// Loads from one line by a string instruction, but for their bytes. The place is good until
    /// the next line is loaded, or until the one after it: see [`Caches::keeps_latest_line`].
    #[inline]
    pub fn load_elements(&mut self, addr: CoreAddr, ty: MemoryType) -> Option<Elements> {
        let (line, cycles) = self.line_for_load(addr, ty)?;
        let first = self.l1d.array.host_address(line, addr);
        Some(Elements { first, cycles, around: false })
    }

    /// Stores to one line by a string instruction, but for their bytes.
    /// Those that go around L1D are still to be counted.
    #[inline]
    pub fn store_elements(&mut self, addr: CoreAddr, ty: MemoryType) -> Result<Elements, Refusal> {
        match (self.l1d.array.find(addr), ty.rules().store_beyond) {
            (Some(line), _) if is_write_back(ty) => {
                self.line_for_store(line, addr).ok_or(Refusal::Otherwise)?;
                Ok(Elements {
                    first: self.l1d.array.host_address(line, addr),
                    cycles: 0,
                    around: false,
                })
            }
            (None, StoreBeyond::L2) if is_write_back(ty) => {
                let line = self.line_around(addr)?;
                let first = self.l2.array.host_address(line, addr);
                Ok(Elements { first, cycles: 0, around: true })
            }
            _ => Err(Refusal::Otherwise),
        }
    }

    #[inline]
    fn line_for_load(&mut self, addr: CoreAddr, ty: MemoryType) -> Option<(usize, u32)> {
        match self.l1d.array.find(addr) {
            _ if !ty.rules().in_l1d => None,
            Some(line) => {
                self.l1d.array.touch(line);
                Some((line, 0))
            }
            None if ty.rules().read_miss != ReadMiss::ThroughL2 => None,
            None => self.refill_from_l2(addr),
        }
    }

    /// Makes a line of L1D ready for stores, unless that concerns L1I.
    #[inline]
    fn line_for_store(&mut self, line: usize, addr: CoreAddr) -> Option<()> {
        if !self.l1d.array.is_dirty(line) {
            if self.l1i.array.find(addr).is_some() {
                return None;
            }
            self.l1d.array.set_dirty(line, true);
        }
        self.l1d.array.touch(line);
        self.l1d.array.prepare_store(line);
        Some(())
    }

    /// A store, but for its bytes: into L1D, or around it into L2 or into the
    /// write-combine buffer.
    #[inline]
    pub fn store_in_place(
        &mut self,
        addr: CoreAddr,
        size: u8,
        page: &Page,
        ty: MemoryType,
    ) -> Result<Store, Refusal> {
        match (self.l1d.array.find(addr), ty.rules().store_beyond) {
            (Some(line), _) if is_write_back(ty) => {
                self.line_for_store(line, addr).ok_or(Refusal::Otherwise)?;
                let origin = self.l1d.array.admit(line, page, true);
                Ok(Store { origin, end: StoreEnd::Done })
            }
            (None, StoreBeyond::L2) if is_write_back(ty) => self.store_around(addr, page),
            (None, StoreBeyond::Memory) => Err(self.past_l2(addr)),
            (None, StoreBeyond::Combine) if ty.rules().in_l1d => {
                self.combine_in_place(addr, size, page)
            }
            _ => Err(Refusal::Otherwise),
        }
    }

    /// A store into the line of `addr` and the next one of its page, but for its bytes, if L1D has
    /// both. Where the last eight bytes of the first and the first eight of the second are.
    pub fn store_in_two_lines(
        &mut self,
        addr: CoreAddr,
        page: &Page,
        ty: MemoryType,
    ) -> Option<[u64; 2]> {
        let next = CoreAddr(addr.line().0.wrapping_add(LINE_BYTES as u32));
        if !is_write_back(ty) || (addr.0 ^ next.0) >= PAGE_BYTES {
            return None;
        }
        let lines = (self.l1d.array.find(addr)?, self.l1d.array.find(next)?);
        // What is done to the first line is no more than the store does to it, if the second is
        // refused.
        let last = CoreAddr(next.0 - 8);
        self.line_for_store(lines.0, addr)?;
        self.l1d.array.admit(lines.0, page, true);
        self.line_for_store(lines.1, next)?;
        self.l1d.array.admit(lines.1, page, true);
        let array = &mut self.l1d.array;
        Some([array.host_address(lines.0, last), array.host_address(lines.1, next)])
    }

    /// A load and then a store at one address, but for their bytes.
    #[inline]
    pub fn modify_in_place(
        &mut self,
        addr: CoreAddr,
        size: u8,
        page: &Page,
        ty: MemoryType,
    ) -> Option<InPlace> {
        if !is_write_back(ty) || self.l1i.array.find(addr).is_some() {
            return None;
        }
        let load = self.load_in_place(addr, page, ty)?;
        let store = self.store_in_place(addr, size, page, ty).ok()?;
        Some(InPlace { origin: store.origin, cycles: load.cycles })
    }

    #[inline]
    fn store_around(&mut self, addr: CoreAddr, page: &Page) -> Result<Store, Refusal> {
        let line = self.line_around(addr)?;
        let origin = self.l2.array.admit(line, page, true);
        Ok(Store { origin, end: StoreEnd::InL2 })
    }

    /// The line of L2 that stores around L1D go to.
    #[inline]
    fn line_around(&mut self, addr: CoreAddr) -> Result<usize, Refusal> {
        if self.l1i.array.find(addr).is_some() {
            return Err(Refusal::Otherwise);
        }
        let missed = if self.stores_allocate() { Refusal::Otherwise } else { Refusal::InNoCache };
        let line = self.l2.find(addr).ok_or(missed)?;
        self.l2.array.touch(line);
        self.l2.array.set_dirty(line, true);
        self.l2.array.prepare_store(line);
        Ok(line)
    }

    /// A store that L1D does not take goes to memory, unless that concerns L1I.
    fn past_l2(&self, addr: CoreAddr) -> Refusal {
        match self.l1i.array.find(addr) {
            Some(_) => Refusal::Otherwise,
            None => Refusal::InNoCache,
        }
    }

    /// A store into the write-combine buffer, unless something goes out for it.
    fn combine_in_place(
        &mut self,
        addr: CoreAddr,
        size: u8,
        page: &Page,
    ) -> Result<Store, Refusal> {
        if self.l1i.array.find(addr).is_some() {
            return Err(Refusal::Otherwise);
        }
        let bytes = self.bus.write_combine.make_room(addr, size)?;
        self.bus.stats.l1d_write_misses += 1;
        let linear = page.linear | addr.line().0 & 0xFFF;
        Ok(Store { origin: bytes.wrapping_sub(u64::from(linear)), end: StoreEnd::Done })
    }

    /// That many stores went around L1D into L2.
    #[inline]
    pub fn count_stores_around(&mut self, stores: u64) {
        let stats = &mut self.bus.stats;
        stats.writes_to_l2 += stores;
        stats.l1d_write_misses += stores;
    }

    /// So long stores waited for the one before them in L2.
    #[inline]
    pub fn count_waits_in_l2(&mut self, cycles: u64) {
        self.bus.stats.l2_cycles += cycles;
    }

    /// That many lines came from L2 into L1D, and that many went back.
    #[inline]
    pub fn count_refills(&mut self, refills: u64, write_backs: u64) {
        let stats = &mut self.bus.stats;
        stats.l1d_fills_from_l2 += refills;
        stats.l1d_writebacks_to_l2 += write_backs;
        stats.l2_cycles += (refills + write_backs) * u64::from(self.l2_hit_cycles);
    }
}

#[inline]
fn is_write_back(ty: MemoryType) -> bool {
    ty.rules().writes_back
}
