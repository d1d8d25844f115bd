//! Exponential and logarithms: F2XM1, FYL2X, FYL2XP1.

use super::fixed::{
    LN_2, LOG2_E, ONE, SQRT_2, Series, Terms, Wide, inverse_factorials, inverse_odds, mul,
};
use super::{deliver, wide};
use crate::arith::{from_integer, screen, screen_one};
use crate::f80::{BIAS, Class, F80, Magnitude};
use crate::round::{Context, Exact, ZERO_DIVIDE};

/// (e^t - 1) / t = 1 + t/2! + t^2/3! + ...; 28 terms are enough for t = ln 2.
static EXPONENTIAL: Series<28> = Series::new(inverse_factorials(1, 1), 9, 22);
/// artanh(s) / s = 1 + s^2/3 + s^4/5 + ...; 25 terms are enough for s^2 = 0.0295.
static ARTANH: Series<25> = Series::new(inverse_odds(), 5, 16);

/// F2XM1. Outside -1 to 1 the manual leaves the result open; here the operand stays.
pub(crate) fn two_to_x_minus_one(context: &mut Context, x: F80) -> F80 {
    if let Some(result) = screen_one(context, x) {
        return result;
    }
    match x.class() {
        Class::Zero => return x,
        Class::Infinity if x.sign() => return F80::ONE.negated(),
        Class::Infinity => return x,
        _ => context.check_denormal(x),
    }
    if context.aborts() {
        return x;
    }
    let magnitude = wide(x);
    if magnitude.exponent >= 0 {
        let minus_one = x == F80::ONE.negated();
        return if minus_one { F80::new(true, BIAS - 1, x.significand) } else { x };
    }
    let t = mul(magnitude.fixed(), LN_2);
    deliver(context, x.sign(), |terms| {
        let ratio = match x.sign() {
            true => EXPONENTIAL.at_negative(t, terms),
            false => EXPONENTIAL.at(t, terms),
        };
        magnitude.times(mul(ratio, LN_2))
    })
}

/// A logarithm: exactly an integer, or more.
enum Log2 {
    Integer(i32),
    Inexact(Sum),
}

/// `integer` + log2((1 + s) / (1 - s)) or, if s is negative, `integer` - log2((1 + |s|) / (1 - |s|)).
#[derive(Clone, Copy)]
struct Sum {
    integer: i32,
    negative: bool,
    s: Wide,
}

impl Sum {
    fn is_negative(self) -> bool {
        self.integer < 0 || self.integer == 0 && self.negative
    }

    fn magnitude(self, terms: Terms) -> Wide {
        let fraction = log2_of_ratio(self.s, terms);
        if self.integer == 0 {
            return fraction;
        }
        // Both parts in units of 2^-110; the fraction is at most one half.
        let fraction = (fraction.fixed() >> 17) as i128;
        let fraction = if self.negative { -fraction } else { fraction };
        let sum = (i128::from(self.integer) << 110) + fraction;
        Wide::new(17, sum.unsigned_abs())
    }
}

/// 2 artanh(s) log2(e), which is log2((1 + s) / (1 - s)); |s| below 0.172.
fn log2_of_ratio(s: Wide, terms: Terms) -> Wide {
    let fixed = s.fixed();
    let factor = mul(ARTANH.at(mul(fixed, fixed), terms), LOG2_E);
    let product = s.times(factor);
    Wide { exponent: product.exponent + 1, ..product }
}

/// log2 of a positive value.
fn log2(x: Wide) -> Log2 {
    if x.significand == ONE {
        return Log2::Integer(x.exponent);
    }
    // x = 2^integer * m with m between sqrt(1/2) and sqrt(2); s = (m - 1) / (m + 1).
    let below_one = x.significand > SQRT_2;
    let (integer, numerator, half_sum) = if below_one {
        (x.exponent + 1, x.significand.wrapping_neg(), ONE + (x.significand >> 1))
    } else {
        (x.exponent, x.significand - ONE, (x.significand >> 1) + (ONE >> 1))
    };
    let s = Wide::new(-1, numerator).over(Wide::new(0, half_sum));
    Log2::Inexact(Sum { integer, negative: below_one, s })
}

/// `y * log`; y is finite and not zero.
fn times_log(context: &mut Context, y: F80, log: Log2) -> F80 {
    match log {
        Log2::Integer(0) => F80::zero(y.sign()),
        Log2::Integer(n) => {
            let n = from_integer(i64::from(n));
            let Magnitude { exponent: exponent_y, significand: bits_y } = y.normalized();
            let Magnitude { exponent: exponent_n, significand: bits_n } = n.normalized();
            let product = u128::from(bits_y) * u128::from(bits_n);
            let Wide { exponent, significand } = Wide::new(exponent_y + exponent_n + 1, product);
            context.round_to(Exact { sign: y.sign() ^ n.sign(), exponent, significand }, 64)
        }
        Log2::Inexact(sum) => {
            let Magnitude { exponent, significand: bits } = y.normalized();
            deliver(context, y.sign() ^ sum.is_negative(), |terms| {
                let mut product = sum.magnitude(terms).times(u128::from(bits) << 64);
                product.exponent += exponent;
                product
            })
        }
    }
}

/// FYL2X: `y * log2(x)`.
pub(crate) fn y_log2_x(context: &mut Context, x: F80, y: F80) -> F80 {
    if let Some(result) = screen(context, x, y) {
        return result;
    }
    if x.sign() && x.class() != Class::Zero {
        return context.invalid();
    }
    match (x.class(), y.class()) {
        (Class::Zero | Class::Infinity, Class::Zero) => return context.invalid(),
        (Class::Zero, class_y) => {
            if class_y != Class::Infinity {
                context.raise(ZERO_DIVIDE);
            }
            return F80::infinity(!y.sign());
        }
        (Class::Infinity, _) => {
            context.check_denormal(y);
            return F80::infinity(y.sign());
        }
        (_, Class::Infinity) => {
            if x == F80::ONE {
                return context.invalid();
            }
            context.check_denormal(x);
            return F80::infinity(y.sign() ^ (x.exponent() < BIAS));
        }
        _ => {}
    }
    context.check_denormal(x);
    context.check_denormal(y);
    if context.aborts() {
        return x;
    }
    if y.class() == Class::Zero {
        return F80::zero(y.sign() ^ (x.exponent() < BIAS));
    }
    times_log(context, y, log2(wide(x)))
}

/// FYL2XP1: `y * log2(x + 1)`. The manual defines it for |x| up to 1 - sqrt(1/2) only; here it
/// goes on to every x above -1.
pub(crate) fn y_log2_x_plus_1(context: &mut Context, x: F80, y: F80) -> F80 {
    if let Some(result) = screen(context, x, y) {
        return result;
    }
    let (class_x, class_y) = (x.class(), y.class());
    let below = x.sign() && class_x != Class::Zero && x.exponent() >= BIAS;
    if below && x != F80::ONE.negated() {
        return context.invalid();
    }
    match (class_x, class_y) {
        (Class::Infinity, Class::Zero) | (Class::Zero, Class::Infinity) => {
            return context.invalid();
        }
        (Class::Infinity, _) | (_, Class::Infinity) => {
            context.check_denormal(x);
            context.check_denormal(y);
            return F80::infinity(x.sign() ^ y.sign());
        }
        _ => {}
    }
    context.check_denormal(x);
    context.check_denormal(y);
    if context.aborts() {
        return x;
    }
    if class_x == Class::Zero || class_y == Class::Zero {
        return F80::zero(x.sign() ^ y.sign());
    }
    if below {
        context.raise(ZERO_DIVIDE);
        return F80::infinity(!y.sign());
    }
    times_log(context, y, log2_plus_1(x.sign(), wide(x)))
}

/// log2(1 + x) for a finite x above -1, not 0.
fn log2_plus_1(negative: bool, x: Wide) -> Log2 {
    if x.exponent < -2 {
        // s = x / (2 + x), relatively exact however small x is. 2 + x in units of 2^-126.
        let fixed = x.fixed() >> 1;
        let sum = if negative { ONE - fixed } else { ONE + fixed };
        return Log2::Inexact(Sum { integer: 0, negative, s: x.over(Wide::new(1, sum)) });
    }
    if x.exponent >= 0 {
        // 1 + x in units of half the lowest bit, so that the sum does not overflow. What a large
        // x loses of the 1 is far below the precision of the result.
        let one = (ONE >> 1).checked_shr(x.exponent.unsigned_abs()).unwrap_or(0);
        return log2(Wide::new(x.exponent + 1, (x.significand >> 1) + one));
    }
    let fixed = x.fixed();
    log2(Wide::new(0, if negative { ONE - fixed } else { ONE + fixed }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_terms_do() {
        EXPONENTIAL.few_do(LN_2, false);
        EXPONENTIAL.few_do(LN_2, true);
        // The square of (sqrt(2) - 1) / (sqrt(2) + 1).
        ARTANH.few_do(ONE / 10_000 * 295, false);
    }
}
