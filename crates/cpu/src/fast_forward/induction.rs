//! Values that change by the same step in each round of a loop: in round k a register is
//! `now + k * step`, modulo 2^32.
//!
//! A comparison of such values tells in how many rounds, this one included, it goes on to be what
//! it is in this one. Too few rounds do no harm.
//!
//! The time stamp is read somewhere within the round, so it is known only to lie between this
//! round's beginning and the next one's. Comparisons that hold at both hold in between; whatever
//! would need to know more makes a value unknown.

use iced_x86::Mnemonic;

/// The sign of a number.
pub(crate) const SIGN: u32 = 1 << 31;

/// What a register holds in the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub now: u32,
    pub step: u32,
    /// It is made of the time stamp, and may be up to one step further.
    pub clock: bool,
}

/// A value, or that none is known.
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

    /// Rounds until it passes 0 or 2^32.
    pub fn rounds_in_range(&self) -> u64 {
        let room = if self.signed_step() < 0 { self.now } else { u32::MAX - self.now };
        rounds(room.into(), self.signed_step().unsigned_abs())
    }

    /// Whether it is zero, and in how many rounds it goes on to be, or not to be.
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

    /// Whether it is below `other`, and in how many rounds both stay in range and it goes on to be.
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

    /// The same as signed numbers.
    pub fn less(self, other: Value) -> Option<(bool, u64)> {
        let biased = |value: Value| Value { now: value.now ^ SIGN, ..value };
        biased(self).below(biased(other))
    }
}

/// Rounds, this one included, in which steps of this size stay within `room`.
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
