//! The pins of a core: inputs that the chip drives, and outputs.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapters 14 and 19; vol. 1 for the
//! signals themselves.

use rockcreek_defs::{OutputPins, Pins};

use crate::core::parts::Core;
use crate::registers::register_file::cr0;
use crate::state::core_state::Activity;

impl Core {
    /// Sets the levels of the input pins; the core recognises them at its next instruction
    /// boundary. A change of A20M# empties the TLBs; IGNNE# ends the wait of a core before an x87
    /// instruction (`State::frozen`). The chip calls `reset` for RESET.
    pub fn set_pins(&mut self, pins: Pins) {
        let was = self.state.pins;
        self.state.pins = pins;
        let apic = &mut self.state.apic;
        let nmi0 = apic.pin(0, was.lint0, pins.lint0);
        let nmi1 = apic.pin(1, was.lint1, pins.lint1);
        self.state.nmi_pending |= nmi0 || nmi1;
        self.state.init_pending |= pins.init && !was.init;
        self.state.flush_pending |= pins.flush && !was.flush;
        if was.a20m != pins.a20m {
            self.tlbs.flush();
            self.fetched.forget();
        }
        if self.state.frozen && pins.ignne {
            self.state.frozen = false;
            self.state.activity = Activity::Running;
        }
        self.look_up();
    }

    /// The FERR# pin: true (asserted) if an unmasked x87 exception is pending and CR0.NE = 0 leaves
    /// its handling to the system.
    pub fn ferr(&self) -> bool {
        self.state.cr0 & cr0::NE == 0 && self.state.fpu.pending()
    }

    /// The levels of the output pins at the current instruction boundary.
    pub fn output_pins(&self) -> OutputPins {
        OutputPins {
            halt: self.state.activity == Activity::Halted && !self.state.frozen,
            shutdown: self.shutdown.is_some(),
            probe_ready: self.state.pins.stop,
            ferr: self.ferr(),
        }
    }
}
