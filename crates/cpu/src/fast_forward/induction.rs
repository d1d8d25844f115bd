//! Values that change by a constant step in each round of a loop: in round k a register is `now + k
//! * step`, modulo 2^32.
//!
//! A comparison of two of these values gives the number of rounds, this one included, for which its
//! result stays the same. If the number is too small, only host time is lost.
//!
//! The time stamp is read somewhere within the round, so it is only known to lie between the
//! beginnings of this round and the next. A comparison that holds at both beginnings holds in
//! between; a value that would need more precision is unknown.

use iced_x86::Mnemonic;

/// The sign bit of a number.
pub(crate) const SIGN: u32 = 1 << 31;

/// A register's value at each round of a loop: `now + k * step`, modulo 2^32, in round k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub now: u32,
    pub step: u32,
    /// True if the value was read from the time stamp. The value may then be up to one step larger
    /// than `now + k * step`.
    pub clock: bool,
}

/// A register's value at each round; `None` if it cannot be predicted.
pub(crate) type Known = Option<Value>;

impl Value {
    pub fn exact(now: u32, step: u32) -> Value {
        Value { now, step, clock: false }
    }

    pub fn constant(now: u32) -> Value {
        Value::exact(now, 0)
    }

    pub fn is_constant(&self) -> bool {
        self.step == 0 && !self.clock
    }

    fn plus(self, other: Value) -> Known {
        let sum = Value {
            now: self.now.wrapping_add(other.now),
            step: self.step.wrapping_add(other.step),
            clock: self.clock || other.clock,
        };
        let known = !sum.clock || self.is_constant() || other.is_constant();
        known.then_some(sum)
    }

    pub fn times(self, factor: u32) -> Value {
        let step = self.step.wrapping_mul(factor);
        Value { now: self.now.wrapping_mul(factor), step, ..self }
    }

    pub fn minus(self, other: Value) -> Known {
        self.plus(other.times(u32::MAX))
    }

    fn signed_step(&self) -> i64 {
        i64::from(self.step as i32)
    }

    /// In how many rounds, this one included, the value does not wrap past 0 or 2^32.
    pub fn rounds_in_range(&self) -> u64 {
        let room = if self.signed_step() < 0 { self.now } else { u32::MAX - self.now };
        rounds(room.into(), self.signed_step().unsigned_abs())
    }

    /// Whether the value is zero now (true: yes), and for how many rounds the answer stays the
    /// same. `None` if unknown.
    pub fn zero(self) -> Option<(bool, u64)> {
        if self.clock && self.step == 0 {
            return None;
        }
        let step = self.signed_step();
        let room = if step < 0 { self.now.wrapping_sub(1) } else { !self.now };
        let leaves = self.now == 0 && step != 0;
        let same = if leaves { 1 } else { rounds(room.into(), step.unsigned_abs()) };
        Some((self.now == 0, same))
    }

    /// Whether the value is below `other`, unsigned (true: yes), and for how many rounds both
    /// values do not wrap and the answer stays the same. `None` if unknown.
    pub fn below(self, other: Value) -> Option<(bool, u64)> {
        if (self.clock && !other.is_constant()) || (other.clock && !self.is_constant()) {
            return None;
        }
        let in_range = self.rounds_in_range().min(other.rounds_in_range());
        let apart = i64::from(self.now) - i64::from(other.now);
        let step = self.signed_step() - other.signed_step();
        let below = apart < 0;
        let closing = if below { step > 0 } else { step < 0 };
        let room = if below { -apart - 1 } else { apart };
        let same = if closing { rounds(room as u64, step.unsigned_abs()) } else { u64::MAX };
        Some((below, same.min(in_range)))
    }

    /// Whether the value is below `other`, signed (true: yes), and for how many rounds the answer
    /// stays the same. `None` if unknown.
    pub fn less(self, other: Value) -> Option<(bool, u64)> {
        let biased = |value: Value| Value { now: value.now ^ SIGN, ..value };
        biased(self).below(biased(other))
    }
}

/// In how many rounds, this one included, a value that moves by `step` in each round has moved by
/// at most `room`.
fn rounds(room: u64, step: u64) -> u64 {
    room.checked_div(step).map_or(u64::MAX, |rounds| rounds + 1)
}

pub(crate) fn sum(a: Known, b: Known) -> Known {
    a?.plus(b?)
}

pub(crate) fn difference(a: Known, b: Known) -> Known {
    a?.minus(b?)
}

pub(crate) fn logic(mnemonic: Mnemonic, a: Known, b: Known, same: bool) -> Known {
    if same {
        return a;
    }
    let (a, b) = (a.filter(Value::is_constant)?.now, b.filter(Value::is_constant)?.now);
    Some(Value::constant(match mnemonic {
        Mnemonic::Or => a | b,
        Mnemonic::Xor => a ^ b,
        _ => a & b,
    }))
}
