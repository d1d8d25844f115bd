//! Comparison and classification: FCOM, FUCOM, FTST, FXAM.

use crate::f80::{Class, F80};
use crate::fpu::{C0, C1, C2, C3};
use crate::round::{Context, INVALID};

/// The condition codes (C3, C2, C0) of `a` against `b`. FUCOM (`quiet`) takes quiet NaNs
/// without an exception.
pub(crate) fn compare(context: &mut Context, a: F80, b: F80, quiet: bool) -> u16 {
    const UNORDERED: u16 = C3 | C2 | C0;
    let classes = [a.class(), b.class()];
    if classes.contains(&Class::Unsupported) || classes.contains(&Class::SignallingNan) {
        context.raise(INVALID);
        return UNORDERED;
    }
    if classes.contains(&Class::QuietNan) {
        if !quiet {
            context.raise(INVALID);
        }
        return UNORDERED;
    }
    context.check_denormal(a);
    context.check_denormal(b);
    match ordering_key(a).cmp(&ordering_key(b)) {
        std::cmp::Ordering::Less => C0,
        std::cmp::Ordering::Equal => C3,
        std::cmp::Ordering::Greater => 0,
    }
}

/// A key that orders values that are not NaNs. A pseudo-denormal equals the normal number that
/// has the same value, as the exponents 0 and 1 have the same weight.
fn ordering_key(a: F80) -> i128 {
    let exponent = if a.significand == 0 { 0 } else { a.exponent().max(1) };
    let magnitude = (exponent as i128) << 64 | i128::from(a.significand);
    if a.sign() { -magnitude } else { magnitude }
}

/// The condition codes of FXAM, C1 included.
pub(crate) fn examine(a: F80, empty: bool) -> u16 {
    let class = match a.class() {
        _ if empty => C3 | C0,
        Class::Unsupported => 0,
        Class::QuietNan | Class::SignallingNan => C0,
        Class::Normal => C2,
        Class::Infinity => C2 | C0,
        Class::Zero => C3,
        Class::Denormal => C3 | C2,
    };
    class | if a.sign() { C1 } else { 0 }
}
