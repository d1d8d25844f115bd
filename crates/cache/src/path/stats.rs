//! The event counts of the caches. Hits in L1 are counted by the core, when an instruction retires.

use serde::{Deserialize, Serialize};

/// Event counts of one core's caches since power-on; a reset of the core keeps them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheStats {
    /// L1D lines filled from L2.
    pub l1d_fills_from_l2: u64,
    /// L1D lines filled from memory; L2, if it is on, receives the line too.
    pub l1d_fills_from_memory: u64,
    /// L1D lines filled from an MPBT page.
    pub l1d_fills_mpbt: u64,
    /// L1I lines filled from L2.
    pub l1i_fills_from_l2: u64,
    /// L1I lines filled from memory; L2, if it is on, receives the line too.
    pub l1i_fills_from_memory: u64,
    /// Code lines fetched without entering a cache.
    pub uncached_fetches: u64,
    /// Core cycles in which the core waited for L2; cycles that a wait for memory hides are not
    /// counted.
    pub l2_cycles: u64,
    /// L2 lines filled from memory, for any reason.
    pub l2_fills: u64,
    /// Stores that missed L1D, or were written through it, and hit L2.
    pub writes_to_l2: u64,
    /// Stores that went to the bus alone: not as part of a line or of a write-combine drain.
    pub writes_to_bus: u64,
    /// Stores, except locked ones, that L1D did not take: they missed it, or their type is not
    /// cached.
    pub l1d_write_misses: u64,
    /// Stores that hit a line of L1D and were written through.
    pub l1d_write_through_hits: u64,
    /// Reads that no cache stores (uncached types).
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
    /// Dirty L1D lines invalidated by CL1INVMB, whose stores are lost.
    pub mpbt_dirty_lines_lost: u64,
}

impl CacheStats {
    /// A set of counts in which each count is `of` applied to the count here and the count in
    /// `other`.
    pub(crate) fn combined(&self, other: &CacheStats, of: impl Fn(u64, u64) -> u64) -> CacheStats {
        CacheStats {
            l1d_fills_from_l2: of(self.l1d_fills_from_l2, other.l1d_fills_from_l2),
            l1d_fills_from_memory: of(self.l1d_fills_from_memory, other.l1d_fills_from_memory),
            l1d_fills_mpbt: of(self.l1d_fills_mpbt, other.l1d_fills_mpbt),
            l1i_fills_from_l2: of(self.l1i_fills_from_l2, other.l1i_fills_from_l2),
            l1i_fills_from_memory: of(self.l1i_fills_from_memory, other.l1i_fills_from_memory),
            uncached_fetches: of(self.uncached_fetches, other.uncached_fetches),
            l2_cycles: of(self.l2_cycles, other.l2_cycles),
            l2_fills: of(self.l2_fills, other.l2_fills),
            writes_to_l2: of(self.writes_to_l2, other.writes_to_l2),
            writes_to_bus: of(self.writes_to_bus, other.writes_to_bus),
            l1d_write_misses: of(self.l1d_write_misses, other.l1d_write_misses),
            l1d_write_through_hits: of(self.l1d_write_through_hits, other.l1d_write_through_hits),
            reads_from_bus: of(self.reads_from_bus, other.reads_from_bus),
            locked_l2_accesses: of(self.locked_l2_accesses, other.locked_l2_accesses),
            l1d_writebacks_to_l2: of(self.l1d_writebacks_to_l2, other.l1d_writebacks_to_l2),
            l1d_writebacks_to_memory: of(
                self.l1d_writebacks_to_memory,
                other.l1d_writebacks_to_memory,
            ),
            l2_writebacks: of(self.l2_writebacks, other.l2_writebacks),
            write_combine_full_drains: of(
                self.write_combine_full_drains,
                other.write_combine_full_drains,
            ),
            write_combine_partial_drains: of(
                self.write_combine_partial_drains,
                other.write_combine_partial_drains,
            ),
            l1i_snoop_invalidations: of(
                self.l1i_snoop_invalidations,
                other.l1i_snoop_invalidations,
            ),
            mpbt_lines_invalidated: of(self.mpbt_lines_invalidated, other.mpbt_lines_invalidated),
            mpbt_dirty_lines_lost: of(self.mpbt_dirty_lines_lost, other.mpbt_dirty_lines_lost),
        }
    }
}
