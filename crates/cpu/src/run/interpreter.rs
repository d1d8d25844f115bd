//! The interpreter: executes the instructions of one decoded block.

use crate::core::parts::Core;
use crate::execute::op::{Op, prefix};
use crate::frontend::decoded_code::{Block, DecodedCode};
use crate::instruction::shape::Branch;
use crate::registers::register_file::sreg;
use crate::state::exception::Done;
use crate::timing::pairing::Pipe;
use crate::timing::pipeline::notes_bank;
use crate::translator_frame::interface::TranslatorFrame;

impl Core {
    /// Executes the block at EIP with the interpreter, until it ends or something stops it; only
    /// its first instruction if the state of the pipes before it changes the block's cost. The core
    /// must be at an instruction boundary.
    pub(crate) fn execute_block(&mut self, code: &mut DecodedCode) -> Done {
        self.log.clear();
        self.caches.forget_prefetch();
        let block = self.enter_block(code)?;
        self.execute_ops::<false>(code, block)
    }

    #[inline(always)]
    pub(crate) fn execute_ops<const OBSERVED: bool>(
        &mut self,
        code: &mut DecodedCode,
        block: Block,
    ) -> Done {
        debug_assert!(self.host.is_flushed());
        let info = code.info(block);
        let ops = code.ops(info);
        if self.state.pipeline.meets(&info.timing.entry) || info.timing.single {
            let pipes = code.pipes(info);
            self.state.pipeline = self.state.pipeline.simplified(pipes);
            if self.state.pipeline.changes(&info.timing.entry, &pipes[0]) {
                self.execute_first::<OBSERVED>(ops, pipes)?;
                code.note_interpreted(block, 1);
                return Ok(());
            }
        } else {
            self.state.pipeline.drain();
        }
        // Only code segments with a limit need a check at each instruction.
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

    /// True if there may be a probe in the line that holds the current instruction.
    #[inline(always)]
    pub(crate) fn probed_here(&self) -> bool {
        self.probes.as_ref().is_some_and(|probes| probes.near(self.code_address()))
    }

    /// Executes an instruction, with a check for a bank conflict if the instruction is paired with
    /// another that accesses memory.
    #[inline(always)]
    pub(crate) fn perform(&mut self, op: &Op) -> Done {
        if op.prefixes & (prefix::NOTES_BANK | prefix::CHECKS_BANK) == 0 {
            (op.handler)(self, op)
        } else {
            self.perform_beside_access(op)
        }
    }

    /// Executes the first instruction of a block if the state of the pipes before it changes the
    /// block's cost. The clocks are computed here, because the block's schedule assumes empty
    /// pipes.
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
        self.state.pipeline = pipeline.simplified(&pipes[1..]);
        if pipe.branch() != Branch::None {
            let taken = self.state.counters.taken_branches != taken;
            self.resolve_branch(eip, taken, pipe.branch(), issue.second);
        }
        Ok(())
    }
}
