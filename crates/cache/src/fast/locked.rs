//! Locked accesses: XCHG with memory, the LOCK prefix.
//!
//! Locked accesses bypass L1, and L2 serves them: XCHG was measured at 35 cycles and LOCK CMPXCHG
//! at 39 (`barrelfish-tn005`), which is the time of two L2 accesses and too short for memory. LOCK#
//! is not wired (`marc-2011`), so locked accesses are atomic only with respect to their own core.

use rockcreek_defs::{BusRequest, CoreAddr};

use crate::array::line;
use crate::fast::in_place::{InPlace, PAGE_BYTES};
use crate::path::data_path::{need, write_to_bus};
use crate::path::hierarchy::{Caches, Step, StoreEnd};
use crate::policy::{MemoryType, ReadMiss};

impl Caches {
    /// Performs the read of a locked read-modify-write of `size` (1..=8) bytes inside one line.
    /// Returns the value, or [`Step::Need`] if a transaction must come first.
    pub fn locked_read(&mut self, addr: CoreAddr, size: u8, ty: MemoryType) -> Step<u64> {
        if ty.rules().read_miss == ReadMiss::FirstBytes {
            return self.read_uncached_mpbt(addr, size);
        }
        if let Some(write_back) = self.leave_l1d(addr, ty) {
            return need(write_back);
        }
        if !ty.rules().in_l2 {
            return Step::Need { request: BusRequest::Read { addr, size }, finishes: true };
        }
        if let Some(data) = self.l2.read(addr) {
            self.bus.stats.locked_l2_accesses += 1;
            let value = line::load(&data, addr.line_offset(), size);
            return Step::Done { value, cycles: self.served_by_l2(1) };
        }
        if !self.l2.enabled {
            return Step::Need { request: BusRequest::Read { addr, size }, finishes: true };
        }
        self.fill_l2_alone(addr)
    }

    /// Performs the write of a locked read-modify-write: writes the low `size` bytes of `value`.
    /// Returns [`Step::Need`] if a transaction must come first.
    pub fn locked_write(
        &mut self,
        addr: CoreAddr,
        size: u8,
        value: u64,
        ty: MemoryType,
    ) -> Step<StoreEnd> {
        self.snoop_l1i(addr);
        if let Some(write_back) = self.leave_l1d(addr, ty) {
            return need(write_back);
        }
        if ty.rules().in_l2 && self.l2.write(addr, size, value) {
            self.bus.stats.locked_l2_accesses += 1;
            return Step::Done { value: StoreEnd::Done, cycles: self.served_by_l2(1) };
        }
        write_to_bus(addr, size, value, false)
    }

    /// Performs a locked read and then a locked write at one address (`frame`: the page's physical
    /// address, `linear`: the access's linear address), except for moving the bytes, if L2 serves
    /// both at once. Returns the place of the bytes with the cycles of both, and the read's share
    /// of the cycles; otherwise `None`, and nothing has changed.
    pub fn modify_locked(
        &mut self,
        frame: u32,
        linear: u32,
        ty: MemoryType,
    ) -> Option<(InPlace, u32)> {
        let addr = CoreAddr(frame | linear & (PAGE_BYTES - 1));
        let takes_part = self.l2.enabled && self.bus.owed_cycles == 0;
        if !takes_part || !ty.rules().in_l2 || self.l1i.array.find(addr).is_some() {
            return None;
        }
        let line = self.l2.find(addr)?;
        if self.leave_l1d(addr, ty).is_some() {
            return None;
        }
        self.l2.array.touch(line);
        let reading = self.served_by_l2(1);
        self.l2.array.set_dirty(line, true);
        self.l2.array.prepare_store(line);
        self.bus.stats.locked_l2_accesses += 2;
        let cycles = reading + self.served_by_l2(1);
        let origin = self.l2.array.host_address(line, addr).wrapping_sub(u64::from(linear));
        Some((InPlace { origin, cycles }, reading))
    }

    /// Drops the line of `addr` from L1D before a locked access. If the line is dirty and L2 cannot
    /// take it, returns the write-back that must come first, and the line stays.
    fn leave_l1d(&mut self, addr: CoreAddr, ty: MemoryType) -> Option<BusRequest> {
        if !ty.rules().in_l1d {
            return None;
        }
        let line = self.l1d.array.find(addr)?;
        let write_back = self.write_back_l1d(line);
        if write_back.is_none() {
            self.l1d.array.invalidate(line);
        }
        write_back
    }
}
