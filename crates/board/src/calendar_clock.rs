//! The real-time clock of a PC with its memory (MC146818). Every run begins at one date, as the
//! time of Rockcreek's own kernel does; writes of time and date have no effect, and nothing here
//! interrupts a core.

use rockcreek_defs::Ps;
use serde::{Deserialize, Serialize};

/// 2010-01-01, a Friday.
const YEARS: u64 = 2010;
const MONTHS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const FIRST_WEEKDAY: u64 = 5;
const PS_PER_SECOND: u64 = 1_000_000_000_000;
/// For this time before each second the bit "update in progress" is set.
const UPDATE_PS: u64 = 244_000_000;

const SECONDS: u8 = 0;
const MINUTES: u8 = 2;
const HOURS: u8 = 4;
const WEEKDAY: u8 = 6;
const DAY: u8 = 7;
const MONTH: u8 = 8;
const YEAR: u8 = 9;
const STATUS_A: u8 = 0x0A;
const STATUS_B: u8 = 0x0B;
const STATUS_C: u8 = 0x0C;
const STATUS_D: u8 = 0x0D;
const CENTURY: u8 = 0x32;
/// Status B: 24 hours a day; binary instead of BCD.
const HOURS_24: u8 = 2;
const BINARY: u8 = 4;

/// The memory in rows, as arrays that can be saved are short.
const ROW: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarClock {
    index: u8,
    memory: [[u8; ROW]; 4],
}

impl Default for CalendarClock {
    fn default() -> CalendarClock {
        let mut memory = [[0; ROW]; 4];
        memory[0][usize::from(STATUS_A)] = 0x26;
        memory[0][usize::from(STATUS_B)] = HOURS_24;
        CalendarClock { index: 0, memory }
    }
}

/// Month and day, from 1 on, of a day after the first one. Simulated time ends in the first year.
fn date(mut days: u64) -> (u64, u64) {
    let mut month = 0;
    while days >= MONTHS[month % MONTHS.len()] {
        days -= MONTHS[month % MONTHS.len()];
        month += 1;
    }
    (month as u64 % 12 + 1, days + 1)
}

impl CalendarClock {
    /// Port 70h: which register port 71h is. Bit 7 masks NMIs, of which there are none.
    pub fn select(&mut self, value: u8) {
        self.index = value & 0x7F;
    }

    fn stored(&self, register: u8) -> u8 {
        self.memory[usize::from(register) / ROW][usize::from(register) % ROW]
    }

    /// A number as status B wants to have it.
    fn coded(&self, value: u64) -> u8 {
        let value = value as u8;
        if self.stored(STATUS_B) & BINARY != 0 { value } else { ((value / 10) << 4) | (value % 10) }
    }

    fn hours(&self, hours: u64) -> u8 {
        if self.stored(STATUS_B) & HOURS_24 != 0 {
            return self.coded(hours);
        }
        let afternoon = u8::from(hours >= 12) << 7;
        self.coded((hours + 11) % 12 + 1) | afternoon
    }

    pub fn read(&self, time: Ps) -> u8 {
        let seconds = time.0 / PS_PER_SECOND;
        let days = seconds / 86_400;
        let (month, day) = date(days);
        match self.index {
            SECONDS => self.coded(seconds % 60),
            MINUTES => self.coded(seconds / 60 % 60),
            HOURS => self.hours(seconds / 3600 % 24),
            WEEKDAY => self.coded((FIRST_WEEKDAY + days) % 7 + 1),
            DAY => self.coded(day),
            MONTH => self.coded(month),
            YEAR => self.coded(YEARS % 100),
            CENTURY => self.coded(YEARS / 100),
            STATUS_A => {
                let soon = time.0 % PS_PER_SECOND >= PS_PER_SECOND - UPDATE_PS;
                self.stored(STATUS_A) & 0x7F | u8::from(soon) << 7
            }
            STATUS_C => 0,
            STATUS_D => 0x80, // the battery is good
            register => self.stored(register),
        }
    }

    pub fn write(&mut self, value: u8) {
        let at = usize::from(self.index);
        self.memory[at / ROW][at % ROW] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(clock: &mut CalendarClock, register: u8, seconds: u64) -> u8 {
        clock.select(register);
        clock.read(Ps(seconds * PS_PER_SECOND))
    }

    #[test]
    fn the_date_is_that_of_every_run() {
        let mut clock = CalendarClock::default();
        let now = [CENTURY, YEAR, MONTH, DAY, WEEKDAY, HOURS, MINUTES, SECONDS]
            .map(|register| read(&mut clock, register, 3 * 3600 + 62));
        assert_eq!(now, [0x20, 0x10, 1, 1, 6, 3, 1, 2]);
        let later = [YEAR, MONTH, DAY].map(|register| read(&mut clock, register, 86_400 * 150));
        assert_eq!(later, [0x10, 5, 0x31]);
    }

    #[test]
    fn status_b_chooses_the_form() {
        let mut clock = CalendarClock::default();
        clock.select(STATUS_B);
        clock.write(BINARY);
        assert_eq!(read(&mut clock, HOURS, 15 * 3600), 0x80 | 3);
        assert_eq!(read(&mut clock, SECONDS, 59), 59);
    }

    #[test]
    fn its_memory_keeps_what_is_written() {
        let mut clock = CalendarClock::default();
        clock.select(0x80 | 0x40);
        clock.write(7);
        assert_eq!(read(&mut clock, 0x40, 0), 7);
        clock.select(STATUS_A);
        assert_eq!(clock.read(Ps(PS_PER_SECOND - 1)) & 0x80, 0x80);
    }
}
