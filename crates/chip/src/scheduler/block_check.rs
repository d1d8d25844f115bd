//! The check of a program's blocks of memory: its begin, its findings, and which blocks nothing
//! points to any more.

use std::sync::Arc;

use rockcreek_check::{Allocator, BlockFinding, Blocks, Code, NamedBlock};
use rockcreek_cpu::Core;
use rockcreek_defs::{CoreId, ProgramMemory, Span};

use crate::scheduler::chip::Chip;

/// The size of a page in bytes. Memory is read page by page, because each page may be mapped or
/// not.
const PAGE: u64 = 4096;

/// A block that the program has not freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveBlock {
    pub block: NamedBlock,
    /// True if no word of the roots, or of a block that the roots reach, points to the block.
    pub lost: bool,
}

impl Chip<Core> {
    /// Starts checking a program's blocks of memory. `memory`: where blocks may lie, and the
    /// program's code. `one`: all cores share one address space. Excludes a check of the program's
    /// threads for races.
    pub fn watch_blocks(&mut self, memory: ProgramMemory, allocators: Vec<Allocator>, one: bool) {
        self.settle();
        let memory = Arc::new(memory);
        let blocks = Blocks::new(self.slots.len(), memory.clone(), allocators, one);
        self.add_block_check(blocks, one);
        for slot in &mut self.slots {
            slot.processor.watch_program(&memory);
        }
    }

    /// Also follows each instruction of the program, whose blocks are checked already: reports bytes
    /// that were never written, and pointers that leave their block. `code`: all code of the program
    /// and of the kernel. `layer`: the parts of it that are left out, as they work for the program's
    /// threads.
    pub fn watch_values(&mut self, code: Vec<Code>, layer: Vec<(u32, u32)>) {
        self.settle();
        let Some(blocks) = self.blocks_mut() else { return };
        blocks.watch_values(code, layer);
        for slot in &mut self.slots {
            slot.processor.record_commits(true);
        }
    }

    /// The mistakes with blocks up to the present, and how many were not stored for lack of room.
    pub fn block_findings(&mut self) -> (Vec<BlockFinding>, u64) {
        self.tell_all_accesses();
        let blocks = self.blocks_mut();
        blocks.map(|blocks| (blocks.findings().to_vec(), blocks.dropped())).unwrap_or_default()
    }

    /// The blocks that are not freed. `roots`: memory outside the blocks in which the program keeps
    /// pointers. A word that is an address within a block counts as a pointer to it.
    pub fn live_blocks(&mut self, roots: &[Span]) -> Vec<LiveBlock> {
        self.tell_all_accesses();
        let Some(blocks) = self.blocks_mut() else { return Vec::new() };
        let one = blocks.is_one();
        let all = blocks.live();
        let mut live: Vec<LiveBlock> = Vec::new();
        for of_core in all.chunk_by(|left, right| left.0 == right.0) {
            let blocks: Vec<NamedBlock> = of_core.iter().map(|(_, block)| *block).collect();
            // A core that has never run translates no address.
            let has_run = |core: &CoreId| self.slots[core.index()].processor.cycles() > 0;
            let cores: Vec<CoreId> = match one {
                true => (0..self.slots.len() as u16).map(CoreId).filter(has_run).collect(),
                false => vec![CoreId(of_core[0].0)],
            };
            let reached = self.pointed_to(&cores, roots, &blocks);
            let with = blocks.iter().zip(reached);
            live.extend(with.map(|(block, reached)| LiveBlock { block: *block, lost: !reached }));
        }
        live
    }

    /// For each block (in the order of their addresses), whether a pointer to it can be found.
    fn pointed_to(&self, cores: &[CoreId], roots: &[Span], blocks: &[NamedBlock]) -> Vec<bool> {
        let mut reached = vec![false; blocks.len()];
        let mut left: Vec<Span> = roots.to_vec();
        while let Some((start, end)) = left.pop() {
            for word in cores.iter().flat_map(|core| self.words(*core, start, end)) {
                let behind = blocks.partition_point(|block| block.start <= word);
                let Some(n) = behind.checked_sub(1) else { continue };
                let NamedBlock { start, bytes, .. } = blocks[n];
                if !reached[n] && word - start < bytes.max(1) {
                    reached[n] = true;
                    left.push((start, start + bytes));
                }
            }
        }
        reached
    }

    /// The aligned words of these addresses that are mapped.
    fn words(&self, core: CoreId, start: u32, end: u32) -> Vec<u32> {
        let mut words = Vec::new();
        // In 64 bits: a block may end where the addresses do.
        let (mut at, end) = (u64::from(start).next_multiple_of(4), u64::from(end));
        while at + 4 <= end {
            let next = end.min((at / PAGE + 1) * PAGE);
            if let Some(bytes) = self.read_linear(core, at as u32, (next - at) as usize) {
                let (whole, _) = bytes.as_chunks::<4>();
                words.extend(whole.iter().map(|word| u32::from_le_bytes(*word)));
            }
            at = next.next_multiple_of(4);
        }
        words
    }
}
