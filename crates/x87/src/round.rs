//! Rounding and exceptions: the end of every operation that can be inexact.
//!
//! An operation computes its result with an unbounded exponent and at least 66 significant bits
//! (the lowest one sticky) and hands it to [`Context::round`], which applies precision and
//! rounding control, detects overflow, underflow and inexactness, and delivers the masked or the
//! unmasked response (Pentium manual, `intel-pentium-manual`, chapter 7: the exponent of an
//! unmasked result is wrapped by 24576). Tininess is detected after rounding.

use crate::f80::{BIAS, Class, EXPONENT_MAX, F80, INTEGER_BIT};

/// Exception flags, at their places in the status word and (as masks) the control word.
pub(crate) const INVALID: u16 = 0x01;
pub(crate) const DENORMAL: u16 = 0x02;
pub(crate) const ZERO_DIVIDE: u16 = 0x04;
pub(crate) const OVERFLOW: u16 = 0x08;
pub(crate) const UNDERFLOW: u16 = 0x10;
pub(crate) const PRECISION: u16 = 0x20;
/// Stack fault: qualifies [`INVALID`].
pub(crate) const STACK_FAULT: u16 = 0x40;

/// The number that an unmasked overflow subtracts from the exponent, and an underflow adds.
const WRAP: i32 = 24576;

/// Rounding control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    Nearest,
    Down,
    Up,
    Zero,
}

/// A finite non-zero result before rounding: `significand / 2^127 * 2^exponent`, bit 127 set,
/// bit 0 sticky (set when anything below it was lost).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact {
    pub sign: bool,
    pub exponent: i32,
    pub significand: u128,
}

/// The control word that an operation runs under and the flags that it has raised.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    control: u16,
    /// Exceptions raised so far.
    pub flags: u16,
    /// C1: the last rounding increased the magnitude.
    pub rounded_up: bool,
}

impl Context {
    #[inline]
    pub fn new(control: u16) -> Context {
        Context { control, flags: 0, rounded_up: false }
    }

    /// Rounding control field.
    #[inline]
    pub fn rounding(&self) -> Rounding {
        match self.control >> 10 & 3 {
            0 => Rounding::Nearest,
            1 => Rounding::Down,
            2 => Rounding::Up,
            _ => Rounding::Zero,
        }
    }

    /// Significant bits that precision control asks for. The reserved encoding 1 behaves as 64.
    #[inline]
    pub fn precision(&self) -> u32 {
        match self.control >> 8 & 3 {
            0 => 24,
            2 => 53,
            _ => 64,
        }
    }

    #[inline]
    pub fn raise(&mut self, flags: u16) {
        self.flags |= flags;
    }

    #[inline]
    pub fn is_masked(&self, flag: u16) -> bool {
        self.control & flag != 0
    }

    /// True if an exception that is detected before the operation is unmasked; then operands,
    /// stack and condition codes stay as they were.
    #[inline]
    pub fn aborts(&self) -> bool {
        self.flags & !self.control & (INVALID | DENORMAL | ZERO_DIVIDE) != 0
    }

    /// Raises invalid operation and delivers the real indefinite.
    #[inline]
    pub fn invalid(&mut self) -> F80 {
        self.raise(INVALID);
        F80::INDEFINITE
    }

    /// Raises the denormal-operand exception if an operand is a denormal.
    #[inline]
    pub fn check_denormal(&mut self, a: F80) {
        if a.class() == Class::Denormal {
            self.raise(DENORMAL);
        }
    }

    /// True if a magnitude with these discarded bits is rounded up. `half` is the weight of half
    /// a unit in the last place.
    #[inline]
    pub fn rounds_up(&self, sign: bool, odd: bool, discarded: u128, half: u128) -> bool {
        match self.rounding() {
            Rounding::Nearest => discarded > half || (discarded == half && odd),
            Rounding::Down => sign && discarded != 0,
            Rounding::Up => !sign && discarded != 0,
            Rounding::Zero => false,
        }
    }

    /// Rounds to `bits` significant bits (1 to 64): the new exponent and significand.
    #[inline(always)]
    fn round_bits(&mut self, exact: Exact, bits: u32) -> (i32, u64, bool) {
        if bits < 64 {
            return self.round_short(exact, bits);
        }
        let (kept, discarded) = ((exact.significand >> 64) as u64, exact.significand as u64);
        if discarded == 0 {
            return (exact.exponent, kept, false);
        }
        let up = match self.rounding() {
            // A tie goes to the even neighbour.
            Rounding::Nearest => discarded > INTEGER_BIT - (kept & 1),
            Rounding::Down => exact.sign,
            Rounding::Up => !exact.sign,
            Rounding::Zero => false,
        };
        self.rounded_up = up;
        match kept.overflowing_add(u64::from(up)) {
            (_, true) => (exact.exponent + 1, INTEGER_BIT, true),
            (sum, false) => (exact.exponent, sum, true),
        }
    }

    /// Rounds to less than 64 bits.
    #[inline(never)]
    fn round_short(&mut self, exact: Exact, bits: u32) -> (i32, u64, bool) {
        let unit = 1u128 << (128 - bits);
        let discarded = exact.significand & (unit - 1);
        let kept = exact.significand - discarded;
        if discarded == 0 {
            return (exact.exponent, (kept >> 64) as u64, false);
        }
        let up = self.rounds_up(exact.sign, kept & unit != 0, discarded, unit >> 1);
        self.rounded_up = up;
        if !up {
            return (exact.exponent, (kept >> 64) as u64, true);
        }
        match kept.overflowing_add(unit) {
            (_, true) => (exact.exponent + 1, INTEGER_BIT, true),
            (sum, false) => (exact.exponent, (sum >> 64) as u64, true),
        }
    }

    /// Rounds to the precision of the control word.
    #[inline(always)]
    pub fn round(&mut self, exact: Exact) -> F80 {
        self.round_to(exact, self.precision())
    }

    /// Rounds to `bits` significant bits in the extended format's exponent range.
    #[inline(always)]
    pub fn round_to(&mut self, exact: Exact, bits: u32) -> F80 {
        debug_assert!(exact.significand >> 127 != 0);
        let (exponent, significand, inexact) = self.round_bits(exact, bits);
        let biased = exponent + BIAS;
        if 0 < biased && biased < EXPONENT_MAX {
            if inexact {
                self.raise(PRECISION);
            }
            return F80::new(exact.sign, biased, significand);
        }
        self.out_of_range(exact, bits, biased, significand, inexact)
    }

    #[cold]
    fn out_of_range(
        &mut self,
        exact: Exact,
        bits: u32,
        biased: i32,
        significand: u64,
        inexact: bool,
    ) -> F80 {
        if biased <= 0 {
            if self.is_masked(UNDERFLOW) {
                return self.denormalize(exact, bits);
            }
            return self.wrap(UNDERFLOW, exact.sign, biased + WRAP, significand, inexact);
        }
        if self.is_masked(OVERFLOW) {
            return self.overflow_response(exact.sign, bits);
        }
        self.wrap(OVERFLOW, exact.sign, biased - WRAP, significand, inexact)
    }

    /// The unmasked response with a register as destination. FSCALE can leave the range by more
    /// than the wrap mends: then the result saturates to a zero or an infinity.
    fn wrap(&mut self, flag: u16, sign: bool, biased: i32, significand: u64, inexact: bool) -> F80 {
        self.raise(flag);
        if inexact {
            self.raise(PRECISION);
        }
        if !(1..EXPONENT_MAX).contains(&biased) {
            self.raise(PRECISION);
            self.rounded_up = flag == OVERFLOW;
        }
        match biased {
            ..=0 => F80::zero(sign),
            EXPONENT_MAX.. => F80::infinity(sign),
            _ => F80::new(sign, biased, significand),
        }
    }

    /// The masked response to underflow: a denormal or zero, with the underflow flag only if it
    /// is inexact as well.
    fn denormalize(&mut self, exact: Exact, bits: u32) -> F80 {
        let shift = (1 - (exact.exponent + BIAS)).min(127) as u32;
        debug_assert!(shift >= 1 || exact.exponent + BIAS >= 0);
        let lost = exact.significand & ((1u128 << shift) - 1) != 0;
        let significand = (exact.significand >> shift) | u128::from(lost);
        let unit = 1u128 << (128 - bits);
        let discarded = significand & (unit - 1);
        let mut kept = significand - discarded;
        self.rounded_up = false;
        if discarded != 0 {
            self.raise(UNDERFLOW | PRECISION);
            if self.rounds_up(exact.sign, kept & unit != 0, discarded, unit >> 1) {
                self.rounded_up = true;
                kept += unit;
            }
        }
        let significand = (kept >> 64) as u64;
        F80::new(exact.sign, i32::from(significand & INTEGER_BIT != 0), significand)
    }

    /// The masked response to overflow: infinity, or the largest number of the precision.
    fn overflow_response(&mut self, sign: bool, bits: u32) -> F80 {
        self.raise(OVERFLOW | PRECISION);
        self.rounded_up = self.overflows_to_infinity(sign);
        if self.rounded_up {
            F80::infinity(sign)
        } else {
            F80::new(sign, EXPONENT_MAX - 1, u64::MAX << (64 - bits))
        }
    }

    /// True if rounding control turns an overflow into an infinity.
    pub fn overflows_to_infinity(&self, sign: bool) -> bool {
        match self.rounding() {
            Rounding::Nearest => true,
            Rounding::Down => sign,
            Rounding::Up => !sign,
            Rounding::Zero => false,
        }
    }

    /// The result of an operation with a NaN operand. Of two NaNs the one with the larger
    /// significand is kept; a quiet NaN is preferred to a signalling one.
    #[cold]
    pub fn propagate(&mut self, a: F80, b: F80) -> F80 {
        let (class_a, class_b) = (a.class(), b.class());
        let signalling_a = class_a == Class::SignallingNan;
        let signalling_b = class_b == Class::SignallingNan;
        if signalling_a || signalling_b {
            self.raise(INVALID);
        }
        match (a.is_nan(), b.is_nan()) {
            (true, false) => return a.quieted(),
            (false, true) => return b.quieted(),
            _ => {}
        }
        if signalling_a != signalling_b {
            return if signalling_a { b } else { a };
        }
        let (a, b) = (a.quieted(), b.quieted());
        match a.significand.cmp(&b.significand) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Equal if a.sign() => b,
            std::cmp::Ordering::Equal => a,
        }
    }
}
