//! Accesses of a program to the local APIC's page at FEE00000.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 19. The registers and the
//! timer are in `units/local_apic.rs`; an access costs the clocks that the chip description gives.

use crate::core::parts::Core;

impl Core {
    /// Reads from the APIC page. A read of fewer than 4 bytes returns the low bytes of a register
    /// only at the register's own offset.
    pub(crate) fn apic_read(&mut self, offset: u32, size: u32) -> u32 {
        self.state.counters.clock_reads += 1;
        self.state.apic.advance(self.state.cycles);
        let word = self.state.apic.read(offset & !0xF, self.state.cycles);
        let shifted = word.checked_shr(8 * (offset & 0xF)).unwrap_or(0);
        if size < 4 { shifted & ((1 << (8 * size)) - 1) } else { shifted }
    }

    /// Writes to the APIC page. Registers accept aligned double words.
    pub(crate) fn apic_write(&mut self, offset: u32, value: u32) {
        let now = self.state.cycles;
        self.state.apic.advance(now);
        self.state.apic.write(offset, value, now);
        self.sample_level_pins();
        self.look_up();
    }

    /// Requests the interrupts of level-triggered pins that are still asserted.
    pub(crate) fn sample_level_pins(&mut self) {
        let pins = self.state.pins;
        self.state.apic.pin(0, true, pins.lint0);
        self.state.apic.pin(1, true, pins.lint1);
    }
}
