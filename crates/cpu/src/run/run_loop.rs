//! The loop: what a core does next, blocks of instructions, and what becomes of those that do
//! not finish.
//!
//! At an instruction boundary whose cycle is at or after `deadline` the loop looks up: limit,
//! timer, pins, traps. Whatever makes an interrupt possible sets `deadline` to zero, so that
//! the common path is one comparison.

use crate::core::bus::{Bus, NoBus};
use crate::core::parts::Core;
use crate::execute::op::{Op, prefix};
use crate::frontend::decoded_code::{Block, CodeCache};
use crate::instruction::shape::Branch;
use crate::registers::debug::DR7_GENERAL_DETECT;
use crate::registers::register_file::sreg;
use crate::run::exit::Exit;
use crate::state::core_state::Activity;
use crate::state::exception::{Done, Event, ShutdownCause, Stop, vector};
use crate::system::exceptions::combine;
use crate::timing::pairing::Pipe;
use crate::timing::pipeline::notes_bank;

impl Core {
    /// Executes until an instruction boundary at or after `limit`, or until something else is
    /// needed. An instruction in progress is always finished first. At a boundary the log is
    /// empty, so that the state there does not tell what has stopped the core.
    pub fn run(&mut self, code: &mut CodeCache, limit: u64) -> Exit {
        self.run_with(code, limit, &mut NoBus)
    }

    /// The same, but transactions that `bus` performs at once do not end it.
    pub fn run_with(&mut self, code: &mut CodeCache, limit: u64, bus: &mut dyn Bus) -> Exit {
        self.run_to_stop(code, limit, bus).unwrap_or_else(|| {
            Exit::Bus(*self.waiting_for().expect("the run has ended for a transaction"))
        })
    }

    /// The same; `None` if the run has ended for the transaction of [`Core::waiting_for`].
    #[inline]
    pub fn run_to_stop(
        &mut self,
        code: &mut CodeCache,
        limit: u64,
        bus: &mut dyn Bus,
    ) -> Option<Exit> {
        self.refused = false;
        let exit = match self.resume(code, limit, bus) {
            true => None,
            false => self.run_until(code, limit, bus),
        };
        if !self.x87_is_clear {
            self.state.x87.forget_past(self.state.cycles);
            self.x87_is_clear = self.state.x87.is_clear();
        }
        debug_assert!(!self.x87_is_clear || self.state.x87.is_clear());
        exit
    }

    /// Goes on where translated code waits, if it does. True if that comes to the next transaction
    /// for which the run must end: the commonest run of all.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn resume(&mut self, code: &mut CodeCache, limit: u64, bus: &mut dyn Bus) -> bool {
        let Some(done) = self.resume_translated(code, limit, bus) else { return false };
        self.after(done);
        self.refused && self.state.pending.is_some()
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn resume(&mut self, _: &mut CodeCache, _: u64, _: &mut dyn Bus) -> bool {
        false
    }

    fn run_until(&mut self, code: &mut CodeCache, limit: u64, bus: &mut dyn Bus) -> Option<Exit> {
        if code.is_full() {
            code.clear();
        }
        if self.code_generation != code.generation() {
            self.code_generation = code.generation();
            self.caches.forget_code_versions();
            self.fetched.forget();
        }
        self.deadline = 0;
        self.x87_is_clear = false;
        loop {
            if self.state.pending.is_some() {
                if !self.ask(bus) {
                    return None;
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
                return Some(exit);
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
                    return Some(Exit::Break);
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
    #[inline]
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
        #[cfg(target_arch = "x86_64")]
        debug_assert!(self.host.is_settled());
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
            self.look_up();
        }
    }
}
