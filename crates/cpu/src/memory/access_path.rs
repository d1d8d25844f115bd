//! The memory access path: segment, linear address, TLB, memory type, L1D.
//!
//! `read` and `write` are what instruction handlers call. The common case (open segment, aligned
//! operand, page used last in its TLB set, hit in L1D) is inlined; the rest goes through `*_slow`:
//! limit checks, #AC, splits over lines and pages, page walks, the local APIC, uncached types,
//! transactions.
//!
//! Invariants: each completed access is logged once and counted once; a replayed access touches
//! nothing (see `access_log.rs`); a write across two pages checks both before it changes either.

use rockcreek_cache::{MemoryType, Step};
use rockcreek_defs::{BusRequest, CoreAddr};

use crate::core::parts::Core;
use crate::registers::debug::armed;
use crate::registers::register_file::{cr0, sreg};
use crate::registers::segment::Segment;
use crate::state::exception::{Done, Stop, vector};
use crate::state::transaction::{Pending, Target};
use crate::units::tlb::permit;

/// Bytes of a cache line; an access to the caches never crosses one.
const LINE: u32 = rockcreek_defs::LINE_BYTES as u32;
/// The physical page of the local APIC, which is inside the core.
pub(crate) const APIC_PAGE: u32 = 0xFEE0_0000;

/// The kind of an access: bits for write, LOCK#, system rights and alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Intent(u8);

impl Intent {
    pub const READ: Intent = Intent(0);
    pub const WRITE: Intent = Intent(1);
    /// The access asserts LOCK# and therefore bypasses L1.
    pub const LOCKED: Intent = Intent(2);
    /// The access has the rights of ring 0, whatever the current level (descriptor tables, TSS).
    pub const SYSTEM: Intent = Intent(4);
    /// The access needs no alignment (the registers of an x87 image).
    pub const UNALIGNED: Intent = Intent(8);

    #[inline(always)]
    pub const fn with(self, other: Intent) -> Intent {
        Intent(self.0 | other.0)
    }

    #[inline(always)]
    pub const fn has(self, other: Intent) -> bool {
        self.0 & other.0 != 0
    }
}

impl Core {
    /// Reads `SIZE` (1, 2, 4) bytes at `offset` of a segment.
    #[inline(always)]
    pub(crate) fn read<const SIZE: usize>(
        &mut self,
        segment: usize,
        offset: u32,
    ) -> Result<u32, Stop> {
        let selected = &self.state.segments[segment & 7];
        if selected.open_read() {
            let linear = selected.base.wrapping_add(offset);
            if let Some((addr, memory_type)) = self.quick::<SIZE>(linear, self.state.need_read) {
                return self.read_cached(addr, SIZE as u32, memory_type);
            }
        }
        self.read_slow(segment, offset, SIZE as u32, Intent::READ).map(|value| value as u32)
    }

    /// Translates an aligned access that is no replay, if its page is the most recently used of its
    /// TLB set and grants `need`. Otherwise `None`: the slow path must do it.
    #[inline(always)]
    fn quick<const SIZE: usize>(
        &mut self,
        linear: u32,
        need: u8,
    ) -> Option<(CoreAddr, MemoryType)> {
        if linear & (SIZE as u32 - 1) != 0 || !self.log.is_fresh() {
            return None;
        }
        let entry = self.tlbs.data.recent(linear >> 12)?;
        let granted = entry.permit & need == need;
        granted.then_some((CoreAddr(entry.frame | linear & 0xFFF), entry.memory_type))
    }

    #[inline(always)]
    fn read_cached(
        &mut self,
        addr: CoreAddr,
        size: u32,
        memory_type: MemoryType,
    ) -> Result<u32, Stop> {
        match self.caches.read(addr, size as u8, memory_type) {
            Step::Done { value, cycles } => {
                if cycles != 0 {
                    self.state.cycles += u64::from(cycles);
                    self.state.counters.read_stall_cycles += u64::from(cycles);
                }
                self.state.counters.loads += 1;
                self.log.push(value);
                Ok(value as u32)
            }
            Step::Need { request, finishes } => Err(self.wait(request, finishes, Target::Load)),
        }
    }

    /// Writes `SIZE` (1, 2, 4) bytes at `offset` of a segment.
    #[inline(always)]
    pub(crate) fn write<const SIZE: usize>(
        &mut self,
        segment: usize,
        offset: u32,
        value: u32,
    ) -> Done {
        let selected = &self.state.segments[segment & 7];
        if selected.open_write() {
            let linear = selected.base.wrapping_add(offset);
            if let Some((addr, memory_type)) = self.quick::<SIZE>(linear, self.state.need_write) {
                return self.write_cached(addr, SIZE as u32, value, memory_type);
            }
        }
        self.write_slow(segment, offset, SIZE as u32, u64::from(value), Intent::WRITE)
    }

    #[inline(always)]
    fn write_cached(
        &mut self,
        addr: CoreAddr,
        size: u32,
        value: u32,
        memory_type: MemoryType,
    ) -> Done {
        match self.caches.write(addr, size as u8, u64::from(value), memory_type) {
            Step::Done { value, cycles } => {
                if cycles != 0 {
                    self.state.cycles += u64::from(cycles);
                    self.state.counters.write_stall_cycles += u64::from(cycles);
                }
                self.end_store(addr, value);
                self.state.counters.stores += 1;
                self.log.push(0);
                self.note_code_change();
                Ok(())
            }
            Step::Need { request, finishes } => {
                self.note_code_change();
                Err(self.wait(request, finishes, Target::Store))
            }
        }
    }

    /// Reads an operand that will be written back, so a page fault is reported as a write.
    #[inline(always)]
    pub(crate) fn read_modify<const SIZE: usize>(
        &mut self,
        segment: usize,
        offset: u32,
        locked: bool,
    ) -> Result<u32, Stop> {
        let selected = &self.state.segments[segment & 7];
        if !locked && selected.open_write() {
            let linear = selected.base.wrapping_add(offset);
            if let Some((addr, memory_type)) = self.quick::<SIZE>(linear, self.state.need_write) {
                return self.read_cached(addr, SIZE as u32, memory_type);
            }
        }
        let lock = if locked { Intent::LOCKED } else { Intent::READ };
        let intent = Intent::WRITE.with(lock);
        self.read_slow(segment, offset, SIZE as u32, intent).map(|value| value as u32)
    }

    /// Writes back an operand that `read_modify` read.
    #[inline(always)]
    pub(crate) fn write_back<const SIZE: usize>(
        &mut self,
        segment: usize,
        offset: u32,
        value: u32,
        locked: bool,
    ) -> Done {
        if locked {
            let intent = Intent::WRITE.with(Intent::LOCKED);
            self.write_slow(segment, offset, SIZE as u32, u64::from(value), intent)?;
            self.state.counters.locked_instructions += 1;
            Ok(())
        } else {
            self.write::<SIZE>(segment, offset, value)
        }
    }

    /// Reads up to 8 bytes at `offset` of a segment in all cases (limits, alignment, two lines).
    #[inline(never)]
    pub(crate) fn read_slow(
        &mut self,
        segment: usize,
        offset: u32,
        size: u32,
        intent: Intent,
    ) -> Result<u64, Stop> {
        let selected = self.state.segments[segment & 7];
        let write = intent.has(Intent::WRITE);
        self.check_segment(&selected, segment == sreg::SS, offset, size, write)?;
        self.read_linear(selected.base.wrapping_add(offset), size, intent)
    }

    /// Writes up to 8 bytes at `offset` of a segment in all cases (limits, alignment, two lines).
    #[inline(never)]
    pub(crate) fn write_slow(
        &mut self,
        segment: usize,
        offset: u32,
        size: u32,
        value: u64,
        intent: Intent,
    ) -> Done {
        let selected = self.state.segments[segment & 7];
        self.check_segment(&selected, segment == sreg::SS, offset, size, true)?;
        self.write_linear(selected.base.wrapping_add(offset), size, value, intent)
    }

    /// Raises #GP(0), or #SS(0) for `stack`, unless the segment contains and permits the access.
    pub(crate) fn check_segment(
        &mut self,
        segment: &Segment,
        stack: bool,
        offset: u32,
        size: u32,
        write: bool,
    ) -> Done {
        if segment.permits(offset, size, write) {
            return Ok(());
        }
        let vector = if stack { vector::STACK } else { vector::PROTECTION };
        Err(self.raise_with(vector, 0))
    }

    /// Returns the `size` bytes at `linear`; an error if the read waits or faults.
    pub(crate) fn read_linear(
        &mut self,
        linear: u32,
        size: u32,
        intent: Intent,
    ) -> Result<u64, Stop> {
        self.check_alignment(linear, size, intent)?;
        if self.state.armed & armed::DATA != 0 {
            self.watch_data(linear, size, false);
        }
        let room = LINE - linear % LINE;
        let value = if size <= room {
            self.read_part(linear, size, intent)?
        } else {
            let low = self.read_part(linear, room, intent)?;
            let high = self.read_part(linear.wrapping_add(room), size - room, intent)?;
            low | high << (8 * room)
        };
        if self.state.watched() {
            self.note_watched(linear, size, false);
        }
        Ok(value)
    }

    /// Writes `size` bytes at a linear address.
    pub(crate) fn write_linear(
        &mut self,
        linear: u32,
        size: u32,
        value: u64,
        intent: Intent,
    ) -> Done {
        let intent = Intent::WRITE.with(intent);
        self.check_alignment(linear, size, intent)?;
        if self.state.armed & armed::DATA != 0 {
            self.watch_data(linear, size, true);
        }
        self.write_parts(linear, size, value, intent)?;
        if self.state.watched() {
            self.note_watched(linear, size, true);
        }
        Ok(())
    }

    fn write_parts(&mut self, linear: u32, size: u32, value: u64, intent: Intent) -> Done {
        let room = LINE - linear % LINE;
        if size <= room {
            return self.write_part(linear, size, value, intent);
        }
        let next = linear.wrapping_add(room);
        if next.is_multiple_of(crate::memory::paging::PAGE_BYTES) && self.log.is_fresh() {
            let need = self.need(intent);
            self.translate_data(linear, need, intent)?;
            self.translate_data(next, need, intent)?;
        }
        let low = value & !(u64::MAX << (8 * room));
        self.write_part(linear, room, low, intent)?;
        self.write_part(next, size - room, value >> (8 * room), intent)
    }

    /// Raises the faults that a write of `size` bytes would raise; writes at most A and D bits.
    pub(crate) fn probe_write(&mut self, segment: usize, offset: u32, size: u32) -> Done {
        let selected = self.state.segments[segment & 7];
        self.check_segment(&selected, segment == sreg::SS, offset, size, true)?;
        let linear = selected.base.wrapping_add(offset);
        self.check_alignment(linear, size, Intent::WRITE)?;
        let need = self.need(Intent::WRITE);
        self.translate_data(linear, need, Intent::WRITE)?;
        let room = crate::memory::paging::PAGE_BYTES - linear % crate::memory::paging::PAGE_BYTES;
        if size > room {
            self.translate_data(linear.wrapping_add(room), need, Intent::WRITE)?;
        }
        Ok(())
    }

    /// If the operand is misaligned: raises #AC where checked, or charges `misaligned_cycles`.
    fn check_alignment(&mut self, linear: u32, size: u32, intent: Intent) -> Done {
        if size.is_power_of_two() && linear.is_multiple_of(size) {
            return Ok(());
        }
        let excepted = intent.has(Intent::SYSTEM.with(Intent::UNALIGNED));
        if self.state.checks_alignment() && !excepted {
            return Err(self.raise_with(vector::ALIGNMENT, 0));
        }
        let natural = if size > 4 { 8 } else { 4 };
        if linear % natural + size > natural {
            self.state.extra_cycles += self.config.misaligned_cycles;
            self.state.misaligned += 1;
        }
        Ok(())
    }

    /// The permit bits that a TLB entry must have for this access at the current privilege level.
    pub(crate) fn need(&self, intent: Intent) -> u8 {
        let user = self.state.cpl == 3 && !intent.has(Intent::SYSTEM);
        let mut need = if user { permit::USER } else { 0 };
        if intent.has(Intent::WRITE) {
            need |= permit::DIRTY;
            if user || self.state.cr0 & cr0::WP != 0 {
                need |= permit::WRITABLE;
            }
        }
        need
    }

    /// Reads up to 8 bytes inside one line.
    fn read_part(&mut self, linear: u32, size: u32, intent: Intent) -> Result<u64, Stop> {
        if let Some(value) = self.log.take() {
            return Ok(value);
        }
        let need = self.need(intent);
        let (addr, memory_type) = self.translate_data(linear, need, intent)?;
        let value = if addr.0 & !0xFFF == APIC_PAGE {
            self.state.cycles += u64::from(self.config.apic_access_cycles);
            u64::from(self.apic_read(addr.0 & 0xFFF, size))
        } else {
            let watched = self.beforehand(linear, addr, size, intent, memory_type);
            let step = if intent.has(Intent::LOCKED) {
                self.await_bus();
                self.caches.locked_read(addr, size as u8, memory_type)
            } else {
                self.caches.read(addr, size as u8, memory_type)
            };
            self.note_load(watched, &step);
            let before = self.state.cycles;
            let value = self.finish(step, Target::Load)?;
            self.state.counters.read_stall_cycles += self.state.cycles - before;
            value
        };
        if intent.has(Intent::LOCKED) || addr.0 & !0xFFF == APIC_PAGE {
            self.state.counters.bypassing_loads += 1;
        }
        self.state.counters.loads += 1;
        self.log.push(value);
        Ok(value)
    }

    /// Writes up to 8 bytes inside one line.
    fn write_part(&mut self, linear: u32, size: u32, value: u64, intent: Intent) -> Done {
        if self.log.take().is_some() {
            return Ok(());
        }
        let need = self.need(intent);
        let (addr, memory_type) = self.translate_data(linear, need, intent)?;
        if addr.0 & !0xFFF == APIC_PAGE {
            self.state.cycles += u64::from(self.config.apic_access_cycles);
            self.apic_write(addr.0 & 0xFFF, value as u32);
        } else {
            let watched = self.beforehand(linear, addr, size, intent, memory_type);
            let step = if intent.has(Intent::LOCKED) {
                self.caches.locked_write(addr, size as u8, value, memory_type)
            } else {
                self.caches.write(addr, size as u8, value, memory_type)
            };
            self.note_store(watched, &step, value);
            self.note_code_change();
            let target = match (intent.has(Intent::LOCKED), intent.has(Intent::SYSTEM)) {
                (false, _) => Target::Store,
                (true, false) => Target::LockedStore,
                (true, true) => Target::Update,
            };
            let before = self.state.cycles;
            let end = self.finish(step, target)?;
            let counters = &mut self.state.counters;
            counters.write_stall_cycles += self.state.cycles - before;
            counters.locked_updates += u64::from(target == Target::Update);
            self.end_store(addr, end);
        }
        if intent.has(Intent::LOCKED) || addr.0 & !0xFFF == APIC_PAGE {
            self.state.counters.bypassing_stores += 1;
        }
        self.state.counters.stores += 1;
        self.log.push(0);
        Ok(())
    }

    /// Handles a cache's result. If the access is done, charges its cycles and returns the value;
    /// otherwise makes the transaction pending, for the access `target`, and the instruction waits.
    pub(crate) fn finish<T>(&mut self, step: Step<T>, target: Target) -> Result<T, Stop> {
        match step {
            Step::Done { value, cycles } => {
                self.state.cycles += u64::from(cycles);
                Ok(value)
            }
            Step::Need { request, finishes } => Err(self.wait(request, finishes, target)),
        }
    }

    /// Records the transaction that the current instruction must wait for.
    #[inline(never)]
    fn wait(&mut self, request: BusRequest, finishes: bool, target: Target) -> Stop {
        if self.observed {
            self.charge_before(&request);
        }
        if let Some(addr) = request.posted_to() {
            self.hold_for_line(addr);
        }
        self.state.pending = Some(Pending { request, finishes, target });
        Stop::Wait
    }

    /// Returns the value of the port access `request`, if the log has it; otherwise waits for it.
    pub(crate) fn port(&mut self, request: BusRequest) -> Result<u32, Stop> {
        if self.state.armed & armed::PORT != 0 {
            self.watch_port(&request);
        }
        if let Some(value) = self.log.take() {
            return Ok(value as u32);
        }
        self.finish(Step::Need { request, finishes: true }, Target::Port)
    }
}
