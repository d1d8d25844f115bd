//! Addition, multiplication, division, square root, rounding to an integer, scaling, extraction.
//!
//! Each operation forms its exact result (or its first 66 bits and a sticky bit) and leaves the
//! rest to [`Context::round`]. Order of checks as in `intel-pentium-manual`, chapter 7: invalid
//! encodings, NaNs, other invalid operations and division by zero, denormals.

use crate::f80::{BIAS, Class, F80, INTEGER_BIT, Magnitude};
use crate::op::{Arith, Unary};
use crate::round::{Context, Exact, PRECISION, Rounding, ZERO_DIVIDE};

/// `kind` applied to the target and the source operand of the instruction.
#[inline(always)]
pub(crate) fn apply(context: &mut Context, kind: Arith, target: F80, source: F80) -> F80 {
    match kind {
        Arith::Add => add(context, target, source, false),
        Arith::Mul => mul(context, target, source),
        Arith::Sub => add(context, target, source, true),
        Arith::SubReversed => add(context, source, target, true),
        Arith::Div => div(context, target, source),
        Arith::DivReversed => div(context, source, target),
    }
}

/// `a` in the form that rounding takes; `a` is finite and not zero.
pub(crate) fn exact(a: F80) -> Exact {
    let Magnitude { exponent, significand } = a.normalized();
    Exact { sign: a.sign(), exponent, significand: u128::from(significand) << 64 }
}

/// The result that invalid encodings and NaNs force, if any.
pub(crate) fn screen(context: &mut Context, a: F80, b: F80) -> Option<F80> {
    let (class_a, class_b) = (a.class(), b.class());
    if class_a == Class::Unsupported || class_b == Class::Unsupported {
        return Some(context.invalid());
    }
    (a.is_nan() || b.is_nan()).then(|| context.propagate(a, b))
}

/// The result of an operation with one operand if that is a NaN or unsupported.
pub(crate) fn screen_one(context: &mut Context, a: F80) -> Option<F80> {
    screen(context, a, F80::ONE)
}

/// `a + b`, or `a - b` if `subtract`.
#[inline]
pub(crate) fn add(context: &mut Context, a: F80, b: F80, subtract: bool) -> F80 {
    if a.is_normal() && b.is_normal() {
        let sign_b = b.sign() ^ subtract;
        return add_finite(context, a.sign(), normal(a), sign_b, normal(b));
    }
    add_special(context, a, b, subtract)
}

fn add_special(context: &mut Context, a: F80, b: F80, subtract: bool) -> F80 {
    if let Some(result) = screen(context, a, b) {
        return result;
    }
    let b = if subtract { b.negated() } else { b };
    match (a.class(), b.class()) {
        (Class::Infinity, Class::Infinity) if a.sign() != b.sign() => return context.invalid(),
        (Class::Infinity, _) => {
            context.check_denormal(b);
            return a;
        }
        (_, Class::Infinity) => {
            context.check_denormal(a);
            return b;
        }
        (Class::Zero, Class::Zero) => {
            let sign = if a.sign() == b.sign() { a.sign() } else { zero_sign(context) };
            return F80::zero(sign);
        }
        _ => {}
    }
    context.check_denormal(a);
    context.check_denormal(b);
    if context.aborts() {
        return a;
    }
    match (a.class(), b.class()) {
        (Class::Zero, _) => context.round(exact(b)),
        (_, Class::Zero) => context.round(exact(a)),
        _ => add_finite(context, a.sign(), a.normalized(), b.sign(), b.normalized()),
    }
}

/// The sign of an exact zero difference.
fn zero_sign(context: &Context) -> bool {
    context.rounding() == Rounding::Down
}

/// The magnitude of a normal value.
#[inline(always)]
fn normal(a: F80) -> Magnitude {
    Magnitude { exponent: a.exponent() - BIAS, significand: a.significand }
}

/// Adds two values of these signs.
#[inline(always)]
fn add_finite(
    context: &mut Context,
    sign_a: bool,
    a: Magnitude,
    sign_b: bool,
    b: Magnitude,
) -> F80 {
    let (sign, big, small) = if a >= b { (sign_a, a, b) } else { (sign_b, b, a) };
    let distance = (big.exponent - small.exponent).min(127) as u32;
    let large = u128::from(big.significand) << 63;
    let aligned = u128::from(small.significand) << 63;
    // The lost bits lie at least 62 places below the rounding position, so that "something is
    // there" in bit 0 is all that rounding needs, for differences too.
    let lost = distance > 63 + small.significand.trailing_zeros();
    let addend = (aligned >> distance) | u128::from(lost);
    let sum = if sign_a == sign_b { large + addend } else { large - addend };
    if sum == 0 {
        return F80::zero(zero_sign(context));
    }
    let shift = sum.leading_zeros();
    context.round(Exact {
        sign,
        exponent: big.exponent + 1 - shift as i32,
        significand: sum << shift,
    })
}

/// `a * b`.
#[inline(always)]
pub(crate) fn mul(context: &mut Context, a: F80, b: F80) -> F80 {
    let sign = a.sign() ^ b.sign();
    if a.is_normal() && b.is_normal() {
        return mul_finite(context, sign, normal(a), normal(b));
    }
    if let Some(result) = screen(context, a, b) {
        return result;
    }
    match (a.class(), b.class()) {
        (Class::Infinity, Class::Zero) | (Class::Zero, Class::Infinity) => context.invalid(),
        (Class::Infinity, _) | (_, Class::Infinity) => {
            context.check_denormal(a);
            context.check_denormal(b);
            F80::infinity(sign)
        }
        (class_a, class_b) => {
            context.check_denormal(a);
            context.check_denormal(b);
            if class_a == Class::Zero || class_b == Class::Zero || context.aborts() {
                return F80::zero(sign);
            }
            mul_finite(context, sign, a.normalized(), b.normalized())
        }
    }
}

#[inline(always)]
fn mul_finite(context: &mut Context, sign: bool, a: Magnitude, b: Magnitude) -> F80 {
    let product = u128::from(a.significand) * u128::from(b.significand);
    let shift = product.leading_zeros();
    context.round(Exact {
        sign,
        exponent: a.exponent + b.exponent + 1 - shift as i32,
        significand: product << shift,
    })
}

/// `a / b`.
pub(crate) fn div(context: &mut Context, a: F80, b: F80) -> F80 {
    let sign = a.sign() ^ b.sign();
    if a.is_normal() && b.is_normal() {
        return div_finite(context, sign, a.normalized(), b.normalized());
    }
    if let Some(result) = screen(context, a, b) {
        return result;
    }
    match (a.class(), b.class()) {
        (Class::Infinity, Class::Infinity) | (Class::Zero, Class::Zero) => context.invalid(),
        (Class::Infinity, _) => {
            context.check_denormal(b);
            F80::infinity(sign)
        }
        (_, Class::Infinity) => {
            context.check_denormal(a);
            F80::zero(sign)
        }
        (_, Class::Zero) => {
            context.raise(ZERO_DIVIDE);
            F80::infinity(sign)
        }
        (class_a, _) => {
            context.check_denormal(a);
            context.check_denormal(b);
            if class_a == Class::Zero || context.aborts() {
                return F80::zero(sign);
            }
            div_finite(context, sign, a.normalized(), b.normalized())
        }
    }
}

fn div_finite(context: &mut Context, sign: bool, a: Magnitude, b: Magnitude) -> F80 {
    // A quotient of exactly 64 bits, one more bit, and a sticky bit.
    let difference = a.exponent - b.exponent;
    let (shift, exponent) =
        if a.significand >= b.significand { (63, difference) } else { (64, difference - 1) };
    let dividend = u128::from(a.significand) << shift;
    let divisor = u128::from(b.significand);
    let quotient = dividend / divisor;
    let twice = (dividend - quotient * divisor) << 1;
    let guard = twice >= divisor;
    let sticky = twice != 0 && twice != divisor;
    let significand = quotient << 64 | u128::from(guard) << 63 | u128::from(sticky);
    context.round(Exact { sign, exponent, significand })
}

/// The unary operations that are exact or correctly rounded.
pub(crate) fn unary(context: &mut Context, kind: Unary, a: F80) -> F80 {
    match kind {
        Unary::ChangeSign => a.negated(),
        Unary::Absolute => a.with_sign(false),
        Unary::Sqrt => sqrt(context, a),
        Unary::RoundToInteger => round_to_integer(context, a),
        Unary::TwoToXMinusOne => crate::transcendental::two_to_x_minus_one(context, a),
        Unary::Sin | Unary::Cos => unreachable!("sine and cosine can leave ST(0) as it is"),
    }
}

/// FSQRT.
fn sqrt(context: &mut Context, a: F80) -> F80 {
    if let Some(result) = screen_one(context, a) {
        return result;
    }
    match a.class() {
        Class::Zero => return a,
        _ if a.sign() => return context.invalid(),
        Class::Infinity => return a,
        _ => context.check_denormal(a),
    }
    if context.aborts() {
        return a;
    }
    let Magnitude { exponent, significand: bits } = a.normalized();
    let radicand = u128::from(bits) << if exponent & 1 == 0 { 63 } else { 64 };
    let root = radicand.isqrt();
    let rest = radicand - root * root;
    // (root + 1/2)^2 = root^2 + root + 1/4: the next bit is set if the rest exceeds the root.
    let significand = root << 64 | u128::from(rest > root) << 63 | u128::from(rest != 0);
    context.round(Exact { sign: false, exponent: exponent >> 1, significand })
}

/// FRNDINT.
fn round_to_integer(context: &mut Context, a: F80) -> F80 {
    if let Some(result) = screen_one(context, a) {
        return result;
    }
    if matches!(a.class(), Class::Zero | Class::Infinity) {
        return a;
    }
    context.check_denormal(a);
    if context.aborts() {
        return a;
    }
    let Magnitude { exponent, significand: bits } = a.normalized();
    if exponent >= 63 {
        return a;
    }
    let (magnitude, up, inexact) = integral(context, a.sign(), exponent, bits);
    if inexact {
        context.raise(PRECISION);
        context.rounded_up = up;
    }
    if magnitude == 0 {
        return F80::zero(a.sign());
    }
    let shift = magnitude.leading_zeros();
    F80::new(a.sign(), 63 - shift as i32 + BIAS, magnitude << shift)
}

/// The magnitude of `bits * 2^(exponent - 63)`, exponent below 63, as an integer by rounding
/// control: (value, rounded up, inexact).
pub(crate) fn integral(
    context: &Context,
    sign: bool,
    exponent: i32,
    bits: u64,
) -> (u64, bool, bool) {
    debug_assert!(exponent < 63);
    // Everything below 1/4 rounds alike, so a shift of 66 places is enough.
    let shift = (63 - exponent).min(66) as u32;
    let wide = u128::from(bits);
    let whole = wide >> shift;
    let discarded = wide - (whole << shift);
    let up = context.rounds_up(sign, whole & 1 != 0, discarded, 1 << (shift - 1));
    (whole as u64 + u64::from(up), up, discarded != 0)
}

/// FSCALE: `a * 2^trunc(b)`. Precision control has no effect on it.
pub(crate) fn scale(context: &mut Context, a: F80, b: F80) -> F80 {
    if let Some(result) = screen(context, a, b) {
        return result;
    }
    match (a.class(), b.class()) {
        (Class::Zero, Class::Infinity) if !b.sign() => return context.invalid(),
        (Class::Infinity, Class::Infinity) if b.sign() => return context.invalid(),
        (class_a, Class::Infinity) => {
            if class_a != Class::Zero && class_a != Class::Infinity {
                context.check_denormal(a);
            }
            return if b.sign() { F80::zero(a.sign()) } else { F80::infinity(a.sign()) };
        }
        _ => {}
    }
    context.check_denormal(a);
    context.check_denormal(b);
    if matches!(a.class(), Class::Zero | Class::Infinity) || context.aborts() {
        return a;
    }
    let amount = truncated_scale(b);
    let unscaled = exact(a);
    context.round_to(Exact { exponent: unscaled.exponent + amount, ..unscaled }, 64)
}

/// trunc(b), limited to what certainly leaves the range of every exponent response.
fn truncated_scale(b: F80) -> i32 {
    const LIMIT: i32 = 0x1_0000;
    if b.class() == Class::Zero {
        return 0;
    }
    let Magnitude { exponent, significand: bits } = b.normalized();
    let magnitude = match exponent {
        ..0 => 0,
        0..16 => (bits >> (63 - exponent)) as i32,
        _ => LIMIT,
    };
    if b.sign() { -magnitude } else { magnitude }
}

/// FXTRACT: (exponent, significand).
pub(crate) fn extract(context: &mut Context, a: F80) -> (F80, F80) {
    if let Some(result) = screen_one(context, a) {
        return (result, result);
    }
    match a.class() {
        Class::Zero => {
            context.raise(ZERO_DIVIDE);
            (F80::infinity(true), a)
        }
        Class::Infinity => (F80::infinity(false), a),
        _ => {
            context.check_denormal(a);
            let Magnitude { exponent, significand } = a.normalized();
            (from_integer(i64::from(exponent)), F80::new(a.sign(), BIAS, significand))
        }
    }
}

/// An integer as an extended value; always exact.
pub(crate) fn from_integer(value: i64) -> F80 {
    if value == 0 {
        return F80::ZERO;
    }
    let magnitude = value.unsigned_abs();
    let shift = magnitude.leading_zeros();
    debug_assert!((magnitude << shift) & INTEGER_BIT != 0);
    F80::new(value < 0, 63 - shift as i32 + BIAS, magnitude << shift)
}
