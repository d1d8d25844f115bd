//! The request for the transaction that the current instruction waits for.

use rockcreek_defs::BusResponse;

use crate::core::bus::Bus;
use crate::core::parts::Core;

impl Core {
    /// True if the run need not end: no transaction has ended it, and no recorded call lacks its
    /// arguments.
    #[inline(always)]
    pub(crate) fn may_ask(&self) -> bool {
        !self.refused && self.calls_are_complete()
    }

    /// Requests the transaction that the current instruction waits for. False if the run must end
    /// for it.
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

    /// Takes an answer at once; a function of its own, because the run mostly ends instead.
    #[inline(never)]
    fn complete_at_once(&mut self, cycle: u64, response: &BusResponse) {
        self.complete(cycle, response);
    }
}
