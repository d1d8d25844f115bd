//! Blocks of memory: accesses beyond a block or to a freed one, blocks that are freed twice, frees
//! of what was never allocated, and blocks that are not freed.
//!
//! A core records each begin and return of an allocator's function. From the function's arguments
//! and result this module derives a table of all blocks, and compares each access in ring 3 to
//! watched memory with the table. Accesses of a core between an allocator's begin and return are
//! the allocator's own and are not checked. Each core has an address space of its own; in a program
//! of threads, all cores share one.
//!
//! Left out here: accesses by the kernel; an access beyond a block that hits another block, which
//! [`crate::values`] finds ([`Blocks::watch_values`]).

mod allocator;
mod heap;
mod values;

use std::sync::Arc;

use rockcreek_defs::{Access, AccessKind, ProgramMemory, STACK_WORDS};

pub use self::allocator::{Allocator, Contents};
use self::heap::{Block, Heap, Made, Touched};
use crate::finding::{Callers, Site};
use crate::hash::{Map, Set};
use crate::values::{CALLS, Values};

/// The largest number of findings that are kept.
const MOST: usize = 1 << 12;
/// The later of two calls of allocators counts as made by the earlier one if their stack pointers
/// are less than this number of bytes apart.
const DEEPEST: u32 = 1 << 16;
/// The bytes behind a block in which no other block lies, but the allocator's own data.
const SURELY_BEHIND: u32 = 4;

/// What went wrong with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// An access to memory of an allocator, at bytes that belong to no block.
    Beyond,
    UseAfterFree,
    DoubleFree,
    /// A call frees an address that no allocator has returned.
    BadFree,
    /// A branch, an address or a system call depends on bytes that were never written.
    UnwrittenBranch,
    UnwrittenAddress,
    UnwrittenCall,
}

/// A block as a finding names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedBlock {
    pub start: u32,
    pub bytes: u32,
    /// The address of the first instruction of the function that allocated the block.
    pub allocator: u32,
    pub allocated: Site,
    pub freed: Option<Site>,
}

/// A mistake. `site`: the access, or the call that frees. `count`: how often this instruction made
/// this mistake with blocks that one call allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockFinding {
    pub kind: BlockKind,
    pub site: Site,
    pub write: bool,
    /// The freed block, or the nearest one; `None` if no block is near.
    pub block: Option<NamedBlock>,
    /// The instruction that made a part of the stack which was never written.
    pub frame: Option<u32>,
    /// The return addresses of the calls that led to the access, innermost first, if known.
    pub calls: Option<[u32; CALLS]>,
    pub count: u64,
}

/// A call of an allocator that has not returned yet.
#[derive(Clone, Copy, Debug)]
struct Pending {
    /// The index of the called function in `Blocks::allocators`.
    allocator: u16,
    /// The stack pointer at the function's first instruction.
    stack: u32,
    /// The return address and the arguments. A word that was in no cache at the call is 0 until the
    /// call returns.
    words: [u32; STACK_WORDS],
    /// True for a call that another allocator made.
    inner: bool,
    /// True if the address that the call frees has been compared with the table.
    looked: bool,
    time_ps: u64,
}

/// The table of all blocks, and the mistakes found so far.
#[derive(Debug)]
pub struct Blocks {
    memory: Arc<ProgramMemory>,
    allocators: Vec<Allocator>,
    by_entry: Map<u32, u16>,
    pending: Vec<Vec<Pending>>,
    /// One heap for each core; in a program of threads one for all cores.
    heaps: Vec<Heap>,
    /// True if an allocator has allocated a block whose address is not known. Then only an access
    /// directly after a known block is certainly a mistake.
    has_unknown: bool,
    /// Sites of allocations and frees, each once.
    sites: Vec<Site>,
    by_call: Map<(u16, u32, Callers), u32>,
    findings: Vec<BlockFinding>,
    /// The finding of each kind, instruction, return address, and call that allocated the block.
    places: Map<(BlockKind, u32, u32, u32), usize>,
    dropped: u64,
    /// The check of values (`None`: off), and code that it leaves out: the layer under threads.
    values: Option<Values>,
    layer: Vec<(u32, u32)>,
    /// The blocks that the check of values knows, by number, with their first addresses.
    numbered: Vec<(u32, Block)>,
    /// Instruction and address of the accesses that were found without the check of values.
    seen: Set<(u32, u32)>,
}

impl Blocks {
    /// `one`: true if all cores share an address space.
    pub fn new(
        cores: usize,
        memory: Arc<ProgramMemory>,
        allocators: Vec<Allocator>,
        one: bool,
    ) -> Blocks {
        let by_entry = allocators.iter().zip(0..).map(|(all, n)| (all.entry, n)).collect();
        Blocks {
            memory,
            allocators,
            by_entry,
            pending: vec![Vec::new(); cores],
            has_unknown: false,
            heaps: vec![Heap::default(); if one { 1 } else { cores }],
            sites: Vec::new(),
            by_call: Map::default(),
            findings: Vec::new(),
            places: Map::default(),
            dropped: 0,
            values: None,
            numbered: Vec::new(),
            layer: Vec::new(),
            seen: Set::default(),
        }
    }

    /// True if all cores share an address space.
    pub fn is_one(&self) -> bool {
        self.heaps.len() == 1
    }

    /// The mistakes found so far. Call at the end of the run: this function also examines calls
    /// that free a block and have not returned.
    pub fn findings(&mut self) -> &[BlockFinding] {
        for core in 0..self.pending.len() {
            for n in 0..self.pending[core].len() {
                self.look_at_taken(core, n);
            }
        }
        &self.findings
    }

    /// The number of mistakes that were not kept because [`MOST`] findings were kept.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The blocks that have not been freed, each with the index of its heap. Empty if the address
    /// of some block is not known, because that block may contain pointers to others.
    pub fn live(&self) -> Vec<(u16, NamedBlock)> {
        if self.has_unknown {
            return Vec::new();
        }
        let of = |(core, heap): (usize, &Heap)| {
            let named = |(start, block): (u32, &Block)| (core as u16, self.named(start, block));
            heap.live().map(named).collect::<Vec<_>>()
        };
        self.heaps.iter().enumerate().flat_map(of).collect()
    }

    /// Records an access, or the begin or return of an allocator's function. Call in the order of
    /// each core's program; for a program of threads, call for the actions of a thread before the
    /// actions of other threads that waited for them.
    pub fn access(&mut self, core: usize, time_ps: u64, access: &Access) {
        match access.kind {
            AccessKind::Load | AccessKind::Store
                if access.program && self.pending[core].is_empty() =>
            {
                self.touch(core, time_ps, access);
            }
            AccessKind::Entered => self.entered(core, time_ps, access),
            AccessKind::Left => self.left(core, time_ps, access),
            _ => {}
        }
    }

    fn heap(&self, core: usize) -> usize {
        if self.is_one() { 0 } else { core }
    }

    fn touch(&mut self, core: usize, time_ps: u64, access: &Access) {
        // The library of threads copies whole pages by `memcpy` and the like, which the program
        // also calls. These copies are not the program's accesses.
        let is_own = || {
            let caller = || self.memory.caller(&access.stack);
            self.memory.is_code(access.eip) || caller().is_some()
        };
        if self.is_one() && !is_own() {
            return;
        }
        let heap = self.heap(core);
        let (at, size) = (access.linear, u32::from(access.size));
        let (kind, start) = match self.heaps[heap].touch(at, size, &self.allocators) {
            Touched::Nothing => return,
            Touched::Freed(start) => (BlockKind::UseAfterFree, start),
            Touched::Beyond(start) if self.is_uncertain(heap, start, at) => return,
            Touched::Beyond(start) => (BlockKind::Beyond, start),
        };
        let site = Site { addr: at, ..Site::of(core, time_ps, access) };
        let block = self.heaps[heap].get(start).map(|block| self.named(start, block));
        if self.values.is_some() && self.seen.len() < MOST {
            self.seen.insert((site.eip, at));
        }
        self.found(BlockFinding::new(kind, site, access.kind == AccessKind::Store, block));
    }

    /// True if the bytes at `at` may belong to a block whose address is not known. `start`: the
    /// first address of the nearest known block.
    fn is_uncertain(&self, heap: usize, start: u32, at: u32) -> bool {
        let end = self.heaps[heap].get(start).map_or(start, |block| start + block.held);
        self.has_unknown && (at < start || at - end.min(at) >= SURELY_BEHIND)
    }

    fn entered(&mut self, core: usize, time_ps: u64, access: &Access) {
        let Some(&allocator) = self.by_entry.get(&access.eip) else { return };
        let stack = access.linear;
        let one = self.is_one();
        let calls = &mut self.pending[core];
        if one {
            calls.retain(|call| call.stack != stack);
        } else {
            // A call at or below this stack pointer ended without a return (`longjmp`).
            calls.retain(|call| call.stack > stack);
        }
        let inner = calls.iter().any(|call| call.stack.wrapping_sub(stack) < DEEPEST);
        let words = access.stack;
        calls.push(Pending { allocator, stack, words, inner, looked: false, time_ps });
        self.look_at_taken(core, self.pending[core].len() - 1);
    }

    /// Makes a finding if call `n` frees an address that is no allocated block. Does nothing while
    /// the argument is not known.
    fn look_at_taken(&mut self, core: usize, n: usize) {
        let call = self.pending[core][n];
        let allocator = self.allocators[usize::from(call.allocator)];
        let Some(argument) = allocator.takes else { return };
        let start = call.words[usize::from(argument)];
        if start == 0 || call.inner || call.looked {
            return;
        }
        self.pending[core][n].looked = true;
        let heap = &self.heaps[self.heap(core)];
        let (kind, block) = match heap.get(start) {
            Some(block) if block.freed.is_none() => return,
            Some(block) => (BlockKind::DoubleFree, Some(self.named(start, block))),
            None => {
                let around = heap
                    .at_or_below(start)
                    .filter(|(first, block)| block.freed.is_none() && start - first < block.held);
                if around.is_none() && self.has_unknown {
                    return;
                }
                (BlockKind::BadFree, around.map(|(first, block)| self.named(first, block)))
            }
        };
        let site = Site { addr: start, ..call_site(core, &call) };
        self.found(BlockFinding::new(kind, site, true, block));
    }

    fn left(&mut self, core: usize, time_ps: u64, access: &Access) {
        let calls = &mut self.pending[core];
        let Some(n) = calls.iter().rposition(|call| call.stack == access.linear) else { return };
        for (known, word) in calls[n].words.iter_mut().zip(access.stack) {
            if *known == 0 {
                *known = word;
            }
        }
        self.look_at_taken(core, n);
        let call = self.pending[core].remove(n);
        let allocator = &self.allocators[usize::from(call.allocator)];
        let result = match allocator.leaves {
            None => access.value as u32,
            // A function with `leaves` returns 0 if it has allocated a block.
            Some(_) if access.value as u32 != 0 => 0,
            Some(_) => (access.value >> 32) as u32,
        };
        self.has_unknown |= allocator.leaves.is_some() && access.value == 0;
        self.returned(core, time_ps, &call, result);
    }

    /// Changes the table by the effect of a call that has returned. `result`: the address of the
    /// new block, 0 for none. If the allocator called another one, the entry of the outer call
    /// replaces that of the inner one.
    fn returned(&mut self, core: usize, time_ps: u64, call: &Pending, result: u32) {
        let allocator = self.allocators[usize::from(call.allocator)];
        let made = Made { site: self.intern(call_site(core, call)), time_ps };
        let bytes = allocator.size(&call.words);
        let heap = self.heap(core);
        let taken = allocator.takes.map(|argument| call.words[usize::from(argument)]);
        let taken = taken.filter(|start| *start != 0);
        let old = taken.and_then(|start| self.heaps[heap].get(start)).map_or(0, |old| old.bytes);
        if allocator.gives && taken == Some(result) {
            self.heaps[heap].resize(result, bytes, made);
            self.tell_values_resized(core, call, result, bytes, old);
            return;
        }
        if let Some(start) = taken {
            // A `realloc` that could not allocate has not freed the old block.
            let keeps_old = allocator.gives && result == 0 && bytes > 0;
            let is_taken = |block: &&Block| {
                block.freed.is_none_or(|freed| freed.time_ps >= call.time_ps) && !keeps_old
            };
            if let Some(block) = self.heaps[heap].get(start).filter(is_taken).copied() {
                let by = self.allocators[usize::from(block.allocator)];
                let gone = by.returns_large && block.bytes >= by.large;
                self.heaps[heap].free(start, made, !gone);
                self.tell_values_freed(core, start, made, gone);
            }
        }
        if allocator.gives && result != 0 {
            let block = Block {
                bytes,
                held: bytes,
                allocator: call.allocator,
                allocated: made,
                freed: None,
            };
            self.heaps[heap].add(result, block);
            self.tell_values(core, call, result, block, old);
        }
    }

    fn intern(&mut self, site: Site) -> u32 {
        let next = self.sites.len() as u32;
        let number = *self.by_call.entry((site.core, site.eip, site.callers())).or_insert(next);
        if number == next {
            self.sites.push(site);
        }
        number
    }

    fn named(&self, start: u32, block: &Block) -> NamedBlock {
        let site = |made: Made| Site { time_ps: made.time_ps, ..self.sites[made.site as usize] };
        NamedBlock {
            start,
            bytes: block.bytes,
            allocator: self.allocators[usize::from(block.allocator)].entry,
            allocated: site(block.allocated),
            freed: block.freed.map(site),
        }
    }

    fn found(&mut self, finding: BlockFinding) {
        let BlockFinding { kind, site, block, frame, .. } = finding;
        // The first word of the stack that lies in the program's code may be a return address.
        let (first, end) = self.memory.text;
        let caller = site.stack.iter().copied().find(|word| (first..end).contains(word));
        let from = frame.or(block.map(|block| block.allocated.eip));
        let place = (kind, site.eip, caller.unwrap_or(0), from.unwrap_or(0));
        if let Some(&index) = self.places.get(&place) {
            self.findings[index].count += 1;
            return;
        }
        if self.findings.len() == MOST {
            self.dropped += 1;
            return;
        }
        self.places.insert(place, self.findings.len());
        self.findings.push(finding);
    }
}

/// The site of a call: the return address minus one lies in the call instruction.
fn call_site(core: usize, call: &Pending) -> Site {
    Site {
        core: core as u16,
        user: true,
        cached: true,
        eip: call.words[0].wrapping_sub(1),
        time_ps: call.time_ps,
        stack: call.words,
        ..Site::default()
    }
}

#[cfg(test)]
mod tests;
