//! The cost of branches that the branch target buffer predicted wrongly or not at all.
//!
//! Source: `fog-microarchitecture`, branch prediction of the P1; clocks in
//! `machine/isa/pipeline.toml`. The buffer itself is in `units/branch_target_buffer.rs`.

use crate::core::parts::Core;
use crate::instruction::shape::Branch;
use crate::registers::register_file::sreg;
use crate::timing::pipeline::misprediction;

impl Core {
    /// Records a branch that was executed at `eip` (`taken`: true if it was taken) in the branch
    /// target buffer, and charges the clocks if it was not predicted correctly. `second`: true if
    /// the branch was the second instruction of a pair.
    #[inline]
    pub(crate) fn resolve_branch(&mut self, eip: u32, taken: bool, branch: Branch, second: bool) {
        let base = self.state.segments[sreg::CS].base;
        let (from, to) = (base.wrapping_add(eip), base.wrapping_add(self.state.eip));
        let outcome = self.branches.resolve(from, taken, to);
        let counters = &mut self.state.counters;
        counters.branch_target_hits += u64::from(outcome.hit);
        counters.branch_target_hits_not_taken += u64::from(outcome.hit && !taken);
        if !outcome.foreseen {
            counters.pipeline_flushes += 1;
            self.state.cycles += misprediction(branch, second);
            self.state.pipeline.drain();
        }
    }
}
