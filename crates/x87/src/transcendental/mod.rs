//! F2XM1, FYL2X, FYL2XP1, FPATAN, FSIN, FCOS, FSINCOS, FPTAN.
//!
//! The Pentium manual promises an error below one unit in the last place
//! (`intel-pentium-manual`, appendix on transcendental accuracy). Here each function is computed
//! with about 120 bits in integer arithmetic and then rounded once, so the error is hardly above
//! half a unit and results are the same on every host. They are rounded by rounding control to 64
//! bits; precision control has no effect. Every result that is not exact raises the precision
//! exception.

mod angle;
mod fixed;
mod power;

pub(crate) use angle::{arc_tangent, sin_cos};
pub(crate) use power::{two_to_x_minus_one, y_log2_x, y_log2_x_plus_1};

use crate::f80::F80;
use crate::round::{Context, Exact};
use fixed::Wide;

/// A finite non-zero operand as (sign, magnitude).
fn wide(a: F80) -> Wide {
    let (exponent, significand) = a.normalized();
    Wide { exponent, significand: u128::from(significand) << 64 }
}

/// Rounds an inexact result.
fn deliver(context: &mut Context, sign: bool, value: Wide) -> F80 {
    let Wide { exponent, significand } = value;
    context.round_to(Exact { sign, exponent, significand: significand | 1 }, 64)
}
