//! The events that CESR can select, and the counters CTR0 and CTR1.
//!
//! Manual: Intel SDM vol. 3, "performance monitoring (Pentium processors)" and its event list. Two
//! events always count zero: snoops, which the SCC does not have, and stalls of writes to the
//! core's own lines, which never wait in this model. "Count clocks" counts like "count events".
//!
//! An event costs nothing by itself: its total is computed from the counts that core and caches
//! keep anyway, and a counter is the growth of that total. A code read is counted when execution
//! comes into a 32-byte line, in order or by a jump; while this event is selected, each instruction
//! must be observed. An instruction that changes the privilege level counts for the level in which
//! it ends, its memory accesses for the level in which it began.

use crate::core::parts::Core;
use crate::state::performance::{CONTROL_INNER, CONTROL_USER, Performance};

/// Counters are 40 bits wide.
const COUNTER_MASK: u64 = (1 << 40) - 1;
/// The bits of CESR that exist. For each of the two counters: event, control and pin.
const SELECT_MASK: u32 = 0x03FF_03FF;
const LINE: u32 = rockcreek_defs::LINE_BYTES as u32;
/// A line number that no line has: the next instruction was reached by a jump.
const NO_LINE: u32 = u32::MAX;

/// Event numbers.
mod number {
    pub const DATA_READ: u32 = 0x00;
    pub const DATA_WRITE: u32 = 0x01;
    pub const DATA_TLB_MISS: u32 = 0x02;
    pub const DATA_READ_MISS: u32 = 0x03;
    pub const DATA_WRITE_MISS: u32 = 0x04;
    pub const WRITE_HIT_OWNED: u32 = 0x05;
    pub const DATA_WRITTEN_BACK: u32 = 0x06;
    pub const PAIRED_ACCESS: u32 = 0x09;
    pub const BANK_CONFLICT: u32 = 0x0A;
    pub const MISALIGNED: u32 = 0x0B;
    pub const CODE_READ: u32 = 0x0C;
    pub const CODE_TLB_MISS: u32 = 0x0D;
    pub const CODE_MISS: u32 = 0x0E;
    pub const SEGMENT_LOAD: u32 = 0x0F;
    pub const BRANCH: u32 = 0x12;
    pub const BRANCH_TARGET_HIT: u32 = 0x13;
    pub const TAKEN_BRANCH_OR_HIT: u32 = 0x14;
    pub const PIPELINE_FLUSH: u32 = 0x15;
    pub const INSTRUCTION: u32 = 0x16;
    pub const PAIRED_INSTRUCTION: u32 = 0x17;
    pub const BUS_CLOCKS: u32 = 0x18;
    pub const WRITE_STALL: u32 = 0x19;
    pub const READ_STALL: u32 = 0x1A;
    pub const LOCKED_CYCLE: u32 = 0x1C;
    pub const PORT_CYCLE: u32 = 0x1D;
    pub const NON_CACHEABLE_READ: u32 = 0x1E;
    pub const ADDRESS_STALL: u32 = 0x1F;
    pub const FLOATING_POINT: u32 = 0x22;
    pub const BREAKPOINT_0: u32 = 0x23;
    pub const BREAKPOINT_3: u32 = 0x26;
    pub const INTERRUPT: u32 = 0x27;
    pub const DATA_ACCESS: u32 = 0x28;
    pub const DATA_MISS: u32 = 0x29;
}

impl Performance {
    pub fn counts_breakpoint(&self, number: usize) -> bool {
        self.selects(number::BREAKPOINT_0 + number as u32)
    }

    pub fn counts_code_reads(&self) -> bool {
        self.selects(number::CODE_READ)
    }
}

impl Core {
    /// How often the event with number `event` has happened since the core was made.
    fn event_total(&self, event: u32) -> u64 {
        let counters = &self.state.counters;
        let caches = self.caches.stats();
        let transfers = counters.software_interrupts + counters.interrupt_returns;
        let read_misses = || {
            let fills = caches.l1d_fills_from_l2
                + caches.l1d_fills_from_memory
                + caches.l1d_fills_mpbt
                + caches.reads_from_bus;
            (fills + counters.bypassing_loads).saturating_sub(counters.walk_misses)
        };
        let write_misses = || caches.l1d_write_misses + counters.bypassing_stores;
        match event {
            number::DATA_READ => counters.loads,
            number::DATA_WRITE => counters.stores,
            number::DATA_TLB_MISS => counters.dtlb_misses,
            number::DATA_READ_MISS => read_misses(),
            number::DATA_WRITE_MISS => write_misses(),
            number::WRITE_HIT_OWNED => {
                let others = write_misses() + caches.l1d_write_through_hits;
                counters.stores.saturating_sub(others)
            }
            number::DATA_WRITTEN_BACK => {
                caches.l1d_writebacks_to_l2 + caches.l1d_writebacks_to_memory
            }
            number::PAIRED_ACCESS => counters.paired_accesses,
            number::BANK_CONFLICT => counters.bank_conflicts,
            number::MISALIGNED => counters.misaligned_references,
            number::CODE_READ => counters.code_reads,
            number::CODE_TLB_MISS => counters.itlb_misses,
            number::CODE_MISS => {
                caches.l1i_fills_from_l2 + caches.l1i_fills_from_memory + caches.uncached_fetches
            }
            number::SEGMENT_LOAD => counters.segment_loads,
            number::BRANCH => counters.branches + transfers,
            number::BRANCH_TARGET_HIT => counters.branch_target_hits,
            number::TAKEN_BRANCH_OR_HIT => {
                counters.taken_branches + transfers + counters.branch_target_hits_not_taken
            }
            number::PIPELINE_FLUSH => {
                counters.pipeline_flushes + counters.exceptions + counters.interrupts
            }
            number::BUS_CLOCKS => counters.waiting_cycles,
            number::WRITE_STALL => counters.write_stall_cycles,
            number::READ_STALL => counters.read_stall_cycles,
            number::INSTRUCTION => counters.instructions,
            number::PAIRED_INSTRUCTION => counters.paired_instructions,
            number::LOCKED_CYCLE => counters.locked_instructions + counters.locked_updates,
            number::PORT_CYCLE => counters.port_accesses,
            number::NON_CACHEABLE_READ => caches.reads_from_bus + caches.uncached_fetches,
            number::ADDRESS_STALL => counters.address_stalls,
            number::FLOATING_POINT => counters.floating_point_operations,
            number::BREAKPOINT_0..=number::BREAKPOINT_3 => {
                counters.breakpoint_matches[(event - number::BREAKPOINT_0) as usize]
            }
            number::INTERRUPT => counters.interrupts,
            number::DATA_ACCESS => counters.loads + counters.stores,
            number::DATA_MISS => read_misses() + write_misses(),
            _ => 0,
        }
    }

    fn counting(&self, counter: usize) -> bool {
        let level = if self.state.cpl == 3 { CONTROL_USER } else { CONTROL_INNER };
        self.state.msr.performance.control(counter) & level != 0
    }

    /// The value that the counter (0 or 1) has now.
    pub(crate) fn performance_counter(&self, counter: usize) -> u64 {
        let performance = &self.state.msr.performance;
        let mut value = performance.counters[counter];
        if self.counting(counter) {
            let total = self.event_total(performance.event(counter));
            value = value.wrapping_add(total.wrapping_sub(performance.starts[counter]));
        }
        value & COUNTER_MASK
    }

    /// Brings both counters up to date. Call before a change of what they count, or of CPL.
    pub(crate) fn settle_performance(&mut self) {
        if self.state.msr.performance.select == 0 {
            return;
        }
        for counter in 0..2 {
            let value = self.performance_counter(counter);
            let total = self.event_total(self.state.msr.performance.event(counter));
            let performance = &mut self.state.msr.performance;
            performance.counters[counter] = value;
            performance.starts[counter] = total;
        }
    }

    /// Writes CESR. The counters keep their values.
    pub(crate) fn select_events(&mut self, value: u32) {
        self.settle_performance();
        let performance = &mut self.state.msr.performance;
        performance.select = value & SELECT_MASK;
        performance.code_line = NO_LINE;
        for counter in 0..2 {
            let total = self.event_total(self.state.msr.performance.event(counter));
            self.state.msr.performance.starts[counter] = total;
        }
        self.rearm();
        self.note_observers();
    }

    pub(crate) fn set_performance_counter(&mut self, counter: usize, value: u64) {
        self.settle_performance();
        self.state.msr.performance.counters[counter] = value & COUNTER_MASK;
    }

    /// Counts the lines of code that an instruction, which retired at linear address `linear`, has
    /// entered. Call only while the event "code read" is selected. `jumped`: true if the next
    /// instruction is not the one behind it.
    pub(crate) fn count_code_reads(&mut self, linear: u32, length: u32, jumped: bool) {
        let first = linear / LINE;
        let last = linear.wrapping_add(length - 1) / LINE;
        let performance = &mut self.state.msr.performance;
        let entered = u64::from(performance.code_line != first) + u64::from(last != first);
        performance.code_line = if jumped { NO_LINE } else { last };
        self.state.counters.code_reads += entered;
    }
}
