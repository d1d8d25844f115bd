//! The floating-point unit of the P54C: exact 80-bit x87 arithmetic in portable Rust.
//!
//! Block: the FPU inside a core. Manual: `intel-pentium-manual`, volume 3 (chapters 6 and 7 and
//! the instruction pages). Modelled: all numeric and control instructions of the P5, precision
//! and rounding control, the six exceptions with masked and unmasked responses, stack faults,
//! NaN rules, all environment formats. Results are computed with integers only, so they are the
//! same on every host. The transcendental functions are within one unit in the last place of the
//! true value; they are ours and not the P5's microcode, so the last bit may differ from silicon.
//! Left out: the timing of the two pipes (the core's business, from [`Cost`]).
//!
//! Invariants: the unit knows neither memory nor traps. The core decodes ([`describe`]), reports
//! a pending exception ([`Fpu::pending`]), reads the memory operand, calls [`execute`], and
//! writes what it returns. An instruction that writes memory may be undone by putting back a copy
//! of the [`Fpu`].

mod arith;
mod compare;
mod convert;
mod cost;
mod environment;
mod execute;
mod f80;
mod form;
mod fpu;
pub mod layout;
mod op;
mod remainder;
mod round;
mod transcendental;

pub use cost::{Cost, Pairing};
pub use execute::{IMAGE_BYTES, Operand, Outcome, execute};
pub use f80::{Class, F80};
pub use form::{Form, describe};
pub use fpu::{Fpu, Pointer};
pub use op::{Arith, Binary, Constant, Format, Op, Pushing, Source, Target, Unary};
