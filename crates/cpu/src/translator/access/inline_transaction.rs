//! Transactions in the middle of a block of translated code for which the run need not end: those
//! of translated loads, and those of instructions that the interpreter executes for translated
//! code.

use rockcreek_defs::{BusRequest, BusResponse, CoreAddr, LINE_BYTES};

use crate::core::bus::Bus;
use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::registers::register_file::sreg;
use crate::state::counters::Stall;
use crate::state::exception::{Done, Stop};

impl Core {
    /// Performs a transaction at once, if the core's run need not end for it; otherwise `None`, and
    /// `Core::refused` is set. In both cases the core first waits for the bus unit. The transaction
    /// is not recorded as pending; the caller handles the response. `stall`: the counter to which
    /// the wait for the response is added.
    #[inline]
    pub(crate) fn ask_at_once<'a>(
        &mut self,
        request: &BusRequest,
        stall: Stall,
        bus: &'a mut dyn Bus,
    ) -> Option<&'a BusResponse> {
        if let Some(addr) = request.posted_to() {
            self.hold_for_line(addr);
        }
        self.await_bus();
        let answer = self.may_ask().then(|| bus.ask(self.state.cycles, request)).flatten();
        let Some((cycle, response)) = answer else {
            self.refused = true;
            return None;
        };
        self.pass(request, cycle, response, stall);
        Some(response)
    }

    /// Requests a line at once, if the core's run need not end for it and the chip already knows
    /// the request's route through the mesh; otherwise `None`. In both cases the core first waits
    /// for the bus unit.
    #[inline(always)]
    pub(crate) fn read_line_at_once<'a>(
        &mut self,
        addr: CoreAddr,
        bus: &'a mut dyn Bus,
    ) -> Option<&'a [u8; LINE_BYTES]> {
        self.await_bus();
        let answer = self.may_ask().then(|| bus.read_line(self.state.cycles, addr)).flatten();
        let (cycle, line) = answer?;
        self.wait_until(cycle, Stall::Read);
        Some(line)
    }

    /// Executes an instruction of translated code whose completed accesses are in the log. Performs
    /// all transactions for which the run need not end. Stops with `Wait` if the run must end, or
    /// if the instruction must be fetched again before it continues; with `Fault` if it faults.
    pub(crate) fn perform_with(&mut self, op: &Op, bus: &mut dyn Bus) -> Done {
        let limited = !self.state.segments[sreg::CS].open_read();
        loop {
            match if limited { self.execute_limited(op) } else { self.perform(op) } {
                Err(Stop::Wait) if self.ask(bus) => {}
                done => return done,
            }
            self.forget_extra();
            if !self.is_fetched(u32::from(op.length)) {
                // The instruction must be fetched again before it continues.
                return Err(Stop::Wait);
            }
            self.log.restart();
        }
    }

    /// True if a second fetch of the `length` bytes of code at EIP would change nothing in ITLB and
    /// L1I.
    pub(crate) fn is_fetched(&self, length: u32) -> bool {
        let (first, user) = (self.code_address(), self.state.cpl == 3);
        let last = first.wrapping_add(length - 1);
        let known = |linear: u32| {
            self.fetched.version(linear, user).is_some()
                && self.tlbs.code.recent(linear >> 12).is_some()
        };
        let line = !(LINE_BYTES as u32 - 1);
        known(first) && (first & line == last & line || known(last))
    }
}
