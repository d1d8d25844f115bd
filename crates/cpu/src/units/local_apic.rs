//! The local APIC on the core, at FEE00000.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 19. On the SCC its serial
//! bus is not connected (`marc-2011`): writes to the interrupt command register are stored and have
//! no effect; interrupts come from the LINT0 and LINT1 pins and from the timer, which runs on the
//! core clock (`scc-linux-2011`).
//!
//! Modelled: ID, version, TPR, APR, PPR, EOI, LDR, DFR, SVR, ISR, TMR, IRR, ESR (always zero), ICR
//! (stored), LVT timer, LINT0, LINT1 and error, the timer with its divider. Delivery modes fixed
//! and NMI. Left out: SMI and INIT through LINT pins; ExtINT, because the chip has no 8259: such an
//! entry delivers nothing; the spurious vector, because a request never disappears between its
//! acceptance and its delivery. While the APIC is disabled in SVR, as after RESET, all LVT entries
//! are masked.

use serde::{Deserialize, Serialize};

/// Register offsets.
mod register {
    pub const ID: u32 = 0x020;
    pub const VERSION: u32 = 0x030;
    pub const TASK_PRIORITY: u32 = 0x080;
    pub const ARBITRATION_PRIORITY: u32 = 0x090;
    pub const PROCESSOR_PRIORITY: u32 = 0x0A0;
    pub const END_OF_INTERRUPT: u32 = 0x0B0;
    pub const LOGICAL_DESTINATION: u32 = 0x0D0;
    pub const DESTINATION_FORMAT: u32 = 0x0E0;
    pub const SPURIOUS: u32 = 0x0F0;
    pub const IN_SERVICE: u32 = 0x100;
    pub const TRIGGER_MODE: u32 = 0x180;
    pub const REQUEST: u32 = 0x200;
    pub const ERROR_STATUS: u32 = 0x280;
    pub const COMMAND_LOW: u32 = 0x300;
    pub const COMMAND_HIGH: u32 = 0x310;
    pub const LVT_TIMER: u32 = 0x320;
    pub const LVT_LINT0: u32 = 0x350;
    pub const LVT_LINT1: u32 = 0x360;
    pub const LVT_ERROR: u32 = 0x370;
    pub const INITIAL_COUNT: u32 = 0x380;
    pub const CURRENT_COUNT: u32 = 0x390;
    pub const DIVIDE: u32 = 0x3E0;
}

/// The version register of the P54C's integrated APIC: version 10h, four LVT entries.
const VERSION_WORD: u32 = 0x0003_0010;
const ENABLED: u32 = 1 << 8;
const MASKED: u32 = 1 << 16;
const PERIODIC: u32 = 1 << 17;
const LEVEL: u32 = 1 << 15;
const REMOTE_IRR: u32 = 1 << 14;
const LVT_WRITABLE: u32 = 0x0001_A7FF;
const LVT_TIMER_WRITABLE: u32 = 0x0003_00FF;
const DELIVERY_FIXED: u32 = 0;
const DELIVERY_NMI: u32 = 4;
const NEVER: u64 = u64::MAX;

/// 256 bits, one for each vector.
type Vectors = [u32; 8];

/// The registers and the timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Apic {
    id: u8,
    task_priority: u32,
    logical_destination: u32,
    destination_format: u32,
    spurious: u32,
    in_service: Vectors,
    trigger_mode: Vectors,
    request: Vectors,
    command: [u32; 2],
    lvt_timer: u32,
    /// LVT entries of LINT0 and LINT1.
    lvt_lint: [u32; 2],
    lvt_error: u32,
    initial_count: u32,
    divide: u32,
    /// The core cycle at which the timer next reaches zero.
    next_fire: u64,
}

impl Apic {
    /// The APIC after RESET.
    pub fn new(id: u8) -> Apic {
        Apic {
            id,
            task_priority: 0,
            logical_destination: 0,
            destination_format: u32::MAX,
            spurious: 0xFF,
            in_service: [0; 8],
            trigger_mode: [0; 8],
            request: [0; 8],
            command: [0; 2],
            lvt_timer: MASKED,
            lvt_lint: [MASKED; 2],
            lvt_error: MASKED,
            initial_count: 0,
            divide: 0,
            next_fire: NEVER,
        }
    }

    fn enabled(&self) -> bool {
        self.spurious & ENABLED != 0
    }

    /// The number of core cycles for each count of the timer.
    fn divider(&self) -> u64 {
        match (self.divide & 3) | (self.divide >> 1 & 4) {
            7 => 1,
            code => 2 << code,
        }
    }

    /// The core cycle at which the timer would next raise an interrupt; `None` if it is not armed
    /// or is masked.
    pub fn next_timer_cycle(&self) -> Option<u64> {
        let armed = self.next_fire != NEVER && self.lvt_timer & MASKED == 0;
        armed.then_some(self.next_fire)
    }

    /// Runs the timer up to core cycle `now`: requests an interrupt if it has reached zero and is
    /// not masked.
    pub fn advance(&mut self, now: u64) {
        if self.next_fire > now {
            return;
        }
        if self.lvt_timer & MASKED == 0 {
            set(&mut self.request, (self.lvt_timer & 0xFF) as u8);
        }
        let period = u64::from(self.initial_count) * self.divider();
        if self.lvt_timer & PERIODIC != 0 && period > 0 {
            // If several periods have passed since the last call, the request bit is set once.
            let missed = (now - self.next_fire) / period + 1;
            self.next_fire += missed * period;
        } else {
            self.next_fire = NEVER;
        }
    }

    fn current_count(&self, now: u64) -> u32 {
        if self.next_fire == NEVER {
            return 0;
        }
        self.next_fire.saturating_sub(now).div_ceil(self.divider()) as u32
    }

    fn arm(&mut self, now: u64, count: u32) {
        self.next_fire = if count == 0 { NEVER } else { now + u64::from(count) * self.divider() };
    }

    /// Handles a change of the pin LINT0 or LINT1 (`pin`: 0 or 1) from level `was` to `level`
    /// (true: asserted), or its unchanged level. Returns true if this raises an NMI.
    pub fn pin(&mut self, pin: usize, was: bool, level: bool) -> bool {
        let entry = self.lvt_lint[pin];
        if !level || entry & MASKED != 0 {
            return false;
        }
        match entry >> 8 & 7 {
            DELIVERY_FIXED if entry & LEVEL != 0 => self.accept_level(pin),
            DELIVERY_FIXED if !was => set(&mut self.request, (entry & 0xFF) as u8),
            DELIVERY_NMI => return !was,
            _ => {}
        }
        false
    }

    fn accept_level(&mut self, pin: usize) {
        let entry = &mut self.lvt_lint[pin];
        if *entry & REMOTE_IRR == 0 {
            let vector = (*entry & 0xFF) as u8;
            *entry |= REMOTE_IRR;
            set(&mut self.request, vector);
            set(&mut self.trigger_mode, vector);
        }
    }

    /// The vector that the core should take now: the highest requested one, if its priority class
    /// is above that of the task priority and of the vector in service. `None` if there is none, or
    /// if the APIC is disabled.
    pub fn deliverable(&self) -> Option<u8> {
        if !self.enabled() {
            return None;
        }
        let vector = highest(&self.request)?;
        (u32::from(vector) >> 4 > self.processor_priority() >> 4).then_some(vector)
    }

    fn processor_priority(&self) -> u32 {
        let serving = highest(&self.in_service).map_or(0, |vector| u32::from(vector) & 0xF0);
        if self.task_priority >> 4 >= serving >> 4 { self.task_priority } else { serving }
    }

    /// Moves `vector` from requested to in service, when the core takes it.
    pub fn acknowledge(&mut self, vector: u8) {
        clear(&mut self.request, vector);
        set(&mut self.in_service, vector);
    }

    fn end_of_interrupt(&mut self) {
        let Some(vector) = highest(&self.in_service) else { return };
        clear(&mut self.in_service, vector);
        if test(&self.trigger_mode, vector) {
            clear(&mut self.trigger_mode, vector);
            for entry in &mut self.lvt_lint {
                if *entry & 0xFF == u32::from(vector) {
                    *entry &= !REMOTE_IRR;
                }
            }
        }
    }

    /// The value of the register at an offset of the page, at cycle `now`.
    pub fn read(&self, offset: u32, now: u64) -> u32 {
        match offset {
            register::ID => u32::from(self.id) << 24,
            register::VERSION => VERSION_WORD,
            register::TASK_PRIORITY => self.task_priority,
            register::ARBITRATION_PRIORITY | register::PROCESSOR_PRIORITY => {
                self.processor_priority()
            }
            register::LOGICAL_DESTINATION => self.logical_destination,
            register::DESTINATION_FORMAT => self.destination_format,
            register::SPURIOUS => self.spurious,
            register::ERROR_STATUS => 0,
            register::COMMAND_LOW => self.command[0],
            register::COMMAND_HIGH => self.command[1],
            register::LVT_TIMER => self.lvt_timer,
            register::LVT_LINT0 => self.lvt_lint[0],
            register::LVT_LINT1 => self.lvt_lint[1],
            register::LVT_ERROR => self.lvt_error,
            register::INITIAL_COUNT => self.initial_count,
            register::CURRENT_COUNT => self.current_count(now),
            register::DIVIDE => self.divide,
            _ => self.read_vectors(offset),
        }
    }

    fn read_vectors(&self, offset: u32) -> u32 {
        let word = (offset >> 4 & 7) as usize;
        match offset & !0x7F {
            register::IN_SERVICE if offset < register::TRIGGER_MODE => self.in_service[word],
            register::TRIGGER_MODE => self.trigger_mode[word],
            register::REQUEST => self.request[word],
            _ => 0,
        }
    }

    /// Writes the register at an offset of the page, at cycle `now`.
    pub fn write(&mut self, offset: u32, value: u32, now: u64) {
        let masked_when_off = if self.enabled() { 0 } else { MASKED };
        match offset {
            register::ID => self.id = (value >> 24) as u8,
            register::TASK_PRIORITY => self.task_priority = value & 0xFF,
            register::END_OF_INTERRUPT => self.end_of_interrupt(),
            register::LOGICAL_DESTINATION => self.logical_destination = value & 0xFF00_0000,
            register::DESTINATION_FORMAT => self.destination_format = value | 0x0FFF_FFFF,
            register::SPURIOUS => {
                self.spurious = value & 0x3FF | 0xF;
                if !self.enabled() {
                    self.mask_all();
                }
            }
            register::COMMAND_LOW => self.command[0] = value & 0x000C_CFFF,
            register::COMMAND_HIGH => self.command[1] = value & 0xFF00_0000,
            register::LVT_TIMER => self.lvt_timer = value & LVT_TIMER_WRITABLE | masked_when_off,
            register::LVT_LINT0 | register::LVT_LINT1 => {
                let entry = &mut self.lvt_lint[usize::from(offset == register::LVT_LINT1)];
                let kept = *entry & REMOTE_IRR;
                *entry = value & LVT_WRITABLE & !REMOTE_IRR | kept | masked_when_off;
            }
            register::LVT_ERROR => self.lvt_error = value & 0x0001_00FF | masked_when_off,
            register::INITIAL_COUNT => {
                self.initial_count = value;
                self.arm(now, value);
            }
            register::DIVIDE => {
                let count = self.current_count(now);
                self.divide = value & 0xB;
                if self.next_fire != NEVER {
                    self.arm(now, count);
                }
            }
            _ => {}
        }
    }

    fn mask_all(&mut self) {
        self.lvt_timer |= MASKED;
        self.lvt_error |= MASKED;
        for entry in &mut self.lvt_lint {
            *entry |= MASKED;
        }
    }
}

fn set(vectors: &mut Vectors, vector: u8) {
    vectors[usize::from(vector >> 5)] |= 1 << (vector & 31);
}

fn clear(vectors: &mut Vectors, vector: u8) {
    vectors[usize::from(vector >> 5)] &= !(1 << (vector & 31));
}

fn test(vectors: &Vectors, vector: u8) -> bool {
    vectors[usize::from(vector >> 5)] >> (vector & 31) & 1 != 0
}

fn highest(vectors: &Vectors) -> Option<u8> {
    let word = (0..8).rev().find(|&word| vectors[word] != 0)?;
    Some((word as u32 * 32 + 31 - vectors[word].leading_zeros()) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enabled() -> Apic {
        let mut apic = Apic::new(0);
        apic.write(register::SPURIOUS, ENABLED | 0xFF, 0);
        apic
    }

    #[test]
    fn the_timer_counts_core_cycles() {
        let mut apic = enabled();
        apic.write(register::DIVIDE, 0xB, 0);
        apic.write(register::LVT_TIMER, PERIODIC | 0x40, 0);
        apic.write(register::INITIAL_COUNT, 100, 1000);
        assert_eq!(apic.next_timer_cycle(), Some(1100));
        assert_eq!(apic.read(register::CURRENT_COUNT, 1040), 60);
        apic.advance(1350);
        assert_eq!(apic.deliverable(), Some(0x40));
        assert_eq!(apic.next_timer_cycle(), Some(1400));
    }

    #[test]
    fn a_lower_class_waits_for_the_end_of_interrupt() {
        let mut apic = enabled();
        apic.write(register::LVT_LINT0, 0x31, 0);
        apic.write(register::LVT_LINT1, 0x38, 0);
        apic.pin(0, false, true);
        apic.acknowledge(0x31);
        apic.pin(1, false, true);
        assert_eq!(apic.deliverable(), None);
        apic.write(register::END_OF_INTERRUPT, 0, 0);
        assert_eq!(apic.deliverable(), Some(0x38));
    }

    #[test]
    fn a_level_requests_again_only_after_its_end() {
        let mut apic = enabled();
        apic.write(register::LVT_LINT0, LEVEL | 0x31, 0);
        apic.pin(0, false, true);
        apic.acknowledge(0x31);
        apic.pin(0, true, true);
        assert_eq!(highest(&apic.request), None);
        apic.write(register::END_OF_INTERRUPT, 0, 0);
        apic.pin(0, true, true);
        assert_eq!(apic.deliverable(), Some(0x31));
    }

    /// The serial bus is not connected: a message to any destination, the core itself included, has
    /// no effect.
    #[test]
    fn commands_are_kept_and_sent_nowhere() {
        let mut apic = enabled();
        apic.write(register::COMMAND_HIGH, 0x0100_0000, 0);
        for shorthand in 0..4 {
            apic.write(register::COMMAND_LOW, shorthand << 18 | 0x4031, 0);
            assert_eq!(apic.read(register::COMMAND_LOW, 0), shorthand << 18 | 0x4031);
            assert_eq!((apic.deliverable(), apic.read(register::REQUEST + 0x10, 0)), (None, 0));
        }
        assert_eq!(apic.read(register::COMMAND_HIGH, 0), 0x0100_0000);
    }

    #[test]
    fn a_disabled_apic_delivers_nothing() {
        let mut apic = Apic::new(3);
        apic.write(register::LVT_LINT0, 0x31, 0);
        apic.pin(0, false, true);
        assert_eq!(apic.deliverable(), None);
        assert_eq!(apic.read(register::ID, 0), 3 << 24);
    }
}
