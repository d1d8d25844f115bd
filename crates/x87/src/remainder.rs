//! FPREM and FPREM1: exact partial remainders.
//!
//! If the exponents differ by 64 or more the instruction reduces the dividend by a multiple of
//! `divisor * 2^k` only and sets C2; software repeats it. How far one step reduces is the
//! processor's choice between 32 and 63 bits (`intel-pentium-manual`, FPREM); here the step
//! leaves a distance that is a multiple of 32.

use crate::arith::screen;
use crate::f80::{Class, F80, Magnitude};
use crate::fpu::{C0, C1, C2, C3};
use crate::round::{Context, Exact};

/// The remainder of `a / b` and the condition codes C0, C1, C2, C3 (`None`: as they were).
/// `nearest` = FPREM1.
pub(crate) fn remainder(
    context: &mut Context,
    a: F80,
    b: F80,
    nearest: bool,
) -> (F80, Option<u16>) {
    if let Some(result) = screen(context, a, b) {
        return (result, None);
    }
    let (class_a, class_b) = (a.class(), b.class());
    if class_a == Class::Infinity || class_b == Class::Zero {
        return (context.invalid(), None);
    }
    context.check_denormal(a);
    context.check_denormal(b);
    if context.aborts() || class_a == Class::Zero {
        return (a, Some(0));
    }
    if class_b == Class::Infinity {
        return (renormalized(context, a), Some(0));
    }
    let Magnitude { exponent: exponent_a, significand: bits_a } = a.normalized();
    let Magnitude { exponent: exponent_b, significand: bits_b } = b.normalized();
    let distance = exponent_a - exponent_b;
    if distance < -1 || (distance < 0 && !nearest) {
        return (renormalized(context, a), Some(0));
    }
    if distance >= 64 {
        // Reduce by n bits: the remainder of a by b * 2^(distance - n).
        let n = 32 + distance % 32;
        let (rest, _) = divide(bits_a, bits_b, n);
        let exponent = exponent_a - n;
        return (assemble(context, a.sign(), exponent, rest), Some(C2));
    }
    let (mut rest, mut quotient) = divide(bits_a, bits_b, distance);
    // The rest counts in units of the divisor's lowest bit; one bit more for distance -1.
    let mut sign = a.sign();
    let mut exponent = exponent_b;
    if distance < 0 {
        exponent -= 1;
    }
    if nearest {
        let divisor = if distance < 0 { u128::from(bits_b) << 1 } else { u128::from(bits_b) };
        let twice = rest << 1;
        if twice > divisor || (twice == divisor && quotient & 1 != 0) {
            rest = divisor - rest;
            sign = !sign;
            quotient = quotient.wrapping_add(1);
        }
    }
    let codes = [(4, C0), (2, C3), (1, C1)]
        .iter()
        .fold(0, |codes, &(bit, code)| if quotient & bit != 0 { codes | code } else { codes });
    if rest == 0 {
        return (F80::zero(a.sign()), Some(codes));
    }
    (assemble(context, sign, exponent, rest), Some(codes))
}

/// (remainder, low bits of the quotient) of `a * 2^shift / b`; shift -1 to 63. For shift -1 the
/// remainder counts in halves.
fn divide(a: u64, b: u64, shift: i32) -> (u128, u64) {
    if shift < 0 {
        return (u128::from(a), 0);
    }
    let dividend = u128::from(a) << shift;
    let quotient = dividend / u128::from(b);
    (dividend - quotient * u128::from(b), quotient as u64)
}

/// `rest * 2^(exponent - 63)`, exact; rest below 2^65.
fn assemble(context: &mut Context, sign: bool, exponent: i32, rest: u128) -> F80 {
    if rest == 0 {
        return F80::zero(sign);
    }
    let shift = rest.leading_zeros();
    let significand = rest << shift;
    context.round_to(Exact { sign, exponent: exponent + 64 - shift as i32, significand }, 64)
}

/// The dividend as the result. It passes through rounding because an unmasked underflow is
/// reported for a denormal result.
fn renormalized(context: &mut Context, a: F80) -> F80 {
    let Magnitude { exponent, significand: bits } = a.normalized();
    assemble(context, a.sign(), exponent, u128::from(bits))
}
