//! What instructions cost together: pairs, address stalls (AGI), decoding of prefixes.
//!
//! Source: `fog-microarchitecture`, the chapters on the P1; the numbers are in
//! `machine/isa/pipeline.toml`. [`Pipeline::issue`] is the whole rule. It is applied when a block
//! is decoded, with empty pipes before it ([`schedule`]): then each operation carries its clocks,
//! and executing a block charges constants. What entered the pipes before the block is looked at
//! once per block ([`Pipeline::meets`]); if it matters, the block's first instruction is issued by
//! the rule itself, and the rest is a block of its own.
//!
//! * A clock with an address stall, and each clock of an instruction after its first, hides the
//!   decoding of a prefix in the next two clocks or pairs.
//! * An instruction in V that waits for an address makes the pair longer only beyond what the one
//!   in U takes anyway.
//! * An interrupt, or a stop, that is due between the two of a pair comes between them: after an
//!   interrupt the second one executes in U.
//!
//! Invariant: the clocks do not depend on where runs begin and end: after any instruction the
//! pipeline is what the rule makes of the instructions before it.

use serde::{Deserialize, Serialize};

use crate::instruction::shape::Branch;
use crate::timing::pairing::{Pipe, traits};

/// `machine/isa/pipeline.toml`.
pub(crate) mod clocks {
    include!(concat!(env!("OUT_DIR"), "/pipeline.rs"));
}

/// What the next instruction may depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Pipeline {
    /// The bits of `matter`.
    present: u8,
    /// General registers that cannot be used in an address now.
    late: u8,
    /// The same before the instruction in U, for the one in V.
    late_for_second: u8,
    /// The instruction in U has already waited for its address.
    stalled: bool,
    /// Clocks of the last two instructions or pairs that hide decoding, the older first.
    hiding: [u8; 2],
    /// Bits 4 to 2 of the address that the instruction in U accessed, if the next looks at it.
    pub bank: u8,
    /// The instruction in U, while V is free.
    first: Pipe,
}

/// What of a pipeline may matter to a block.
mod matter {
    /// An instruction is in U that the next may join.
    pub const OPEN: u8 = 1 << 0;
    /// Some decoding would be hidden.
    pub const HIDING: u8 = 1 << 1;
    /// FXCH was the last, in V.
    pub const EXCHANGED: u8 = 1 << 2;
}

/// How one instruction is issued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Issue {
    pub clocks: u16,
    /// In V.
    pub second: bool,
    /// It waits for a register of its address.
    pub stalls: bool,
}

impl Pipeline {
    /// Nothing is in the pipes: after a flush or a gap in fetching.
    pub fn drain(&mut self) {
        *self = Pipeline::default();
    }

    /// The same, with another bank noted.
    pub fn with_bank(self, bank: u8) -> Pipeline {
        Pipeline { bank, ..self }
    }

    /// Whether an instruction is in U that the next may join.
    pub fn is_open(&self) -> bool {
        self.present & matter::OPEN != 0
    }

    /// Whether both the instruction in U and `second` access memory.
    pub fn both_access(&self, second: &Pipe) -> bool {
        self.is_open() && self.first.has(traits::MEMORY) && second.has(traits::MEMORY)
    }

    /// Issues the next instruction.
    pub fn issue(&mut self, pipe: &Pipe) -> Issue {
        if self.is_open() && self.first.pairs_with(pipe) {
            return self.issue_second(pipe);
        }
        let exchanged = self.present & matter::EXCHANGED != 0 && !pipe.has(traits::FLOAT);
        let exchange = if exchanged { clocks::EXCHANGE_BEFORE_INTEGER } else { 0 };
        let decoding = self.decode(pipe.prefixes) * clocks::PREFIX;
        let waited = exchange + decoding > 0;
        let stalls = self.late & pipe.addresses != 0 && !waited;
        let stall = if stalls { clocks::ADDRESS_STALL } else { 0 };
        let open = pipe.has(traits::FIRST | traits::WITH_EXCHANGE);
        let hides = pipe.hides.saturating_add((stall + exchange) as u8);
        *self = Pipeline {
            present: if open { matter::OPEN } else { 0 },
            late: pipe.late,
            late_for_second: if open && !waited { self.late } else { 0 },
            stalled: open && stalls,
            hiding: [self.hiding[1], hides],
            bank: 0,
            first: if open { *pipe } else { Pipe::default() },
        };
        self.note_hiding();
        Issue { clocks: pipe.clocks + decoding + stall + exchange, second: false, stalls }
    }

    /// Issues the next instruction in V.
    fn issue_second(&mut self, pipe: &Pipe) -> Issue {
        let stalls = self.late_for_second & pipe.addresses != 0;
        let exchange = pipe.has(traits::EXCHANGE);
        let more = if exchange {
            0
        } else {
            let together = clocks::PAIR[usize::from(self.first.clocks - 1)];
            let pair = together[usize::from(pipe.clocks - 1)];
            let late = stalls && !self.stalled;
            let waiting = if late { pipe.clocks + clocks::ADDRESS_STALL } else { 0 };
            pair.max(waiting) - self.first.clocks
        };
        *self = Pipeline {
            present: if exchange { matter::EXCHANGED } else { 0 },
            late: self.late | pipe.late,
            hiding: [self.hiding[0], self.hiding[1].saturating_add(more as u8)],
            ..Pipeline::default()
        };
        self.note_hiding();
        Issue { clocks: more, second: true, stalls }
    }

    /// Decodes prefixes; how many of them nothing hides.
    fn decode(&mut self, prefixes: u8) -> u16 {
        let mut left = prefixes;
        for hiding in &mut self.hiding {
            let hidden = left.min(*hiding);
            *hiding -= hidden;
            left -= hidden;
        }
        u16::from(left)
    }

    fn note_hiding(&mut self) {
        if self.hiding != [0; 2] {
            self.present |= matter::HIDING;
        }
    }

    /// Whether the block may execute otherwise than in empty pipes.
    #[inline(always)]
    pub fn meets(&self, entry: &Entry) -> bool {
        self.present & entry.matters != 0 || self.late & entry.addresses != 0
    }

    /// Whether it does: an instruction that is in U may not take the block's first beside it.
    pub fn changes(&self, entry: &Entry, first: &Pipe) -> bool {
        let others = self.present & entry.matters & !matter::OPEN != 0;
        others || self.late & entry.addresses != 0 || self.first.pairs_with(first)
    }
}

/// What of the pipes matters to a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    matters: u8,
    /// Registers in the addresses of its first instruction or pair.
    addresses: u8,
}

/// The timing of a block that begins in empty pipes, besides the clocks of its operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockTiming {
    pub entry: Entry,
    /// The pipes after it.
    exit: Pipeline,
    /// The last operation notes its bank.
    notes_bank: bool,
    /// It is one instruction or pair, which has not waited: what was before it shows behind it.
    single: bool,
    waited: bool,
    pub seconds: u8,
    pub stalls: u8,
    /// The branch that ends it, and whether that is in V.
    pub branch: Branch,
    pub ends_in_second: bool,
}

impl BlockTiming {
    /// The pipes after the block.
    #[inline(always)]
    pub fn leave(&self, pipeline: &mut Pipeline, bank: u8) {
        let before = std::mem::replace(pipeline, self.exit);
        if self.notes_bank {
            pipeline.bank = bank;
        }
        if self.single {
            self.carry(&before, pipeline);
        }
    }

    /// What shows of the pipes before a single instruction or pair.
    fn carry(&self, before: &Pipeline, pipeline: &mut Pipeline) {
        pipeline.hiding[0] = before.hiding[1];
        pipeline.note_hiding();
        if pipeline.is_open() && !self.waited {
            pipeline.late_for_second = before.late;
        }
    }
}

/// What a block's schedule gives one of its instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub clocks: u16,
    /// The first of a pair whose second accesses memory too, or may.
    pub notes_bank: bool,
    /// The second of a pair in which both access memory.
    pub checks_bank: bool,
}

/// Issues the instructions of a block one by one; `give` is called with what each is given.
pub(crate) fn schedule(pipes: &[Pipe], mut give: impl FnMut(usize, Slot)) -> BlockTiming {
    let mut pipeline = Pipeline::default();
    let mut timing = BlockTiming::default();
    let mut groups = 0;
    for (i, pipe) in pipes.iter().enumerate() {
        let both = pipeline.both_access(pipe);
        let issue = pipeline.issue(pipe);
        groups += u8::from(!issue.second);
        timing.seconds += u8::from(issue.second);
        timing.stalls += u8::from(issue.stalls);
        timing.ends_in_second = issue.second;
        timing.branch = pipe.branch();
        if groups == 1 {
            timing.entry.addresses |= pipe.addresses;
            timing.waited |= !issue.second && issue.clocks > pipe.clocks;
        }
        if groups <= 2 && pipe.prefixes > 0 {
            timing.entry.matters |= matter::HIDING;
        }
        let notes_bank = notes_bank(pipe, pipes.get(i + 1)) && !issue.second;
        timing.notes_bank |= notes_bank && i + 1 == pipes.len();
        give(i, Slot { clocks: issue.clocks, notes_bank, checks_bank: issue.second && both });
    }
    timing.single = groups == 1;
    timing.exit = pipeline;
    let first = &pipes[0];
    if first.has(traits::SECOND | traits::EXCHANGE) {
        timing.entry.matters |= matter::OPEN;
    }
    if !first.has(traits::FLOAT) {
        timing.entry.matters |= matter::EXCHANGED;
    }
    timing
}

/// Whether an instruction in U notes its bank for the one behind it in its block, or for whatever
/// follows the block.
pub(crate) fn notes_bank(pipe: &Pipe, next: Option<&Pipe>) -> bool {
    let may = pipe.has(traits::FIRST) && pipe.has(traits::MEMORY);
    may && next.is_none_or(|next| next.has(traits::MEMORY) && pipe.pairs_with(next))
}

/// What it costs not to have foreseen a branch, which was in V or not.
pub(crate) fn misprediction(branch: Branch, second: bool) -> u64 {
    let late = second && branch == Branch::Conditional;
    u64::from(if late { clocks::MISPREDICTION_CONDITIONAL_V } else { clocks::MISPREDICTION })
}
