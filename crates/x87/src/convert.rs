//! Conversions between the extended format and the memory formats.

use crate::arith::{exact, from_integer, integral};
use crate::f80::{BIAS, Class, EXPONENT_MAX, F80, INTEGER_BIT, Magnitude};
use crate::op::Format;
use crate::round::{Context, DENORMAL, Exact, INVALID, OVERFLOW, PRECISION, UNDERFLOW};

/// A memory format that IEEE 754 defines.
struct Interchange {
    /// Significant bits, the hidden one included.
    precision: u32,
    bias: i32,
    exponent_max: i32,
    bytes: usize,
}

const SINGLE: Interchange = Interchange { precision: 24, bias: 127, exponent_max: 255, bytes: 4 };
const DOUBLE: Interchange = Interchange { precision: 53, bias: 1023, exponent_max: 2047, bytes: 8 };

/// Reads a memory operand. Signalling NaNs and denormals of the short formats raise their
/// exceptions; the other conversions are exact and silent.
#[inline]
pub(crate) fn load(context: &mut Context, format: Format, bytes: &[u8]) -> F80 {
    match format {
        Format::F32 => widen(context, &SINGLE, little_endian::<4>(bytes)),
        Format::F64 => widen(context, &DOUBLE, little_endian::<8>(bytes)),
        Format::F80 => F80::from_bytes(bytes),
        Format::I16 => from_integer(i64::from(little_endian::<2>(bytes) as i16)),
        Format::I32 => from_integer(i64::from(little_endian::<4>(bytes) as i32)),
        Format::I64 => from_integer(little_endian::<8>(bytes) as i64),
        Format::Bcd => from_bcd(bytes),
    }
}

/// The value of a short operand of an arithmetic instruction: as [`load`], but a NaN stays as it
/// is (the operation reports it) and so does a denormal (which extended format can normalise).
/// Returns whether the operand was a denormal.
#[inline]
pub(crate) fn load_operand(format: Format, bytes: &[u8]) -> (F80, bool) {
    match format {
        Format::F32 => unpack(&SINGLE, little_endian::<4>(bytes)),
        Format::F64 => unpack(&DOUBLE, little_endian::<8>(bytes)),
        _ => (load(&mut Context::new(0), format, bytes), false),
    }
}

#[inline]
fn little_endian<const N: usize>(bytes: &[u8]) -> u64 {
    let mut wide = [0; 8];
    wide[..N].copy_from_slice(&bytes[..N]);
    u64::from_le_bytes(wide)
}

/// The extended value of a short one, NaNs unchanged, and whether it was a denormal.
#[inline]
fn unpack(layout: &Interchange, bits: u64) -> (F80, bool) {
    let fraction_bits = layout.precision - 1;
    let sign = bits >> (8 * layout.bytes - 1) != 0;
    let exponent = (bits >> fraction_bits) as i32 & layout.exponent_max;
    let fraction = (bits & ((1 << fraction_bits) - 1)) << (63 - fraction_bits);
    if exponent == layout.exponent_max {
        return (F80::new(sign, EXPONENT_MAX, fraction | INTEGER_BIT), false);
    }
    if exponent != 0 {
        return (F80::new(sign, exponent - layout.bias + BIAS, fraction | INTEGER_BIT), false);
    }
    if fraction == 0 {
        return (F80::zero(sign), false);
    }
    let shift = fraction.leading_zeros();
    (F80::new(sign, 1 - layout.bias + BIAS - shift as i32, fraction << shift), true)
}

#[inline]
fn widen(context: &mut Context, layout: &Interchange, bits: u64) -> F80 {
    let (value, denormal) = unpack(layout, bits);
    if denormal {
        context.raise(DENORMAL);
    }
    if value.exponent() == EXPONENT_MAX && value.class() == Class::SignallingNan {
        context.raise(INVALID);
        return value.quieted();
    }
    value
}

/// FBLD: 18 decimal digits, the lowest first, and a sign. Digits above 9 count as what they are.
fn from_bcd(bytes: &[u8]) -> F80 {
    let magnitude = bytes[..9].iter().rev().fold(0u64, |value, &pair| {
        value.wrapping_mul(100).wrapping_add(u64::from(pair >> 4) * 10 + u64::from(pair & 15))
    });
    let sign = bytes[9] >> 7 != 0;
    from_integer(magnitude as i64).with_sign(sign)
}

/// Writes `a` in a memory format to the start of `store`. `None` if an unmasked exception
/// forbids the store.
pub(crate) fn store(
    context: &mut Context,
    format: Format,
    a: F80,
    store: &mut [u8],
) -> Option<usize> {
    let (value, bytes) = match format {
        Format::F32 => (narrow(context, &SINGLE, a), 4),
        Format::F64 => (narrow(context, &DOUBLE, a), 8),
        Format::F80 => {
            store[..10].copy_from_slice(&a.to_bytes());
            return Some(10);
        }
        Format::Bcd => {
            let digits = to_bcd(context, a);
            store[..10].copy_from_slice(&digits);
            return (!context.aborts()).then_some(10);
        }
        Format::I16 => (to_integer(context, a, 16) as u64, 2),
        Format::I32 => (to_integer(context, a, 32) as u64, 4),
        Format::I64 => (to_integer(context, a, 64) as u64, 8),
    };
    let unmasked = |flag| context.flags & flag != 0 && !context.is_masked(flag);
    if context.aborts() || unmasked(OVERFLOW) || unmasked(UNDERFLOW) {
        return None;
    }
    store[..bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
    Some(bytes)
}

/// Rounds to a short format.
fn narrow(context: &mut Context, layout: &Interchange, a: F80) -> u64 {
    let sign = u64::from(a.sign()) << (8 * layout.bytes - 1);
    let fraction_bits = layout.precision - 1;
    let infinity = (layout.exponent_max as u64) << fraction_bits;
    let nan = |a: F80| (a.significand & !INTEGER_BIT) >> (63 - fraction_bits) | infinity;
    match a.class() {
        Class::Zero => return sign,
        Class::Infinity => return sign | infinity,
        Class::QuietNan => return sign | nan(a),
        Class::SignallingNan => {
            context.raise(INVALID);
            return sign | nan(a.quieted());
        }
        Class::Unsupported => {
            let indefinite = context.invalid();
            return 1 << (8 * layout.bytes - 1) | nan(indefinite);
        }
        Class::Normal | Class::Denormal => {}
    }
    let value = exact(a);
    let (exponent, significand) = rounded(value, layout.precision, context);
    let biased = exponent + layout.bias;
    if biased >= layout.exponent_max {
        return sign | narrow_overflow(context, layout, a.sign());
    }
    if biased <= 0 {
        return sign | narrow_denormal(context, layout, value);
    }
    let inexact = value.significand << layout.precision != 0;
    if inexact {
        context.raise(PRECISION);
    }
    let fraction = significand >> (64 - layout.precision) & ((1 << fraction_bits) - 1);
    sign | (biased as u64) << fraction_bits | fraction
}

/// `value` rounded to `bits` bits with an unbounded exponent; sets C1.
fn rounded(value: Exact, bits: u32, context: &mut Context) -> (i32, u64) {
    let unit = 1u128 << (128 - bits);
    let discarded = value.significand & (unit - 1);
    let kept = value.significand - discarded;
    let odd = kept & unit != 0;
    context.rounded_up = context.rounds_up(value.sign, odd, discarded, unit >> 1);
    if !context.rounded_up {
        return (value.exponent, (kept >> 64) as u64);
    }
    match kept.overflowing_add(unit) {
        (_, true) => (value.exponent + 1, INTEGER_BIT),
        (sum, false) => (value.exponent, (sum >> 64) as u64),
    }
}

/// Overflow of a short format. Unmasked: nothing is stored and no result is rounded.
fn narrow_overflow(context: &mut Context, layout: &Interchange, sign: bool) -> u64 {
    context.raise(OVERFLOW);
    if !context.is_masked(OVERFLOW) {
        context.rounded_up = false;
        return 0;
    }
    context.raise(PRECISION);
    context.rounded_up = context.overflows_to_infinity(sign);
    let infinity = (layout.exponent_max as u64) << (layout.precision - 1);
    if context.rounded_up { infinity } else { infinity - 1 }
}

/// Underflow of a short format: a denormal, zero, or the smallest normal number.
fn narrow_denormal(context: &mut Context, layout: &Interchange, value: Exact) -> u64 {
    if !context.is_masked(UNDERFLOW) {
        context.raise(UNDERFLOW);
        context.rounded_up = false;
        return 0;
    }
    // How many bits of the significand lie at or above the lowest bit of a denormal.
    let kept_bits = value.exponent + layout.bias + layout.precision as i32 - 1;
    let (whole, discarded, half) = match kept_bits {
        1.. => {
            let unit = 1u128 << (128 - kept_bits);
            (value.significand >> (128 - kept_bits), value.significand & (unit - 1), unit >> 1)
        }
        0 => (0, value.significand, 1 << 127),
        _ => (0, 1, 2),
    };
    context.rounded_up = context.rounds_up(value.sign, whole & 1 != 0, discarded, half);
    if discarded != 0 {
        context.raise(UNDERFLOW | PRECISION);
    }
    whole as u64 + u64::from(context.rounded_up)
}

/// Rounds to a signed integer of `bits` bits; the integer indefinite if it does not fit.
fn to_integer(context: &mut Context, a: F80, bits: u32) -> i64 {
    let indefinite = -1 << (bits - 1);
    let Some((magnitude, up, inexact)) = to_magnitude(context, a) else {
        context.raise(INVALID);
        return indefinite;
    };
    let limit = (1u64 << (bits - 1)) - u64::from(!a.sign());
    if magnitude > limit {
        context.raise(INVALID);
        return indefinite;
    }
    if inexact {
        context.raise(PRECISION);
        context.rounded_up = up;
    }
    let value = magnitude as i64;
    if a.sign() { value.wrapping_neg() } else { value }
}

/// |a| as an integer: (value, rounded up, inexact). `None` for what no 64-bit integer holds.
fn to_magnitude(context: &Context, a: F80) -> Option<(u64, bool, bool)> {
    match a.class() {
        Class::Zero => Some((0, false, false)),
        Class::Normal | Class::Denormal => {
            let Magnitude { exponent, significand: bits } = a.normalized();
            match exponent {
                64.. => None,
                63 => Some((bits, false, false)),
                _ => Some(integral(context, a.sign(), exponent, bits)),
            }
        }
        _ => None,
    }
}

/// FBSTP.
fn to_bcd(context: &mut Context, a: F80) -> [u8; 10] {
    const LIMIT: u64 = 999_999_999_999_999_999;
    /// The packed decimal indefinite.
    const INDEFINITE: [u8; 10] = [0, 0, 0, 0, 0, 0, 0, 0xC0, 0xFF, 0xFF];
    let Some((mut magnitude, up, inexact)) = to_magnitude(context, a).filter(|m| m.0 <= LIMIT)
    else {
        context.raise(INVALID);
        return INDEFINITE;
    };
    if inexact {
        context.raise(PRECISION);
        context.rounded_up = up;
    }
    let mut digits = [0; 10];
    for pair in &mut digits[..9] {
        let (tens, ones) = (magnitude / 10 % 10, magnitude % 10);
        *pair = (tens << 4 | ones) as u8;
        magnitude /= 100;
    }
    digits[9] = u8::from(a.sign()) << 7;
    digits
}
