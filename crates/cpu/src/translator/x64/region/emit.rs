//! The translation of one region: its blocks, their counts, its exits.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::block_start::Way;
use super::coverage;
use super::slow_path::{CarriedNumbers, Cold, Out};
use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::observe::transfers::Entries;
use crate::translator::regions::collect::{Item, Region};
use crate::translator::regions::indirect_targets::{ENTRY, Target};
use crate::translator::regions::pipeline_state::Carries;
use crate::translator::x64::control::conditional::Taken;
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
    /// For each block, its entry from other regions, and its code behind the checks before it.
    pub entries: Vec<DynamicLabel>,
    pub bodies: Vec<DynamicLabel>,
    /// For each block, the state with which the checks before it, if they stand in line, are
    /// reached.
    pub in_line: Vec<u32>,
    /// True if the first block has checks in line, because blocks of the region lead to it; else its
    /// entry stands there.
    pub repeats_first: bool,
    /// Taken branches whose code is still to be emitted.
    pub taken: Vec<Taken>,
    /// Ways to blocks within the region that have checks of their own: those still to be emitted,
    /// and all.
    pub ways: Vec<Way>,
    pub all_ways: Vec<Way>,
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
    pub exits: Box<[Target]>,
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
    let [blocks, bodies, entries] =
        [(); 3].map(|()| region.blocks.iter().map(|_| asm.new_dynamic_label()).collect());
    // Upper limit of the number of exits. A block may begin after a gap; a branch may leave in two
    // directions, predicted or not; an access may be late in two ways, or misaligned, or with two
    // other precisions.
    let exits = vec![Target::default(); 5 * region.blocks.len() + 4 * ops.len()].into_boxed_slice();
    let mut emitter = Emitter {
        watched,
        leave_interpret: asm.new_dynamic_label(),
        leave_again: asm.new_dynamic_label(),
        interpreter: asm.new_dynamic_label(),
        asm,
        stubs,
        region: &region,
        blocks,
        bodies,
        entries,
        in_line: region.reached_in_line(),
        repeats_first: region.repeats_first(),
        taken: Vec::new(),
        ways: Vec::new(),
        all_ways: Vec::new(),
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
    emitter.blocks_and_ways(core, &ops);
    // Constants that the fast path uses are placed near it.
    let near = emitter.emit_counts(0);
    emitter.cold_code(core);
    emitter.emit_counts(near);
    emitter.finish(ops, memory)
}

impl Emitter<'_> {
    /// Emits the region's blocks in their order, and behind them the other ways to them.
    fn blocks_and_ways(&mut self, core: &Core, ops: &[Op]) {
        let mut next_op = 0;
        for number in 0..self.region.blocks.len() {
            self.block(core, number, ops, &mut next_op);
        }
        for taken in std::mem::take(&mut self.taken) {
            self.taken(&taken);
        }
        let outside = usize::from(!self.repeats_first);
        for number in outside..self.region.blocks.len() {
            self.entry(core, number);
        }
        while let Some(way) = self.ways.pop() {
            self.way(core, &way);
        }
    }

    fn block(&mut self, core: &Core, number: usize, ops: &[Op], next_op: &mut usize) {
        let region = self.region;
        let block = &region.blocks[number];
        let (body, begins) = (self.bodies[number], number == 0 && !self.repeats_first);
        let label = if begins { self.entries[number] } else { self.blocks[number] };
        let before = self.before(block, self.in_line[number], begins);
        dynasm!(self.asm ; .arch x64 ; =>label);
        match begins {
            true => self.check_entry(core, block, before),
            false => self.check(core, block, before),
        }
        dynasm!(self.asm ; .arch x64 ; =>body);
        self.flags = Flags::Memory;
        self.done = Done::default();
        self.recorded = None;
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

    pub fn label(&mut self) -> DynamicLabel {
        self.asm.new_dynamic_label()
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
        self.exits[slot] = Target::new(eip, self.user, carried, 0);
        dynasm!(self.asm ; .arch x64 ; mov rax, QWORD address ; jmp QWORD [BYTE rax + ENTRY]);
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
                exit.entry = asm.address(label, places);
            }
            entries.iter().map(|&label| asm.address(label, places)).collect()
        })?;
        Some(Compiled { entries, bytes: lengths.fast + lengths.seldom, _exits: exits, _ops: ops })
    }
}

/// Joins an exit of one region to the code of another: from now on, the exit with its table entry
/// at `exit` jumps to host address `entry`.
pub(in crate::translator) fn join(exit: u64, entry: u64) {
    // SAFETY: `exit` is the address of an entry of a region's exit table, which lives as long as
    // the region; no translated code runs now.
    unsafe { (*(exit as *mut Target)).entry = entry };
}
