//! What the books of blocks and the check of values tell each other.

use rockcreek_defs::{Access, AccessKind, Retired, STACK_WORDS};

use super::{Block, BlockFinding, BlockKind, Blocks, Contents, Made, NamedBlock, Pending};
use crate::finding::Site;
use crate::values::{Code, Report, Use, Values};

impl BlockFinding {
    /// A mistake that was met once, without what only the check of values knows.
    pub(super) fn new(
        kind: BlockKind,
        site: Site,
        write: bool,
        block: Option<NamedBlock>,
    ) -> BlockFinding {
        BlockFinding { kind, site, write, block, frame: None, calls: None, count: 1 }
    }
}

impl Blocks {
    /// Also follows each instruction: reports uses of bytes that were never written, and accesses by
    /// pointers that leave their block. `code`: all code of the program and of the kernel. `layer`:
    /// the first address and the end of each part that works for the program's threads, and handles
    /// bytes without regard to what is in them; what it does is not reported. Each core that runs
    /// must have an address space of its own.
    pub fn watch_values(&mut self, code: Vec<Code>, layer: Vec<(u32, u32)>) {
        self.values = Some(Values::new(self.pending.len(), code));
        self.layer = layer;
    }

    /// True if the layer under threads does this, itself or by a function of the C library.
    fn is_of_layer(&self, report: &Report) -> bool {
        let is_layer = |at: u32| self.layer.iter().any(|&(start, end)| (start..end).contains(&at));
        let mut chain = std::iter::once(report.eip).chain(report.calls);
        chain.find(|&at| is_layer(at) || self.memory.is_code(at)).is_some_and(is_layer)
    }

    /// True if values are checked.
    pub fn watches_values(&self) -> bool {
        self.values.is_some()
    }

    /// Records what a core has done: its accesses, and, if values are checked, the instructions that
    /// it has retired. `time`: the time in picoseconds of a cycle of the core.
    pub fn tell(
        &mut self,
        core: usize,
        accesses: &[Access],
        retired: &[Retired],
        time: &dyn Fn(u64) -> u64,
    ) {
        let mut rest = retired;
        for access in accesses {
            if matches!(access.kind, AccessKind::Entered | AccessKind::Left) {
                let is_last =
                    |one: &Retired| one.eip == access.eip && one.cycle == access.cycle && one.user;
                let to = rest.iter().position(is_last).map_or(0, |last| last + 1);
                self.follow(core, &rest[..to], time);
                rest = &rest[to..];
            }
            self.access(core, time(access.cycle), access);
        }
        self.follow(core, rest, time);
    }

    fn follow(&mut self, core: usize, retired: &[Retired], time: &dyn Fn(u64) -> u64) {
        let Some(mut values) = self.values.take() else { return };
        let quiet = !self.pending[core].is_empty();
        for one in retired {
            values.retired(core, one, quiet, &mut |report| {
                self.report(core, time(report.cycle), &report);
            });
        }
        self.values = Some(values);
    }

    fn report(&mut self, core: usize, time_ps: u64, report: &Report) {
        if self.seen.contains(&(report.eip, report.address)) || self.is_of_layer(report) {
            return;
        }
        let kind = match report.what {
            Use::Branch => BlockKind::UnwrittenBranch,
            Use::Address => BlockKind::UnwrittenAddress,
            Use::SystemCall => BlockKind::UnwrittenCall,
            Use::Beyond => BlockKind::Beyond,
            Use::Freed => BlockKind::UseAfterFree,
        };
        let mut stack = [0; STACK_WORDS];
        stack[0] = report.calls[0];
        let site = Site {
            core: core as u16,
            size: report.bytes,
            cached: true,
            user: true,
            eip: report.eip,
            addr: report.address,
            time_ps,
            stack,
            ..Site::default()
        };
        let block = report.block.and_then(|number| self.numbered.get(number as usize));
        let block = block.map(|(start, block)| self.named(*start, block));
        self.found(BlockFinding {
            frame: report.frame,
            calls: Some(report.calls),
            ..BlockFinding::new(kind, site, report.write, block)
        });
    }

    /// A call has given a block at address `start`; `old`: the bytes of the block that it replaces.
    pub(super) fn tell_values(
        &mut self,
        core: usize,
        call: &Pending,
        start: u32,
        block: Block,
        old: u32,
    ) {
        let Some(values) = &mut self.values else { return };
        let allocator = &self.allocators[usize::from(block.allocator)];
        // What an allocator takes for its own lists is not the program's.
        if call.inner || allocator.contents == Contents::Shared {
            return;
        }
        let (bytes, number) = (block.bytes, self.numbered.len() as u32);
        let unwritten = (allocator.contents == Contents::Unwritten).then_some(old);
        let returned = allocator.leaves.is_none();
        if values.given(core, start, bytes, number, unwritten, returned) {
            self.numbered.push((start, block));
        }
        if allocator.contents == Contents::Zeros {
            values.written(core, start, bytes);
        }
    }

    pub(super) fn tell_values_resized(
        &mut self,
        core: usize,
        call: &Pending,
        start: u32,
        bytes: u32,
        old: u32,
    ) {
        if let Some(values) = self.values.as_mut().filter(|_| !call.inner) {
            values.resized(core, start, bytes, Some(old));
        }
    }

    pub(super) fn tell_values_freed(&mut self, core: usize, start: u32, freed: Made, gone: bool) {
        let Some(values) = &mut self.values else { return };
        if let Some(number) = values.freed(core, start, gone)
            && let Some((_, block)) = self.numbered.get_mut(number as usize)
        {
            block.freed = Some(freed);
        }
    }
}
