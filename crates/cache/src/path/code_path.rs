//! Instruction fetch: L1I, its fill through L2, and the snoop between the L1 caches of one core.
//!
//! Inside one core a store drops the L1I line with its address, and an L1I miss first writes back a
//! dirty L1D line with its address (`intel-sdm`, self-modifying code on the Pentium); stores of
//! other cores have no effect on L1I. Code in uncached and MPBT pages is fetched a line at a time
//! and enters no cache.

use rockcreek_defs::CoreAddr;
use rockcreek_defs::bus::FillKind;

use crate::array::line::LineData;
use crate::path::data_path::need;
use crate::path::hierarchy::{Caches, Destination, FetchedLine, PREFETCH_SLOT, Prefetch, Step};
use crate::policy::MemoryType;

impl Caches {
    /// Looks up the code line of `addr` for execution, and fills L1I if needed. Returns
    /// [`Step::Need`] if a transaction must come first.
    #[inline]
    pub fn fetch(&mut self, addr: CoreAddr, ty: MemoryType) -> Step<FetchedLine> {
        if ty.rules().in_l1i {
            if let Some(line) = self.l1i.array.find(addr) {
                self.l1i.array.touch(line);
                return self.fetched(line, 0);
            }
            return self.fetch_miss(addr);
        }
        self.fetch_uncached(addr)
    }

    /// Looks up the code line of `addr` for execution. Returns the id that the core gave to its
    /// bytes; `None`, without any change, if L1I does not have the line or its bytes have no id.
    pub fn fetch_known(&mut self, addr: CoreAddr, ty: MemoryType) -> Option<u32> {
        self.fetch_soon(addr, ty, |_| None).map(|(version, _)| version)
    }

    /// Looks the line of `addr` up for execution, if L1I has it or L2 provides it at once, and the
    /// core has an id for its bytes. `known` maps the bytes of a line from L2 to their id. Returns
    /// the id and the cycles; changes nothing otherwise.
    #[inline]
    pub fn fetch_soon(
        &mut self,
        addr: CoreAddr,
        ty: MemoryType,
        known: impl FnOnce(&LineData) -> Option<u32>,
    ) -> Option<(u32, u32)> {
        if !ty.rules().in_l1i {
            return None;
        }
        if let Some(line) = self.l1i.array.find(addr) {
            let version = self.l1i.version(line);
            if version != 0 {
                self.l1i.array.touch(line);
            }
            return (version != 0).then_some((version, 0));
        }
        if self.l1d.array.find(addr).is_some_and(|line| self.l1d.array.is_dirty(line)) {
            return None;
        }
        let source = self.l2.find(addr)?;
        let version = known(self.l2.array.data(source))?;
        let (_, cycles) = self.refill_l1i(addr, source, version);
        Some((version, cycles))
    }

    /// The bytes of a line that [`Caches::fetch`] returned, by its slot. They are valid until the
    /// line is replaced.
    pub fn code_bytes(&self, slot: u32) -> &LineData {
        if slot >= PREFETCH_SLOT {
            return &self.bus.prefetch[(slot - PREFETCH_SLOT) as usize].data;
        }
        self.l1i.array.data(slot as usize)
    }

    /// Stores the id that the core gave to the bytes in `slot`, so that a later fetch returns it.
    /// The id is valid until the bytes change.
    pub fn set_code_version(&mut self, slot: u32, version: u32) {
        if slot < PREFETCH_SLOT {
            self.l1i.set_version(slot as usize, version);
        }
    }

    /// Removes all ids stored by `set_code_version`.
    pub fn forget_code_versions(&mut self) {
        self.l1i.forget_versions();
    }

    fn fetched(&self, line: usize, cycles: u32) -> Step<FetchedLine> {
        let value = FetchedLine { slot: line as u32, version: self.l1i.version(line) };
        Step::Done { value, cycles }
    }

    /// Puts a line of code into L1I. From now on stores to that line must take the ordinary path,
    /// which checks L1I.
    pub(crate) fn fill_l1i(&mut self, addr: CoreAddr, data: &LineData) -> usize {
        self.l2.array.drop_quick(addr);
        self.l1i.fill(addr, data, 0)
    }

    fn fetch_miss(&mut self, addr: CoreAddr) -> Step<FetchedLine> {
        if let Some(line) = self.l1d.array.find(addr)
            && let Some(write_back) = self.write_back_l1d(line)
        {
            return need(write_back);
        }
        if let Some(source) = self.l2.find(addr) {
            let (line, cycles) = self.refill_l1i(addr, source, 0);
            return self.fetched(line, cycles);
        }
        if let Some(write_back) = self.l2.dirty_victim(addr) {
            return need(write_back);
        }
        self.read_line(addr, FillKind::Code, Destination::L1Code)
    }

    /// Fills L1I with line number `source` of L2. `version`: the core's id for the bytes, 0 if it
    /// has none. Returns the number of the L1I line and the cycles of the fill.
    fn refill_l1i(&mut self, addr: CoreAddr, source: usize, version: u32) -> (usize, u32) {
        self.l2.array.touch(source);
        self.l2.array.drop_quick(addr);
        let line = self.l1i.fill(addr, self.l2.array.data(source), version);
        self.bus.stats.l1i_fills_from_l2 += 1;
        (line, self.served_by_l2(1))
    }

    /// Empties the prefetch buffer, so that uncached code is fetched anew for each instruction. The
    /// core calls this when an instruction begins, but not when a waiting instruction continues.
    #[inline(always)]
    pub fn forget_prefetch(&mut self) {
        // The buffer is filled from its first place on.
        if self.bus.prefetch[0].valid {
            for line in &mut self.bus.prefetch {
                line.valid = false;
            }
            self.bus.prefetch_next = 0;
        }
    }

    fn fetch_uncached(&mut self, addr: CoreAddr) -> Step<FetchedLine> {
        let here = |line: &Prefetch| line.valid && line.addr == addr.line();
        match self.bus.prefetch.iter().position(here) {
            Some(n) => {
                let value = FetchedLine { slot: PREFETCH_SLOT + n as u32, version: 0 };
                Step::Done { value, cycles: 0 }
            }
            None => self.read_line(addr, FillKind::Code, Destination::Prefetch),
        }
    }

    /// Drops the line of `addr` from L1I, because this core stores into it, and counts the event.
    #[inline(always)]
    pub(crate) fn snoop_l1i(&mut self, addr: CoreAddr) {
        let hit = self.l1i.snoop_store(addr);
        self.bus.stats.l1i_snoop_invalidations += u64::from(hit);
    }
}
