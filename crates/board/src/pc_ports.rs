//! Ports of a PC that kernels written for one look for, at each core by itself: interval timer,
//! real-time clock, interrupt controllers that never interrupt, a keyboard controller without a
//! keyboard. On the SCC, what answers unknown ports is software of the management PC.

use rockcreek_defs::Ps;
use serde::{Deserialize, Serialize};

use crate::calendar_clock::CalendarClock;
use crate::interval_timer::IntervalTimer;

const MASTER: u16 = 0x20;
const SLAVE: u16 = 0xA0;
const TIMER: u16 = 0x40;
const TIMER_CONTROL: u16 = 0x43;
const KEYBOARD: u16 = 0x60;
const SYSTEM: u16 = 0x61;
const KEYBOARD_COMMAND: u16 = 0x64;
const CLOCK_INDEX: u16 = 0x70;
const CLOCK_DATA: u16 = 0x71;

/// Port 61h: the gate of channel 2, the loudspeaker; then refresh and the output of channel 2, to
/// be read.
const GATE_2: u8 = 1;
const SYSTEM_WRITTEN: u8 = 0x0F;
const REFRESH: u8 = 0x10;
const OUTPUT_2: u8 = 0x20;

/// An interrupt controller (8259A) without requests: its masks and the words of its initialisation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct InterruptController {
    mask: u8,
    /// How many more words of the initialisation come.
    expected: u8,
}

impl InterruptController {
    fn write(&mut self, data: bool, value: u8) {
        const INITIALISE: u8 = 0x10;
        if !data && value & INITIALISE != 0 {
            // A vector, the other controller unless there is none, the mode if it is announced.
            let single = value >> 1 & 1;
            *self = InterruptController { mask: 0, expected: 2 - single + (value & 1) };
        } else if data && self.expected > 0 {
            self.expected -= 1;
        } else if data {
            self.mask = value;
        }
    }

    fn read(&self, data: bool) -> u8 {
        if data { self.mask } else { 0 }
    }
}

/// A keyboard controller (8042) with nothing connected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeyboardController {
    command: u8,
    answer: Option<u8>,
    /// The command whose data byte comes next.
    expects: Option<u8>,
}

impl Default for KeyboardController {
    fn default() -> KeyboardController {
        KeyboardController { command: 0x30, answer: None, expects: None }
    }
}

impl KeyboardController {
    fn status(&self) -> u8 {
        const SELF_TEST_PASSED: u8 = 4;
        const UNLOCKED: u8 = 0x10;
        u8::from(self.answer.is_some()) | SELF_TEST_PASSED | UNLOCKED
    }

    fn order(&mut self, value: u8) {
        self.expects = None;
        match value {
            0x20 => self.answer = Some(self.command),
            0x60 | 0xD1..=0xD4 => self.expects = Some(value),
            0xA7 => self.command |= 0x20,
            0xA8 => self.command &= !0x20,
            0xA9 | 0xAB => self.answer = Some(0), // the lines are good
            0xAA => self.answer = Some(0x55),
            0xAD => self.command |= 0x10,
            0xAE => self.command &= !0x10,
            0xC0 => self.answer = Some(0x80),
            0xD0 => self.answer = Some(3), // no reset, address line 20 is on
            _ => {}
        }
    }

    fn data(&mut self, value: u8) {
        match self.expects.take() {
            Some(0x60) => self.command = value,
            // What a keyboard or mouse would have sent.
            Some(0xD2 | 0xD3) => self.answer = Some(value),
            _ => {} // a command for a keyboard that is not there
        }
    }
}

/// The ports of one core.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PcPorts {
    timer: IntervalTimer,
    clock: CalendarClock,
    controllers: [InterruptController; 2],
    keyboard: KeyboardController,
    system: u8,
}

impl PcPorts {
    /// IN of one byte; `None` if no such port is there.
    pub fn read(&mut self, port: u16, time: Ps) -> Option<u8> {
        Some(match port {
            MASTER..=0x21 => self.controllers[0].read(port & 1 != 0),
            SLAVE..=0xA1 => self.controllers[1].read(port & 1 != 0),
            TIMER..TIMER_CONTROL => self.timer.read(usize::from(port - TIMER), time),
            KEYBOARD => self.keyboard.answer.take().unwrap_or(0),
            SYSTEM => {
                let refresh = if self.timer.refresh(time) { REFRESH } else { 0 };
                let output = if self.timer.output(time) { OUTPUT_2 } else { 0 };
                self.system | refresh | output
            }
            KEYBOARD_COMMAND => self.keyboard.status(),
            CLOCK_DATA => self.clock.read(time),
            _ => return None,
        })
    }

    /// OUT of one byte; other ports take no notice.
    pub fn write(&mut self, port: u16, value: u8, time: Ps) {
        match port {
            MASTER..=0x21 => self.controllers[0].write(port & 1 != 0, value),
            SLAVE..=0xA1 => self.controllers[1].write(port & 1 != 0, value),
            TIMER..TIMER_CONTROL => self.timer.write(usize::from(port - TIMER), value, time),
            TIMER_CONTROL => self.timer.control(value, time),
            KEYBOARD => self.keyboard.data(value),
            SYSTEM => {
                self.system = value & SYSTEM_WRITTEN;
                self.timer.set_gate(value & GATE_2 != 0, time);
            }
            KEYBOARD_COMMAND => self.keyboard.order(value),
            CLOCK_INDEX => self.clock.select(value),
            CLOCK_DATA => self.clock.write(value),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_is_kept_and_initialisation_is_not_one() {
        let mut ports = PcPorts::default();
        ports.write(0x21, 0xFB, Ps(0));
        assert_eq!(ports.read(0x21, Ps(0)), Some(0xFB));
        for (port, value) in [(0x20, 0x11), (0x21, 0x20), (0x21, 4), (0x21, 1), (0x21, 0xFE)] {
            ports.write(port, value, Ps(0));
        }
        assert_eq!(ports.read(0x21, Ps(0)), Some(0xFE));
        assert_eq!(ports.read(0x20, Ps(0)), Some(0));
    }

    #[test]
    fn the_keyboard_controller_answers_and_has_no_keyboard() {
        let mut ports = PcPorts::default();
        ports.write(0x64, 0xAA, Ps(0));
        assert_eq!(ports.read(0x64, Ps(0)), Some(0x15));
        assert_eq!(ports.read(0x60, Ps(0)), Some(0x55));
        ports.write(0x60, 0xFF, Ps(0));
        assert_eq!(ports.read(0x64, Ps(0)), Some(0x14));
    }

    #[test]
    fn port_61_has_gate_and_output_of_channel_2() {
        let mut ports = PcPorts::default();
        for (port, value) in [(0x61, 1), (0x43, 0xB0), (0x42, 0xA9), (0x42, 4)] {
            ports.write(port, value, Ps(0));
        }
        let output = |ports: &mut PcPorts, time| ports.read(0x61, Ps(time)).unwrap() & 0x21;
        assert_eq!(output(&mut ports, 500_000_000), 1);
        assert_eq!(output(&mut ports, 1_001_000_000), 0x21);
        assert_eq!(ports.read(0xCF8, Ps(0)), None);
    }
}
