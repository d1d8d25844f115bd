//! How a core asks its bus for the transaction that the instruction at hand waits for.

use rockcreek_defs::BusResponse;

use crate::core::bus::Bus;
use crate::core::parts::Core;

impl Core {
    /// The run has not yet been ended for a transaction, nor need it be for what a call's arguments
    /// are.
    #[inline(always)]
    pub(crate) fn may_ask(&self) -> bool {
        !self.refused && self.calls_are_complete()
    }

    /// Asks for the transaction that the instruction at hand waits for. False if the run must end
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

    /// Apart, for mostly the run ends.
    #[inline(never)]
    fn complete_at_once(&mut self, cycle: u64, response: &BusResponse) {
        self.complete(cycle, response);
    }
}
