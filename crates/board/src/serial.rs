//! The serial ports of one core: two 16550A at 0x3F8 and 0x2F8 (National PC16550D data sheet).
//!
//! On the board IN and OUT become packets that software on the management PC answers. Modelled:
//! the registers, FIFO control, received bytes, loopback, the interrupts with their causes and
//! priorities (COM1 on LINT0, COM2 on LINT1, as the PC's software drove them): a packet sets the
//! pin's bit in GLCFG when the port's interrupt line rises, and the core clears it. Left out: the
//! line itself, so characters take no line time, errors do not occur, and the host hands over a
//! byte only when it is read: clearing the receiver's FIFO loses looped-back bytes alone.
//!
//! Input exists only on COM1. What a program reads must not depend on host timing: a read of LSR
//! while nothing is buffered is held until the host has given bytes or the end of input. A port
//! with live input (a terminal) is not held: there bytes arrive when they are typed.

use std::collections::VecDeque;

use rockcreek_defs::registers::serial::{COM1, COM2, data, fcr, ier, iir, lcr, lsr, mcr, msr, scr};
use rockcreek_defs::{CoreId, Ps};
use serde::{Deserialize, Serialize};

use crate::Action;

/// Registers of one port.
const PORT_REGISTERS: u32 = 8;
const CAUSE_MODEM: u32 = 0;
const CAUSE_TRANSMITTER: u32 = 1;
const CAUSE_RECEIVED: u32 = 2;
/// Bytes wait in the FIFO, fewer than its trigger level.
const CAUSE_TIMEOUT: u32 = 6;
/// Bytes in the receiver's FIFO that interrupt, by FCR's trigger field.
const TRIGGER_LEVELS: [usize; 4] = [1, 4, 8, 14];

/// Bytes that a core sent, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// When the last of them arrived at the host.
    pub time: Ps,
    pub core: CoreId,
    pub port: u16,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Uart {
    ier: u8,
    fcr: u8,
    lcr: u8,
    mcr: u8,
    scr: u8,
    divisor: u16,
    transmitter_cause: bool,
    /// MSR's delta bits: what changed since it was last read.
    deltas: u8,
    /// The level of the interrupt line.
    line: bool,
    received: VecDeque<u8>,
    /// Bytes that the port sent to itself.
    looped: VecDeque<u8>,
    live: bool,
    ended: bool,
}

impl Uart {
    fn dlab(&self) -> bool {
        u32::from(self.lcr) & lcr::DLAB != 0
    }

    fn fifo(&self) -> bool {
        u32::from(self.fcr) & fcr::ENABLE != 0
    }

    fn loopback(&self) -> bool {
        u32::from(self.mcr) & mcr::LOOPBACK != 0
    }

    /// Bytes that the receiver has.
    fn waiting(&self) -> usize {
        if self.loopback() { self.looped.len() } else { self.received.len() }
    }

    /// The enabled cause of the highest priority.
    fn cause(&self) -> Option<u32> {
        let enabled = |bit: u32| u32::from(self.ier) & bit != 0;
        let trigger = (u32::from(self.fcr) & fcr::TRIGGER) >> fcr::TRIGGER_SHIFT;
        if enabled(ier::RECEIVED) && self.waiting() > 0 {
            let timeout = self.fifo() && self.waiting() < TRIGGER_LEVELS[trigger as usize];
            Some(if timeout { CAUSE_TIMEOUT } else { CAUSE_RECEIVED })
        } else if enabled(ier::TRANSMITTER_EMPTY) && self.transmitter_cause {
            Some(CAUSE_TRANSMITTER)
        } else if enabled(ier::MODEM_STATUS) && self.deltas != 0 {
            Some(CAUSE_MODEM)
        } else {
            None
        }
    }

    /// The modem's lines, or in loopback the port's own.
    fn modem_lines(&self) -> u32 {
        let over = self.ended && self.received.is_empty();
        if !self.loopback() {
            return if over { msr::RESET & !msr::DCD } else { msr::RESET };
        }
        let own = |line: u32, seen: u32| if u32::from(self.mcr) & line != 0 { seen } else { 0 };
        own(mcr::RTS, msr::CTS)
            | own(mcr::DTR, msr::DSR)
            | own(mcr::OUT1, msr::RI)
            | own(mcr::OUT2, msr::DCD)
    }

    /// After a change of the lines: RI counts when it ends, the others whenever they change.
    fn note_deltas(&mut self, before: u32) {
        let after = self.modem_lines();
        let changed = (before ^ after) & !msr::RI | before & !after & msr::RI;
        self.deltas |= (changed >> msr::CTS_SHIFT) as u8;
    }

    fn read(&mut self, register: u32) -> u8 {
        match register {
            data::OFFSET if self.dlab() => self.divisor as u8,
            data::OFFSET => self.take().unwrap_or(0),
            ier::OFFSET if self.dlab() => (self.divisor >> 8) as u8,
            ier::OFFSET => self.ier,
            iir::OFFSET => {
                let fifo = if self.fifo() { iir::FIFO } else { 0 };
                let cause = self.cause();
                if cause == Some(CAUSE_TRANSMITTER) {
                    self.transmitter_cause = false;
                }
                (fifo | cause.map_or(iir::NONE, |cause| cause << iir::CAUSE_SHIFT)) as u8
            }
            lcr::OFFSET => self.lcr,
            mcr::OFFSET => self.mcr,
            lsr::OFFSET => {
                let ready = if self.waiting() == 0 { 0 } else { lsr::DATA_READY };
                (lsr::RESET | ready) as u8
            }
            msr::OFFSET => self.modem_lines() as u8 | std::mem::take(&mut self.deltas),
            scr::OFFSET => self.scr,
            _ => 0xFF,
        }
    }

    fn take(&mut self) -> Option<u8> {
        if self.loopback() {
            return self.looped.pop_front();
        }
        let before = self.modem_lines();
        let byte = self.received.pop_front();
        self.note_deltas(before);
        // Without a FIFO the next byte arrives anew: the line falls and rises.
        if !self.fifo() {
            self.line = false;
        }
        byte
    }

    /// Stores a register; true if `value` is a character to send.
    fn write(&mut self, register: u32, value: u8) -> bool {
        match register {
            data::OFFSET if self.dlab() => self.divisor = self.divisor & 0xFF00 | u16::from(value),
            data::OFFSET => {
                // The holding register fills, the line falls; it empties at once.
                self.transmitter_cause = false;
                self.line &= self.cause().is_some();
                self.transmitter_cause = true;
                if self.loopback() {
                    self.looped.push_back(value);
                }
                return !self.loopback();
            }
            ier::OFFSET if self.dlab() => {
                self.divisor = self.divisor & 0x00FF | u16::from(value) << 8;
            }
            ier::OFFSET => {
                let value = value & ier::WRITABLE as u8;
                // Enabling the transmitter's interrupt while it is empty raises it.
                let newly = value & !self.ier;
                self.transmitter_cause |= u32::from(newly) & ier::TRANSMITTER_EMPTY != 0;
                self.ier = value;
            }
            fcr::OFFSET => self.control_fifo(value),
            lcr::OFFSET => self.lcr = value,
            mcr::OFFSET => {
                let before = self.modem_lines();
                self.mcr = value & mcr::WRITABLE as u8;
                self.note_deltas(before);
            }
            scr::OFFSET => self.scr = value,
            _ => {}
        }
        false
    }

    /// FCR: its other bits count only with the enable bit; a change of that one clears FIFOs.
    fn control_fifo(&mut self, value: u8) {
        let enable = u32::from(value) & fcr::ENABLE != 0;
        let clear = enable && u32::from(value) & fcr::CLEAR_RECEIVER != 0;
        if clear || enable != self.fifo() {
            self.looped.clear();
        }
        let kept = (fcr::ENABLE | fcr::TRIGGER) as u8;
        self.fcr = if enable { value & kept } else { 0 };
    }

    /// Follows the interrupt line; true if it rises.
    fn rises(&mut self) -> bool {
        let after = self.cause().is_some();
        let before = std::mem::replace(&mut self.line, after);
        after && !before
    }
}

/// Both ports of one core.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SerialPorts {
    uarts: [Uart; 2],
}

/// The port and register behind an I/O address.
fn decode(port: u16) -> Option<(usize, u32)> {
    let port = u32::from(port);
    [COM1, COM2].into_iter().enumerate().find_map(|(n, base)| {
        let register = port.checked_sub(base)?;
        (register < PORT_REGISTERS).then_some((n, register))
    })
}

impl SerialPorts {
    /// Both ports after power-on; the input of COM2 has ended, since input arrives on COM1 only.
    pub fn new() -> SerialPorts {
        let mut ports = SerialPorts::default();
        ports.uarts[1].ended = true;
        ports
    }

    /// True if an IN from this address must wait for the host's word on its input.
    pub fn must_wait(&self, port: u16) -> bool {
        decode(port).is_some_and(|(n, register)| {
            let uart = &self.uarts[n];
            let open = !uart.ended && !uart.live && !uart.loopback();
            register == lsr::OFFSET && uart.received.is_empty() && open
        })
    }

    /// IN of one byte; `None` if no serial port is there.
    pub fn read(&mut self, core: CoreId, port: u16, actions: &mut Vec<Action>) -> Option<u8> {
        let (n, register) = decode(port)?;
        let value = self.uarts[n].read(register);
        self.interrupt(core, n, actions);
        Some(value)
    }

    /// OUT of one byte: a character to send comes back with the base address of its port.
    pub fn write(
        &mut self,
        core: CoreId,
        port: u16,
        value: u8,
        actions: &mut Vec<Action>,
    ) -> Option<(u16, u8)> {
        let (n, register) = decode(port)?;
        let sent = self.uarts[n].write(register, value);
        self.interrupt(core, n, actions);
        sent.then_some(([COM1, COM2][n] as u16, value))
    }

    /// Makes the input of COM1 live: bytes arrive when the host has them, and time is not held.
    pub fn set_live(&mut self) {
        self.uarts[0].live = true;
    }

    /// The host sends bytes, or the end of input.
    pub fn receive(&mut self, core: CoreId, bytes: &[u8], end: bool, actions: &mut Vec<Action>) {
        let uart = &mut self.uarts[0];
        let before = uart.modem_lines();
        uart.received.extend(bytes);
        uart.ended |= end;
        uart.note_deltas(before);
        self.interrupt(core, 0, actions);
    }

    fn interrupt(&mut self, core: CoreId, n: usize, actions: &mut Vec<Action>) {
        if self.uarts[n].rises() {
            actions.push(Action::Interrupt { core, lint1: n == 1 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_waited_for_then_read_then_ended() {
        let (mut ports, mut actions) = (SerialPorts::new(), Vec::new());
        let core = CoreId(0);
        assert!(ports.must_wait(0x3FD) && !ports.must_wait(0x2FD) && !ports.must_wait(0x3F8));
        ports.receive(core, b"a", false, &mut actions);
        assert_eq!(ports.read(core, 0x3FD, &mut actions), Some(0x61));
        assert_eq!(ports.read(core, 0x3F8, &mut actions), Some(b'a'));
        assert!(ports.must_wait(0x3FD));
        ports.receive(core, b"", true, &mut actions);
        assert_eq!(ports.read(core, 0x3FD, &mut actions), Some(0x60));
        assert_eq!(ports.read(core, 0x3FE, &mut actions), Some(0x38), "DCD fell");
        assert_eq!(ports.read(core, 0x3FE, &mut actions), Some(0x30));
        assert_eq!(ports.read(core, 0x60, &mut actions), None);
        assert!(actions.is_empty());
    }

    #[test]
    fn an_empty_transmitter_interrupts_when_enabled() {
        let (mut ports, mut actions) = (SerialPorts::new(), Vec::new());
        let core = CoreId(7);
        assert_eq!(ports.write(core, 0x2F8, b'x', &mut actions), Some((0x2F8, b'x')));
        assert!(actions.is_empty());
        ports.write(core, 0x2F9, 2, &mut actions);
        assert_eq!(actions, [Action::Interrupt { core, lint1: true }]);
        assert_eq!(ports.read(core, 0x2FA, &mut actions), Some(0x02));
        assert_eq!(ports.read(core, 0x2FA, &mut actions), Some(0x01));
    }

    #[test]
    fn the_divisor_is_not_a_character() {
        let (mut ports, mut actions) = (SerialPorts::new(), Vec::new());
        ports.write(CoreId(0), 0x3FB, 0x80, &mut actions);
        assert_eq!(ports.write(CoreId(0), 0x3F8, 12, &mut actions), None);
        ports.write(CoreId(0), 0x3FB, 3, &mut actions);
        assert_eq!(ports.write(CoreId(0), 0x3F8, 12, &mut actions), Some((0x3F8, 12)));
    }

    /// A port of core 0 with what it asks of the chip.
    #[derive(Default)]
    struct Bench {
        ports: SerialPorts,
        interrupts: usize,
    }

    impl Bench {
        fn count(&mut self, mut actions: Vec<Action>) {
            let lint0 = Action::Interrupt { core: CoreId(0), lint1: false };
            assert!(actions.drain(..).all(|action| action == lint0));
        }

        fn read(&mut self, register: u16) -> u8 {
            let mut actions = Vec::new();
            let value = self.ports.read(CoreId(0), 0x3F8 + register, &mut actions);
            self.interrupts += actions.len();
            self.count(actions);
            value.unwrap()
        }

        fn write(&mut self, register: u16, value: u8) {
            let mut actions = Vec::new();
            self.ports.write(CoreId(0), 0x3F8 + register, value, &mut actions);
            self.interrupts += actions.len();
            self.count(actions);
        }

        fn receive(&mut self, bytes: &[u8]) {
            let mut actions = Vec::new();
            self.ports.receive(CoreId(0), bytes, false, &mut actions);
            self.interrupts += actions.len();
            self.count(actions);
        }
    }

    #[test]
    fn a_driver_finds_a_16550a() {
        let mut bench = Bench::default();
        bench.write(1, 0xFF);
        assert_eq!(bench.read(1), 0x0F);
        bench.write(1, 0);
        bench.write(7, 0x5A);
        assert_eq!(bench.read(7), 0x5A);
        bench.write(2, 0x01);
        assert_eq!(bench.read(2), 0xC1, "FIFOs on, nothing pending");
        bench.write(2, 0x00);
        assert_eq!(bench.read(2), 0x01);
        bench.write(4, 0x1A);
        assert_eq!(bench.read(6) & 0xF0, 0x90, "RTS and OUT2 come back as CTS and DCD");
        bench.write(0, b'x');
        assert_eq!((bench.read(5), bench.read(0), bench.read(5)), (0x61, b'x', 0x60));
        assert_eq!(bench.interrupts, 1);
    }

    #[test]
    fn causes_come_by_priority_and_the_line_rises_once() {
        let mut bench = Bench::default();
        bench.write(2, 0x41);
        bench.write(1, 0x03);
        assert_eq!(bench.interrupts, 1, "the transmitter is empty");
        bench.receive(b"abc");
        assert_eq!(bench.interrupts, 1, "the line is high already");
        assert_eq!(bench.read(2), 0xCC, "three bytes, fewer than four");
        bench.receive(b"d");
        assert_eq!(bench.read(2), 0xC4);
        for byte in b"abcd" {
            assert_eq!(bench.read(0), *byte);
        }
        assert_eq!((bench.read(2), bench.read(2)), (0xC2, 0xC1));
        bench.receive(b"e");
        assert_eq!(bench.interrupts, 2);
    }

    #[test]
    fn without_a_fifo_each_byte_interrupts() {
        let mut bench = Bench::default();
        bench.write(1, 0x01);
        bench.receive(b"ab");
        assert_eq!((bench.interrupts, bench.read(2)), (1, 0x04));
        assert_eq!((bench.read(0), bench.interrupts), (b'a', 2));
        assert_eq!((bench.read(0), bench.interrupts, bench.read(2)), (b'b', 2, 0x01));
        bench.write(1, 0x02);
        bench.write(0, b'x');
        bench.write(0, b'y');
        assert_eq!(bench.interrupts, 5, "enabled, and after each character");
    }

    #[test]
    fn nobody_waits_for_live_input() {
        let mut bench = Bench::default();
        bench.ports.set_live();
        assert!(!bench.ports.must_wait(0x3FD));
        assert_eq!(bench.read(5), 0x60);
        bench.write(1, 0x08);
        bench.write(4, 0x14);
        assert_eq!((bench.read(2), bench.interrupts), (0x00, 1), "the modem's lines changed");
        bench.read(6);
        assert_eq!(bench.read(2), 0x01);
    }
}
