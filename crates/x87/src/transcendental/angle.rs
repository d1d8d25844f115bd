//! Trigonometric functions and the arc tangent.
//!
//! Arguments are reduced with the P5's internal pi of 66 bits (`intel-pentium-manual`, FSIN and
//! the chapter on the constant pi). That remainder is exact, so what is within one unit in the
//! last place is the function whose period is that pi; near multiples of it the result differs
//! from the true sine as it does on silicon.

use super::fixed::{
    ATAN_SIXTEENTHS, ONE, PI_2_126, Series, Terms, Wide, inverse_factorials, inverse_odds, mul,
};
use super::{deliver, wide};
use crate::arith::{screen, screen_one};
use crate::f80::{Class, F80, Magnitude};
use crate::round::Context;

/// sin(r) / r = 1 - r^2/3! + r^4/5! - ... for r up to pi/4.
static SINE: Series<14> = Series::new(inverse_factorials(1, 2), 5, 12);
/// cos(r) = 1 - r^2/2! + r^4/4! - ...
static COSINE: Series<15> = Series::new(inverse_factorials(0, 2), 6, 12);
/// atan(t) / t = 1 - t^2/3 + t^4/5 - ... for t up to 1/32.
static ARCTAN: Series<13> = Series::new(inverse_odds(), 3, 9);

/// Half of the 66-bit pi, in units of 2^-65.
const HALF_PI: u128 = 0x3_243F_6A88_85A3_08D3;
/// Operands of this exponent and above are too large.
const LIMIT_EXPONENT: i32 = 63;

/// An operand of FSIN, FCOS, FSINCOS or FPTAN, ready for any of them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Angle {
    /// All results are this NaN, or are not delivered.
    Nan(F80),
    /// A zero of this sign.
    Zero(bool),
    /// Any other operand.
    Reduced(Reduced),
}

/// `x = sign * (quadrant * pi/2 + r)` with |r| at most pi/4.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reduced {
    sign: bool,
    quadrant: u8,
    r_negative: bool,
    r: Wide,
}

/// Reduces an operand; `None` if it is too large (C2).
pub(crate) fn sin_cos(context: &mut Context, x: F80) -> Option<Angle> {
    if let Some(nan) = screen_one(context, x) {
        return Some(Angle::Nan(nan));
    }
    match x.class() {
        Class::Infinity => return Some(Angle::Nan(context.invalid())),
        Class::Zero => return Some(Angle::Zero(x.sign())),
        _ => context.check_denormal(x),
    }
    if context.aborts() {
        return Some(Angle::Nan(x));
    }
    let Magnitude { exponent, significand: bits } = x.normalized();
    if exponent >= LIMIT_EXPONENT {
        return None;
    }
    let sign = x.sign();
    if exponent < -1 {
        let r = wide(x);
        return Some(Angle::Reduced(Reduced { sign, quadrant: 0, r_negative: false, r }));
    }
    let scaled = u128::from(bits) << (exponent + 2);
    let quotient = scaled / HALF_PI;
    let rest = scaled - quotient * HALF_PI;
    let r_negative = rest > HALF_PI / 2;
    let (quotient, rest) =
        if r_negative { (quotient + 1, HALF_PI - rest) } else { (quotient, rest) };
    let r = Wide::new(127 - 65, rest);
    Some(Angle::Reduced(Reduced { sign, quadrant: (quotient & 3) as u8, r_negative, r }))
}

impl Angle {
    /// FSIN's result.
    pub fn sin(self, context: &mut Context) -> F80 {
        match self {
            Angle::Nan(nan) => nan,
            Angle::Zero(sign) => F80::zero(sign),
            Angle::Reduced(angle) => angle.wave(context, angle.quadrant, angle.sign),
        }
    }

    /// FCOS's result.
    pub fn cos(self, context: &mut Context) -> F80 {
        match self {
            Angle::Nan(nan) => nan,
            Angle::Zero(_) => F80::ONE,
            // cos(x) = sin(|x| + pi/2)
            Angle::Reduced(angle) => angle.wave(context, angle.quadrant + 1, false),
        }
    }

    /// FPTAN's results: the tangent, and the 1 that it pushes.
    pub fn tangent_and_one(self, context: &mut Context) -> (F80, F80) {
        let tangent = match self {
            Angle::Nan(nan) => return (nan, nan),
            Angle::Zero(sign) => F80::zero(sign),
            Angle::Reduced(angle) => angle.tangent(context),
        };
        (tangent, F80::ONE)
    }
}

impl Reduced {
    /// sin(quadrant * pi/2 + r), negated if `sign`.
    fn wave(self, context: &mut Context, quadrant: u8, sign: bool) -> F80 {
        let sign = sign ^ (quadrant & 2 != 0);
        if quadrant & 1 == 0 {
            deliver(context, sign ^ self.r_negative, |terms| self.sine(terms))
        } else {
            deliver(context, sign, |terms| self.cosine(terms))
        }
    }

    fn square(self) -> u128 {
        let r = self.r.fixed();
        mul(r, r)
    }

    /// sin |r|. It is below |r|, also where the difference lies below all computed bits.
    fn sine(self, terms: Terms) -> Wide {
        self.r.times(SINE.at_negative(self.square(), terms).min(ONE - 1))
    }

    /// cos r, likewise below 1.
    fn cosine(self, terms: Terms) -> Wide {
        Wide::new(0, COSINE.at_negative(self.square(), terms).min(ONE - 1))
    }

    fn tangent(self, context: &mut Context) -> F80 {
        let sign = self.sign ^ self.r_negative;
        if self.quadrant & 1 != 0 {
            return deliver(context, !sign, |terms| self.cosine(terms).over(self.sine(terms)));
        }
        // Below this |r| the tangent is |r| and something less than the result's precision.
        const TINY_EXPONENT: i32 = -40;
        if self.r.exponent < TINY_EXPONENT {
            return deliver(context, sign, |_| self.r);
        }
        deliver(context, sign, |terms| self.sine(terms).over(self.cosine(terms)))
    }
}

/// FPATAN: the angle of the point (x, y).
pub(crate) fn arc_tangent(context: &mut Context, x: F80, y: F80) -> F80 {
    if let Some(result) = screen(context, x, y) {
        return result;
    }
    context.check_denormal(x);
    context.check_denormal(y);
    if context.aborts() {
        return x;
    }
    let quarter = PI_2_126 >> 2;
    let fixed = match (x.class(), y.class()) {
        (Class::Infinity, Class::Infinity) if x.sign() => 3 * quarter,
        (Class::Infinity, Class::Infinity) => quarter,
        (_, Class::Infinity) => 2 * quarter,
        (Class::Infinity, _) | (_, Class::Zero) if x.sign() => PI_2_126,
        (Class::Infinity, _) | (_, Class::Zero) => return F80::zero(y.sign()),
        (Class::Zero, _) => 2 * quarter,
        _ => return deliver(context, y.sign(), |terms| angle_of(x, y, terms)),
    };
    deliver(context, y.sign(), |_| Wide::new(1, fixed))
}

/// The angle between 0 and pi for x and the magnitude of y.
fn angle_of(x: F80, y: F80, terms: Terms) -> Wide {
    let x_negative = x.sign();
    let (x, y) = (x.normalized(), y.normalized());
    let steep = y > x;
    let acute = if steep { arctan(x, y, terms) } else { arctan(y, x, terms) };
    if !steep && !x_negative {
        return acute;
    }
    // In units of 2^-126: the result is at least pi/4, so absolute precision is enough.
    let acute = acute.fixed() >> 1;
    let half = PI_2_126 >> 1;
    Wide::new(
        1,
        match (steep, x_negative) {
            (true, false) => half - acute,
            (true, true) => half + acute,
            _ => PI_2_126 - acute,
        },
    )
}

/// atan(n / d) for n <= d.
fn arctan(n: Magnitude, d: Magnitude, terms: Terms) -> Wide {
    let distance = d.exponent - n.exponent;
    let as_wide = |one: Magnitude| Wide {
        exponent: one.exponent,
        significand: u128::from(one.significand) << 64,
    };
    if distance > 5 {
        return arctan_series(as_wide(n).over(as_wide(d)), terms);
    }
    // atan(n/d) = atan(c) + atan((n - c d) / (d + c n)), c = i/16 next to n/d; all exact.
    let sixteenths = {
        let (n, d) = (n.significand >> 8 >> distance, d.significand >> 8);
        (32 * n + d) / (2 * d)
    };
    let (n, d) = (u128::from(n.significand), u128::from(d.significand) << distance);
    let i = u128::from(sixteenths);
    let (left, right) = (16 * n, i * d);
    let centre = ATAN_SIXTEENTHS[sixteenths as usize];
    if left == right {
        return Wide::new(0, centre);
    }
    let t = Wide::new(0, left.abs_diff(right)).over(Wide::new(0, 16 * d + i * n));
    let rest = arctan_series(t, terms);
    if i == 0 {
        return rest;
    }
    let rest = rest.fixed();
    Wide::new(0, if left > right { centre + rest } else { centre - rest })
}

/// atan(t), below t.
fn arctan_series(t: Wide, terms: Terms) -> Wide {
    let fixed = t.fixed();
    t.times(ARCTAN.at_negative(mul(fixed, fixed), terms).min(ONE - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_terms_do() {
        let eighth_turn = PI_2_126 >> 1;
        SINE.few_do(mul(eighth_turn, eighth_turn), true);
        COSINE.few_do(mul(eighth_turn, eighth_turn), true);
        ARCTAN.few_do(ONE >> 10, true);
    }
}
