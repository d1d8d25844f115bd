//! How a block begins: the checks before it, which need not be alike on all ways to it.
//!
//! The state of the pipes with which a block is reached may differ from the one for which it is
//! translated, as long as that does not matter to its code. If a check fails, the interpreter needs
//! the whole state. Blocks of other regions therefore enter with the address of a `Target` in RAX,
//! which has the state's number; within the region, each state with which a block is reached has
//! checks of its own.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::coverage;
use super::emit::Emitter;
use super::slow_path::{Before, Cold, Out};
use crate::core::parts::Core;
use crate::translator::regions::collect::{Block, MAX_BLOCK_CLOCKS};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::stubs::enter_leave::INTERPRET;
use crate::translator_frame::packed_counts::Packed;
use crate::units::tlb::Use;

/// A way to block `number` within its region, with state `reached` (a number in `Carries`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    number: usize,
    reached: u32,
    label: DynamicLabel,
}

impl Emitter<'_> {
    /// Emits a block's entry from other regions, apart from the block.
    pub fn entry(&mut self, core: &Core, number: usize) {
        let block = &self.region.blocks[number];
        let (entry, body) = (self.entries[number], self.bodies[number]);
        let before = self.before(block, block.carried, true);
        dynasm!(self.asm ; .arch x64 ; =>entry);
        self.check_entry(core, block, before);
        dynasm!(self.asm ; .arch x64 ; jmp =>body);
    }

    /// Emits a way to a block within the region, apart from the block.
    pub fn way(&mut self, core: &Core, way: &Way) {
        let block = &self.region.blocks[way.number];
        let (label, body) = (way.label, self.bodies[way.number]);
        let before = self.before(block, way.reached, false);
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.check(core, block, before);
        dynasm!(self.asm ; .arch x64 ; jmp =>body);
    }

    /// The label by which block `number` is reached from within the region with state `reached`.
    pub fn way_to(&mut self, number: usize, reached: u32) -> DynamicLabel {
        let has_checks = number > 0 || self.repeats_first;
        if has_checks && reached == self.in_line[number] {
            return self.blocks[number];
        }
        let same = |way: &&Way| (way.number, way.reached) == (number, reached);
        if let Some(way) = self.all_ways.iter().find(same) {
            return way.label;
        }
        let way = Way { number, reached, label: self.label() };
        self.ways.push(way);
        self.all_ways.push(way);
        way.label
    }

    /// Emits the checks before a block that is reached from elsewhere: its page must be the most
    /// recent one of its ITLB set, and what [`Emitter::check`] checks. Clobbers RCX.
    pub fn check_entry(&mut self, core: &Core, block: &Block, before: Before) {
        self.check_line(core, block.eip, block.version, before, true);
        self.check_limit(block, before);
        self.check_next_line(core, block, before);
    }

    /// Emits the checks before a block: its lines must be the last ones looked up in their sets of
    /// L1I, as they were translated, and the block must end before the deadline. `before`: where
    /// execution continues if it cannot begin. Clobbers RCX.
    pub fn check(&mut self, core: &Core, block: &Block, before: Before) {
        self.check_limit(block, before);
        self.check_line(core, block.eip, block.version, before, false);
        self.check_next_line(core, block, before);
    }

    fn check_limit(&mut self, block: &Block, before: Before) {
        let (late, go) = (self.label(), self.label());
        dynasm!(self.asm ; .arch x64 ; cmp rbx, [BYTE rbp + offsets::near(offsets::LIMIT)] ; jae =>late ; =>go);
        self.cold.push(Cold::Late { label: late, go, before, longest: longest(block) });
    }

    fn check_next_line(&mut self, core: &Core, block: &Block, before: Before) {
        if let Some(version) = block.next_version {
            let linear = (block.eip | 31).wrapping_add(1);
            self.check_line(core, linear, version, before, linear.is_multiple_of(4096));
        }
    }

    /// Emits the check that the line at `linear`, in this version, is the last one looked up in its
    /// set of L1I; if not, it is fetched. `page`: true to check, too, that its page is the most
    /// recent one of its ITLB set.
    fn check_line(&mut self, core: &Core, linear: u32, version: u32, before: Before, page: bool) {
        let (tag, set) = core.fetched.place(linear, self.user);
        let fetched = offsets::FETCHED + 8 * set as i32;
        let (label, go) = (self.label(), self.label());
        if page {
            let page = linear >> 12;
            let set = (page & (self.code_sets - 1)) as i32 * size_of::<Use>() as i32;
            let expected = u64::from(tag) | u64::from(version) << 32;
            dynasm!(self.asm ; .arch x64
                ; mov rcx, [rbp + offsets::RECENT_CODE]
                ; cmp DWORD [rcx + set], page as i32
                ; jne =>label
                ; mov rcx, QWORD expected as i64
                ; cmp [rbp + fetched], rcx
                ; jne =>label
                ; =>go
            );
        } else {
            dynasm!(self.asm ; .arch x64
                ; cmp DWORD [rbp + fetched + 4], version as i32
                ; jne =>label
                ; =>go
            );
        }
        self.cold.push(Cold::Fetch { label, go, before, linear, version });
    }

    /// Makes the labels at which execution continues if a block cannot begin that is reached with
    /// state `reached`, or with the state in the `Target` at RAX if `came_by`: an exit from the
    /// region, or the code for a fetch that has taken time.
    pub fn before(&mut self, block: &Block, reached: u32, came_by: bool) -> Before {
        let out = self.label();
        let (label, eip, carried) = (out, block.eip, reached);
        self.cold.push(match came_by {
            true => Cold::Unbegun { label, eip, carried },
            false => {
                let counts = Packed::default();
                Cold::Out(Out { label, eip: Some(eip), carried, counts, how: INTERPRET })
            }
        });
        let gap = block.after_gap.map(|carried| {
            let label = self.label();
            self.cold.push(Cold::Gap { label, eip, carried });
            label
        });
        Before { out, gap, came_by }
    }
}

/// The largest number of clocks that a block may take; `None` if some clocks are unknown, or if it
/// exceeds the limit of any block. Accesses to L2 are only done where any block could begin.
fn longest(block: &Block) -> Option<i32> {
    let mut clocks = 0;
    for item in &block.items {
        clocks += u64::from(item.issue.clocks) + coverage::unforeseen_clocks(item)?;
    }
    let last = block.last.as_ref().map_or(0, |item| u64::from(item.issue.clocks) + 1);
    let longest = clocks + last;
    (longest < MAX_BLOCK_CLOCKS).then_some(longest as i32)
}
