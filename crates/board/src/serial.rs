//! The serial ports of one core: two 16550A at 0x3F8 and 0x2F8 (National PC16550D data sheet).
//!
//! On the board IN and OUT become packets that software on the management PC answers. Modelled:
//! the registers, received bytes, DCD as "input goes on", interrupts for received data and empty
//! transmitter (COM1 on LINT0, COM2 on LINT1, as the PC's software drove them). Left out: the
//! line itself, so characters take no line time and errors do not occur.
//!
//! Input exists only on COM1. What the host has sent must not depend on host timing: a read of
//! LSR while nothing is buffered is held until the host has given bytes or the end of input.

use std::collections::VecDeque;

use rockcreek_defs::registers::serial::{COM1, COM2, data, ier, iir, lcr, lsr, mcr, msr, scr};
use rockcreek_defs::{CoreId, Ps};
use serde::{Deserialize, Serialize};

use crate::Action;

/// Registers of one port.
const PORT_REGISTERS: u32 = 8;
const CAUSE_TRANSMITTER: u32 = 1;
const CAUSE_RECEIVED: u32 = 2;
const FIFO_ENABLE: u8 = 1;

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
    lcr: u8,
    mcr: u8,
    scr: u8,
    divisor: u16,
    fifo: bool,
    transmitter_cause: bool,
    received: VecDeque<u8>,
    ended: bool,
}

impl Uart {
    fn dlab(&self) -> bool {
        u32::from(self.lcr) & lcr::DLAB != 0
    }

    fn cause(&self) -> Option<u32> {
        let enabled = |bit: u32| u32::from(self.ier) & bit != 0;
        if enabled(ier::RECEIVED) && !self.received.is_empty() {
            Some(CAUSE_RECEIVED)
        } else if enabled(ier::TRANSMITTER_EMPTY) && self.transmitter_cause {
            Some(CAUSE_TRANSMITTER)
        } else {
            None
        }
    }

    fn read(&mut self, register: u32) -> u8 {
        match register {
            data::OFFSET if self.dlab() => self.divisor as u8,
            data::OFFSET => self.received.pop_front().unwrap_or(0),
            ier::OFFSET if self.dlab() => (self.divisor >> 8) as u8,
            ier::OFFSET => self.ier,
            iir::OFFSET => {
                let fifo = if self.fifo { iir::FIFO } else { 0 };
                let cause = self.cause();
                if cause == Some(CAUSE_TRANSMITTER) {
                    self.transmitter_cause = false;
                }
                (fifo | cause.map_or(iir::NONE, |cause| cause << iir::CAUSE_SHIFT)) as u8
            }
            lcr::OFFSET => self.lcr,
            mcr::OFFSET => self.mcr,
            lsr::OFFSET => {
                let ready = if self.received.is_empty() { 0 } else { lsr::DATA_READY };
                (lsr::RESET | ready) as u8
            }
            msr::OFFSET => {
                let over = self.ended && self.received.is_empty();
                (if over { msr::RESET & !msr::DCD } else { msr::RESET }) as u8
            }
            scr::OFFSET => self.scr,
            _ => 0xFF,
        }
    }

    /// Stores a register; true if `value` is a character to send.
    fn write(&mut self, register: u32, value: u8) -> bool {
        match register {
            data::OFFSET if self.dlab() => self.divisor = self.divisor & 0xFF00 | u16::from(value),
            data::OFFSET => {
                self.transmitter_cause = true;
                return true;
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
            iir::OFFSET => self.fifo = value & FIFO_ENABLE != 0,
            lcr::OFFSET => self.lcr = value,
            mcr::OFFSET => self.mcr = value & mcr::WRITABLE as u8,
            scr::OFFSET => self.scr = value,
            _ => {}
        }
        false
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
    /// Input can only arrive on COM1.
    pub fn new() -> SerialPorts {
        let mut ports = SerialPorts::default();
        ports.uarts[1].ended = true;
        ports
    }

    /// True if an IN from this address must wait for the host's word on its input.
    pub fn must_wait(&self, port: u16) -> bool {
        decode(port).is_some_and(|(n, register)| {
            let uart = &self.uarts[n];
            register == lsr::OFFSET && uart.received.is_empty() && !uart.ended
        })
    }

    /// IN of one byte; `None` if no serial port is there.
    pub fn read(&mut self, core: CoreId, port: u16, actions: &mut Vec<Action>) -> Option<u8> {
        let (n, register) = decode(port)?;
        let value = self.uarts[n].read(register);
        if register == data::OFFSET {
            self.interrupt(core, n, actions);
        }
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
        if matches!(register, data::OFFSET | ier::OFFSET) {
            self.interrupt(core, n, actions);
        }
        sent.then_some(([COM1, COM2][n] as u16, value))
    }

    /// The host sends bytes, or the end of input.
    pub fn receive(&mut self, bytes: &[u8], end: bool) {
        self.uarts[0].received.extend(bytes);
        self.uarts[0].ended |= end;
    }

    fn interrupt(&self, core: CoreId, n: usize, actions: &mut Vec<Action>) {
        if self.uarts[n].cause().is_some() {
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
        ports.receive(b"a", false);
        assert_eq!(ports.read(core, 0x3FD, &mut actions), Some(0x61));
        assert_eq!(ports.read(core, 0x3F8, &mut actions), Some(b'a'));
        assert!(ports.must_wait(0x3FD));
        ports.receive(b"", true);
        assert_eq!(ports.read(core, 0x3FD, &mut actions), Some(0x60));
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
}
