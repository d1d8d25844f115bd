//! What translated code asks for in the middle of a block: transactions for which the run need not
//! end, of a load that it does itself and of an instruction that the interpreter does for it.

use rockcreek_defs::{BusRequest, BusResponse, CoreAddr, LINE_BYTES};

use crate::core::bus::Bus;
use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::state::counters::Stall;
use crate::state::exception::{Done, Stop};
use crate::state::transaction::{Pending, Target};

impl Core {
    /// As [`Core::ask`] for a transaction that is not yet noted as waited for, and whose answer the
    /// caller takes; `stall`: what waiting for it counts as. `None` if the run must end for it.
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
        self.pass(request, (cycle, response), stall);
        Some(response)
    }

    /// The same for a line, if it is one of many alike.
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

    /// Translated code has been left for a load of which it has noted no more than its line, of an
    /// MPBT page: that is asked for. False if it was left for something else.
    #[inline(always)]
    pub(crate) fn load_noted(&mut self) -> bool {
        let tag = std::mem::take(&mut self.host.message_line);
        if tag == 0 {
            return false;
        }
        self.log.clear();
        self.host.came = None;
        let request = self.caches.await_message_line(CoreAddr(tag).line());
        let pending = Pending { request, finishes: false, target: Target::Load };
        self.state.pending = Some(pending);
        self.refused = true;
        true
    }

    /// Performs an instruction of translated code, of which the log has what it has done so far,
    /// with the transactions for which the run need not end.
    pub(crate) fn perform_with(&mut self, op: &Op, bus: &mut dyn Bus) -> Done {
        loop {
            match self.perform(op) {
                Err(Stop::Wait) if self.ask(bus) => {}
                done => return done,
            }
            self.forget_extra();
            if !self.is_fetched(u32::from(op.length)) {
                // It is fetched again before it goes on.
                return Err(Stop::Wait);
            }
            self.log.restart();
        }
    }

    /// Whether fetching this many bytes at EIP again would change nothing.
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
