//! Descriptor tables: reading descriptors and loading segment registers with their checks.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapters 11 and 12.
//! Tables are read with the rights of ring 0 through the ordinary caches; the accessed bit is
//! set with a locked write.

use crate::core::parts::Core;
use crate::memory::access_path::Intent;
use crate::registers::register_file::sreg;
use crate::registers::segment::{Segment, attribute};
use crate::state::exception::{Done, Stop, vector};

/// The bit of a selector that is set if the selector refers to the LDT, and clear for the GDT.
const TABLE_INDICATOR: u16 = 1 << 2;
/// The part of a selector that error codes hold.
pub(crate) const SELECTOR_MASK: u16 = 0xFFFC;

/// The values of the type field of system descriptors (S = 0).
pub(crate) mod system {
    pub const LDT: u16 = 0x2;
    pub const TSS16: u16 = 0x1;
    pub const CALL_GATE16: u16 = 0x4;
    pub const TASK_GATE: u16 = 0x5;
    pub const INTERRUPT_GATE16: u16 = 0x6;
    pub const TRAP_GATE16: u16 = 0x7;
    pub const TSS32: u16 = 0x9;
    pub const CALL_GATE32: u16 = 0xC;
    pub const INTERRUPT_GATE32: u16 = 0xE;
    pub const TRAP_GATE32: u16 = 0xF;
    pub const BUSY: u16 = 0x2;
}

/// A segment or gate descriptor (two double words), and the linear address from which it was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descriptor {
    pub low: u32,
    pub high: u32,
    address: u32,
}

impl Descriptor {
    /// A descriptor made of a gate's words, without an address.
    pub fn of(low: u32, high: u32) -> Descriptor {
        Descriptor { low, high, address: 0 }
    }

    pub fn segment(&self, selector: u16) -> Segment {
        Segment::from_descriptor(selector, self.low, self.high)
    }

    /// The target's offset in a call, interrupt or trap gate: 32 bits if `wide`, otherwise 16.
    pub fn gate_offset(&self, wide: bool) -> u32 {
        let low = self.low & 0xFFFF;
        if wide { self.high & 0xFFFF_0000 | low } else { low }
    }

    pub fn gate_selector(&self) -> u16 {
        (self.low >> 16) as u16
    }

    pub fn kind(&self) -> u16 {
        (self.high >> 8) as u16 & (attribute::TYPE | attribute::NOT_SYSTEM)
    }

    pub fn present(&self) -> bool {
        self.high & 1 << 15 != 0
    }

    pub fn dpl(&self) -> u8 {
        (self.high >> 13 & 3) as u8
    }
}

pub(crate) fn is_null(selector: u16) -> bool {
    selector & SELECTOR_MASK == 0
}

impl Core {
    /// The descriptor that a selector selects in the GDT or LDT. If there is none, raises the
    /// exception `vector` with the selector as its error code.
    pub(crate) fn descriptor(&mut self, selector: u16, vector: u8) -> Result<Descriptor, Stop> {
        let found = self.find_descriptor(selector)?;
        found.ok_or_else(|| self.raise_with(vector, u32::from(selector & SELECTOR_MASK)))
    }

    /// The descriptor that a selector selects in the GDT or LDT; `None` if it lies beyond its
    /// table's limit, or if LDTR is null. An error: the read waits or faults.
    pub(crate) fn find_descriptor(&mut self, selector: u16) -> Result<Option<Descriptor>, Stop> {
        let offset = u32::from(selector & !7);
        let (base, limit) = if selector & TABLE_INDICATOR != 0 {
            if !self.state.ldtr.present() {
                return Ok(None);
            }
            (self.state.ldtr.base, self.state.ldtr.limit)
        } else {
            (self.state.gdtr.base, u32::from(self.state.gdtr.limit))
        };
        if offset + 7 > limit {
            return Ok(None);
        }
        let address = base.wrapping_add(offset);
        let both = self.read_linear(address, 8, Intent::SYSTEM)?;
        Ok(Some(Descriptor { low: both as u32, high: (both >> 32) as u32, address }))
    }

    /// Sets the accessed bit of a code or data descriptor in memory, if it is clear, with a locked
    /// write.
    pub(crate) fn mark_accessed(&mut self, descriptor: &Descriptor) -> Done {
        let accessed = descriptor.high | u32::from(attribute::ACCESSED) << 8;
        if accessed == descriptor.high {
            return Ok(());
        }
        self.write_attributes(descriptor, accessed)
    }

    /// Replaces the second double word of a descriptor in memory with a locked write.
    pub(crate) fn write_attributes(&mut self, descriptor: &Descriptor, high: u32) -> Done {
        let intent = Intent::SYSTEM.with(Intent::WRITE).with(Intent::LOCKED);
        self.write_linear(descriptor.address.wrapping_add(4), 4, u64::from(high), intent)
    }

    /// Loads a data or stack segment that has been checked, and counts the load. A load of SS holds
    /// interrupts and debug exceptions off for one instruction. If the segment is SS or not flat,
    /// translated code, which assumes flat segments, is left.
    pub(crate) fn put_segment(&mut self, number: usize, segment: Segment) {
        self.state.segments[number] = segment;
        self.state.counters.segment_loads += 1;
        let stack = number == sreg::SS;
        self.state.shadow |= stack;
        self.state.stack_loaded |= stack;
        if stack || !segment.is_flat() {
            self.look_up();
        }
    }

    /// Checks a load of a segment register and returns the segment that `selector` gives. Changes
    /// only memory (the accessed bit).
    pub(crate) fn checked_segment(
        &mut self,
        number: usize,
        selector: u16,
    ) -> Result<Segment, Stop> {
        if self.state.real_segments() {
            return Ok(self.real_segment(number, selector));
        }
        if number == sreg::SS {
            let cpl = self.state.cpl;
            return self.checked_stack(selector, cpl, vector::PROTECTION, 0);
        }
        self.checked_data(selector, vector::PROTECTION, 0)
    }

    /// Checks a load of DS, ES, FS or GS and returns the segment. `wrong` and `external` are as in
    /// `checked_stack`.
    pub(crate) fn checked_data(
        &mut self,
        selector: u16,
        wrong: u8,
        external: u32,
    ) -> Result<Segment, Stop> {
        if is_null(selector) {
            return Ok(Segment::null(selector));
        }
        let error = u32::from(selector & SELECTOR_MASK) | external;
        let Some(descriptor) = self.find_descriptor(selector)? else {
            return Err(self.raise_with(wrong, error));
        };
        let mut segment = descriptor.segment(selector);
        let privilege = self.state.cpl.max(segment.rpl());
        let reachable = segment.is_conforming() || segment.dpl() >= privilege;
        if !segment.is_readable() || !reachable {
            return Err(self.raise_with(wrong, error));
        }
        if !segment.present() {
            return Err(self.raise_with(vector::NOT_PRESENT, error));
        }
        self.mark_accessed(&descriptor)?;
        segment.attributes |= attribute::ACCESSED;
        Ok(segment)
    }

    /// Checks a load of SS at privilege level `cpl` and returns the segment. `wrong` is the vector
    /// raised for a bad selector (#GP, or #TS if the selector came from the TSS), `external` the
    /// EXT bit of the error code.
    pub(crate) fn checked_stack(
        &mut self,
        selector: u16,
        cpl: u8,
        wrong: u8,
        external: u32,
    ) -> Result<Segment, Stop> {
        if is_null(selector) {
            return Err(self.raise_with(wrong, external));
        }
        let error = u32::from(selector & SELECTOR_MASK) | external;
        let Some(descriptor) = self.find_descriptor(selector)? else {
            return Err(self.raise_with(wrong, error));
        };
        let mut segment = descriptor.segment(selector);
        if segment.rpl() != cpl || segment.dpl() != cpl || !segment.is_writable_data() {
            return Err(self.raise_with(wrong, error));
        }
        if !segment.present() {
            return Err(self.raise_with(vector::STACK, error));
        }
        self.mark_accessed(&descriptor)?;
        segment.attributes |= attribute::ACCESSED;
        Ok(segment)
    }

    /// The segment that a load in real mode gives: writable data with the old limit and size
    /// ("unreal mode"), unless the old segment was null. In virtual-8086 mode, limit and size are
    /// fixed.
    fn real_segment(&self, number: usize, selector: u16) -> Segment {
        const KIND: u16 = 0x00FF;
        if self.state.virtual_8086() {
            return Segment::virtual_8086(selector);
        }
        let old = &self.state.segments[number];
        let fresh = Segment::real(selector);
        let limit = if old.present() { old.limit } else { fresh.limit };
        let attributes = old.attributes & !KIND | fresh.attributes;
        Segment::new(selector, fresh.base, limit, attributes)
    }
}
