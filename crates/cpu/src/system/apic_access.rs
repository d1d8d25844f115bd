//! Accesses of a program to the local APIC's page at FEE00000.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 19. The registers and the
//! timer are in `units/local_apic.rs`; an access costs the clocks that the chip description gives.

use crate::core::parts::Core;

impl Core {
    /// A read of the APIC page; narrow reads see the register's low bytes at its own offset only.
    pub(crate) fn apic_read(&mut self, offset: u32, size: u32) -> u32 {
        self.state.counters.clock_reads += 1;
        self.state.apic.advance(self.state.cycles);
        let word = self.state.apic.read(offset & !0xF, self.state.cycles);
        let shifted = word.checked_shr(8 * (offset & 0xF)).unwrap_or(0);
        if size < 4 { shifted & ((1 << (8 * size)) - 1) } else { shifted }
    }

    /// A write to the APIC page; registers accept aligned double words.
    pub(crate) fn apic_write(&mut self, offset: u32, value: u32) {
        let now = self.state.cycles;
        self.state.apic.advance(now);
        self.state.apic.write(offset, value, now);
        self.sample_level_pins();
        self.look_up();
    }

    /// Makes level-triggered pins that are still asserted request an interrupt again.
    pub(crate) fn sample_level_pins(&mut self) {
        let pins = self.state.pins;
        self.state.apic.pin(0, true, pins.lint0);
        self.state.apic.pin(1, true, pins.lint1);
    }
}
