//! Posted stores, for which the core does not wait.
//!
//! A store to cacheable memory that no cache takes is posted: the core continues when its bus unit
//! has accepted the store. Two requests may be in progress (`marc-2011`, the paper on frequency
//! scaling, section II-A); the core waits for reads. So the next request leaves when the memory
//! controller has accepted the store, and when the previous posted store, if any, has been
//! acknowledged. Requests keep their order: a read that misses the caches does not overtake a
//! store, a read that hits does. A store to the line of the previous store waits longer
//! (`same_line.rs`).
//!
//! LOCK, HLT and interrupts wait until the bus unit is free. Manual: Pentium Processor Family
//! Developer's Manual vol. 3, section 18.2 (what drains the write buffers).

use rockcreek_defs::{BusRequest, BusResponse, CoreAddr};

use crate::core::parts::Core;
use crate::state::counters::Stall;

impl Core {
    /// Records a posted store to `addr` that the bus accepted at core cycle `cycle`. `response`
    /// holds the number of core cycles from then to the acknowledgement.
    #[inline]
    pub(crate) fn post(&mut self, addr: CoreAddr, cycle: u64, response: &BusResponse) {
        let delay = match response {
            BusResponse::Value(delay) => *delay,
            _ => 0,
        };
        self.post_accepted(addr, cycle, delay);
    }

    #[inline(always)]
    pub(crate) fn post_accepted(&mut self, addr: CoreAddr, cycle: u64, delay: u64) {
        self.state.bus_free = cycle.max(self.state.acknowledged);
        self.state.acknowledged = cycle + delay;
        self.note_store_done(addr, self.state.acknowledged);
    }

    /// Handles the response to a request that was performed at once. For a posted store, records
    /// that the bus accepted it at core cycle `cycle`; otherwise the core waits until that cycle.
    /// `stall`: the counter for the wait.
    #[inline]
    pub(crate) fn pass(
        &mut self,
        request: &BusRequest,
        cycle: u64,
        response: &BusResponse,
        stall: Stall,
    ) {
        match request.posted_to() {
            Some(addr) => self.post(addr, cycle, response),
            None => self.wait_until(cycle, stall),
        }
    }

    #[inline(always)]
    pub(crate) fn is_bus_free(&self) -> bool {
        self.state.bus_free <= self.state.cycles
    }

    /// Lets time pass until the bus unit accepts a request; does nothing if it is free.
    #[inline(always)]
    pub fn await_bus(&mut self) {
        if !self.is_bus_free() {
            self.wait_until(self.state.bus_free, Stall::Write);
        }
    }
}
