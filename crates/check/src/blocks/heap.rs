//! The blocks of one address space: which bytes are allocated, and which have been freed.
//!
//! Entries may overlap only in `bytes`, not in `held`. A freed block stays in the table until an
//! allocation takes its first byte, so that a finding can name the block of an access to freed
//! memory.

use std::collections::BTreeMap;

use super::allocator::Allocator;

/// The call that allocated or freed a block: the index of its site in `Blocks::sites`, and its
/// simulated time in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub site: u32,
    pub time_ps: u64,
}

/// A block; its first address is its key in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub bytes: u32,
    /// The number of leading bytes that still belong to this block: all `bytes` of an allocated
    /// block; fewer, or 0, for a freed one whose memory was allocated again or went back to the
    /// kernel.
    pub held: u32,
    /// The index of the function that allocated the block.
    pub allocator: u16,
    pub allocated: Made,
    pub freed: Option<Made>,
}

/// What an access touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touched {
    /// No mistake: bytes of an allocated block, or memory that is near no known block.
    Nothing,
    /// Bytes of the freed block that begins at this address.
    Freed(u32),
    /// Bytes that belong to no block, in a granule of the block that begins at this address.
    Beyond(u32),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Heap {
    blocks: BTreeMap<u32, Block>,
    /// The first address and the end of the allocated block that was accessed last. Most accesses
    /// are to this block again, and need no search.
    last: (u32, u32),
}

impl Heap {
    pub fn get(&self, start: u32) -> Option<&Block> {
        self.blocks.get(&start)
    }

    /// The block with the largest first address that is not above `address`, and that address.
    pub fn at_or_below(&self, address: u32) -> Option<(u32, &Block)> {
        self.blocks.range(..=address).next_back().map(|(start, block)| (*start, block))
    }

    pub fn live(&self) -> impl Iterator<Item = (u32, &Block)> {
        let live = self.blocks.iter().filter(|(_, block)| block.freed.is_none());
        live.map(|(start, block)| (*start, block))
    }

    /// Adds a block. Older entries lose the bytes that the block takes; entries that begin in it
    /// are removed.
    pub fn add(&mut self, start: u32, block: Block) {
        let end = start.saturating_add(block.bytes.max(1));
        if let Some((below, before)) = self.blocks.range_mut(..start).next_back() {
            before.held = before.held.min(start - below);
        }
        let covered: Vec<u32> = self.blocks.range(start..end).map(|(start, _)| *start).collect();
        for start in covered {
            self.blocks.remove(&start);
        }
        self.blocks.insert(start, block);
        self.last = (0, 0);
    }

    /// Marks the block at `start` as freed. `keep`: false if its memory went back to the kernel, so
    /// that later accesses to it are no mistake of this block.
    pub fn free(&mut self, start: u32, freed: Made, keep: bool) {
        if let Some(block) = self.blocks.get_mut(&start) {
            block.freed = Some(freed);
            if !keep {
                block.held = 0;
            }
        }
        self.last = (0, 0);
    }

    pub fn resize(&mut self, start: u32, bytes: u32, made: Made) {
        if let Some(block) = self.blocks.get(&start).copied() {
            let allocated = Block { bytes, held: bytes, allocated: made, ..block };
            self.add(start, allocated);
        }
    }

    /// Classifies an access to `size` bytes from address `at` on. The byte at `at` decides; if it
    /// is correct and the access leaves its block, the result is `Beyond`.
    #[inline]
    pub fn touch(&mut self, at: u32, size: u32, allocators: &[Allocator]) -> Touched {
        if at >= self.last.0 && at.saturating_add(size) <= self.last.1 {
            return Touched::Nothing;
        }
        self.search(at, size, allocators)
    }

    fn search(&mut self, at: u32, size: u32, allocators: &[Allocator]) -> Touched {
        let end = at.saturating_add(size);
        let below = self.blocks.range(..=at).next_back();
        let above = self.blocks.range(at.saturating_add(1)..).next();
        if let Some((start, block)) = below
            && at - start < block.held
        {
            if block.freed.is_some() {
                return Touched::Freed(*start);
            }
            if end - start <= block.held {
                self.last = (*start, start + block.held);
                return Touched::Nothing;
            }
            return Touched::Beyond(*start);
        }
        let near = |start: u32, block: &Block, edge: u32| {
            let granule = allocators[usize::from(block.allocator)].granule(block.bytes);
            (block.held > 0 || block.freed.is_none()) && same(start, edge, at, granule)
        };
        let below = below
            .filter(|(start, block)| near(**start, block, **start + block.held.saturating_sub(1)));
        let above = above.filter(|(start, block)| near(**start, block, **start));
        let behind = below.map(|(start, block)| (at - start - block.held, *start));
        let before = above.map(|(start, _)| (start.saturating_sub(end), *start));
        match (behind, before) {
            (Some(behind), Some(before)) => Touched::Beyond(behind.min(before).1),
            (Some((_, start)), None) | (None, Some((_, start))) => Touched::Beyond(start),
            (None, None) => Touched::Nothing,
        }
    }
}

/// True if address `at` lies in the granule of the block's first byte (`start`) or of its byte
/// `edge`.
fn same(start: u32, edge: u32, at: u32, granule: u32) -> bool {
    at / granule == edge / granule || at / granule == start / granule
}
