//! The interval timer of a PC (8254), counted in simulated time. Channel 2 has a gate and an
//! output that a program reads at port 61h; nothing here interrupts a core.
//!
//! A count is a function of the time since it was loaded, so the timer costs nothing while nobody
//! reads it. Counts in BCD are taken as binary ones.

use rockcreek_defs::Ps;
use serde::{Deserialize, Serialize};

/// The timer's clock is a twelfth of 14.31818 MHz: `TICKS` ticks in `IN_PS` picoseconds.
const TICKS: u128 = 1_431_818;
const IN_PS: u128 = 1_200_000_000_000;
/// The count that a written 0 stands for.
const LARGEST: u64 = 0x1_0000;

/// How the two bytes of a count are written and read: bits 5:4 of a control word.
const LATCH: u8 = 0;
const LOW_ONLY: u8 = 1;
const HIGH_ONLY: u8 = 2;

/// The number of ticks of the timer's clock up to a time.
fn ticks(time: Ps) -> u64 {
    (u128::from(time.0) * TICKS / IN_PS) as u64
}

/// One of the three counters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Channel {
    mode: u8,
    access: u8,
    reload: u64,
    /// The tick at which counting began; `None` if a count or a trigger is missing.
    start: Option<u64>,
    gate: bool,
    /// Ticks that were counted before the gate closed.
    before: u64,
    latched: Option<u16>,
    status: Option<u8>,
    /// The next byte that is read, or written, is the high one.
    high_read: bool,
    high_write: bool,
    low: u8,
}

impl Channel {
    fn new(gate: bool) -> Channel {
        Channel {
            mode: 3,
            access: LOW_ONLY | HIGH_ONLY,
            reload: LARGEST,
            start: Some(0),
            gate,
            before: 0,
            latched: None,
            status: None,
            high_read: false,
            high_write: false,
            low: 0,
        }
    }

    /// True for the modes that wait for a rising gate.
    fn is_triggered(&self) -> bool {
        matches!(self.mode, 1 | 5)
    }

    /// The number of ticks that have been counted.
    fn elapsed(&self, now: u64) -> u64 {
        match self.start {
            Some(start) if self.gate || self.is_triggered() => self.before + (now - start),
            _ => self.before,
        }
    }

    /// The counter, and the channel's output.
    fn at(&self, now: u64) -> (u16, bool) {
        let (elapsed, reload) = (self.elapsed(now), self.reload);
        let phase = elapsed % reload;
        match self.mode {
            2 => ((reload - phase) as u16, phase + 1 != reload || !self.gate),
            3 => {
                // Counts down by two, once for each half of the square wave.
                let half = reload.div_ceil(2);
                let high = phase < half;
                let of_half = if high { phase } else { phase - half };
                ((reload - (2 * of_half).min(reload)) as u16 & !1, high || !self.gate)
            }
            _ => {
                let over = self.start.is_some() && elapsed >= reload;
                let idle = self.is_triggered() && self.start.is_none();
                let strobe = matches!(self.mode, 4 | 5);
                let output = if strobe { elapsed != reload } else { over || idle };
                (reload.wrapping_sub(elapsed) as u16, output)
            }
        }
    }

    fn status(&self, now: u64) -> u8 {
        let null_count = self.start.is_none();
        u8::from(self.at(now).1) << 7
            | u8::from(null_count) << 6
            | self.access << 4
            | self.mode << 1
    }

    fn control(&mut self, value: u8, now: u64) {
        let access = value >> 4 & 3;
        if access == LATCH {
            self.latch(now);
            return;
        }
        let mode = value >> 1 & 7;
        *self = Channel {
            mode: if mode > 5 { mode & 3 } else { mode },
            access,
            start: None,
            ..Channel::new(self.gate)
        };
    }

    fn latch(&mut self, now: u64) {
        self.latched = self.latched.or(Some(self.at(now).0));
    }

    fn write(&mut self, value: u8, now: u64) {
        let count = match self.access {
            LOW_ONLY => u16::from(value),
            HIGH_ONLY => u16::from(value) << 8,
            _ if !self.high_write => {
                (self.low, self.high_write) = (value, true);
                return;
            }
            _ => u16::from_le_bytes([self.low, value]),
        };
        self.high_write = false;
        self.reload = if count == 0 { LARGEST } else { count.into() };
        self.before = 0;
        self.start = (!self.is_triggered()).then_some(now);
    }

    fn read(&mut self, now: u64) -> u8 {
        if let Some(status) = self.status.take() {
            return status;
        }
        let [low, high] = self.latched.unwrap_or_else(|| self.at(now).0).to_le_bytes();
        let both = self.access == LOW_ONLY | HIGH_ONLY;
        let is_high = self.access == HIGH_ONLY || both && self.high_read;
        self.high_read = both && !self.high_read;
        if !self.high_read {
            self.latched = None;
        }
        if is_high { high } else { low }
    }

    fn set_gate(&mut self, open: bool, now: u64) {
        let rises = open && !self.gate;
        if self.is_triggered() {
            self.gate = open;
            if rises {
                (self.start, self.before) = (Some(now), 0);
            }
            return;
        }
        if open != self.gate {
            // Modes 2 and 3 begin again when the gate opens; the others go on.
            let again = matches!(self.mode, 2 | 3);
            self.before = if again { 0 } else { self.elapsed(now) };
            self.start = self.start.map(|_| now);
            self.gate = open;
        }
    }
}

/// The three channels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntervalTimer {
    channels: [Channel; 3],
}

impl Default for IntervalTimer {
    fn default() -> IntervalTimer {
        IntervalTimer { channels: [Channel::new(true), Channel::new(true), Channel::new(false)] }
    }
}

impl IntervalTimer {
    /// Reads the port of a channel.
    pub fn read(&mut self, channel: usize, time: Ps) -> u8 {
        self.channels[channel].read(ticks(time))
    }

    /// Writes the port of a channel.
    pub fn write(&mut self, channel: usize, value: u8, time: Ps) {
        self.channels[channel].write(value, ticks(time));
    }

    /// Writes the control port.
    pub fn control(&mut self, value: u8, time: Ps) {
        let now = ticks(time);
        let number = usize::from(value >> 6);
        if let Some(channel) = self.channels.get_mut(number) {
            channel.control(value, now);
            return;
        }
        // The read-back command: bits 3:1 are the channels, bits 4 and 5, if clear, what to latch.
        for (n, channel) in self.channels.iter_mut().enumerate() {
            if value >> (n + 1) & 1 == 0 {
                continue;
            }
            if value & 0x10 == 0 {
                channel.status = Some(channel.status(now));
            }
            if value & 0x20 == 0 {
                channel.latch(now);
            }
        }
    }

    /// Opens or closes the gate of channel 2.
    pub fn set_gate(&mut self, open: bool, time: Ps) {
        self.channels[2].set_gate(open, ticks(time));
    }

    pub fn gate(&self) -> bool {
        self.channels[2].gate
    }

    /// The output of channel 2.
    pub fn output(&self, time: Ps) -> bool {
        self.channels[2].at(ticks(time)).1
    }

    /// A bit that changes with each request for refresh, 15 us apart.
    pub fn refresh(&self, time: Ps) -> bool {
        (ticks(time) / 18) & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000_000;

    fn loaded(control: u8, count: u16) -> IntervalTimer {
        let mut timer = IntervalTimer::default();
        timer.set_gate(true, Ps(0));
        timer.control(control, Ps(0));
        for byte in count.to_le_bytes() {
            timer.write(2, byte, Ps(0));
        }
        timer
    }

    fn count(timer: &mut IntervalTimer, time: Ps) -> u16 {
        u16::from_le_bytes([timer.read(2, time), timer.read(2, time)])
    }

    #[test]
    fn channel_2_counts_down_and_raises_its_output_at_the_end() {
        let mut timer = loaded(0xB0, 11_932); // 10 ms
        assert_eq!(count(&mut timer, Ps(MS)), 11_932 - 1193);
        assert!(!timer.output(Ps(9_999 * MS / 1000)));
        assert!(timer.output(Ps(10_001 * MS / 1000)));
        // It goes on behind the end.
        assert_eq!(count(&mut timer, Ps(11 * MS)), 11_932u16.wrapping_sub(13_124));
    }

    #[test]
    fn a_closed_gate_holds_the_count() {
        let mut timer = loaded(0xB0, 0);
        timer.set_gate(false, Ps(MS));
        assert_eq!(count(&mut timer, Ps(5 * MS)), 0u16.wrapping_sub(1193));
        timer.set_gate(true, Ps(5 * MS));
        assert_eq!(count(&mut timer, Ps(6 * MS)), 0u16.wrapping_sub(2387));
    }

    #[test]
    fn a_latched_count_stays_until_it_is_read() {
        let mut timer = loaded(0xB4, 1000);
        timer.control(0x80, Ps(0));
        assert_eq!(count(&mut timer, Ps(MS)), 1000);
        assert_eq!(count(&mut timer, Ps(MS)), 1000 - 193);
        timer.control(0xE8, Ps(MS)); // status of channel 2
        assert_eq!(timer.read(2, Ps(MS)), 0x80 | 0x30 | 2 << 1);
    }

    #[test]
    fn a_square_wave_has_two_halves() {
        let timer = loaded(0xB6, 2386); // 2 ms
        assert!(timer.output(Ps(MS / 2)));
        assert!(!timer.output(Ps(3 * MS / 2)));
    }

    #[test]
    fn one_shot_starts_with_the_gate() {
        let mut timer = IntervalTimer::default();
        timer.control(0xB2, Ps(0));
        timer.write(2, 0xA9, Ps(0));
        timer.write(2, 0x04, Ps(0)); // 1 ms
        assert!(timer.output(Ps(MS)));
        timer.set_gate(true, Ps(2 * MS));
        assert!(!timer.output(Ps(2 * MS + MS / 2)));
        assert!(timer.output(Ps(3 * MS + MS / 100)));
    }
}
