//! The counters of one core. Observers read them; the simulation does not depend on them.

use serde::{Deserialize, Serialize};

/// Counts since the core was made; RESET does not clear them. Each instruction and access counts
/// once, however often it was executed again after a wait. Cycles are core cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Instructions retired; a repeated string instruction counts once.
    pub instructions: u64,
    /// Instructions retired at privilege level 3.
    pub user_instructions: u64,
    /// Instructions retired in the V pipe.
    pub paired_instructions: u64,
    /// Pairs of instructions that both access memory.
    pub paired_accesses: u64,
    /// Pairs of `paired_accesses` whose two addresses have equal bits 4 to 2.
    pub bank_conflicts: u64,
    /// Instructions that waited for a register of their address (AGI).
    pub address_stalls: u64,
    /// Near branches that had an entry in the branch target buffer, and the number of these that
    /// were not taken.
    pub branch_target_hits: u64,
    pub branch_target_hits_not_taken: u64,
    /// Near branches that were not predicted correctly, so that the pipes were flushed.
    pub pipeline_flushes: u64,
    /// Cycles in which a data read waited for L2, the bus or a page walk.
    pub read_stall_cycles: u64,
    /// Cycles in which a data write waited for L2 or the bus.
    pub write_stall_cycles: u64,
    /// Cycles spent waiting for transactions.
    pub waiting_cycles: u64,
    /// `loads`, `stores`: data reads and writes of up to 8 bytes each; page walks are not counted.
    /// `branches`: near branches, taken or not; `taken_branches`: those taken.
    pub loads: u64,
    pub stores: u64,
    pub branches: u64,
    pub taken_branches: u64,
    /// Data operands that cross a multiple of 4 bytes (of 8, if they are longer than 4).
    pub misaligned_references: u64,
    pub dtlb_misses: u64,
    pub itlb_misses: u64,
    pub exceptions: u64,
    /// Interrupts from pins and the local APIC.
    pub interrupts: u64,
    /// INT n, INT3 and INTO.
    pub software_interrupts: u64,
    pub interrupt_returns: u64,
    /// Loads of a segment register, LDTR, TR, GDTR or IDTR.
    pub segment_loads: u64,
    pub x87_instructions: u64,
    /// x87 additions, subtractions, multiplications, divisions, remainders, square roots and
    /// transcendental functions.
    pub floating_point_operations: u64,
    /// LOCK prefixes and XCHG with memory.
    pub locked_instructions: u64,
    /// Locked writes of accessed, dirty and busy bits.
    pub locked_updates: u64,
    /// Loads and stores that bypass L1D because they are locked or go to the local APIC. A locked
    /// load that went to the bus is not counted here.
    pub bypassing_loads: u64,
    pub bypassing_stores: u64,
    /// Reads of page walks that missed L1D.
    pub walk_misses: u64,
    /// Lines of code entered, counted only while a performance counter selects this event.
    pub code_reads: u64,
    /// Port reads and writes.
    pub port_accesses: u64,
    /// Accesses that matched DR0 to DR3, counted only while breakpoints are armed or selected as
    /// events.
    pub breakpoint_matches: [u64; 4],
    /// Executions of CL1INVMB.
    pub message_buffer_invalidations: u64,
    /// Executions of RDTSC and RDMSR, and reads of the local APIC.
    pub clock_reads: u64,
    /// Cycles spent in HLT, or with STPCLK# or R/S# asserted.
    pub halted_cycles: u64,
}

/// Instructions of one core that were counted without being executed, or executed without being
/// counted. Not part of the core's state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unequal {
    /// Counted, but not executed: those of rounds of waiting loops that were skipped.
    pub skipped: u64,
    /// Executed and no longer counted, because the core was rolled back to a time before them.
    pub undone: u64,
}

/// Which counter the cycles of a wait are added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stall {
    Read,
    Write,
    Other,
}

impl Counters {
    pub(crate) fn add_stall(&mut self, stall: Stall, cycles: u64) {
        match stall {
            Stall::Read => self.read_stall_cycles += cycles,
            Stall::Write => self.write_stall_cycles += cycles,
            Stall::Other => {}
        }
    }

    /// The counts without the cycles of waiting for transactions, which the counter for `stall`
    /// contains as well.
    pub(crate) fn without_waiting(mut self, stall: Stall) -> Counters {
        let waited = std::mem::take(&mut self.waiting_cycles);
        match stall {
            Stall::Read => self.read_stall_cycles -= waited,
            Stall::Write => self.write_stall_cycles -= waited,
            Stall::Other => {}
        }
        self
    }

    /// A set of counts in which each count is `of` applied to the count here and the count in
    /// `other`.
    pub(crate) fn combined(&self, other: &Counters, of: impl Fn(u64, u64) -> u64) -> Counters {
        Counters {
            instructions: of(self.instructions, other.instructions),
            user_instructions: of(self.user_instructions, other.user_instructions),
            paired_instructions: of(self.paired_instructions, other.paired_instructions),
            paired_accesses: of(self.paired_accesses, other.paired_accesses),
            bank_conflicts: of(self.bank_conflicts, other.bank_conflicts),
            address_stalls: of(self.address_stalls, other.address_stalls),
            branch_target_hits: of(self.branch_target_hits, other.branch_target_hits),
            branch_target_hits_not_taken: of(
                self.branch_target_hits_not_taken,
                other.branch_target_hits_not_taken,
            ),
            pipeline_flushes: of(self.pipeline_flushes, other.pipeline_flushes),
            misaligned_references: of(self.misaligned_references, other.misaligned_references),
            read_stall_cycles: of(self.read_stall_cycles, other.read_stall_cycles),
            write_stall_cycles: of(self.write_stall_cycles, other.write_stall_cycles),
            loads: of(self.loads, other.loads),
            stores: of(self.stores, other.stores),
            branches: of(self.branches, other.branches),
            taken_branches: of(self.taken_branches, other.taken_branches),
            dtlb_misses: of(self.dtlb_misses, other.dtlb_misses),
            itlb_misses: of(self.itlb_misses, other.itlb_misses),
            exceptions: of(self.exceptions, other.exceptions),
            interrupts: of(self.interrupts, other.interrupts),
            software_interrupts: of(self.software_interrupts, other.software_interrupts),
            interrupt_returns: of(self.interrupt_returns, other.interrupt_returns),
            segment_loads: of(self.segment_loads, other.segment_loads),
            x87_instructions: of(self.x87_instructions, other.x87_instructions),
            floating_point_operations: of(
                self.floating_point_operations,
                other.floating_point_operations,
            ),
            locked_instructions: of(self.locked_instructions, other.locked_instructions),
            locked_updates: of(self.locked_updates, other.locked_updates),
            bypassing_loads: of(self.bypassing_loads, other.bypassing_loads),
            bypassing_stores: of(self.bypassing_stores, other.bypassing_stores),
            walk_misses: of(self.walk_misses, other.walk_misses),
            code_reads: of(self.code_reads, other.code_reads),
            port_accesses: of(self.port_accesses, other.port_accesses),
            breakpoint_matches: std::array::from_fn(|n| {
                of(self.breakpoint_matches[n], other.breakpoint_matches[n])
            }),
            message_buffer_invalidations: of(
                self.message_buffer_invalidations,
                other.message_buffer_invalidations,
            ),
            clock_reads: of(self.clock_reads, other.clock_reads),
            halted_cycles: of(self.halted_cycles, other.halted_cycles),
            waiting_cycles: of(self.waiting_cycles, other.waiting_cycles),
        }
    }
}
