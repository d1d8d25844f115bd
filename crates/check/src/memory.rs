//! The last write of each byte in memory and in message-passing buffers.

use crate::hash::Map;
use crate::writes::{Ids, LINE, NONE};

/// The identity of a line: the unit and the offset in it, in one number.
pub(crate) type Key = u64;

const OFFSET_BITS: u32 = 40;

pub(crate) fn key(unit: u32, offset: u64) -> Key {
    let line = offset / LINE as u64;
    u64::from(unit) << OFFSET_BITS | line
}

pub(crate) fn unit_of(key: Key) -> u32 {
    (key >> OFFSET_BITS) as u32
}

fn offset_of(key: Key) -> u64 {
    (key & ((1 << OFFSET_BITS) - 1)) * LINE as u64
}

/// One byte of memory: its line, and its offset in the line (0 to 31).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Byte {
    pub line: Key,
    pub offset: usize,
}

impl Byte {
    /// The offset of the byte in its unit.
    pub fn in_unit(self) -> u64 {
        offset_of(self.line) + self.offset as u64
    }
}

/// For each byte of a line, the id of a write. `held`: the write whose value memory has; `last`:
/// the newest write, whose value may still be in a cache or write-combine buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub held: Ids,
    pub last: Ids,
}

const EMPTY: Line = Line { held: [NONE; LINE], last: [NONE; LINE] };

/// All shared lines that have been written so far.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    lines: Map<Key, Box<Line>>,
}

impl Memory {
    pub fn line(&self, key: Key) -> &Line {
        self.lines.get(&key).map_or(&EMPTY, |line| line)
    }

    pub fn line_mut(&mut self, key: Key) -> &mut Line {
        self.lines.entry(key).or_insert_with(|| Box::new(EMPTY))
    }

    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.values().map(|line| &**line)
    }
}
