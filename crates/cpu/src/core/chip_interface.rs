//! The chip's and debuggers' access to a core between two runs.

use rockcreek_cache::Caches;
use rockcreek_defs::{BusRequest, CoreId};
use rockcreek_x87::Fpu;

use crate::core::parts::Core;
use crate::registers::flags;
use crate::registers::register_file::Registers;
use crate::state::core_state::Activity;
use crate::state::counters::{Counters, Unequal};
use crate::state::exception::ShutdownCause;

impl Core {
    pub fn id(&self) -> CoreId {
        self.id
    }

    /// This core's cycle count since its reset.
    #[inline]
    pub fn cycles(&self) -> u64 {
        self.state.cycles
    }

    /// The first core cycle at which the core can send a request: now ([`Core::cycles`]), or later
    /// if its bus unit is still busy with a posted store.
    #[inline]
    pub fn sends_from(&self) -> u64 {
        self.state.cycles.max(self.state.bus_free)
    }

    /// Advances the time of a core that is halted or held by a pin to `cycle`; the cycles count as
    /// halted. Does nothing if the core has reached that cycle.
    pub fn advance_to(&mut self, cycle: u64) {
        let passed = cycle.saturating_sub(self.state.cycles);
        self.state.cycles += passed;
        self.state.counters.halted_cycles += passed;
    }

    /// The request for whose response the core waits; `None` if it waits for none.
    pub fn waiting_for(&self) -> Option<&BusRequest> {
        self.state.pending.as_ref().map(|pending| &pending.request)
    }

    /// The core cycle at which the local APIC timer would interrupt; `None` if the timer is not
    /// armed, or if the core has halted with interrupts off, so that the timer cannot wake it.
    pub fn next_timer_cycle(&self) -> Option<u64> {
        let deaf =
            self.state.activity == Activity::Halted && self.state.system_flags & flags::IF == 0;
        if deaf { None } else { self.state.apic.next_timer_cycle() }
    }

    /// Why the core has shut down; `None` if it has not.
    pub fn shutdown_cause(&self) -> Option<ShutdownCause> {
        self.shutdown
    }

    /// The core's activity: running, halted or shut down.
    pub fn activity(&self) -> Activity {
        self.state.activity
    }

    pub fn registers(&self) -> Registers {
        self.flushed_state().registers()
    }

    /// Sets the registers, as a boot loader or a debugger does; empties the TLBs and the pipes. CPL
    /// follows from CR0.PE, VM and SS.
    pub fn set_registers(&mut self, registers: &Registers) {
        self.forget_resumption();
        self.state.set_registers(registers);
        self.tlbs.flush();
        self.fetched.forget();
        self.look_up();
    }

    /// The floating-point unit.
    pub fn fpu(&self) -> &Fpu {
        &self.state.fpu
    }

    /// Replaces the floating-point unit's registers, at a debugger's request.
    pub fn set_fpu(&mut self, fpu: &Fpu) {
        self.forget_resumption();
        self.state.fpu = *fpu;
    }

    /// The current privilege level (CPL): 0 to 3.
    pub fn privilege_level(&self) -> u8 {
        self.state.cpl
    }

    pub fn counters(&self) -> Counters {
        self.flushed_state().counters
    }

    /// Where counted and executed instructions have differed.
    pub fn unequal(&self) -> Unequal {
        self.unequal
    }

    pub fn caches(&self) -> &Caches {
        &self.caches
    }

    /// The caches, to be changed: for the tile's reset, and for L2CFG, which switches L2.
    pub fn caches_mut(&mut self) -> &mut Caches {
        self.forget_resumption();
        &mut self.caches
    }
}
