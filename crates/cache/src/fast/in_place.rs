//! Accesses in place: the effect of a load or store of one line on the caches, except for moving
//! the bytes, which the caller does at the host address returned here. Accesses that need a
//! transaction are refused before any change; the ordinary access performs them.

use rockcreek_defs::{BusRequest, CoreAddr, LINE_BYTES};

use crate::array::quick::{Page, QUICK_SETS, QuickLines};
use crate::path::data_path::Room;
use crate::path::hierarchy::{Caches, StoreEnd};
use crate::path::l1::CodeLines;
use crate::path::refused_store::Refusal;
use crate::policy::{MemoryType, ReadMiss, StoreBeyond};

pub(crate) const PAGE_BYTES: u32 = 4096;

/// The result of an access that the caches served in place; the caller moves the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InPlace {
    /// The host address of the line's bytes minus their linear address.
    pub origin: u64,
    /// Core cycles that the access takes in addition to an L1 hit.
    pub cycles: u32,
}

/// A store that may be done in place: its origin ([`InPlace::origin`]), and how it ends. The caller
/// writes the bytes and counts a store that ends in L2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    pub origin: u64,
    pub end: StoreEnd,
}

/// How far a load has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    Done(InPlace),
    /// No cache has the line. If the caller gets it at once: [`Caches::line_has_come`], then
    /// [`Caches::load_with`]; otherwise [`Caches::await_line`], and the load is called again.
    Ask(Room),
    /// The load needs this transaction first, and must then be called again.
    Need(BusRequest),
}

/// The elements of a string instruction (MOVS, STOS ...) that lie in one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// Host address of the first element's first byte.
    pub first: u64,
    /// Core cycles of the loads in addition to L1 hits; the caller charges stores in L2 itself.
    pub cycles: u32,
    /// True if the stores bypass L1D and end in L2; false if L1D takes them.
    pub around: bool,
}

impl Caches {
    /// The tables of lines that may be used in place: L1D's, and L2's for stores that bypass L1D.
    /// `None` unless L1D has [`QUICK_SETS`] sets and L2 at least as many.
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

    /// Removes the known lines of a closed linear page from both tables. `eighths`: where they may
    /// be, a bit each.
    pub fn forget_page(&mut self, page: u32, eighths: u8) {
        self.each_quick(|quick| quick.forget_page(page, eighths));
    }

    /// Closes the entries of a linear page that is no longer the most recent one of its TLB set.
    pub fn close_page(&mut self, page: u32) {
        self.each_quick(|quick| quick.close_page(page));
    }

    /// Closes all entries of both tables, so that translated code may use no line in place.
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

    /// True if the tables at these host addresses (of [`Caches::quick_lines`]) are still current.
    #[inline]
    pub fn quick_lines_are(&self, tables: [u64; 2]) -> bool {
        self.l1d.array.quick_is(tables[0], true)
            && self.l2.array.quick_is(tables[1], self.l2_takes_part())
    }

    /// True if L2's table still says rightly whether translated code may look lines up in L2.
    #[inline]
    pub fn l2_takes_part_as_noted(&self) -> bool {
        self.l2.array.quick_takes_part(self.l2_takes_part())
    }

    /// True if L2 is on and has finished its work for earlier victims.
    fn l2_takes_part(&self) -> bool {
        self.l2.enabled && self.bus.owed_cycles == 0
    }

    /// Takes the core cycles of L2 for victims that no access has paid; L2 serves in place again.
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

    /// Host addresses of L1I's parts, for translated code; `None` if it cannot look lines up there.
    pub fn code_lines(&mut self) -> Option<CodeLines> {
        self.l1i.array.is_lookable().then(|| self.l1i.lines())
    }

    /// After an access to `page`: opens the L1D line of `addr` for accesses in place (for stores
    /// only if the page is writable and write-back). False if L1D does not have the line.
    pub fn admit(&mut self, addr: CoreAddr, page: &Page, ty: MemoryType) -> bool {
        let Some(line) = self.l1d.array.find(addr) else { return false };
        self.l1d.array.admit(line, page, page.writable && is_write_back(ty));
        true
    }

    /// Performs a load that hits L1D or that L2 can fill at once, except for moving the bytes.
    /// `None` if the load needs a transaction; nothing has changed then.
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

    /// Performs a load of a cached type, except for its bytes, or returns what it needs first.
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

    /// Puts the line `data`, which a load has waited for, into the caches at `room`, and so
    /// completes the load that returned [`Load::Ask`], except for moving its bytes.
    #[inline]
    pub fn load_with(&mut self, room: &Room, data: &[u8; LINE_BYTES], page: &Page) -> InPlace {
        self.fill_room(room, data);
        let origin = self.l1d.array.admit_filled(room.first as usize, room.addr, page);
        InPlace { origin, cycles: 0 }
    }

    /// After a load's transaction: opens its line and returns its origin; `None`: L1D has no line.
    #[inline]
    pub fn arrived(&mut self, addr: CoreAddr, page: &Page) -> Option<u64> {
        let line = self.l1d.array.find(addr)?;
        self.l1d.array.touch(line);
        Some(self.l1d.array.admit(line, page, false))
    }

    /// True if a line that was just loaded certainly stays in L1D while one other line is loaded.
    #[inline]
    pub fn keeps_latest_line(&self) -> bool {
        self.l1d.array.keeps_latest()
    }

    /// Performs a string instruction's loads from one line, except for moving the bytes. `None` if
    /// they need a transaction. The host address in the result is valid until the next line is
    /// loaded or, if [`Caches::keeps_latest_line`] is true, until the line after that is loaded.
    #[inline]
    pub fn load_elements(&mut self, addr: CoreAddr, ty: MemoryType) -> Option<Elements> {
        let (line, cycles) = self.line_for_load(addr, ty)?;
        let first = self.l1d.array.host_address(line, addr);
        Some(Elements { first, cycles, around: false })
    }

    /// Performs a string instruction's stores to one line, except for their bytes; `Err`: refused.
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

    /// Prepares an L1D line for a store of this core: saves its bytes in the undo log, makes it
    /// dirty and most recently used. `None`, without any change, if L1I has the line, because the
    /// store must then drop the line from L1I.
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

    /// Performs a store into L1D, L2 or the write-combine buffer, but for its bytes, or refuses it.
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

    /// Prepares a store that spans two lines of one page, both in L1D: touches both, marks them
    /// dirty, and returns the host addresses of the last eight bytes of the first line and of the
    /// first eight of the second. The caller writes the bytes. `None` if a line is missing or the
    /// store must take the ordinary path; the first line may be dirty and touched then.
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
        // If the second line is refused, the first has changed as the ordinary store changes it.
        let last = CoreAddr(next.0 - 8);
        self.line_for_store(lines.0, addr)?;
        self.l1d.array.admit(lines.0, page, true);
        self.line_for_store(lines.1, next)?;
        self.l1d.array.admit(lines.1, page, true);
        let array = &mut self.l1d.array;
        Some([array.host_address(lines.0, last), array.host_address(lines.1, next)])
    }

    /// Performs a load and a store at one address, except for moving the bytes. `None`: it needs a
    /// transaction, L1I has the line, or the type is not write-back.
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

    /// The number of the L2 line that takes a store past L1D; `Err`: why the store is refused.
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

    /// Why a store that no cache takes is refused: `Otherwise` if L1I has it, else `InNoCache`.
    fn past_l2(&self, addr: CoreAddr) -> Refusal {
        match self.l1i.array.find(addr) {
            Some(_) => Refusal::Otherwise,
            None => Refusal::InNoCache,
        }
    }

    /// Performs a store into the write-combine buffer, except for writing the bytes. `Err` if the
    /// buffer's line would have to drain before or after the store, or if L1I has the line.
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

    /// Adds stores that bypassed L1D into L2 to the counts.
    #[inline]
    pub fn count_stores_around(&mut self, stores: u64) {
        let stats = &mut self.bus.stats;
        stats.writes_to_l2 += stores;
        stats.l1d_write_misses += stores;
    }

    /// Adds the cycles that stores waited for earlier stores in L2 to the counts.
    #[inline]
    pub fn count_waits_in_l2(&mut self, cycles: u64) {
        self.bus.stats.l2_cycles += cycles;
    }

    /// Adds lines that moved from L2 to L1D, and victims written back to L2, to the counts.
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
