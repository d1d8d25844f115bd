//! SHL, SHR, SAR, ROL, ROR, RCL, RCR, SHLD, SHRD.
//!
//! Counts are taken modulo 32. Undefined flags: OF after a count other than 1 is what the
//! formula for 1 gives on the last step; AF is 0 after shifts. A double shift of a 16-bit
//! operand by more than 16 takes its bits from the operands repeated.

use iced_x86::Mnemonic;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, sized, wide};
use crate::instruction::shape::{Form, Shape};
use crate::registers::flags::{Flags, extend};
use crate::registers::register_file::gpr;
use crate::state::exception::Done;

const SHL: u8 = 0;
const SHR: u8 = 1;
const SAR: u8 = 2;
const ROL: u8 = 3;
const ROR: u8 = 4;
const RCL: u8 = 5;
const RCR: u8 = 6;

#[inline(always)]
fn bit(value: u32, number: u32) -> bool {
    value >> number & 1 != 0
}

/// The result of one shift or rotation of `value` by `count` (1..=31) bits; also sets the flags.
#[inline(always)]
fn compute<const SIZE: usize, const KIND: u8>(flags: &mut Flags, value: u32, count: u32) -> u32 {
    let bits = SIZE as u32 * 8;
    let top = bits - 1;
    match KIND {
        SHL => {
            let wide = u64::from(value) << count;
            let (result, cf) = (wide as u32, wide >> bits & 1 != 0);
            flags.after_shift::<SIZE>(result, cf, bit(result, top) != cf);
            result
        }
        SHR => {
            let cf = u64::from(value) >> (count - 1) & 1 != 0;
            let result = value >> count;
            flags.after_shift::<SIZE>(result, cf, bit(result << 1 ^ result, top));
            result
        }
        SAR => {
            let signed = extend::<SIZE>(value) as i32;
            let result = (signed >> count) as u32;
            flags.after_shift::<SIZE>(result, signed >> (count - 1) & 1 != 0, false);
            result
        }
        ROL => {
            let turns = count % bits;
            let result = if turns == 0 { value } else { value << turns | value >> (bits - turns) };
            let cf = bit(result, 0);
            flags.set_cf_of(cf, bit(result, top) != cf);
            result
        }
        ROR => {
            let turns = count % bits;
            let result = if turns == 0 { value } else { value >> turns | value << (bits - turns) };
            flags.set_cf_of(bit(result, top), bit(result << 1 ^ result, top));
            result
        }
        _ => rotate_through_carry::<SIZE, KIND>(flags, value, count),
    }
}

fn rotate_through_carry<const SIZE: usize, const KIND: u8>(
    flags: &mut Flags,
    value: u32,
    count: u32,
) -> u32 {
    let bits = SIZE as u32 * 8;
    let turns = count % (bits + 1);
    // CF and the operand as one word of `bits + 1` bits, which RCL and RCR rotate.
    let word = u64::from(flags.cf()) << bits | u64::from(value);
    let turned = match (turns, KIND) {
        (0, _) => word,
        (_, RCL) => word << turns | word >> (bits + 1 - turns),
        _ => word >> turns | word << (bits + 1 - turns),
    };
    let result = turned as u32;
    let cf = turned >> bits & 1 != 0;
    let of =
        if KIND == RCL { bit(result, bits - 1) != cf } else { bit(result << 1 ^ result, bits - 1) };
    flags.set_cf_of(cf, of);
    result
}

fn shift<const SIZE: usize, const MEMORY: bool, const KIND: u8, const BY_CL: bool>(
    core: &mut Core,
    op: &Op,
) -> Done {
    let count = if BY_CL { core.state.general[gpr::ECX] } else { op.immediate } & 31;
    core.modify::<SIZE, MEMORY>(op, |core, old| {
        if count == 0 { old } else { compute::<SIZE, KIND>(&mut core.state.flags, old, count) }
    })
}

fn double_shift<const SIZE: usize, const MEMORY: bool, const LEFT: bool, const BY_CL: bool>(
    core: &mut Core,
    op: &Op,
) -> Done {
    let count = if BY_CL { core.state.general[gpr::ECX] } else { op.immediate } & 31;
    let filler = core.register::<SIZE>(op.b);
    core.modify::<SIZE, MEMORY>(op, |core, old| {
        if count == 0 {
            return old;
        }
        let bits = SIZE as u32 * 8;
        let (old_wide, filler) = (u64::from(old), u64::from(filler));
        // Both operands as one word. For 16 bits, the first operand stands on both sides of the
        // second, so that counts up to 31 find bits to shift in.
        let (row, row_bits) = match (SIZE, LEFT) {
            (2, _) => (old_wide << 32 | filler << 16 | old_wide, 48),
            (_, true) => (old_wide << 32 | filler, 64),
            (_, false) => (filler << 32 | old_wide, 64),
        };
        let (result, cf) = if LEFT {
            ((row << count >> 32) as u32, row >> (row_bits - count) & 1 != 0)
        } else {
            ((row >> count) as u32, row >> (count - 1) & 1 != 0)
        };
        let result = if SIZE == 2 { result & 0xFFFF } else { result };
        let of = bit(result ^ old, bits - 1);
        core.state.flags.after_shift::<SIZE>(result, cf, of);
        result
    })
}

macro_rules! shift_forms {
    ($shape:expr, $kind:ident) => {
        match ($shape.memory_first(), $shape.form) {
            (false, Form::RI) => sized!($shape.size, shift, false, $kind, false),
            (false, _) => sized!($shape.size, shift, false, $kind, true),
            (true, Form::MI) => sized!($shape.size, shift, true, $kind, false),
            (true, _) => sized!($shape.size, shift, true, $kind, true),
        }
    };
}

macro_rules! double_forms {
    ($shape:expr, $left:literal) => {
        match ($shape.memory_first(), $shape.third_is_register) {
            (false, false) => wide!($shape.size, double_shift, false, $left, false),
            (false, true) => wide!($shape.size, double_shift, false, $left, true),
            (true, false) => wide!($shape.size, double_shift, true, $left, false),
            (true, true) => wide!($shape.size, double_shift, true, $left, true),
        }
    };
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    Some(match shape.mnemonic {
        Mnemonic::Shl | Mnemonic::Sal => shift_forms!(shape, SHL),
        Mnemonic::Shr => shift_forms!(shape, SHR),
        Mnemonic::Sar => shift_forms!(shape, SAR),
        Mnemonic::Rol => shift_forms!(shape, ROL),
        Mnemonic::Ror => shift_forms!(shape, ROR),
        Mnemonic::Rcl => shift_forms!(shape, RCL),
        Mnemonic::Rcr => shift_forms!(shape, RCR),
        Mnemonic::Shld => double_forms!(shape, true),
        Mnemonic::Shrd => double_forms!(shape, false),
        _ => return None,
    })
}
