//! Consecutive stores to one line.
//!
//! A store that is posted, or that L2 takes, waits for the previous store if that one is to the
//! same line and not yet done. A store in L2 is done after one access, a store on the bus when it
//! is acknowledged. A line that is written byte by byte therefore takes one access for each byte;
//! stores to other lines do not wait. Measured: the byte copies of the first RCCE
//! (`ircce-pingpong`), see `docs/chip/memory.md`. Stores are not merged. The rule concerns neither
//! stores that L1D takes nor stores for which the core itself waits (locked, uncached).

use rockcreek_cache::StoreEnd;
use rockcreek_defs::CoreAddr;

use crate::core::parts::Core;

impl Core {
    /// The earliest core cycle, not before `cycle`, at which a store to this address may begin:
    /// after the previous store, if that one is to the same line.
    #[inline(always)]
    pub(crate) fn line_is_free(&self, addr: CoreAddr, cycle: u64) -> u64 {
        match self.state.store_line == addr.line().0 {
            true => self.state.store_done.max(cycle),
            false => cycle,
        }
    }

    /// Delays a store that is about to be posted until the previous store, if that one is to the
    /// same line, is done: until then the bus unit takes no request.
    #[inline(always)]
    pub(crate) fn hold_for_line(&mut self, addr: CoreAddr) {
        self.state.bus_free = self.line_is_free(addr, self.state.bus_free);
    }

    /// Records that a store to `addr`, which L1D did not take, is in progress until core cycle
    /// `done`.
    #[inline(always)]
    pub(crate) fn note_store_done(&mut self, addr: CoreAddr, done: u64) {
        self.state.store_line = addr.line().0;
        self.state.store_done = done;
    }

    /// Has L2 take a store as soon as the previous store to its line is done. Returns the number of
    /// cycles that the core waited for that, which are counted as a stall of writes.
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

    /// Finishes a store that needed no bus transaction: if L2 has taken it (`end`), charges the
    /// wait for the previous store to its line.
    #[inline(always)]
    pub(crate) fn end_store(&mut self, addr: CoreAddr, end: StoreEnd) {
        if end == StoreEnd::InL2 {
            self.store_in_l2(addr);
        }
    }

    /// How many core cycles one access that L2 serves takes.
    #[inline]
    pub(crate) fn l2_cycles(&self) -> u32 {
        self.config.cache.l2_hit_cycles
    }
}
