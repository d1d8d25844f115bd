//! Paging: page walks, access rights, accessed and dirty bits, the SCC's memory types.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, section 11.3; the PMB bit as
//! described in the thesis `partheymueller-2011` and used by the SCC's Linux. A walk reads its
//! entries through L1D and L2 with the types that CR3 and the directory entry give, and may wait
//! like any access. A walk's completed reads are kept in a log of their own, which is dropped when
//! the TLB entry is filled. A and D bits are written with locked accesses.
//!
//! With CR4.MPE and CR4.PSE both set, bit 7 of an entry is undefined: such entries raise #PF with
//! the reserved bit of the error code.

use rockcreek_cache::MemoryType;
use rockcreek_defs::CoreAddr;

use crate::core::parts::Core;
use crate::memory::access_path::{APIC_PAGE, Intent};
use crate::registers::register_file::{cr0, cr4};
use crate::state::exception::{Stop, vector};
use crate::state::transaction::Target;
use crate::units::tlb::{Entry, permit};

pub(crate) const PAGE_BYTES: u32 = 4096;
pub(crate) const LARGE_PAGE_BYTES: u32 = 4 << 20;
/// The address bit that the A20M# pin masks. The pin is specified for real mode only, where there
/// is no paging.
const ADDRESS_BIT_20: u32 = 1 << 20;

/// Bits of page directory and page table entries (and PWT, PCD of CR3).
pub(crate) mod bit {
    pub const PRESENT: u32 = 1 << 0;
    pub const WRITABLE: u32 = 1 << 1;
    pub const USER: u32 = 1 << 2;
    pub const WRITE_THROUGH: u32 = 1 << 3;
    pub const CACHE_DISABLE: u32 = 1 << 4;
    pub const ACCESSED: u32 = 1 << 5;
    pub const DIRTY: u32 = 1 << 6;
    /// In a directory entry: a 4 MB page (PSE). In a table entry: PMB, the SCC's message-passing
    /// type (MPE).
    pub const LARGE_OR_PMB: u32 = 1 << 7;
}

/// Error code bits of #PF.
mod error {
    pub const PROTECTION: u32 = 1 << 0;
    pub const WRITE: u32 = 1 << 1;
    pub const USER: u32 = 1 << 2;
    pub const RESERVED: u32 = 1 << 3;
}

/// What one page walk found: the TLB entry, and whether the page is large (4 MB).
struct Walk {
    entry: Entry,
    large: bool,
    /// How many entries (0 to 2) had their A or D bit set by the walk.
    marks: u8,
}

impl Core {
    /// Translates the linear address of a data access. The page must grant the permits `need`;
    /// otherwise #PF is raised.
    pub(crate) fn translate_data(
        &mut self,
        linear: u32,
        need: u8,
        intent: Intent,
    ) -> Result<(CoreAddr, MemoryType), Stop> {
        let page = linear / PAGE_BYTES;
        // A walk that only sets the D bit of a page in the TLB does not count as a miss.
        let mut held = false;
        if let Some(entry) = self.tlbs.data.lookup(page) {
            if entry.permit & need == need {
                return Ok((CoreAddr(entry.frame | (linear % PAGE_BYTES)), self.typed(&entry)));
            }
            held = true;
        }
        self.translate_beyond(linear, need, intent, held)
    }

    /// Translates the address of a data access that the TLB of small pages does not serve: by the
    /// TLB of large pages, or by a walk, whose result goes into a TLB. `held`: true if the TLB of
    /// small pages has an entry for the page that does not permit the access; no miss is counted
    /// then.
    pub(crate) fn translate_beyond(
        &mut self,
        linear: u32,
        need: u8,
        intent: Intent,
        mut held: bool,
    ) -> Result<(CoreAddr, MemoryType), Stop> {
        if let Some(entry) = self.tlbs.data_large.lookup(linear / LARGE_PAGE_BYTES) {
            if entry.permit & need == need {
                let addr = CoreAddr(entry.frame | (linear % LARGE_PAGE_BYTES));
                return Ok((addr, self.typed(&entry)));
            }
            held = true;
        }
        let before = self.state.cycles;
        self.state.walks_for_data = true;
        let walk = self.walk(linear, need, intent);
        self.state.walks_for_data = matches!(walk, Err(Stop::Wait));
        self.state.counters.read_stall_cycles += self.state.cycles - before;
        let walk = walk?;
        self.state.counters.dtlb_misses += u64::from(self.paging() && !held);
        if walk.large {
            self.tlbs.data_large.fill(linear / LARGE_PAGE_BYTES, walk.entry);
            let addr = CoreAddr(walk.entry.frame | (linear % LARGE_PAGE_BYTES));
            Ok((addr, self.typed(&walk.entry)))
        } else {
            self.tlbs.data.fill(linear / PAGE_BYTES, walk.entry);
            let addr = CoreAddr(walk.entry.frame | (linear % PAGE_BYTES));
            Ok((addr, self.typed(&walk.entry)))
        }
    }

    /// Translates an instruction fetch. The ITLB holds 4 KB pages only: a part of a 4 MB page is
    /// entered as one.
    pub(crate) fn translate_code(&mut self, linear: u32) -> Result<(CoreAddr, MemoryType), Stop> {
        let page = linear / PAGE_BYTES;
        let need = if self.state.cpl == 3 { permit::USER } else { 0 };
        if let Some(entry) = self.tlbs.code.lookup(page)
            && entry.permit & need == need
        {
            return Ok((CoreAddr(entry.frame | (linear % PAGE_BYTES)), self.typed(&entry)));
        }
        if self.paging() {
            self.state.pipeline.drain();
        }
        let mut entry = self.walk(linear, need, Intent::READ)?;
        self.state.counters.itlb_misses += u64::from(self.paging());
        if entry.large {
            entry.entry.frame |= (linear % LARGE_PAGE_BYTES) & !(PAGE_BYTES - 1);
        }
        self.tlbs.code.fill(page, entry.entry);
        let addr = CoreAddr(entry.entry.frame | (linear % PAGE_BYTES));
        Ok((addr, self.typed(&entry.entry)))
    }

    pub(crate) fn paging(&self) -> bool {
        self.state.cr0 & cr0::PG != 0
    }

    fn typed(&self, entry: &Entry) -> MemoryType {
        self.effective_type(entry.memory_type)
    }

    /// The memory type with which an access is made: the page's type, or uncached while CR0.CD is
    /// set.
    pub(crate) fn effective_type(&self, memory_type: MemoryType) -> MemoryType {
        if self.state.cr0 & cr0::CD != 0 { MemoryType::Uncached } else { memory_type }
    }

    /// Walks the page tables for `linear`, and charges the walk; while paging is off, makes an
    /// entry that maps the page to itself (with address bit 20 cleared if A20M# is asserted).
    fn walk(&mut self, linear: u32, need: u8, intent: Intent) -> Result<Walk, Stop> {
        if !self.paging() {
            let every = permit::USER | permit::WRITABLE | permit::DIRTY;
            let masked = if self.state.pins.a20m { ADDRESS_BIT_20 } else { 0 };
            let frame = linear & !(PAGE_BYTES - 1) & !masked;
            let entry = self.finished(linear, frame, every, MemoryType::WriteBack);
            return Ok(Walk { entry, large: false, marks: 0 });
        }
        if let Some(entry) = self.walk_in_l1d(linear, need) {
            self.state.cycles += u64::from(self.config.tlb_miss_cycles);
            return Ok(Walk { entry, large: false, marks: 0 });
        }
        if self.state.walk_page == linear / PAGE_BYTES {
            self.walk_log.restart();
        } else {
            self.walk_log.clear();
            self.state.walk_page = linear / PAGE_BYTES;
        }
        let result = self.walk_tables(linear, need, intent);
        if !matches!(result, Err(Stop::Wait)) {
            self.walk_log.clear();
            self.state.walk_page = u32::MAX;
        }
        if let Ok(walk) = &result {
            self.state.counters.locked_updates += u64::from(walk.marks);
            self.state.cycles += u64::from(self.config.tlb_miss_cycles);
        }
        result
    }

    /// Walks the page tables if L1D has both entries, which become the most recent lines of their
    /// sets. The caches must be on, no other walk in progress, the page small and permitted
    /// (`need`), and no A or D bit still to be set, as in most walks. Otherwise returns `None`, and
    /// nothing has changed.
    pub(crate) fn walk_in_l1d(&mut self, linear: u32, need: u8) -> Option<Entry> {
        let state = &self.state;
        if state.walk_page != u32::MAX || state.cr0 & cr0::CD != 0 {
            return None;
        }
        let (pse, mpe) = (state.cr4 & cr4::PSE != 0, state.cr4 & cr4::MPE != 0);
        let directory = CoreAddr(state.cr3 & !0xFFF | linear >> 22 << 2);
        let (upper, pde) = self.caches.word_in_l1d(directory, table_type(state.cr3))?;
        let table = CoreAddr(pde & !0xFFF | linear >> 10 & 0xFFC);
        let (lower, pte) = self.caches.word_in_l1d(table, table_type(pde))?;
        let granted = granted(pte, pde, need);
        let marked = bit::PRESENT | bit::ACCESSED;
        let pmb = mpe && pte & bit::LARGE_OR_PMB != 0;
        let changes = need & permit::DIRTY != 0 && pte & bit::DIRTY == 0;
        let special = pse && (pmb || pde & bit::LARGE_OR_PMB != 0);
        if pde & pte & marked != marked || granted & need != need || changes || special {
            return None;
        }
        self.caches.touch_l1d(upper);
        self.caches.touch_l1d(lower);
        Some(self.finished(linear, pte & !0xFFF, granted, self.page_type(pte, pmb)))
    }

    fn walk_tables(&mut self, linear: u32, need: u8, intent: Intent) -> Result<Walk, Stop> {
        let (tables_cr3, tables_cr4) = (self.state.cr3, self.state.cr4);
        let pse = tables_cr4 & cr4::PSE != 0;
        let mpe = tables_cr4 & cr4::MPE != 0;
        let directory = CoreAddr(tables_cr3 & !0xFFF | linear >> 22 << 2);
        let pde_type = table_type(tables_cr3);
        let pde = self.walk_read(directory, pde_type)?;
        if pde & bit::PRESENT == 0 {
            return Err(self.page_fault(linear, 0, intent));
        }
        if pse && pde & bit::LARGE_OR_PMB != 0 {
            if mpe {
                return Err(self.page_fault(linear, error::PROTECTION | error::RESERVED, intent));
            }
            let granted = self.grant(linear, pde, u32::MAX, need, intent)?;
            let marks = self.walk_mark(directory, pde, need, pde_type)?;
            let frame = pde & !(LARGE_PAGE_BYTES - 1);
            let entry = self.finished(linear, frame, granted, self.page_type(pde, false));
            return Ok(Walk { entry, large: true, marks });
        }
        let table = CoreAddr(pde & !0xFFF | linear >> 10 & 0xFFC);
        let pte_type = table_type(pde);
        let pte = self.walk_read(table, pte_type)?;
        if pte & bit::PRESENT == 0 {
            return Err(self.page_fault(linear, 0, intent));
        }
        let pmb = mpe && pte & bit::LARGE_OR_PMB != 0;
        if pmb && pse {
            return Err(self.page_fault(linear, error::PROTECTION | error::RESERVED, intent));
        }
        let granted = self.grant(linear, pte, pde, need, intent)?;
        let mut marks = self.walk_mark(directory, pde, 0, pde_type)?;
        marks += self.walk_mark(table, pte, need, pte_type)?;
        let entry = self.finished(linear, pte & !0xFFF, granted, self.page_type(pte, pmb));
        Ok(Walk { entry, large: false, marks })
    }

    /// The memory type of a page, from its table entry `leaf` and its PMB bit.
    fn page_type(&self, leaf: u32, pmb: bool) -> MemoryType {
        let write_through = leaf & bit::WRITE_THROUGH != 0;
        match (leaf & bit::CACHE_DISABLE != 0, pmb) {
            (true, true) => self.config.pcd_pmb_type,
            (true, false) => MemoryType::Uncached,
            (false, true) => MemoryType::Mpbt { write_through },
            (false, false) if write_through => MemoryType::WriteThrough,
            (false, false) => MemoryType::WriteBack,
        }
    }

    /// The permits that the entries of both levels grant; raises #PF if they do not cover `need`.
    fn grant(
        &mut self,
        linear: u32,
        leaf: u32,
        upper: u32,
        need: u8,
        intent: Intent,
    ) -> Result<u8, Stop> {
        let granted = granted(leaf, upper, need);
        if granted & need == need {
            Ok(granted)
        } else {
            Err(self.page_fault(linear, error::PROTECTION, intent))
        }
    }

    fn walk_read(&mut self, addr: CoreAddr, memory_type: MemoryType) -> Result<u32, Stop> {
        if let Some(value) = self.walk_log.take() {
            return Ok(value as u32);
        }
        let memory_type = self.effective_type(memory_type);
        let step = self.caches.read(addr, 4, memory_type);
        let from_l2 = matches!(step, rockcreek_cache::Step::Done { cycles: 1.., .. });
        self.state.counters.walk_misses += u64::from(from_l2);
        let value = self.finish(step, Target::Walk)?;
        self.walk_log.push(value);
        Ok(value as u32)
    }

    /// Sets the A bit of the entry at `addr`, and the D bit if the access is a write, where they
    /// are clear in its value `old`. Returns the number of entries changed (0 or 1).
    fn walk_mark(
        &mut self,
        addr: CoreAddr,
        old: u32,
        need: u8,
        memory_type: MemoryType,
    ) -> Result<u8, Stop> {
        let dirty = if need & permit::DIRTY != 0 { bit::DIRTY } else { 0 };
        let new = old | bit::ACCESSED | dirty;
        if new == old {
            return Ok(0);
        }
        if self.walk_log.take().is_some() {
            return Ok(1);
        }
        let memory_type = self.effective_type(memory_type);
        let step = self.caches.locked_write(addr, 4, u64::from(new), memory_type);
        self.note_code_change();
        self.finish(step, Target::Walk)?;
        self.walk_log.push(0);
        Ok(1)
    }

    /// Makes the TLB entry. Only a page that L1D may cache and that no observer watches gets the
    /// permit for the fast path.
    fn finished(&self, linear: u32, frame: u32, granted: u8, memory_type: MemoryType) -> Entry {
        let quick = is_cacheable(frame, memory_type) && !self.is_page_watched(linear, frame);
        let cached = if quick { permit::CACHED } else { 0 };
        Entry { frame, permit: granted | cached, memory_type }
    }

    fn page_fault(&mut self, linear: u32, code: u32, intent: Intent) -> Stop {
        let write = if intent.has(Intent::WRITE) { error::WRITE } else { 0 };
        let user = self.state.cpl == 3 && !intent.has(Intent::SYSTEM);
        let user = if user { error::USER } else { 0 };
        // CR2 is written even if the fault then becomes a double fault.
        self.state.cr2 = linear;
        self.raise_with(vector::PAGE_FAULT, code | write | user)
    }
}

/// The permits that both levels' entries grant, once the walk has set the D bit if `need` asks for
/// it.
fn granted(leaf: u32, upper: u32, need: u8) -> u8 {
    let both = leaf & upper;
    let mut granted = 0;
    if both & bit::USER != 0 {
        granted |= permit::USER;
    }
    if both & bit::WRITABLE != 0 {
        granted |= permit::WRITABLE;
    }
    if leaf & bit::DIRTY != 0 || need & permit::DIRTY != 0 {
        granted |= permit::DIRTY;
    }
    granted
}

/// True if L1D may hold lines of the page, so that accesses to it may take the fast path.
pub(crate) fn is_cacheable(frame: u32, memory_type: MemoryType) -> bool {
    memory_type.rules().in_l1d && frame != APIC_PAGE
}

/// The memory type with which the table is read to which the directory entry or CR3 `upper` points.
fn table_type(upper: u32) -> MemoryType {
    if upper & bit::CACHE_DISABLE != 0 {
        MemoryType::Uncached
    } else if upper & bit::WRITE_THROUGH != 0 {
        MemoryType::WriteThrough
    } else {
        MemoryType::WriteBack
    }
}
