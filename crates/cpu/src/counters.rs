//! What one core counts. Observers read it; nothing in the simulation does.

use serde::{Deserialize, Serialize};

/// Counts since reset. Each instruction and access counts once, however often it was executed
/// again after a wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Instructions retired; a repeated string instruction counts once.
    pub instructions: u64,
    /// Instructions retired at privilege level 3.
    pub user_instructions: u64,
    /// Data reads, of up to 8 bytes each; page walks are not counted.
    pub loads: u64,
    pub stores: u64,
    pub branches: u64,
    pub taken_branches: u64,
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
    /// Loads and stores in which L1D has no part: locked, or to the local APIC. Locked loads that
    /// went to the bus are not among these loads.
    pub bypassing_loads: u64,
    pub bypassing_stores: u64,
    /// Reads of page walks that missed L1D.
    pub walk_misses: u64,
    /// Lines of code entered, while they are counted.
    pub code_reads: u64,
    /// Port reads and writes.
    pub port_accesses: u64,
    /// Accesses that met DR0 to DR3, while breakpoints are armed or counted.
    pub breakpoint_matches: [u64; 4],
    /// CL1INVMB.
    pub message_buffer_invalidations: u64,
    /// Cycles spent in HLT or with STPCLK asserted.
    pub halted_cycles: u64,
    /// Cycles spent waiting for transactions.
    pub waiting_cycles: u64,
}
