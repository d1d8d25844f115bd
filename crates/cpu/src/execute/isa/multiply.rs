//! MUL, IMUL, DIV, IDIV.
//!
//! Undefined flags: after a multiplication SF, ZF and PF follow the low half of the product and
//! AF is 0; a division leaves all flags as they were.

use iced_x86::Mnemonic;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, sized, wide};
use crate::instruction::shape::{Form, Shape};
use crate::registers::flags::extend;
use crate::registers::register_file::gpr;
use crate::state::exception::{Done, vector};

const EAX: u8 = gpr::EAX as u8;
const EDX: u8 = gpr::EDX as u8;
/// AH as a byte register.
const AH: u8 = 4;

fn signed<const SIZE: usize>(value: u32) -> i64 {
    i64::from(extend::<SIZE>(value) as i32)
}

/// One-operand multiplication: the double-width product into AX, DX:AX or EDX:EAX.
fn multiply<const SIZE: usize, const MEMORY: bool, const SIGNED: bool>(
    core: &mut Core,
    op: &Op,
) -> Done {
    let right = core.operand::<SIZE, MEMORY>(op, op.a)?;
    let left = core.register::<SIZE>(EAX);
    let bits = SIZE as u32 * 8;
    let (product, fits) = if SIGNED {
        let product = signed::<SIZE>(left).wrapping_mul(signed::<SIZE>(right));
        (product as u64, product == signed::<SIZE>(product as u32))
    } else {
        let product = u64::from(left) * u64::from(right);
        (product, product >> bits == 0)
    };
    if SIZE == 1 {
        core.set_register::<2>(EAX, product as u32);
    } else {
        core.set_register::<SIZE>(EAX, product as u32);
        core.set_register::<SIZE>(EDX, (product >> bits) as u32);
    }
    core.state.flags.after_shift::<SIZE>(product as u32, !fits, !fits);
    core.wait_for_multiplier();
    Ok(())
}

/// IMUL r, r/m and IMUL r, r/m, i.
fn multiply_register<const SIZE: usize, const MEMORY: bool, const IMMEDIATE: bool>(
    core: &mut Core,
    op: &Op,
) -> Done {
    let right = core.operand::<SIZE, MEMORY>(op, op.b)?;
    let left = if IMMEDIATE { op.immediate } else { core.register::<SIZE>(op.a) };
    let product = signed::<SIZE>(left) * signed::<SIZE>(right);
    let fits = product == signed::<SIZE>(product as u32);
    core.set_register::<SIZE>(op.a, product as u32);
    core.state.flags.after_shift::<SIZE>(product as u32, !fits, !fits);
    core.wait_for_multiplier();
    Ok(())
}

fn divide<const SIZE: usize, const MEMORY: bool, const SIGNED: bool>(
    core: &mut Core,
    op: &Op,
) -> Done {
    let divisor = core.operand::<SIZE, MEMORY>(op, op.a)?;
    let bits = SIZE as u32 * 8;
    let high = if SIZE == 1 { core.register::<1>(AH) } else { core.register::<SIZE>(EDX) };
    let dividend = u64::from(high) << bits | u64::from(core.register::<SIZE>(EAX));
    let result = if SIGNED {
        divide_signed::<SIZE>(dividend, divisor)
    } else {
        divide_unsigned::<SIZE>(dividend, divisor)
    };
    let Some((quotient, remainder)) = result else {
        return Err(core.raise(vector::DIVIDE));
    };
    core.set_register::<SIZE>(EAX, quotient);
    core.set_register::<SIZE>(if SIZE == 1 { AH } else { EDX }, remainder);
    Ok(())
}

fn divide_unsigned<const SIZE: usize>(dividend: u64, divisor: u32) -> Option<(u32, u32)> {
    let divisor = u64::from(divisor);
    let quotient = dividend.checked_div(divisor)?;
    (quotient >> (SIZE * 8) == 0).then_some((quotient as u32, (dividend % divisor) as u32))
}

fn divide_signed<const SIZE: usize>(dividend: u64, divisor: u32) -> Option<(u32, u32)> {
    let spare = 64 - 16 * SIZE as u32;
    let dividend = (dividend << spare) as i64 >> spare;
    let divisor = signed::<SIZE>(divisor);
    let quotient = dividend.checked_div(divisor)?;
    let fits = quotient == signed::<SIZE>(quotient as u32);
    fits.then(|| (quotient as u32, (dividend % divisor) as u32))
}

macro_rules! one_operand {
    ($shape:expr, $handler:ident, $signed:literal) => {
        if $shape.memory_first() {
            sized!($shape.size, $handler, true, $signed)
        } else {
            sized!($shape.size, $handler, false, $signed)
        }
    };
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    Some(match shape.mnemonic {
        Mnemonic::Mul => one_operand!(shape, multiply, false),
        Mnemonic::Imul if shape.operands == 1 => one_operand!(shape, multiply, true),
        Mnemonic::Imul => match (shape.form == Form::RM, shape.operands == 3) {
            (false, false) => wide!(shape.size, multiply_register, false, false),
            (false, true) => wide!(shape.size, multiply_register, false, true),
            (true, false) => wide!(shape.size, multiply_register, true, false),
            (true, true) => wide!(shape.size, multiply_register, true, true),
        },
        Mnemonic::Div => one_operand!(shape, divide, false),
        Mnemonic::Idiv => one_operand!(shape, divide, true),
        _ => return None,
    })
}
