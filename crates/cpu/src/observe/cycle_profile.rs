//! The cycle profile: every cycle of the core is charged to one instruction and one cause.
//!
//! A charge is the difference of clocks and counts between two instants, so that no cycle is lost
//! or counted twice. The cycles of a mispredicted branch are charged to the instruction at its
//! target, and those of the delivery of an exception to the first instruction of the handler. Time
//! in HLT is charged to the HLT.

use rockcreek_defs::BusRequest;

use crate::core::parts::Core;
use crate::state::observers::cycle_charges::{Charge, Charged, Retired, Spent};

impl Core {
    /// Turns the charging of cycles on or off.
    pub fn record_cycles(&mut self, on: bool) {
        self.charges = on.then(Box::default);
        let address = self.code_address();
        self.count_from_here(Retired { address, user: self.state.cpl == 3 });
        if let Some(charges) = &mut self.charges {
            charges.begin_window();
        }
        self.note_observers();
    }

    /// Removes and returns the charges (cycles by instruction and cause). Call at the start of a
    /// window, when no rollback can undo them.
    pub fn take_charges(&mut self) -> Vec<Charge> {
        self.charges.as_mut().map(|charges| charges.take()).unwrap_or_default()
    }

    /// Charges all cycles up to now. Cycles of an unfinished instruction are charged to the core's
    /// present address.
    pub fn charge_all(&mut self) {
        self.charge_to(self.code_address());
    }

    /// Charges the cycles since the last charge to the instruction at linear address `linear`, but
    /// halted cycles to the instruction that retired last.
    pub(crate) fn charge_to(&mut self, linear: u32) {
        let state = &self.state;
        let place = Retired { address: linear, user: state.cpl == 3 };
        let Some(charges) = &mut self.charges else { return };
        let (counters, before) = (&state.counters, charges.now);
        let halted = counters.halted_cycles - before.halted;
        let waited = counters.waiting_cycles - before.waiting;
        let passed = state.cycles - before.cycles - halted;
        let busy = passed.saturating_sub(waited);
        let level2 = (self.caches.stats().l2_cycles - before.level2).min(busy);
        charges.add(before.last, Spent::Halted, halted);
        charges.add(place, before.open, passed.min(waited));
        charges.add(place, Spent::Level2, level2);
        charges.add(place, Spent::Pipes, busy - level2);
        self.count_from_here(place);
    }

    /// Charges the cycles up to now to the current instruction, which next waits for `request`.
    /// The cycles of the wait are charged to that request's cause.
    #[inline(never)]
    pub(crate) fn charge_before(&mut self, request: &BusRequest) {
        let Some(last) = self.charges.as_ref().map(|charges| charges.now.last) else { return };
        self.charge_to(self.code_address());
        if let Some(charges) = &mut self.charges {
            charges.now.open = Spent::on(request);
            charges.now.last = last;
        }
    }

    fn count_from_here(&mut self, last: Retired) {
        let (state, counters) = (&self.state, &self.state.counters);
        let part = self.probes.as_ref().map_or(0, |probes| probes.snapshots.taken);
        let Some(charges) = &mut self.charges else { return };
        charges.now = Charged {
            cycles: state.cycles,
            waiting: counters.waiting_cycles,
            halted: counters.halted_cycles,
            level2: self.caches.stats().l2_cycles,
            open: Spent::default(),
            last,
            part,
        };
    }

    /// Restarts the profile's clock after a reset, because the core's cycle count restarts at 0.
    pub(crate) fn charge_from_reset(&mut self) {
        if self.charges.is_some() {
            self.count_from_here(Retired { address: self.code_address(), user: false });
        }
    }
}
