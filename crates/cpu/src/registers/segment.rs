//! Segment registers: the visible selector and the hidden base, limit and attributes.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 11. Loads with their
//! checks are in `descriptor.rs`; this file holds the register and the limit check of an
//! access. If all 4 GB of a segment may be read or written, `open_read` or `open_write` is
//! set, so that an access to a flat segment costs one test.

use serde::{Deserialize, Serialize};

/// Attribute bits: bits 8 to 23 of a descriptor's second double word.
pub mod attribute {
    pub const TYPE: u16 = 0xF;
    /// Data: writable. Code: readable.
    pub const WRITABLE: u16 = 1 << 1;
    /// Data: expand-down. Code: conforming.
    pub const EXPAND_DOWN: u16 = 1 << 2;
    pub const CODE: u16 = 1 << 3;
    pub const ACCESSED: u16 = 1 << 0;
    /// Set for a code or data segment, clear for a system descriptor.
    pub const NOT_SYSTEM: u16 = 1 << 4;
    pub const DPL_SHIFT: u32 = 5;
    pub const PRESENT: u16 = 1 << 7;
    /// Code: the default operand size is 32 bits. Stack: the stack pointer has 32 bits.
    pub const BIG: u16 = 1 << 14;
}

/// One segment register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    pub selector: u16,
    pub base: u32,
    /// The segment's limit in bytes; the descriptor's granularity bit is already applied.
    pub limit: u32,
    pub attributes: u16,
    /// True if every offset from 0 to 4 GB may be read, so that a read needs no check of the limit.
    open_read: bool,
    /// True if every offset from 0 to 4 GB may be written, so that a write needs no check of the
    /// limit.
    open_write: bool,
}

impl Segment {
    /// The byte offsets of `open_read` and `open_write`, for translated code.
    pub(crate) const OPEN_READ: usize = std::mem::offset_of!(Segment, open_read);
    pub(crate) const OPEN_WRITE: usize = std::mem::offset_of!(Segment, open_write);

    /// Makes a segment register's value; `limit` is in bytes.
    pub fn new(selector: u16, base: u32, limit: u32, attributes: u16) -> Segment {
        let usable =
            attributes & attribute::PRESENT != 0 && attributes & attribute::NOT_SYSTEM != 0;
        let code = attributes & attribute::CODE != 0;
        let whole = limit == u32::MAX && (code || attributes & attribute::EXPAND_DOWN == 0);
        let permitted = attributes & attribute::WRITABLE != 0;
        Segment {
            selector,
            base,
            limit,
            attributes,
            open_read: usable && whole && (!code || permitted),
            open_write: usable && whole && !code && permitted,
        }
    }

    /// A segment from the two double words of a descriptor.
    pub fn from_descriptor(selector: u16, low: u32, high: u32) -> Segment {
        let base = high & 0xFF00_0000 | (high & 0xFF) << 16 | low >> 16;
        let raw = high & 0x000F_0000 | low & 0xFFFF;
        let limit = if high & 1 << 23 != 0 { raw << 12 | 0xFFF } else { raw };
        Segment::new(selector, base, limit, (high >> 8) as u16 & 0xF0FF)
    }

    /// A flat 4 GB segment of ring 0, as boot loaders set up.
    pub fn flat(selector: u16, code: bool) -> Segment {
        Segment::new(selector, 0, u32::MAX, if code { 0xC09B } else { 0xC093 })
    }

    /// The segment after a load in real mode: base from the selector, 64 KB of writable data.
    pub fn real(selector: u16) -> Segment {
        Segment::new(selector, u32::from(selector) << 4, 0xFFFF, 0x0093)
    }

    /// The segment after a load in virtual-8086 mode: 64 KB of writable data of ring 3.
    pub fn virtual_8086(selector: u16) -> Segment {
        Segment::new(selector, u32::from(selector) << 4, 0xFFFF, 0x00F3)
    }

    /// The segment after a load of a null selector: every access faults.
    pub fn null(selector: u16) -> Segment {
        Segment::new(selector, 0, 0, 0)
    }

    #[inline(always)]
    pub fn open_read(&self) -> bool {
        self.open_read
    }

    #[inline(always)]
    pub fn open_write(&self) -> bool {
        self.open_write
    }

    /// True if a base of 0 and no limit make every offset equal to its linear address, for reads
    /// and writes.
    pub(crate) fn is_flat(&self) -> bool {
        self.base == 0 && self.open_read && self.open_write
    }

    /// The last address of a segment that begins at 0, is readable (code) or writable (data) from
    /// there on, and ends with a page; `None` for other segments.
    #[inline]
    fn end(&self) -> Option<u32> {
        const PAGE_END: u32 = 0xFFF;
        let pages = self.base == 0 && self.limit & PAGE_END == PAGE_END;
        let kind = self.attributes & (attribute::CODE | attribute::EXPAND_DOWN);
        let expands_down = kind == attribute::EXPAND_DOWN;
        let usable = self.present() && !self.is_system() && !expands_down;
        (pages && usable && self.attributes & attribute::WRITABLE != 0).then_some(self.limit)
    }

    /// True for a 32-bit default operand size (code) or a 32-bit stack pointer (stack).
    #[inline(always)]
    pub fn big(&self) -> bool {
        self.attributes & attribute::BIG != 0
    }

    pub fn present(&self) -> bool {
        self.attributes & attribute::PRESENT != 0
    }

    pub fn is_system(&self) -> bool {
        self.attributes & attribute::NOT_SYSTEM == 0
    }

    pub fn is_code(&self) -> bool {
        !self.is_system() && self.attributes & attribute::CODE != 0
    }

    pub fn is_conforming(&self) -> bool {
        self.is_code() && self.attributes & attribute::EXPAND_DOWN != 0
    }

    pub fn is_writable_data(&self) -> bool {
        let kind = attribute::NOT_SYSTEM | attribute::CODE | attribute::WRITABLE;
        self.attributes & kind == attribute::NOT_SYSTEM | attribute::WRITABLE
    }

    pub fn is_readable(&self) -> bool {
        !self.is_system() && (!self.is_code() || self.attributes & attribute::WRITABLE != 0)
    }

    pub fn dpl(&self) -> u8 {
        (self.attributes >> attribute::DPL_SHIFT & 3) as u8
    }

    pub fn rpl(&self) -> u8 {
        (self.selector & 3) as u8
    }

    /// The four bits of the type, with the S bit as bit 4.
    pub fn kind(&self) -> u16 {
        self.attributes & (attribute::TYPE | attribute::NOT_SYSTEM)
    }

    /// True if `size` bytes at `offset` may be read or, if `write`, written.
    pub fn permits(&self, offset: u32, size: u32, write: bool) -> bool {
        if !self.present() || self.is_system() {
            return false;
        }
        let allowed = if write { self.is_writable_data() } else { self.is_readable() };
        allowed && self.contains(offset, size)
    }

    /// True if `size` bytes at `offset` lie inside the segment's limit.
    pub fn contains(&self, offset: u32, size: u32) -> bool {
        let Some(last) = offset.checked_add(size - 1) else {
            // An access that wraps at 4 GB is inside a segment of 4 GB.
            return self.limit == u32::MAX;
        };
        let expand_down = attribute::CODE | attribute::EXPAND_DOWN;
        if !self.is_system() && self.attributes & expand_down == attribute::EXPAND_DOWN {
            let top = if self.big() { u32::MAX } else { 0xFFFF };
            offset > self.limit && last <= top
        } else {
            last <= self.limit
        }
    }
}

/// The last address that both code and data may use, if CS, SS, DS and ES begin at 0 and end with
/// a page; `None` if one of them does not. `u32::MAX`: the segments are flat.
#[inline]
pub(crate) fn common_end(code: &Segment, data: [&Segment; 3]) -> Option<u32> {
    if code.base == 0 && code.open_read && data.iter().all(|segment| segment.is_flat()) {
        return Some(u32::MAX);
    }
    let end = |segment: &Segment| segment.end().filter(|_| !segment.is_code());
    let mut last = code.end().filter(|_| code.is_code())?;
    for segment in data {
        last = last.min(end(segment)?);
    }
    Some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_descriptor_is_open() {
        let segment = Segment::from_descriptor(0x10, 0x0000_FFFF, 0x00CF_9300);
        assert!(segment.open_read() && segment.open_write() && segment.big());
        assert_eq!(segment.limit, u32::MAX);
        let code = Segment::from_descriptor(0x08, 0x0000_FFFF, 0x00CF_9B00);
        assert!(code.open_read() && !code.open_write());
    }

    #[test]
    fn segments_that_begin_at_0_have_a_common_end() {
        let segment = |low, high| Segment::from_descriptor(0x10, low, high);
        let (code, data) = (segment(0xFFFF, 0x00CF_9B00), segment(0xFFFF, 0x00CF_9300));
        assert_eq!(common_end(&code, [&data; 3]), Some(u32::MAX));
        let cut = segment(0x7FFF, 0x00CF_9300);
        assert_eq!(common_end(&code, [&data, &cut, &data]), Some(0xF7FF_FFFF));
        let short = segment(0x7FFE, 0x00CF_9B00);
        assert_eq!(common_end(&short, [&cut; 3]), Some(0xF7FF_EFFF));
        let others = [
            segment(0x7FFE, 0x004F_9300),      // ends within a page
            segment(0x7FFF, 0x00CF_9100),      // read-only
            segment(0x7FFF, 0x00CF_9700),      // expands down
            segment(0x7FFF, 0x00CF_1300),      // not present
            segment(0x7FFF, 0x00CF_9B00),      // code
            segment(0x0100_7FFF, 0x00CF_9300), // begins elsewhere
        ];
        for other in others {
            assert_eq!(common_end(&code, [&data, &other, &data]), None, "{other:?}");
        }
        let hidden = segment(0x7FFF, 0x00CF_9900);
        assert_eq!(common_end(&hidden, [&data; 3]), None, "code that cannot be read");
    }

    #[test]
    fn expand_down_turns_the_limit_around() {
        let stack = Segment::new(0x10, 0, 0xFFF, 0x4097);
        assert!(!stack.permits(0xFFC, 4, true));
        assert!(stack.permits(0x1000, 4, true));
        assert!(stack.permits(0xFFFF_FFFC, 4, true));
    }
}
