//! The translation of one region: its blocks, their counts, its exits.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::coverage;
use super::slow_path::{Before, CarriedNumbers, Cold, Out};
use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::observe::transfers::Entries;
use crate::translator::regions::collect::{Block, Item, MAX_BLOCK_CLOCKS, Region};
use crate::translator::regions::pipeline_state::Carries;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::integer::alu;
use crate::translator::x64::integer::flags::{Flags, fate};
use crate::translator::x64::memory::transactions::Resumption;
use crate::translator::x64::string::repeated;
use crate::translator::x64::stubs::callbacks::AS_EXPECTED;
use crate::translator::x64::stubs::enter_leave::{AGAIN, INTERPRET, STOPPED, Stubs};
use crate::translator::x64::stubs::profile_counts::Called;
use crate::translator::x64::x87::ops::Recorded;
use crate::translator::x64::{CodeMemory, Compiled, SET_BYTES};
use crate::translator_frame::packed_counts::{Counts, Packed};
use crate::units::tlb::Use;

/// Clocks and counts of instructions, as the code will add them to the core's.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Done {
    pub clocks: u64,
    pub counts: Counts,
}

impl Done {
    pub fn add(&mut self, other: Done) {
        self.clocks += other.clocks;
        self.counts.add(other.counts);
    }
}

pub(crate) struct Emitter<'a> {
    pub asm: Assembler,
    pub stubs: &'a Stubs,
    pub region: &'a Region,
    /// `Some` if control transfers are recorded. Direct jumps are recorded only to these addresses.
    pub watched: Option<Entries>,
    pub blocks: Vec<DynamicLabel>,
    /// `entries`: the entry of each block from other regions. `befores`: where each block leaves to
    /// if it does not begin.
    entries: Vec<DynamicLabel>,
    befores: Vec<Before>,
    pub cold: Vec<Cold>,
    /// Clocks and counts of the present block up to this point that no emitted code has added to
    /// the core's yet.
    pub done: Done,
    /// Constants that the emitted code adds to the counts, with their labels. The constants are
    /// placed after the code.
    counts: Vec<(Packed, DynamicLabel)>,
    pub carries: &'a Carries,
    pub recorded: Option<Recorded>,
    pub flags: Flags,
    pub user: bool,
    /// The last address that code and data may use; `None`: the segments are flat.
    pub segments_end: Option<u32>,
    /// The label at which the interpreter does the instruction of the last access.
    pub interpreter: DynamicLabel,
    /// L1D's number of sets less one, times `SET_BYTES`.
    pub set_mask: i32,
    /// How many core cycles one access that L2 serves takes.
    pub l2_cycles: i32,
    pub code_sets: u32,
    pub exits: Box<[u64]>,
    exits_used: usize,
    pub exit_labels: Vec<DynamicLabel>,
    pub leave_interpret: DynamicLabel,
    pub leave_again: DynamicLabel,
}

/// Translates a region; `None` if the host provides no memory for it, or does not permit it to be
/// executable.
pub(in crate::translator) fn compile(
    core: &Core,
    region: Region,
    watched: Option<Entries>,
    stubs: &Stubs,
    carries: &Carries,
    memory: &mut CodeMemory,
) -> Option<Compiled> {
    let items = region.blocks.iter().flat_map(|block| block.items.iter().chain(&block.last));
    let op = |item: &Item| Op {
        handler: repeated::handler(item).unwrap_or(item.op().handler),
        ..*item.op()
    };
    let ops: Box<[Op]> = items.map(op).collect();
    let mut asm = Assembler::new();
    let [blocks, entries] =
        [(); 2].map(|()| region.blocks.iter().map(|_| asm.new_dynamic_label()).collect());
    // Upper limit of the number of exits. A block may begin after a gap; a branch may leave in two
    // directions, predicted or not; an access may be late in two ways, or misaligned, or with two
    // other precisions.
    let exits = vec![0; 5 * region.blocks.len() + 4 * ops.len()].into_boxed_slice();
    let mut emitter = Emitter {
        watched,
        leave_interpret: asm.new_dynamic_label(),
        leave_again: asm.new_dynamic_label(),
        interpreter: asm.new_dynamic_label(),
        asm,
        stubs,
        region: &region,
        blocks,
        entries,
        befores: Vec::new(),
        cold: Vec::new(),
        done: Done::default(),
        counts: Vec::new(),
        carries,
        recorded: None,
        flags: Flags::Memory,
        user: region.user,
        segments_end: (region.segments_end != u32::MAX).then_some(region.segments_end),
        set_mask: (core.config.cache.l1d.sets() as i32 - 1) * SET_BYTES as i32,
        l2_cycles: core.l2_cycles() as i32,
        code_sets: core.tlbs.code.uses.len() as u32,
        exits,
        exits_used: 0,
        exit_labels: Vec::new(),
    };
    emitter.befores = region.blocks.iter().map(|block| emitter.before(block)).collect();
    emitter.entry(core, 0);
    let mut next_op = 0;
    for number in 0..region.blocks.len() {
        emitter.block(core, number, &ops, &mut next_op);
    }
    for number in 1..region.blocks.len() {
        emitter.entry(core, number);
        let block = emitter.blocks[number];
        dynasm!(emitter.asm ; .arch x64 ; jmp =>block);
    }
    // Constants that the fast path uses are placed near it.
    let near = emitter.emit_counts(0);
    emitter.cold_code();
    emitter.emit_counts(near);
    emitter.finish(ops, memory)
}

impl Emitter<'_> {
    /// Emits a block's entry: it checks that the page is the most recent one of its ITLB set and
    /// that the block's first line is the last one looked up in its set of L1I. Clobbers RAX.
    fn entry(&mut self, core: &Core, number: usize) {
        let (block, entry) = (&self.region.blocks[number], self.entries[number]);
        dynasm!(self.asm ; .arch x64 ; =>entry);
        self.check_line(core, block.eip, block.version, self.befores[number], true);
    }

    fn block(&mut self, core: &Core, number: usize, ops: &[Op], next_op: &mut usize) {
        let region = self.region;
        let block = &region.blocks[number];
        let label = self.blocks[number];
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.flags = Flags::Memory;
        self.done = Done::default();
        self.recorded = None;
        self.check(core, block, self.befores[number]);
        for (index, item) in block.items.iter().enumerate() {
            let op: *const Op = &ops[*next_op];
            *next_op += 1;
            let fate = fate(block, index);
            alu::item(self, item, op, fate);
        }
        let last: *const Op = if block.last.is_some() { &ops[*next_op] } else { std::ptr::null() };
        *next_op += usize::from(block.last.is_some());
        self.end(block, last, number + 1);
    }

    /// Emits the checks before a block: its lines must be the last ones looked up in their sets of
    /// L1I, as they were translated, and the block must end before the deadline. `before`: where
    /// execution continues if it cannot begin. Clobbers RAX.
    fn check(&mut self, core: &Core, block: &Block, before: Before) {
        let (late, go, out) = (self.label(), self.label(), before.out);
        dynasm!(self.asm ; .arch x64 ; cmp rbx, [BYTE rbp + offsets::near(offsets::LIMIT)] ; jae =>late ; =>go);
        self.cold.push(Cold::Late { label: late, go, out, longest: longest(block) });
        self.check_line(core, block.eip, block.version, before, false);
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
                ; mov rax, [rbp + offsets::RECENT_CODE]
                ; cmp DWORD [rax + set], page as i32
                ; jne =>label
                ; mov rax, QWORD expected as i64
                ; cmp [rbp + fetched], rax
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

    pub fn label(&mut self) -> DynamicLabel {
        self.asm.new_dynamic_label()
    }

    /// Makes the labels at which execution continues if a block cannot begin: an exit from the
    /// region, or the code for a fetch that has taken time.
    fn before(&mut self, block: &Block) -> Before {
        let out = self.label();
        let (eip, carried) = (block.eip, block.carried);
        let counts = Packed::default();
        self.cold.push(Cold::Out(Out {
            label: out,
            eip: Some(eip),
            carried,
            counts,
            how: INTERPRET,
        }));
        let gap = block.after_gap.map(|carried| {
            let label = self.label();
            self.cold.push(Cold::Gap { label, eip, carried });
            label
        });
        Before { out, gap }
    }

    /// Emits the addition of the clocks and counts of the block up to here; changes no flags.
    pub fn settle(&mut self) {
        let done = std::mem::take(&mut self.done);
        if done.clocks > 0 {
            self.add_clocks(done.clocks);
        }
        self.add_counts(done.counts.packed());
    }

    /// Emits the addition of core clocks to the cycle count; changes no flags.
    fn add_clocks(&mut self, clocks: u64) {
        match i8::try_from(clocks) {
            Ok(few) => dynasm!(self.asm ; .arch x64 ; lea rbx, [BYTE rbx + few]),
            Err(_) => dynasm!(self.asm ; .arch x64 ; lea rbx, [rbx + clocks as i32]),
        }
    }

    pub fn add_counts(&mut self, packed: Packed) {
        if packed == Packed::default() {
            return;
        }
        let known = self.counts.iter().find(|(counts, _)| *counts == packed);
        let label = known.map_or_else(|| self.asm.new_dynamic_label(), |&(_, label)| label);
        if known.is_none() {
            self.counts.push((packed, label));
        }
        dynasm!(self.asm ; .arch x64 ; paddq xmm15, [=>label]);
    }

    /// Emits the constants to add, from index `from` on; returns the number of constants.
    fn emit_counts(&mut self, from: usize) -> usize {
        dynasm!(self.asm ; .arch x64 ; .align 16);
        for &(Packed([first, second]), label) in &self.counts[from..] {
            dynasm!(self.asm ; .arch x64 ; =>label ; .u64 first, second);
        }
        self.counts.len()
    }

    /// Emits the exit of the region to guest address `eip`, with state number `carried` of pipes
    /// and x87; the exit can later be joined to translated code there. Clobbers RAX.
    pub fn exit_to(&mut self, eip: u32, carried: u32) {
        let slot = self.exits_used;
        self.exits_used += 1;
        let label = self.label();
        self.exit_labels.push(label);
        self.cold.push(Cold::Exit { slot, eip, carried });
        let address = std::ptr::from_ref(&self.exits[slot]) as i64;
        dynasm!(self.asm ; .arch x64 ; mov rax, QWORD address ; jmp QWORD [rax]);
    }

    /// Emits the exit to the interpreter, which continues at guest address `eip`; `carried`: the
    /// state of pipes and x87 there.
    pub fn leave_at(&mut self, eip: u32, carried: u32) {
        self.unload(carried);
        let leave = self.leave_interpret;
        dynasm!(self.asm ; .arch x64
            ; mov DWORD [rbp + offsets::EIP], eip as i32
            ; mov DWORD [rbp + offsets::CARRIED], carried as i32
            ; jmp =>leave
        );
    }

    /// Emits the call of the interpreter for one instruction of any kind; `flags`: true if the
    /// instruction uses or sets the arithmetic flags.
    pub fn step(&mut self, item: &Item, op: *const Op, flags: bool) {
        self.settle();
        if let Some(unloading) = self.unloading(item) {
            self.put_x87(&unloading);
            self.recorded = None;
        }
        let known = item.x87.0.is_some();
        let stub = if flags { self.stubs.step_flags } else { self.stubs.step };
        let (stopped, out) = (self.label(), self.label());
        let (waits, done) = (self.label(), self.label());
        // The interpreter has already added its own clocks.
        let own = Done { clocks: 0, ..coverage::own(item, None) };
        self.cold.push(Cold::Out(Out {
            label: stopped,
            eip: None,
            carried: item.before,
            counts: Packed::default(),
            how: STOPPED,
        }));
        self.cold.push(Cold::Resumption { op, labels: Resumption { waits, stopped, done } });
        self.cold.push(Cold::Out(Out {
            label: out,
            eip: None,
            carried: item.after,
            counts: own.counts.packed(),
            how: if known { AGAIN } else { INTERPRET },
        }));
        self.tally(Called::Stepped, item.decoding.instruction.code());
        self.expect(known, CarriedNumbers::of(item));
        dynasm!(self.asm ; .arch x64
            ; mov DWORD [rbp + offsets::EIP], item.eip as i32
            ; mov rdx, QWORD op as i64
            ; mov rcx, -1
        );
        self.asm.call(stub);
        dynasm!(self.asm ; .arch x64
            ; test eax, eax
            ; jz =>waits
            ; =>done
        );
        if known {
            dynasm!(self.asm ; .arch x64 ; cmp eax, AS_EXPECTED ; jne =>out);
        }
        dynasm!(self.asm ; .arch x64 ; cmp rbx, [rbp + offsets::LIMIT] ; jae =>out);
        self.done.add(own);
        self.flags = Flags::Memory;
    }

    /// Emits code that stores the states before and after the instruction, with which the result of the interpreter's step is compared; nothing if the
    /// x87's state is not `known`.
    pub fn expect(&mut self, known: bool, carried: CarriedNumbers) {
        if known {
            dynasm!(self.asm ; .arch x64
                ; mov DWORD [rbp + offsets::CARRIED], carried.before as i32
                ; mov DWORD [rbp + offsets::EXPECTED], carried.after as i32
            );
        }
    }

    /// Emits the exit after which execution enters again, at the instruction that the interpreter
    /// has reached and for the x87's state there.
    pub fn again(&mut self) {
        let leave = self.leave_again;
        dynasm!(self.asm ; .arch x64 ; jmp =>leave);
    }

    fn finish(self, ops: Box<[Op]>, memory: &mut CodeMemory) -> Option<Compiled> {
        let Emitter { asm, mut exits, exit_labels, entries, .. } = self;
        let lengths = asm.lengths(false);
        let entries = memory.put(asm, |asm, places| {
            for (exit, &label) in exits.iter_mut().zip(&exit_labels) {
                *exit = asm.address(label, places);
            }
            entries.iter().map(|&label| asm.address(label, places)).collect()
        })?;
        Some(Compiled { entries, bytes: lengths.fast + lengths.seldom, _exits: exits, _ops: ops })
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
