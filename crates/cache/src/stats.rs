//! What the caches count. Hits in L1 are counted by the core when an instruction retires.

use serde::{Deserialize, Serialize};

/// Event counts of one core's caches since its reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheStats {
    /// L1D lines filled from L2.
    pub l1d_fills_from_l2: u64,
    /// L1D lines filled from memory (through L2).
    pub l1d_fills_from_memory: u64,
    /// L1D lines filled from an MPBT page.
    pub l1d_fills_mpbt: u64,
    /// L1I lines filled from L2.
    pub l1i_fills_from_l2: u64,
    /// L1I lines filled from memory (through L2).
    pub l1i_fills_from_memory: u64,
    /// Code lines fetched past the caches.
    pub uncached_fetches: u64,
    /// Core cycles in which L2 served the core, hidden ones not among them.
    pub l2_cycles: u64,
    /// L2 lines filled from memory, for whichever reason.
    pub l2_fills: u64,
    /// Stores that missed L1D, or were written through, and hit L2.
    pub writes_to_l2: u64,
    /// Stores that went to the bus as single transactions.
    pub writes_to_bus: u64,
    /// Stores, other than locked ones, that missed L1D or may not be cached.
    pub l1d_write_misses: u64,
    /// Stores to a line of L1D that were written through.
    pub l1d_write_through_hits: u64,
    /// Uncached reads.
    pub reads_from_bus: u64,
    /// Locked accesses that L2 served.
    pub locked_l2_accesses: u64,
    /// Dirty L1D lines written into L2.
    pub l1d_writebacks_to_l2: u64,
    /// Dirty L1D lines written to memory.
    pub l1d_writebacks_to_memory: u64,
    /// Dirty L2 lines written to memory.
    pub l2_writebacks: u64,
    /// Write-combine drains with all 32 bytes written.
    pub write_combine_full_drains: u64,
    /// Write-combine drains of a partly written line.
    pub write_combine_partial_drains: u64,
    /// L1I lines invalidated by a store of this core.
    pub l1i_snoop_invalidations: u64,
    /// L1D lines invalidated by CL1INVMB.
    pub mpbt_lines_invalidated: u64,
    /// Those of them that were dirty: their stores are lost.
    pub mpbt_dirty_lines_lost: u64,
}
