//! Access to caches for debuggers: lists lines and changes bytes. It takes no simulated time,
//! counts no event and changes no replacement state.

use rockcreek_defs::CoreAddr;

use crate::array::Array;
use crate::array::line;
use crate::path::hierarchy::Caches;

/// One valid line of a cache and its position there, as debuggers show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CachedLine {
    /// The cache's name: `l1i`, `l1d` or `l2`.
    pub cache: &'static str,
    pub set: u32,
    pub way: u32,
    pub address: CoreAddr,
    pub dirty: bool,
    pub message_buffer: bool,
}

fn lines<'a>(cache: &'static str, array: &'a Array) -> impl Iterator<Item = CachedLine> + 'a {
    let ways = array.ways();
    (0..array.len()).filter(|line| array.is_valid(*line)).map(move |line| CachedLine {
        cache,
        set: (line / ways) as u32,
        way: (line % ways) as u32,
        address: array.address(line),
        dirty: array.is_dirty(line),
        message_buffer: array.is_message_buffer(line),
    })
}

impl Caches {
    /// All valid lines: L1I, L1D, L2, each by set and way.
    pub fn lines(&self) -> impl Iterator<Item = CachedLine> + '_ {
        lines("l1i", &self.l1i.array)
            .chain(lines("l1d", &self.l1d.array))
            .chain(lines("l2", &self.l2.array))
    }

    /// The aligned 4-byte word that a cached read of this core would find in L1D or L2; `None` if
    /// neither has its line. Changes nothing.
    pub fn peek_word(&self, addr: CoreAddr) -> Option<u32> {
        let word =
            |array: &Array, line: usize| line::load(array.data(line), addr.line_offset(), 4) as u32;
        let in_l1 = self.l1d.array.find(addr).map(|line| word(&self.l1d.array, line));
        in_l1.or_else(|| self.l2.find(addr).map(|line| word(&self.l2.array, line)))
    }

    /// Injects a fault: flips bit `bit` (0 to 255) of the `nth` valid line of L2 (`level2` true) or
    /// L1D; `nth` is taken modulo the number of valid lines. Returns the changed byte's address,
    /// its old and its new value; `None` if no line is valid.
    pub fn flip(&mut self, level2: bool, nth: u32, bit: u8) -> Option<(CoreAddr, u8, u8)> {
        let array = if level2 { &mut self.l2.array } else { &mut self.l1d.array };
        let valid = (0..array.len()).filter(|line| array.is_valid(*line)).count();
        let line = (0..array.len())
            .filter(|line| array.is_valid(*line))
            .nth(nth as usize % valid.max(1))?;
        let at = usize::from(bit) / 8;
        let before = array.data(line)[at];
        let after = before ^ 1 << (bit % 8);
        let address = CoreAddr(array.address(line).0 + at as u32);
        array.store(line, at, 1, after.into());
        Some((address, before, after))
    }

    /// Changes the byte at `addr` in all caches of this core that hold its line; memory stays as it
    /// is.
    pub fn poke(&mut self, addr: CoreAddr, byte: u8) {
        for array in [&mut self.l1d.array, &mut self.l2.array] {
            if let Some(line) = array.find(addr) {
                array.store(line, addr.line_offset(), 1, byte.into());
            }
        }
        if let Some(line) = self.l1i.array.find(addr) {
            self.l1i.array.store(line, addr.line_offset(), 1, byte.into());
            self.l1i.set_version(line, 0);
        }
    }
}
