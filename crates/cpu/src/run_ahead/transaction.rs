//! The request for the transaction that the current instruction waits for.

use rockcreek_defs::BusResponse;

use crate::core::bus::Bus;
use crate::core::parts::Core;

impl Core {
    /// True if the core may send a further request in this run: no transaction has ended the run,
    /// and all words of recorded calls are known.
    #[inline(always)]
    pub(crate) fn may_ask(&self) -> bool {
        !self.refused && self.calls_are_complete()
    }

    /// Sends the request that the current instruction waits for to `bus`, after a wait for the bus
    /// unit. Returns true if the response has come, or if there was no request; false if the bus
    /// cannot perform it at once, so that the run must end; `Core::refused` is then set.
    #[inline(always)]
    pub(crate) fn ask(&mut self, bus: &mut dyn Bus) -> bool {
        if self.state.pending.is_some() {
            self.await_bus();
        }
        let Some(pending) = &self.state.pending else { return true };
        let answer = self.may_ask().then(|| bus.ask(self.state.cycles, &pending.request)).flatten();
        let Some((cycle, response)) = answer else {
            self.refused = true;
            return false;
        };
        self.complete_at_once(cycle, response);
        true
    }

    /// Handles a response that came at once. Kept out of line, because in most cases the run ends
    /// instead.
    #[inline(never)]
    fn complete_at_once(&mut self, cycle: u64, response: &BusResponse) {
        self.complete(cycle, response);
    }
}
