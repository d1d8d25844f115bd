//! The offsets of the unit's parts, for generated code, which accesses them in place.

use std::mem::offset_of;

use crate::fpu::{Fpu, Pointer};

/// The physical data register R0; the others follow, [`REGISTER_BYTES`] apart.
pub const REGISTERS: usize = offset_of!(Fpu, registers);
/// The distance in bytes from one data register to the next.
pub const REGISTER_BYTES: usize = 16;
/// Control word.
pub const CONTROL: usize = offset_of!(Fpu, control);
/// Exception flags and condition codes, at their places in the status word.
pub const FLAGS: usize = offset_of!(Fpu, flags);
/// Physical number of ST(0), one byte.
pub const TOP: usize = offset_of!(Fpu, top);
/// Which physical registers are empty, one byte.
pub const EMPTY: usize = offset_of!(Fpu, empty);
/// The last non-control instruction: selector, offset, 11 bits of opcode.
pub const INSTRUCTION_SELECTOR: usize = offset_of!(Fpu, instruction.selector);
/// The instruction's offset.
pub const INSTRUCTION_OFFSET: usize = offset_of!(Fpu, instruction.offset);
/// The instruction's opcode.
pub const OPCODE: usize = offset_of!(Fpu, opcode);
/// The selector of the instruction's memory operand.
pub const OPERAND_SELECTOR: usize = offset_of!(Fpu, operand.selector);
/// The operand's offset.
pub const OPERAND_OFFSET: usize = offset_of!(Fpu, operand.offset);

const _: () = assert!(size_of::<crate::f80::F80>() == REGISTER_BYTES);
const _: () = assert!(size_of::<Pointer>() == 8);
