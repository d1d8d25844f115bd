//! The blocks of one address space: which bytes are allocated, and which have been freed.
//!
//! Blocks never overlap. A freed block is kept, so that an access to it can be named, until an
//! allocation takes its bytes.

use std::collections::BTreeMap;

use super::allocator::Allocator;

/// The call that allocated or freed a block: the index of its site, and when it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub site: u32,
    pub time_ps: u64,
}

/// A block, without its first address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub bytes: u32,
    /// How many of the bytes are still the block's. A freed block whose memory went back to the
    /// kernel, or was allocated again, has fewer or none.
    pub held: u32,
    /// The index of the function that allocated it.
    pub allocator: u16,
    pub allocated: Made,
    pub freed: Option<Made>,
}

/// What an access touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touched {
    /// Allocated bytes, or memory of which no allocation is known.
    Nothing,
    /// Bytes of a freed block, by its first address.
    Freed(u32),
    /// Bytes near this block that belong to no block.
    Beyond(u32),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Heap {
    blocks: BTreeMap<u32, Block>,
    /// The allocated bytes that were touched last: most accesses touch a block several times.
    last: (u32, u32),
}

impl Heap {
    pub fn get(&self, start: u32) -> Option<&Block> {
        self.blocks.get(&start)
    }

    /// The block that begins at this address or is the next one below.
    pub fn at_or_below(&self, address: u32) -> Option<(u32, &Block)> {
        self.blocks.range(..=address).next_back().map(|(start, block)| (*start, block))
    }

    pub fn live(&self) -> impl Iterator<Item = (u32, &Block)> {
        let live = self.blocks.iter().filter(|(_, block)| block.freed.is_none());
        live.map(|(start, block)| (*start, block))
    }

    /// Adds a block. What the books held of its bytes before counts no more.
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

    /// Marks a block as freed; `keep`: its memory stays with the allocator.
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

    /// What an access to `size` bytes at `at` touches; of several things, the first mistake.
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

/// Whether an address lies in a granule of memory that holds the block's first or nearest byte.
fn same(start: u32, edge: u32, at: u32, granule: u32) -> bool {
    at / granule == edge / granule || at / granule == start / granule
}
