//! Operands and states for the tests: random, but rich in edges.

use rockcreek_x87::F80;

/// xorshift64*: a seed replays a run.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// A significand: random, sparse, or next to a rounding boundary of some precision.
    pub fn significand(&mut self) -> u64 {
        let place = self.below(64);
        match self.below(8) {
            0 => 0,
            1 => u64::MAX << place,
            2 => 1 << place,
            3 => u64::MAX >> place,
            4 => self.next() << place,
            5 => (self.next() << place).wrapping_sub(1),
            _ => self.next(),
        }
    }

    /// An encoding of any class; most are normal numbers of similar size.
    pub fn f80(&mut self) -> F80 {
        let sign = if self.one_in(2) { 0x8000 } else { 0 };
        let (exponent, integer_bit) = match self.below(32) {
            0 => (0x7FFF, true),
            1 => (0, false),
            2 => (self.below(80), true),
            3 => (0x7FFF - self.below(80), true),
            4 => (self.next() & 0x7FFF, self.one_in(2)),
            5 => (self.next() & 0x7FFF, true),
            // The edges of single and double precision and of the integers.
            6 => (16383 - 127 - 30 + self.below(40), true),
            7 => (16383 + 120 + self.below(16), true),
            8 => (16383 - 1023 - 60 + self.below(70), true),
            9 => (16383 + 1015 + self.below(16), true),
            10..13 => (16383 + self.below(70), true),
            _ => (16383 - 6 + self.below(12), true),
        };
        let bits = self.significand();
        let significand = if integer_bit { bits | 1 << 63 } else { bits };
        F80 { significand, sign_exponent: sign | exponent as u16 }
    }

    /// A control word: any rounding, any defined precision; exceptions masked more often than not.
    pub fn control(&mut self) -> u16 {
        let precision = [0, 2, 3, 3][self.below(4) as usize] << 8;
        let masks = if self.one_in(3) { self.below(64) as u16 } else { 0x3F };
        0x40 | (self.below(4) as u16) << 10 | precision | masks
    }
}
