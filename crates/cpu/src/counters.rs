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
    pub x87_instructions: u64,
    /// LOCK prefixes and XCHG with memory.
    pub locked_instructions: u64,
    /// Port reads and writes.
    pub port_accesses: u64,
    /// CL1INVMB.
    pub message_buffer_invalidations: u64,
    /// Cycles spent in HLT or with STPCLK asserted.
    pub halted_cycles: u64,
    /// Cycles spent waiting for transactions.
    pub waiting_cycles: u64,
}
