//! The choice of blocks that are translated together.

use iced_x86::Mnemonic;
use rustc_hash::FxHashMap;

use super::block_code::Code;
use super::block_end::{End, transfer};
use super::pipeline_state::{Carried, Carries};
use super::x87_misaligned::Skew;
use super::x87_roles::{Posts, X87Role};
use super::x87_state::Floating;
use crate::execute::op::{Op, prefix};
use crate::frontend::decode::Decoding;
use crate::instruction::shape::Shape;
use crate::state::fetched_lines::{Fetched, VersionId};
use crate::timing::pipeline::{Issue, misprediction};
use crate::translator::{CodeCache, Place};

const PAGE: u32 = 4096;
const MAX_BLOCKS: usize = 64;
/// The largest number of clocks of a block, because no deadline is checked within a block.
pub(crate) const MAX_BLOCK_CLOCKS: u64 = 256;
/// A block with more clocks than this is not extended. The difference to the maximum leaves room
/// for the last instruction, accesses to L2 and other costs that are not known in advance.
const FULL_BLOCK_CLOCKS: u64 = 64;
/// An instruction that would make a block longer than this many clocks begins a block of its own.
const LONG_BLOCK_CLOCKS: u64 = 160;

/// One instruction of a region that is being translated, with what is known of it.
pub(crate) struct Item {
    pub eip: u32,
    pub decoding: Decoding,
    pub issue: Issue,
    /// The core clocks of the instruction, with waits for the x87, if accesses are done in place.
    pub clocks: u64,
    /// True if the instruction is in V, and it and the one paired with it in U access memory.
    pub checks_bank: bool,
    /// True if the bank of this instruction's access must be recorded for the instruction in V.
    pub notes_bank: bool,
    /// The states of pipes and x87 before and after the instruction, as numbers in `Carries`.
    pub before: u32,
    pub after: u32,
    /// The state of pipes and x87 after a mispredicted branch, in `Carries`; 0: no branch.
    pub drained: u32,
    /// The states of the x87 before and after the instruction; `None`: unknown.
    pub x87: (Option<Floating>, Option<Floating>),
    pub x87_role: X87Role,
    /// True if there may be a probe, so that the interpreter must execute the instruction.
    pub probed: bool,
    /// If an x87 instruction is in progress before this one: the states of pipes and x87 (numbers
    /// in `Carries`) with which execution continues after L2 has served the access once, or twice.
    /// `None`: none is in progress, its state is unknown, or there is no access.
    pub late: Option<[u32; 2]>,
    /// For FLDCW: the states of pipes and x87 after it (numbers in `Carries`), for each precision
    /// that it may load; `None` for other instructions.
    pub precisions: Option<[u32; 3]>,
    pub skew: Skew,
    /// The core clocks for which an x87 store waits for its value.
    pub waits: u64,
    /// For an x87 store: how it may be posted; `None` if only the interpreter can do that.
    pub posts: Option<Posts>,
}

impl Item {
    pub fn op(&self) -> &Op {
        &self.decoding.op
    }

    pub fn shape(&self) -> &Shape {
        &self.decoding.shape
    }

    /// The address of the next instruction.
    pub fn end(&self) -> u32 {
        self.eip.wrapping_add(u32::from(self.op().length))
    }
}

/// A block: consecutive instructions that begin in one line, or a single one that spans two lines,
/// translated for one state of pipes and x87 before it.
pub(crate) struct Block {
    pub eip: u32,
    /// The state of pipes and x87 before the block, as a number in `Carries`.
    pub carried: u32,
    /// The state of pipes and x87 before the block if fetching it took time, so that the pipes
    /// emptied; `None` if that state depends on how long it took.
    pub after_gap: Option<u32>,
    pub version: VersionId,
    /// The version of the next line, if the block's instruction spans two lines; else `None`.
    pub next_version: Option<VersionId>,
    /// The instructions, without the control transfer that `end` describes.
    pub items: Vec<Item>,
    /// The control transfer at the block's end; `None` if `end` is `Next`, `Leave` or `Again`.
    pub last: Option<Item>,
    pub end: End,
}

/// The blocks of one page that reach each other. The first block is the one that was requested.
pub(crate) struct Region {
    pub user: bool,
    /// The last address that code and data may use.
    pub segments_end: u32,
    pub blocks: Vec<Block>,
    /// For an address, and a state with which it is reached: the state for which the block there is
    /// translated (numbers in `Carries`).
    simplified: FxHashMap<(u32, u32), u32>,
}

/// What the translator reads when it collects the instructions of a region.
pub(crate) struct Source<'a> {
    pub code: &'a CodeCache,
    pub fetched: &'a Fetched,
    pub carries: &'a mut Carries,
    /// Core cycles of an access to L2, and those added if an operand crosses its natural boundary.
    pub l2_cycles: u64,
    pub misaligned_cycles: u64,
    pub user: bool,
}

impl Region {
    /// Collects a region of at most `MAX_BLOCKS` blocks of one page: follows direct branches (no
    /// calls) from `eip` through the lines in `fetched`, up to blocks that are already translated.
    pub fn collect(mut source: Source<'_>, eip: u32, carried: u32) -> Region {
        let segments_end = source.carries.get(carried).segments_end;
        let mut region = Region {
            user: source.user,
            segments_end,
            blocks: Vec::new(),
            simplified: FxHashMap::default(),
        };
        let mut wanted = vec![(eip, carried)];
        while let Some((eip, reached)) = wanted.pop() {
            let Some(code) = source.code_at(eip, segments_end) else { continue };
            let carried = source.carries.simplified(reached, &code.pipes());
            region.simplified.insert((eip, reached), carried);
            let full = region.blocks.len() == MAX_BLOCKS;
            let elsewhere = !region.blocks.is_empty() && source.is_translated(eip, carried);
            if full || elsewhere || region.find(eip, reached).is_some() {
                continue;
            }
            let block = source.block(eip, carried, code);
            let after = block.after();
            let near = |target: &u32| target / PAGE == eip / PAGE;
            let targets = block.end.successors();
            wanted.extend(targets.into_iter().filter(near).map(|target| (target, after)));
            region.blocks.push(block);
        }
        region
    }

    /// True if a block leads to the first one, with the state for which that was translated.
    pub fn repeats_first(&self) -> bool {
        let carried = self.blocks[0].carried;
        let mut states = self.blocks.iter().filter(|block| block.after() == carried);
        let is_first = |target: &u32| self.find(*target, carried) == Some(0);
        states.any(|block| block.end.successors().iter().any(is_first))
    }

    /// For each block, the state with which the code before it runs on into it, else the one for
    /// which it is translated.
    pub fn reached_in_line(&self) -> Vec<u32> {
        let mut reached: Vec<_> = self.blocks.iter().map(|block| block.carried).collect();
        for (number, before) in self.blocks.iter().enumerate() {
            let target = before.end.successors().last().copied();
            if target.and_then(|eip| self.find(eip, before.after())) == Some(number + 1) {
                reached[number + 1] = before.after();
            }
        }
        reached
    }

    /// The index of the block at `eip` that is reached with state `reached`; `None` if the region has
    /// none.
    pub fn find(&self, eip: u32, reached: u32) -> Option<usize> {
        let carried = self.simplified.get(&(eip, reached)).copied().unwrap_or(reached);
        let is_it = |block: &Block| block.eip == eip && block.carried == carried;
        self.blocks.iter().position(is_it)
    }
}

impl Block {
    /// The place at which the block can be entered; `None` for a block without instructions.
    pub fn place(&self, user: bool) -> Option<Place> {
        let leaves = self.items.is_empty() && self.last.is_none();
        let Block { eip, version, carried, .. } = *self;
        (!leaves).then_some(Place { eip, user, version, carried })
    }

    /// The state of pipes and x87 after the block, as a number in `Carries`.
    pub fn after(&self) -> u32 {
        let last = self.last.as_ref().or(self.items.last());
        last.map_or(self.carried, |item| item.after)
    }
}

impl Source<'_> {
    fn is_translated(&self, eip: u32, carried: u32) -> bool {
        let version = self.fetched.version(eip, self.user);
        let place = version.map(|version| Place { eip, user: self.user, version, carried });
        place.is_some_and(|place| self.code.has_translated(&place))
    }

    /// The block at `eip` for the state `carried`.
    fn block(&mut self, eip: u32, carried: u32, code: Code) -> Block {
        let segments_end = self.carries.get(carried).segments_end;
        let Code { version, next_version, decodings } = code;
        let items = self.issue(eip, carried, decodings);
        let (end, after_gap) = (End::Leave(eip), self.after_gap(carried));
        let (last, own) = (None, Vec::new());
        let mut block =
            Block { eip, carried, after_gap, version, next_version, items: own, last, end };
        block.take(items, segments_end);
        block
    }

    fn after_gap(&mut self, carried: u32) -> Option<u32> {
        let before = *self.carries.get(carried);
        let settled = before.x87.is_none_or(|x87| x87.is_settled());
        settled.then(|| self.carries.number(before.drained(0)))
    }

    /// Issues decoded instructions in order, from state `carried`, to compute the clocks of each.
    fn issue(&mut self, eip: u32, carried: u32, decodings: Vec<Decoding>) -> Vec<Item> {
        let mut pipes: Carried = *self.carries.get(carried);
        let mut before = carried;
        let mut at = eip;
        let following: Vec<_> = decodings.iter().skip(1).map(|next| next.pipe).collect();
        let mut items = Vec::new();
        for (i, mut decoding) in decodings.into_iter().enumerate() {
            let (x87, earlier) = ((pipes.x87, None), pipes);
            let (issue, checks_bank, notes_bank) = pipes.issue(&decoding.pipe, following.get(i));
            pipes = pipes.simplified(&following[i..]);
            let op = &mut decoding.op;
            op.cycles = issue.clocks;
            let mark = |on: bool, bit: u8| if on { bit } else { 0 };
            op.prefixes |= mark(checks_bank, prefix::CHECKS_BANK);
            op.prefixes |= mark(notes_bank, prefix::NOTES_BANK);
            let mut item = Item {
                eip: at,
                clocks: u64::from(issue.clocks),
                x87_role: X87Role::None,
                probed: self.code.is_left_to_interpreter(at),
                late: None,
                precisions: None,
                skew: Skew::Never,
                waits: 0,
                posts: None,
                drained: 0,
                after: 0,
                decoding,
                issue,
                checks_bank,
                notes_bank,
                before,
                x87,
            };
            item.skew = self.known_skew(&item);
            item.meet_x87(&mut pipes.x87, self.misaligned_cycles);
            item.x87.1 = pipes.x87;
            item.after = self.carries.number(pipes);
            item.late = self.late(&item, earlier, pipes);
            item.waits = item.store_waits(earlier).unwrap_or(0);
            item.posts = self.posts(&item, earlier);
            item.skew = self.skew(&item, pipes);
            item.precisions = self.precisions(&item, pipes);
            if item.decoding.ends_block {
                let penalty = misprediction(item.decoding.pipe.branch(), issue.second);
                item.drained = self.carries.number(pipes.drained(penalty));
            }
            at = item.end();
            before = item.after;
            items.push(item);
        }
        items
    }
}

impl Block {
    /// Takes the instructions up to the end of the block. A control transfer to an address behind
    /// the end of the segments faults, so it is left to the interpreter.
    fn take(&mut self, items: Vec<Item>, segments_end: u32) {
        let mut clocks = 0;
        for item in items {
            if item.x87_role == X87Role::Hides {
                self.end = End::Again;
                self.items.push(item);
                return;
            }
            if !item.decoding.ends_block {
                if belongs_to_the_interpreter(&item) {
                    self.end = End::Leave(item.eip);
                    return;
                }
                if clocks > 0 && clocks + item.clocks > LONG_BLOCK_CLOCKS {
                    self.end = End::Next(item.eip);
                    return;
                }
                clocks += item.clocks;
                self.end = End::Next(item.end());
                self.items.push(item);
                if clocks > FULL_BLOCK_CLOCKS {
                    return;
                }
                continue;
            }
            self.end = transfer(&item);
            if item.probed || self.end.target().is_some_and(|target| target > segments_end) {
                self.end = End::Leave(item.eip);
            }
            if !matches!(self.end, End::Leave(_)) {
                self.last = Some(item);
            }
            return;
        }
    }
}

/// True for instructions that end translated code: those on system registers, counters or ports,
/// LDS to LGS, INVLPG, INVD, WBINVD and HLT. The interpreter executes them.
fn belongs_to_the_interpreter(item: &Item) -> bool {
    use Mnemonic as M;
    let shape = item.shape();
    let system = matches!(
        shape.mnemonic,
        M::Wrmsr
            | M::Rdmsr
            | M::Rdtsc
            | M::Invlpg
            | M::Invd
            | M::Wbinvd
            | M::Hlt
            | M::Lgdt
            | M::Lidt
            | M::Lldt
            | M::Ltr
            | M::Lmsw
            | M::Clts
            | M::In
            | M::Out
            | M::Insb
            | M::Insw
            | M::Insd
            | M::Outsb
            | M::Outsw
            | M::Outsd
            | M::Les
            | M::Lds
            | M::Lss
            | M::Lfs
            | M::Lgs
    );
    system || shape.special_register
}
