//! The end of an instruction: its clocks, its counts, and the report to observers.

use crate::core::parts::Core;
use crate::execute::op::{Op, prefix};
use crate::registers::register_file::sreg;
use crate::timing::pairing::Pipe;

impl Core {
    /// Retires an instruction: charges its clocks and advances EIP. With `OBSERVED`, also counts it
    /// and reports it to the observers; `stack` is the linear address in ESP before it.
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

    /// Charges the core cycles that the instruction takes in addition to those of its block's
    /// schedule, counts its misaligned operands, and clears both.
    #[inline(always)]
    pub(crate) fn charge_extra(&mut self) {
        let state = &mut self.state;
        if state.extra_cycles != 0 {
            state.cycles += u64::from(state.extra_cycles);
            state.counters.misaligned_references += u64::from(state.misaligned);
            self.forget_extra();
        }
    }

    /// Drops the additional cycles and the count of misaligned operands of an instruction that will
    /// be executed again.
    pub(crate) fn forget_extra(&mut self) {
        self.state.extra_cycles = 0;
        self.state.misaligned = 0;
    }

    #[inline(always)]
    pub(crate) fn count_retired<const OBSERVED: bool>(&mut self, retired: usize) {
        let counters = &mut self.state.counters;
        if !OBSERVED {
            counters.instructions += retired as u64;
        }
        if self.state.cpl == 3 {
            counters.user_instructions += retired as u64;
        }
    }

    /// Brings the state of pipes U and V up to date when execution leaves a block before the
    /// block's end. `ops`: the instructions that were executed; `pipes`: of all of the block.
    #[inline(never)]
    pub(crate) fn leave_within<const OBSERVED: bool>(&mut self, ops: &[Op], pipes: &[Pipe]) {
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
        self.state.pipeline = self.state.pipeline.simplified(&pipes[ops.len()..]);
    }

    #[inline(never)]
    fn observe(&mut self, eip: u32, op: &Op, stack: u32) {
        let linear = self.state.segments[sreg::CS].base.wrapping_add(eip);
        if self.state.msr.performance.counts_code_reads() {
            let length = u32::from(op.length);
            let jumped = self.state.eip != eip.wrapping_add(length);
            self.count_code_reads(linear, length, jumped);
        }
        self.retire_probed(linear, stack);
        if self.commits.is_some() {
            self.record_commit(eip);
        }
        if self.charges.is_some() {
            self.charge_to(linear);
        }
    }
}
