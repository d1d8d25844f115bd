//! The loop: boundaries, fetch, blocks, retirement, faults.
//!
//! At an instruction boundary whose cycle is at or after `deadline` the loop looks up: limit,
//! timer, pins, traps. Whatever makes an interrupt possible sets `deadline` to zero, so that
//! the common path is one comparison.

use rockcreek_cache::Step;
use rockcreek_defs::{CoreAddr, LINE_BYTES};

use crate::access::Target;
use crate::branch_target::Branch;
use crate::breakpoint::{DR7_GENERAL_DETECT, armed};
use crate::bus::{Bus, NoBus};
use crate::code_cache::{Block, CodeCache, VersionId};
use crate::core::{Core, Exit};
use crate::exception::{Done, Event, ShutdownCause, Stop, combine, vector};
use crate::flags;
use crate::op::{Op, prefix};
use crate::pairing::Pipe;
use crate::pipeline::notes_bank;
use crate::registers::sreg;
use crate::state::{Activity, State};

/// DR6: the trap came from TF.
const DR6_SINGLE_STEP: u32 = 1 << 14;
const LINE: u32 = LINE_BYTES as u32;

impl Core {
    /// Executes until an instruction boundary at or after `limit`, or until something else is
    /// needed. An instruction in progress is always finished first. At a boundary the log is
    /// empty, so that the state there does not tell what has stopped the core.
    pub fn run(&mut self, code: &mut CodeCache, limit: u64) -> Exit {
        self.run_with(code, limit, &mut NoBus)
    }

    /// The same, but transactions that `bus` performs at once do not end it.
    pub fn run_with(&mut self, code: &mut CodeCache, limit: u64, bus: &mut dyn Bus) -> Exit {
        let exit = self.run_until(code, limit, bus);
        self.state.x87.forget_past(self.state.cycles);
        exit
    }

    fn run_until(&mut self, code: &mut CodeCache, limit: u64, bus: &mut dyn Bus) -> Exit {
        if code.is_full() {
            code.clear();
        }
        if self.code_generation != code.generation() {
            self.code_generation = code.generation();
            self.caches.forget_code_versions();
            self.fetched.forget();
        }
        self.deadline = 0;
        self.refused = false;
        loop {
            if let Some(pending) = &self.state.pending {
                let request = pending.request;
                if !self.ask(bus) {
                    return Exit::Bus(request);
                }
                // As a run that ends here: what is behind the instruction is fetched anew.
                self.deadline = 0;
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(done) = self.resume_translated(code, limit, bus) {
                self.after(done);
                continue;
            }
            let between = self.state.delivering.is_none() && self.state.task_load.is_none();
            let at_boundary = !self.state.in_progress && between && !self.state.flushing;
            if at_boundary
                && self.state.cycles >= self.deadline
                && let Some(exit) = self.boundary(limit)
            {
                self.log.clear();
                return exit;
            }
            let done = if self.state.flushing {
                self.flush_caches()
            } else if self.state.task_load.is_some() {
                self.finish_task_switch()
            } else if self.state.delivering.is_some() {
                self.deliver()
            } else if self.observed || self.probed_here() {
                if at_boundary && !self.state.repeating && self.breaks_here() {
                    self.log.clear();
                    return Exit::Break;
                }
                self.execute::<true>(code, bus)
            } else if at_boundary && self.may_delay() {
                self.pass_delay(code)
            } else {
                self.execute::<false>(code, bus)
            };
            self.after(done);
        }
    }

    /// What becomes of an instruction that did not finish.
    fn after(&mut self, done: Done) {
        match done {
            Ok(()) => {}
            Err(Stop::Yield) => self.state.repeating = !self.state.frozen,
            Err(Stop::Wait) => {
                self.state.in_progress = true;
                self.forget_extra();
            }
            Err(Stop::Fault) => self.take_fault(),
        }
    }

    /// Until when an instruction that has waited may go on as if there were no boundary behind
    /// it; `None`: something asks for attention there.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn deadline_within(&self, limit: u64) -> Option<u64> {
        let state = &self.state;
        let pins = state.pins.stpclk || state.pins.stop || state.flush_pending || state.flushing;
        let half_done = state.delivering.is_some() || state.task_load.is_some() || state.repeating;
        let each = state.system_flags & (flags::TF | flags::RF) != 0
            || state.shadow
            || state.stack_loaded
            || state.armed != 0
            || state.matched != 0;
        let running = state.activity == Activity::Running && self.shutdown.is_none();
        let deadline = limit.min(self.next_timer_cycle().unwrap_or(u64::MAX));
        let quiet = running && !(pins || half_done || each || self.observed);
        (quiet && state.cycles < deadline && self.due_event().is_none()).then_some(deadline)
    }

    /// An instruction boundary that asked for attention.
    fn boundary(&mut self, limit: u64) -> Option<Exit> {
        if let Some(cause) = self.shutdown {
            return Some(Exit::Shutdown(cause));
        }
        self.state.apic.advance(self.state.cycles);
        if self.state.stack_loaded {
            self.state.step_trap = false;
        }
        let event = self.due_event();
        let idle = self.state.activity == Activity::Halted && event.is_none();
        if idle && !self.state.flush_pending || self.state.pins.stpclk || self.state.pins.stop {
            return Some(Exit::Halted);
        }
        if self.state.cycles >= limit {
            return Some(Exit::Limit);
        }
        if std::mem::take(&mut self.state.flush_pending) {
            self.state.flushing = true;
            return None;
        }
        let shadow = std::mem::take(&mut self.state.shadow);
        let stack_loaded = std::mem::take(&mut self.state.stack_loaded);
        let repeating = std::mem::take(&mut self.state.repeating);
        self.end_instruction(repeating);
        if let Some(due) = event {
            if repeating {
                // Back in the instruction, its breakpoint must not be met again.
                self.state.system_flags |= flags::RF;
            }
            self.accept(due);
        } else if self.state.armed & armed::CODE != 0 && !repeating && !stack_loaded {
            self.meet_code_breakpoint();
        }
        let stepping = self.state.system_flags & flags::TF != 0;
        self.state.step_trap = stepping && event.is_none();
        let timer = self.next_timer_cycle().unwrap_or(u64::MAX);
        let resuming = self.state.system_flags & flags::RF != 0;
        let each = stepping || shadow || resuming || self.state.armed != 0;
        self.deadline = if each { 0 } else { limit.min(timer) };
        None
    }

    /// FLUSH#: as WBINVD, between two instructions and whatever the core waits for. Called again
    /// after each write-back.
    fn flush_caches(&mut self) -> Done {
        let step = self.caches.wbinvd();
        self.finish(step, Target::Walk)?;
        self.fetched.forget();
        self.state.flushing = false;
        self.state.in_progress = false;
        self.log.clear();
        self.deadline = 0;
        Ok(())
    }

    /// What interrupts the program at this boundary, most urgent first.
    fn due_event(&self) -> Option<Due> {
        let state = &self.state;
        if state.init_pending {
            Some(Due::Init)
        } else if state.step_trap || state.trap_bits != 0 && !state.stack_loaded {
            Some(Due::Trap)
        } else if state.shadow {
            None
        } else if state.nmi_pending && !state.nmi_blocked {
            Some(Due::NonMaskable)
        } else if state.system_flags & flags::IF != 0 {
            state.apic.deliverable().map(Due::Maskable)
        } else {
            None
        }
    }

    fn accept(&mut self, due: Due) {
        let state = &mut self.state;
        state.activity = Activity::Running;
        state.frozen = false;
        let stepped = std::mem::take(&mut state.step_trap);
        let (number, external) = match due {
            Due::Init => {
                state.init_pending = false;
                self.initialise();
                return;
            }
            Due::Trap => {
                state.counters.exceptions += 1;
                let step = if stepped { DR6_SINGLE_STEP } else { 0 };
                let bits = std::mem::take(&mut state.trap_bits) | step;
                self.begin_debug(bits);
                return;
            }
            Due::NonMaskable => {
                state.nmi_pending = false;
                state.nmi_blocked = true;
                state.counters.interrupts += 1;
                (vector::NMI, true)
            }
            Due::Maskable(number) => {
                state.apic.acknowledge(number);
                state.counters.interrupts += 1;
                (number, true)
            }
        };
        state.delivering = Some(Event { vector: number, error: None, external });
    }

    /// The INIT pin: as RESET, but caches, x87 and the cycle count stay.
    fn initialise(&mut self) {
        let reset = State::at_reset(self.id.0 as u8, self.signature());
        let old = std::mem::replace(&mut self.state, reset);
        self.state.cycles = old.cycles;
        self.state.counters = old.counters;
        self.state.pins = old.pins;
        self.state.fpu = old.fpu;
        self.state.msr = old.msr;
        self.rearm();
        self.note_observers();
        self.tlbs.flush();
        self.fetched.forget();
        self.deadline = 0;
    }

    /// Executes the instructions of one block, at least one.
    fn execute<const OBSERVED: bool>(
        &mut self,
        code: &mut CodeCache,
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))] bus: &mut dyn Bus,
    ) -> Done {
        let resumed = std::mem::take(&mut self.state.in_progress);
        if resumed {
            self.log.restart();
        } else {
            self.log.clear();
            self.caches.forget_prefetch();
        }
        let block = self.enter_block(code)?;
        #[cfg(target_arch = "x86_64")]
        let block = if !OBSERVED && !resumed && self.run_translated(code, bus)? {
            if self.state.cycles >= self.deadline || self.probed_here() {
                return Ok(());
            }
            self.enter_block(code)?
        } else {
            block
        };
        self.execute_ops::<OBSERVED>(code, block)
    }

    /// Executes a block by the interpreter, from an instruction boundary on.
    pub(crate) fn execute_block(&mut self, code: &mut CodeCache) -> Done {
        self.log.clear();
        self.caches.forget_prefetch();
        let block = self.enter_block(code)?;
        self.execute_ops::<false>(code, block)
    }

    #[inline(always)]
    fn execute_ops<const OBSERVED: bool>(&mut self, code: &mut CodeCache, block: Block) -> Done {
        let info = code.info(block);
        let ops = code.ops(info);
        if self.state.pipeline.meets(&info.timing.entry)
            && self.state.pipeline.changes(&info.timing.entry, &code.pipes(info)[0])
        {
            self.execute_first::<OBSERVED>(ops, code.pipes(info))?;
            code.note_interpreted(block, 1);
            return Ok(());
        }
        // Only code segments with a limit are checked instruction by instruction.
        let limited = !self.state.segments[sreg::CS].open_read();
        let taken = self.state.counters.taken_branches;
        let mut eip = self.state.eip;
        let mut retired = 0;
        let mut done = Ok(());
        for op in ops {
            eip = self.state.eip;
            self.state.next_eip = eip.wrapping_add(u32::from(op.length));
            let stack = if OBSERVED { self.stack_address() } else { 0 };
            done = if limited { self.execute_limited(op) } else { self.perform(op) };
            if done.is_err() {
                break;
            }
            self.retire::<OBSERVED>(eip, op, stack);
            retired += 1;
            if self.state.cycles >= self.deadline {
                break;
            }
            self.log.clear();
            if OBSERVED && self.breaks_here() {
                break;
            }
        }
        if retired == ops.len() {
            self.count_retired::<OBSERVED>(retired);
            let timing = &info.timing;
            self.state.counters.paired_instructions += u64::from(timing.seconds);
            self.state.counters.address_stalls += u64::from(timing.stalls);
            timing.leave(&mut self.state.pipeline, self.bank);
            if timing.branch != Branch::None {
                let taken = self.state.counters.taken_branches != taken;
                self.resolve_branch(eip, taken, timing.branch, timing.ends_in_second);
            }
        } else if retired > 0 {
            self.leave_within::<OBSERVED>(&ops[..retired], code.pipes(info));
        }
        code.note_interpreted(block, retired);
        done
    }

    /// Whether a probe may be in the line at hand.
    #[inline(always)]
    pub(crate) fn probed_here(&self) -> bool {
        self.probes.as_ref().is_some_and(|probes| probes.near(self.code_address()))
    }

    /// Executes an instruction; if it shares its clock with another access, with a look at that.
    #[inline(always)]
    pub(crate) fn perform(&mut self, op: &Op) -> Done {
        if op.prefixes & (prefix::NOTES_BANK | prefix::CHECKS_BANK) == 0 {
            (op.handler)(self, op)
        } else {
            self.perform_beside_access(op)
        }
    }

    /// After an instruction: its clocks, and on to the next one. `stack` is where the stack pointer
    /// was before it, for observers.
    #[inline(always)]
    pub(crate) fn retire<const OBSERVED: bool>(&mut self, eip: u32, op: &Op, stack: u32) {
        let state = &mut self.state;
        state.cycles += u64::from(op.cycles);
        state.eip = state.next_eip;
        self.charge_extra();
        if OBSERVED {
            self.state.counters.instructions += 1;
            self.observe(eip, op, stack);
        }
    }

    /// Charges what the instruction takes beyond what its block gives it.
    #[inline(always)]
    pub(crate) fn charge_extra(&mut self) {
        let state = &mut self.state;
        if state.extra_cycles != 0 {
            state.cycles += u64::from(state.extra_cycles);
            state.counters.misaligned_references += u64::from(state.misaligned);
            self.forget_extra();
        }
    }

    /// The instruction will be executed again, or never.
    pub(crate) fn forget_extra(&mut self) {
        self.state.extra_cycles = 0;
        self.state.misaligned = 0;
    }

    #[inline(always)]
    fn count_retired<const OBSERVED: bool>(&mut self, retired: usize) {
        let counters = &mut self.state.counters;
        if !OBSERVED {
            counters.instructions += retired as u64;
        }
        if self.state.cpl == 3 {
            counters.user_instructions += retired as u64;
        }
    }

    /// Executes the first instruction of a block when it does not begin in empty pipes.
    #[inline(never)]
    fn execute_first<const OBSERVED: bool>(&mut self, ops: &[Op], pipes: &[Pipe]) -> Done {
        let pipe = &pipes[0];
        let mut pipeline = self.state.pipeline;
        let both = pipeline.both_access(pipe);
        let issue = pipeline.issue(pipe);
        let mut op = Op { cycles: issue.clocks, ..ops[0] };
        op.prefixes &= !(prefix::NOTES_BANK | prefix::CHECKS_BANK);
        if issue.second && both {
            op.prefixes |= prefix::CHECKS_BANK;
            self.bank = self.state.pipeline.bank;
        }
        let notes = !issue.second && notes_bank(pipe, pipes.get(1));
        if notes {
            op.prefixes |= prefix::NOTES_BANK;
        }
        let eip = self.state.eip;
        self.state.next_eip = eip.wrapping_add(u32::from(op.length));
        let taken = self.state.counters.taken_branches;
        let stack = if OBSERVED { self.stack_address() } else { 0 };
        let limited = !self.state.segments[sreg::CS].open_read();
        if limited {
            self.execute_limited(&op)?;
        } else {
            self.perform(&op)?;
        }
        self.retire::<OBSERVED>(eip, &op, stack);
        self.count_retired::<OBSERVED>(1);
        self.state.counters.paired_instructions += u64::from(issue.second);
        self.state.counters.address_stalls += u64::from(issue.stalls);
        if notes {
            pipeline.bank = self.bank;
        }
        self.state.pipeline = pipeline;
        if pipe.branch() != Branch::None {
            let taken = self.state.counters.taken_branches != taken;
            self.resolve_branch(eip, taken, pipe.branch(), issue.second);
        }
        Ok(())
    }

    /// The block was left before its end: the pipes after what was executed of it.
    #[inline(never)]
    fn leave_within<const OBSERVED: bool>(&mut self, ops: &[Op], pipes: &[Pipe]) {
        self.count_retired::<OBSERVED>(ops.len());
        for pipe in &pipes[..ops.len()] {
            let issue = self.state.pipeline.issue(pipe);
            self.state.counters.paired_instructions += u64::from(issue.second);
            self.state.counters.address_stalls += u64::from(issue.stalls);
        }
        let noted = ops.last().is_some_and(|op| op.prefixes & prefix::NOTES_BANK != 0);
        if noted && self.state.pipeline.is_open() {
            self.state.pipeline.bank = self.bank;
        }
    }

    #[inline(always)]
    fn enter_block(&mut self, code: &mut CodeCache) -> Result<Block, Stop> {
        let segment = &self.state.segments[sreg::CS];
        let big = segment.big();
        let linear = segment.base.wrapping_add(self.state.eip);
        let version = self.fetch(code, linear)?;
        match code.block(version, linear % LINE, big) {
            Some(block) => Ok(block),
            None => self.enter_straddling(code, linear, version, big),
        }
    }

    #[inline(never)]
    fn enter_straddling(
        &mut self,
        code: &mut CodeCache,
        linear: u32,
        version: VersionId,
        big: bool,
    ) -> Result<Block, Stop> {
        let next_line = (linear | (LINE - 1)).wrapping_add(1);
        let next = self.fetch(code, next_line)?;
        Ok(code.straddling(version, next, linear % LINE, big))
    }

    /// Looks up ITLB and L1I for the line of `linear`: the version of its bytes.
    #[inline(always)]
    fn fetch(&mut self, code: &mut CodeCache, linear: u32) -> Result<VersionId, Stop> {
        // What was fetched at this privilege may be fetched at it: a changed right forgets it.
        if let Some(version) = self.fetched.version(linear, self.state.cpl == 3)
            && self.tlbs.code.recent(linear >> 12).is_some()
        {
            return Ok(version);
        }
        self.fetch_slow(code, linear)
    }

    #[inline(never)]
    fn fetch_slow(&mut self, code: &mut CodeCache, linear: u32) -> Result<VersionId, Stop> {
        let (addr, memory_type) = self.translate_code(linear)?;
        let step = self.caches.fetch(addr, memory_type);
        if !matches!(step, Step::Done { cycles: 0, .. }) {
            // What was in the pipes has left them meanwhile.
            self.state.pipeline.drain();
        }
        let line = self.finish(step, Target::Fetch)?;
        let uncached = line.slot >= rockcreek_cache::PREFETCH_SLOT;
        let mut version = line.version;
        if version == 0 {
            version =
                code.version(CoreAddr(addr.0 & !(LINE - 1)), self.caches.code_bytes(line.slot));
            self.caches.set_code_version(line.slot, version);
        }
        if !uncached {
            self.fetched.set(linear, self.state.cpl == 3, version);
        }
        Ok(version)
    }

    /// One instruction of a code segment with a limit. A near branch beyond it raises #GP itself,
    /// as if it had not been executed.
    #[inline(never)]
    fn execute_limited(&mut self, op: &Op) -> Done {
        self.check_code_limit(op)?;
        let general = self.state.general;
        let behind = self.state.next_eip;
        self.perform(op)?;
        let target = self.state.next_eip;
        let near = target != behind && self.state.task_load.is_none();
        if near && !self.state.segments[sreg::CS].contains(target, 1) {
            self.state.general = general;
            return Err(self.protection());
        }
        Ok(())
    }

    fn check_code_limit(&mut self, op: &Op) -> Done {
        let segment = &self.state.segments[sreg::CS];
        if segment.contains(self.state.eip, u32::from(op.length)) {
            Ok(())
        } else {
            Err(self.protection())
        }
    }

    #[inline(never)]
    fn observe(&mut self, eip: u32, op: &Op, stack: u32) {
        let linear = self.state.segments[sreg::CS].base.wrapping_add(eip);
        if self.state.msr.performance().counts_code_reads() {
            let length = u32::from(op.length);
            let jumped = self.state.eip != eip.wrapping_add(length);
            self.count_code_reads(linear, length, jumped);
        }
        self.retire_probed(linear, stack);
        if self.commits.is_some() {
            self.record_commit(eip);
        }
    }

    /// The instruction or delivery at hand raised an exception.
    #[cold]
    fn take_fault(&mut self) {
        let fault = self.state.fault;
        self.log.clear();
        self.walk_log.clear();
        let state = &mut self.state;
        state.pipeline.drain();
        state.walk_page = u32::MAX;
        state.in_progress = false;
        state.extra_cycles = 0;
        state.misaligned = 0;
        state.step_trap = false;
        state.trap_bits = 0;
        state.matched = 0;
        if fault.vector == vector::DEBUG {
            state.debug[7] &= !DR7_GENERAL_DETECT;
        }
        state.task_load = None;
        state.counters.exceptions += 1;
        state.delivering = match state.delivering {
            None => Some(Event { vector: fault.vector, error: fault.error, external: false }),
            Some(first) => combine(&first, fault),
        };
        if state.delivering.is_none() {
            state.activity = Activity::Shutdown;
            let cause = ShutdownCause::TripleFault { vector: fault.vector, eip: state.eip };
            self.shutdown = Some(cause);
            self.deadline = 0;
        }
    }
}

/// What can interrupt the program between two instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    Init,
    /// Single step, data or I/O breakpoint, task switch.
    Trap,
    NonMaskable,
    Maskable(u8),
}
