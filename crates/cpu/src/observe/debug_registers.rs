//! Debug registers: instruction, data and I/O breakpoints, and single steps.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 17. Modelled: DR0 to DR3
//! with all lengths and kinds (I/O with CR4.DE), local and global enables, GD, BS, BT, RF. Data
//! breakpoints are always exact, whatever the values of LE and GE. DR6 shows enabled breakpoints
//! only. A length of 2 (undefined) is taken as 1.
//!
//! Cost: nothing while no breakpoint is armed. Armed data breakpoints send every access to the slow
//! path; any armed breakpoint makes each instruction end at a boundary.

use rockcreek_defs::BusRequest;

use crate::core::parts::Core;
use crate::registers::debug::{
    BREAKPOINTS, DR6_ONES, DR6_WRITABLE, DR7_GENERAL_DETECT, DR7_ONES, DR7_WRITABLE, armed, kind,
};
use crate::registers::flags;
use crate::registers::register_file::{cr4, sreg};
use crate::state::core_state::State;
use crate::state::exception::{Event, vector};

impl State {
    fn breakpoint_kind(&self, number: usize) -> u32 {
        self.debug[7] >> (16 + 4 * number) & 3
    }

    fn breakpoint_enabled(&self, number: usize) -> bool {
        self.debug[7] >> (2 * number) & 3 != 0
    }

    /// The number of bytes (1, 2 or 4) that data or port breakpoint `number` (0 to 3) covers.
    fn breakpoint_bytes(&self, number: usize) -> u32 {
        match self.debug[7] >> (18 + 4 * number) & 3 {
            1 => 2,
            3 => 4,
            _ => 1,
        }
    }

    /// Computes anew which accesses must be watched, after a change of DR7, CR4.DE or the counted
    /// events.
    pub(crate) fn rearm(&mut self) {
        self.armed = 0;
        for number in 0..BREAKPOINTS {
            if self.breakpoint_enabled(number) || self.msr.counts_breakpoint(number) {
                self.armed |= match self.breakpoint_kind(number) {
                    kind::CODE => armed::CODE,
                    kind::PORT if self.cr4 & cr4::DE != 0 => armed::PORT,
                    kind::PORT => 0,
                    _ => armed::DATA,
                };
            }
        }
        self.refresh_needs();
    }

    /// The breakpoints, a bit each, that cover at least one of `size` bytes at `address` and are of
    /// one of the given kinds.
    fn covering(&self, address: u32, size: u32, kinds: impl Fn(u32) -> bool) -> u32 {
        let mut found = 0;
        for number in 0..BREAKPOINTS {
            let bytes = self.breakpoint_bytes(number);
            let start = self.debug[number] & !(bytes - 1);
            let overlaps =
                address.wrapping_sub(start) < bytes || start.wrapping_sub(address) < size;
            if overlaps && kinds(self.breakpoint_kind(number)) {
                found |= 1 << number;
            }
        }
        found
    }

    /// The breakpoints among `found` (a bit each) that are enabled and therefore raise #DB.
    fn enabled_of(&self, found: u32) -> u32 {
        (0..BREAKPOINTS)
            .filter(|&number| found >> number & 1 != 0 && self.breakpoint_enabled(number))
            .fold(0, |bits, number| bits | 1 << number)
    }
}

impl Core {
    pub(crate) fn rearm(&mut self) {
        self.state.rearm();
        self.look_up();
    }

    /// Writes DR6, DR7 or an address register, as a program does.
    pub(crate) fn write_debug(&mut self, number: usize, value: u32) {
        self.state.debug[number] = match number {
            6 => value & DR6_WRITABLE | DR6_ONES,
            7 => value & DR7_WRITABLE | DR7_ONES,
            _ => value,
        };
        self.rearm();
    }

    /// Records which breakpoints a data access of the current instruction matches (`write`: true
    /// for a write). May be called again for the same access, when the instruction is executed
    /// again.
    #[cold]
    pub(crate) fn watch_data(&mut self, linear: u32, size: u32, write: bool) {
        let kinds = |kind| kind == 3 || write && kind == kind::WRITE;
        let found = self.state.covering(linear, size, kinds);
        self.state.matched |= found as u8;
        self.state.trap_bits |= self.state.enabled_of(found);
    }

    #[cold]
    pub(crate) fn watch_port(&mut self, request: &BusRequest) {
        let (port, size) = match *request {
            BusRequest::IoRead { port, size } | BusRequest::IoWrite { port, size, .. } => {
                (u32::from(port), u32::from(size))
            }
            _ => return,
        };
        let found = self.state.covering(port, size, |kind| kind == kind::PORT);
        self.state.matched |= found as u8;
        self.state.trap_bits |= self.state.enabled_of(found);
    }

    /// Call before an instruction: raises #DB as a fault if an enabled breakpoint is at its address
    /// and RF is clear.
    pub(crate) fn meet_code_breakpoint(&mut self) {
        let linear = self.state.segments[sreg::CS].base.wrapping_add(self.state.eip);
        let found = (0..BREAKPOINTS)
            .filter(|&number| {
                self.state.debug[number] == linear
                    && self.state.breakpoint_kind(number) == kind::CODE
            })
            .fold(0, |bits, number| bits | 1 << number);
        self.state.matched |= found as u8;
        let hit = self.state.enabled_of(found);
        if hit != 0 && self.state.system_flags & flags::RF == 0 {
            self.state.counters.exceptions += 1;
            self.begin_debug(hit);
        }
    }

    /// Starts the delivery of #DB, and clears GD in DR7; `bits` are its reasons, as DR6 shows them.
    pub(crate) fn begin_debug(&mut self, bits: u32) {
        self.state.debug[6] |= bits;
        self.state.debug[7] &= !DR7_GENERAL_DETECT;
        self.state.delivering = Some(Event { vector: vector::DEBUG, error: None, external: false });
    }

    /// Ends an instruction, or one iteration of it (`repeating`). Clears RF after the instruction
    /// that it protects, and counts the breakpoints that matched.
    pub(crate) fn end_instruction(&mut self, repeating: bool) {
        let state = &mut self.state;
        let matched = std::mem::take(&mut state.matched);
        for (number, count) in state.counters.breakpoint_matches.iter_mut().enumerate() {
            *count += u64::from(matched >> number & 1);
        }
        if state.system_flags & flags::RF != 0 {
            if state.resumed && !repeating {
                state.system_flags &= !flags::RF;
                state.resumed = false;
            } else {
                state.resumed = true;
            }
        }
    }
}
