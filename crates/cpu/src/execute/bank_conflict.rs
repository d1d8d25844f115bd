//! Bank conflicts: two paired instructions access L1D at addresses with equal bits 4 to 2; the
//! second access then takes one clock more.
//!
//! Source: `fog-microarchitecture`, the P1; the clock is in `machine/isa/pipeline.toml`.

use crate::core::parts::Core;
use crate::execute::op::{Op, prefix};
use crate::state::exception::Done;
use crate::timing::pipeline::clocks;

impl Core {
    /// Executes one instruction of a pair in which both access memory, or may:
    /// [`Core::beside_access`] with the handler of `op`.
    #[inline(never)]
    pub(crate) fn perform_beside_access(&mut self, op: &Op) -> Done {
        self.beside_access(op, |core| (op.handler)(core, op))
    }

    /// Calls `perform` to execute one instruction of a pair in which both access memory, or may.
    /// The first instruction records its bank; the second (`prefix::CHECKS_BANK`) counts the pair
    /// and, if its bank is the recorded one, charges one clock and counts a conflict.
    #[inline(always)]
    pub(crate) fn beside_access(
        &mut self,
        op: &Op,
        perform: impl FnOnce(&mut Core) -> Done,
    ) -> Done {
        let base = self.state.segments[self.segment_of(op) & 7].base;
        let bank = (base.wrapping_add(self.address(op)) >> 2 & 7) as u8;
        if op.prefixes & prefix::CHECKS_BANK == 0 {
            // Record the bank only after the instruction is done: an unfinished one is executed
            // again.
            perform(self)?;
            self.bank = bank;
            return Ok(());
        }
        let conflict = self.bank == bank;
        if conflict {
            self.state.extra_cycles += u32::from(clocks::BANK_CONFLICT);
        }
        perform(self)?;
        self.state.counters.paired_accesses += 1;
        self.state.counters.bank_conflicts += u64::from(conflict);
        Ok(())
    }
}
