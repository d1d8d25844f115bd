//! Stores of one line, one behind the other.
//!
//! A posted store, or one that L2 takes, waits for the one before it if that is for the same line
//! and not done: in L2 after one access, on the bus when it is acknowledged. So a line that is
//! written by bytes takes one access for each of them; stores to other lines do not wait. Measured:
//! the copies of single bytes of the first RCCE (`ircce-pingpong`), see `docs/chip/memory.md`.
//! Nothing is merged. A store that L1D takes is none of these, and nobody waits behind those that
//! the core itself waits for (locked, uncached).

use rockcreek_cache::StoreEnd;
use rockcreek_defs::CoreAddr;

use crate::core::parts::Core;

impl Core {
    /// When the store before one to this address, at `cycle`, is done: now, unless it is for the same
    /// line.
    #[inline(always)]
    pub(crate) fn line_is_free(&self, addr: CoreAddr, cycle: u64) -> u64 {
        match self.state.store_line == addr.line().0 {
            true => self.state.store_done.max(cycle),
            false => cycle,
        }
    }

    /// A store is about to be posted: the bus unit does not take it before its line is free.
    #[inline(always)]
    pub(crate) fn hold_for_line(&mut self, addr: CoreAddr) {
        self.state.bus_free = self.line_is_free(addr, self.state.bus_free);
    }

    /// A store beyond L1D is under way until `done`.
    #[inline(always)]
    pub(crate) fn note_store_done(&mut self, addr: CoreAddr, done: u64) {
        self.state.store_line = addr.line().0;
        self.state.store_done = done;
    }

    /// L2 takes a store, once its line is free: so long the core has waited for that.
    #[inline]
    pub(crate) fn store_in_l2(&mut self, addr: CoreAddr) -> u64 {
        let begun = self.state.cycles;
        self.state.cycles = self.line_is_free(addr, begun);
        let waited = self.state.cycles - begun;
        self.note_store_done(addr, self.state.cycles + u64::from(self.l2_cycles()));
        self.state.counters.write_stall_cycles += waited;
        self.caches.count_waits_in_l2(waited);
        waited
    }

    /// A store has ended without a transaction.
    #[inline(always)]
    pub(crate) fn end_store(&mut self, addr: CoreAddr, end: StoreEnd) {
        if end == StoreEnd::InL2 {
            self.store_in_l2(addr);
        }
    }

    /// What one service of L2 costs.
    #[inline]
    pub(crate) fn l2_cycles(&self) -> u32 {
        self.config.cache.l2_hit_cycles
    }
}
