//! AND, OR, XOR, TEST, NOT.

use iced_x86::Mnemonic;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, binary_forms, form, sized};
use crate::instruction::shape::Shape;
use crate::state::exception::Done;

const AND: u8 = 0;
const OR: u8 = 1;
const XOR: u8 = 2;
const TEST: u8 = 3;

#[inline(always)]
fn compute<const SIZE: usize, const KIND: u8>(core: &mut Core, a: u32, b: u32) -> u32 {
    let result = match KIND {
        OR => a | b,
        XOR => a ^ b,
        _ => a & b,
    };
    core.state.flags.after_logic::<SIZE>(result);
    result
}

fn binary<const SIZE: usize, const FORM: u8, const KIND: u8>(core: &mut Core, op: &Op) -> Done {
    let right = match FORM {
        form::RR | form::MR => core.register::<SIZE>(op.b),
        form::RM => core.load::<SIZE>(op)?,
        _ => op.immediate,
    };
    if matches!(FORM, form::RR | form::RI | form::RM) {
        let left = core.register::<SIZE>(op.a);
        let result = compute::<SIZE, KIND>(core, left, right);
        if KIND != TEST {
            core.set_register::<SIZE>(op.a, result);
        }
        Ok(())
    } else if KIND == TEST {
        let left = core.load::<SIZE>(op)?;
        compute::<SIZE, KIND>(core, left, right);
        Ok(())
    } else {
        core.modify::<SIZE, true>(op, |core, left| compute::<SIZE, KIND>(core, left, right))
    }
}

fn invert<const SIZE: usize, const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    core.modify::<SIZE, MEMORY>(op, |_, old| !old)
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    Some(match shape.mnemonic {
        Mnemonic::And => binary_forms!(shape, binary, AND),
        Mnemonic::Or => binary_forms!(shape, binary, OR),
        Mnemonic::Xor => binary_forms!(shape, binary, XOR),
        Mnemonic::Test => binary_forms!(shape, binary, TEST),
        Mnemonic::Not if shape.memory_first() => sized!(shape.size, invert, true),
        Mnemonic::Not => sized!(shape.size, invert, false),
        _ => return None,
    })
}
