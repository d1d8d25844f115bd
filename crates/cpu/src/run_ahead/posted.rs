//! Stores that the core does not wait for.
//!
//! A store to cacheable memory that no cache takes is posted: the core goes on when its bus unit
//! has it. Two requests may be under way (`marc-2011`, the paper on frequency scaling, section
//! II-A), of which reads are waited for. So the next request leaves when the controller has
//! accepted the store, and the posted store before it, if there is one, is acknowledged. Requests
//! keep their order: a read that misses does not pass a store, one that hits does. A store to the
//! line of the one before it waits longer (`same_line.rs`).
//!
//! LOCK, HLT and interrupts wait until the bus unit is free. Manual: Pentium Processor Family
//! Developer's Manual vol. 3, section 18.2 (what drains the write buffers).

use rockcreek_defs::{BusRequest, BusResponse, CoreAddr};

use crate::core::parts::Core;
use crate::state::counters::Stall;

impl Core {
    /// A posted store was accepted at `cycle`; its answer tells how many cycles later it is
    /// acknowledged.
    #[inline]
    pub(crate) fn post(&mut self, addr: CoreAddr, (cycle, response): (u64, &BusResponse)) {
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

    /// A request has been performed at once: the core waits for its answer, unless it is posted.
    #[inline]
    pub(crate) fn pass(&mut self, request: &BusRequest, end: (u64, &BusResponse), stall: Stall) {
        match request.posted_to() {
            Some(addr) => self.post(addr, end),
            None => self.wait_until(end.0, stall),
        }
    }

    #[inline(always)]
    pub(crate) fn is_bus_free(&self) -> bool {
        self.state.bus_free <= self.state.cycles
    }

    /// Waits until the bus unit takes a request.
    #[inline(always)]
    pub fn await_bus(&mut self) {
        if !self.is_bus_free() {
            self.wait_until(self.state.bus_free, Stall::Write);
        }
    }
}
