//! The write-combine buffer (WCB): one line of MPBT stores on their way to memory.
//!
//! The buffer drains when all 32 bytes have been written, or when an MPBT store goes to another
//! line. No other event drains it: no timer, no fence, no read, no uncached store
//! (`partheymueller-2011`, `karavadara-lpel`; software pushes a line out with a dummy store,
//! `rcce-2010`). Reads do not search the buffer.

use std::mem::offset_of;

use rockcreek_defs::bus::DrainKind;
use rockcreek_defs::{BusRequest, CoreAddr, LINE_BYTES};
use serde::{Deserialize, Serialize};

use crate::array::line;
use crate::path::hierarchy::Caches;
use crate::path::refused_store::Refusal;

/// For translated code, byte offsets in [`Caches`]: the buffer's line address, its bytes and its
/// enable bits, and the count of stores that miss L1D.
pub const LINE: usize = offset_of!(Caches, bus.write_combine.addr);
pub const BYTES: usize = offset_of!(Caches, bus.write_combine.data);
pub const ENABLE: usize = offset_of!(Caches, bus.write_combine.enable);
pub const WRITE_MISSES: usize = offset_of!(Caches, bus.stats.l1d_write_misses);

/// The enable bits of a line of which every byte has been written.
const ALL: u32 = u32::MAX;

/// The buffer: the address of a line, its bytes, and one enable bit for each byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteCombine {
    addr: CoreAddr,
    data: [u8; LINE_BYTES],
    enable: u32,
}

impl WriteCombine {
    /// True if the buffer holds no byte.
    pub fn is_empty(&self) -> bool {
        self.enable == 0
    }

    /// The line in the buffer: address, bytes, and an enable bit for each written byte; `None` if
    /// the buffer is empty.
    pub fn contents(&self) -> Option<(CoreAddr, [u8; LINE_BYTES], u32)> {
        (!self.is_empty()).then_some((self.addr, self.data, self.enable))
    }

    /// The drain of the buffer's line, if the buffer holds another line than that of `addr` and
    /// must drain before a store to `addr`; otherwise `None`.
    pub(crate) fn displaced_by(&self, addr: CoreAddr) -> Option<BusRequest> {
        (!self.is_empty() && self.addr != addr.line()).then(|| self.drain())
    }

    /// Merges the low `size` bytes of `value` into the buffer, which must be empty or hold the line
    /// of `addr`. Returns the drain of the line if the store fills it, otherwise `None`.
    pub(crate) fn merge(&mut self, addr: CoreAddr, size: u8, value: u64) -> Option<BusRequest> {
        debug_assert!(self.is_empty() || self.addr == addr.line());
        self.addr = addr.line();
        line::store(&mut self.data, addr.line_offset(), size, value);
        self.enable |= ((1u32 << size) - 1) << addr.line_offset();
        (self.enable == ALL).then(|| self.drain())
    }

    /// Sets the enable bits of a store of `size` bytes, which the caller then writes to the
    /// returned host address of the line's bytes. `Err`, without any change, if the buffer's line
    /// would drain before the store (`Displaces`) or after it (`Fills`).
    pub(crate) fn make_room(&mut self, addr: CoreAddr, size: u8) -> Result<u64, Refusal> {
        if !self.is_empty() && self.addr != addr.line() {
            return Err(Refusal::Displaces);
        }
        let enable = self.enable | ((1u32 << size) - 1) << addr.line_offset();
        if enable == ALL {
            return Err(Refusal::Fills);
        }
        (self.addr, self.enable) = (addr.line(), enable);
        Ok(self.data.as_mut_ptr() as usize as u64)
    }

    /// Empties the buffer after its line has been accepted. Returns true if all 32 bytes had been
    /// written.
    pub(crate) fn drained(&mut self) -> bool {
        let full = self.enable == ALL;
        *self = WriteCombine::default();
        full
    }

    pub(crate) fn drain(&self) -> BusRequest {
        let kind = DrainKind::WriteCombine;
        BusRequest::WriteLine { addr: self.addr, data: self.data, enable: self.enable, kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_out_when_full_and_not_before() {
        let mut buffer = WriteCombine::default();
        for word in 0..7u32 {
            let addr = CoreAddr(0xC000_0000 + 4 * word);
            assert_eq!(buffer.merge(addr, 4, u64::from(word)), None);
        }
        let drain = buffer.merge(CoreAddr(0xC000_001C), 4, 7).expect("the line is full");
        let BusRequest::WriteLine { addr, data, enable, .. } = drain else { panic!("{drain:?}") };
        assert_eq!((addr, enable), (CoreAddr(0xC000_0000), u32::MAX));
        assert_eq!(&data[24..], &[6, 0, 0, 0, 7, 0, 0, 0]);
        assert!(buffer.drained());
        assert!(buffer.is_empty());
    }

    #[test]
    fn only_another_line_displaces() {
        let mut buffer = WriteCombine::default();
        assert_eq!(buffer.displaced_by(CoreAddr(0x40)), None);
        assert_eq!(buffer.merge(CoreAddr(0x46), 2, 0xBEEF), None);
        assert_eq!(buffer.displaced_by(CoreAddr(0x5F)), None);
        let drain = buffer.displaced_by(CoreAddr(0x60)).expect("another line");
        let BusRequest::WriteLine { data, enable, .. } = drain else { panic!("{drain:?}") };
        assert_eq!(enable, 0b1100_0000);
        assert_eq!(&data[6..8], &[0xEF, 0xBE]);
        assert!(!buffer.drained());
    }
}
