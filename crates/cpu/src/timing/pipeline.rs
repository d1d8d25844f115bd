//! The cost of instructions together: pairs, address stalls (AGI), decoding of prefixes.
//!
//! Source: `fog-microarchitecture`, the chapters on the P1; the numbers are in
//! `machine/isa/pipeline.toml`. [`Pipeline::issue`] is the whole rule. The rule is applied once
//! when a block is decoded, with empty pipes before it ([`schedule`]): each operation then has its
//! clocks, and executing a block charges constants. The state of the pipes before the block is
//! checked once per block ([`Pipeline::meets`]). If it matters, the block's first instruction is
//! issued by the rule itself, and the rest is a block of its own.
//!
//! * A clock with an address stall, and each clock of an instruction after its first, hides the
//!   decoding of a prefix in the next two clocks or pairs.
//! * An instruction in V that waits for an address makes the pair longer only by the clocks that
//!   exceed those of the instruction in U.
//! * If an interrupt or a stop is due between the two instructions of a pair, it comes between
//!   them; after an interrupt the second instruction executes in U.
//!
//! Invariant: the clocks do not depend on where runs begin and end: after any instruction the
//! pipeline has the state that the rule computes from the instructions before it.

use serde::{Deserialize, Serialize};

use crate::instruction::shape::Branch;
use crate::timing::pairing::{Pipe, traits};

/// The clocks of `machine/isa/pipeline.toml`.
pub(crate) mod clocks {
    include!(concat!(env!("OUT_DIR"), "/pipeline.rs"));
}

/// The state of the pipes on which the next instruction's cost may depend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Pipeline {
    /// Which properties ([`matter`]) this state has, a bit each.
    pub(super) present: u8,
    /// The general registers from which no address can be computed in this clock, a bit each.
    pub(super) late: u8,
    /// The general registers from which an instruction in V can compute no address, a bit each.
    pub(super) late_for_second: u8,
    /// True if the instruction in U has already waited for its address.
    pub(super) stalled: bool,
    /// For the last two instructions or pairs, the older first: how many clocks of prefix decoding
    /// they can hide.
    pub(super) hiding: [u8; 2],
    /// The bank (bits 4 to 2 of the address) that the instruction in U accessed, if the next
    /// instruction must check for a bank conflict.
    pub bank: u8,
    /// The instruction in U, while V is still free.
    pub(super) first: Pipe,
}

/// Properties of the state of the pipes before a block that may change the block's cost.
pub(super) mod matter {
    /// An instruction is in U and V is free, so that the next one may pair with it.
    pub const OPEN: u8 = 1 << 0;
    /// Some clocks can still hide the decoding of a prefix.
    pub const HIDING: u8 = 1 << 1;
    /// The last instruction was FXCH in V.
    pub const EXCHANGED: u8 = 1 << 2;
}

/// How the pipes execute one instruction: its core clocks, its pipe (U or V), its waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Issue {
    pub clocks: u16,
    /// True if the instruction is issued in V.
    pub second: bool,
    /// True if the instruction waits for a register of its address.
    pub stalls: bool,
}

impl Pipeline {
    /// Empties the pipes, after a flush or a gap in fetching.
    pub fn drain(&mut self) {
        *self = Pipeline::default();
    }

    /// A copy of this state with another value of `bank`.
    pub fn with_bank(self, bank: u8) -> Pipeline {
        Pipeline { bank, ..self }
    }

    /// True if an instruction is in U with which the next one may pair.
    pub fn is_open(&self) -> bool {
        self.present & matter::OPEN != 0
    }

    /// True if both the instruction in U and `second` access memory.
    pub fn both_access(&self, second: &Pipe) -> bool {
        self.is_open() && self.first.has(traits::MEMORY) && second.has(traits::MEMORY)
    }

    /// Issues the next instruction to U, or to V if it pairs. Returns its clocks; the state becomes
    /// that after it.
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

    /// Issues the next instruction in V, together with the one in U.
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

    /// Decodes `prefixes` prefix bytes; returns how many of their clocks earlier instructions do
    /// not hide.
    fn decode(&mut self, prefixes: u8) -> u16 {
        let mut left = prefixes;
        for hiding in &mut self.hiding {
            let hidden = left.min(*hiding);
            *hiding -= hidden;
            left -= hidden;
        }
        u16::from(left)
    }

    pub(super) fn note_hiding(&mut self) {
        if self.hiding != [0; 2] {
            self.present |= matter::HIDING;
        }
    }

    /// True if the state before the block may change the block's cost, compared with empty pipes.
    #[inline(always)]
    pub fn meets(&self, entry: &Entry) -> bool {
        self.present & entry.matters != 0 || self.late & entry.addresses != 0
    }

    /// True if the state before the block changes the block's cost; false if [`Pipeline::meets`]
    /// was true only because an instruction is in U, and it does not pair with the block's first.
    pub fn changes(&self, entry: &Entry, first: &Pipe) -> bool {
        let others = self.present & entry.matters & !matter::OPEN != 0;
        others || self.late & entry.addresses != 0 || self.first.pairs_with(first)
    }
}

/// The parts of the pipes' state on which a block's cost depends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    matters: u8,
    /// The general registers from which the addresses of the block's first instruction or pair are
    /// computed, a bit each.
    addresses: u8,
}

/// The timing of a block that begins in empty pipes. The clocks of its operations are in the
/// operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockTiming {
    pub entry: Entry,
    /// The state of the pipes behind the block's last instruction.
    exit: Pipeline,
    /// True if the block's last instruction records the bank of its access, for the instruction
    /// after the block.
    notes_bank: bool,
    /// `single`: the block is one instruction or pair, so that the state before it affects the
    /// state after it. `waited`: the decoding of prefixes delays the block's first instruction.
    /// `seconds`, `stalls`: the numbers of instructions in V and of address stalls.
    pub single: bool,
    waited: bool,
    pub seconds: u8,
    pub stalls: u8,
    /// The branch that ends the block, and true if it executes in V.
    pub branch: Branch,
    pub ends_in_second: bool,
}

impl BlockTiming {
    /// Sets `pipeline` to the state after the block. `bank`: the bank that the block's last
    /// instruction recorded.
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

    /// Transfers to the state after the block what remains of the state before it, for a block of
    /// one instruction or pair.
    fn carry(&self, before: &Pipeline, pipeline: &mut Pipeline) {
        pipeline.hiding[0] = before.hiding[1];
        pipeline.note_hiding();
        if pipeline.is_open() && !self.waited {
            pipeline.late_for_second = before.late;
        }
    }
}

/// What one instruction costs within its block, in core clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub clocks: u16,
    /// True for the first instruction of a pair whose second also accesses memory, or may.
    pub notes_bank: bool,
    /// True for the second instruction of a pair in which both access memory.
    pub checks_bank: bool,
}

/// Issues the instructions of a block in order, beginning with empty pipes, and calls `give` with
/// the index and the schedule of each. Returns the block's timing.
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

/// True if an instruction in U records its bank for the next one in its block, or for the
/// instruction after the block.
pub(crate) fn notes_bank(pipe: &Pipe, next: Option<&Pipe>) -> bool {
    let may = pipe.has(traits::FIRST) && pipe.has(traits::MEMORY);
    may && next.is_none_or(|next| next.has(traits::MEMORY) && pipe.pairs_with(next))
}

/// The core clocks that a mispredicted branch costs; `second`: true if the branch was in V.
pub(crate) fn misprediction(branch: Branch, second: bool) -> u64 {
    let late = second && branch == Branch::Conditional;
    u64::from(if late { clocks::MISPREDICTION_CONDITIONAL_V } else { clocks::MISPREDICTION })
}
