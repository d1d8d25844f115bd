//! The handlers of instructions, by group. Each group chooses the handlers of its mnemonics.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 25. Handlers are generic
//! over operand size and form; the decoder asks each group in turn for an instance.

pub(crate) mod arith;
pub(crate) mod bcd;
pub(crate) mod bit;
pub(crate) mod control;
pub(crate) mod logic;
pub(crate) mod mov;
pub(crate) mod mpbt;
pub(crate) mod multiply;
pub(crate) mod port;
pub(crate) mod shift;
pub(crate) mod stack;
pub(crate) mod string;
pub(crate) mod system;
pub(crate) mod tables;
pub(crate) mod x87;
