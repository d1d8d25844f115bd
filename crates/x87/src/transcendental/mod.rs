//! F2XM1, FYL2X, FYL2XP1, FPATAN, FSIN, FCOS, FSINCOS, FPTAN.
//!
//! The Pentium manual promises an error below one unit in the last place (`intel-pentium-manual`,
//! appendix on transcendental accuracy). Here each function is computed with about 120 bits in
//! integer arithmetic and then rounded once, so the error is hardly above half a unit and results
//! are the same on every host. They are rounded by rounding control to 64 bits; precision control
//! has no effect. Every result that is not exact raises the precision exception. A first
//! computation with some 80 bits takes half the time and nearly always decides the rounding.

mod angle;
mod fixed;
mod power;

pub(crate) use angle::{arc_tangent, sin_cos};
pub(crate) use power::{two_to_x_minus_one, y_log2_x, y_log2_x_plus_1};

use crate::f80::{F80, Magnitude};
use crate::round::{Context, Exact};
use fixed::{Terms, Wide};

/// A finite non-zero operand as (sign, magnitude).
fn wide(a: F80) -> Wide {
    let Magnitude { exponent, significand } = a.normalized();
    Wide { exponent, significand: u128::from(significand) << 64 }
}

/// Few terms err by less than this in the lower half of a result's significand, by far.
const MARGIN: u64 = 1 << 50;

/// Rounds an inexact result. Few terms of its series do unless they leave open how it is rounded.
#[inline]
fn deliver(context: &mut Context, sign: bool, value: impl Fn(Terms) -> Wide) -> F80 {
    let short = value(Terms::Few);
    let Wide { exponent, significand } = if is_clear(&short) { short } else { value(Terms::All) };
    context.round_to(Exact { sign, exponent, significand: significand | 1 }, 64)
}

/// All values next to this one are rounded alike, whatever the rounding control.
#[inline]
fn is_clear(value: &Wide) -> bool {
    // Where significands of denormal results and ways of overflow end is another matter.
    const ORDINARY: i32 = 16_000;
    let lower = value.significand as u64;
    let beyond_boundary = lower.wrapping_add(MARGIN) & (u64::MAX >> 1);
    beyond_boundary >= 2 * MARGIN && value.exponent.abs() < ORDINARY
}
