//! ADD, ADC, SUB, SBB, CMP, INC, DEC, NEG, XADD, CMPXCHG, CMPXCHG8B.

use iced_x86::Mnemonic;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, binary_forms, form, sized};
use crate::instruction::shape::Shape;
use crate::memory::access_path::Intent;
use crate::registers::flags::Flags;
use crate::registers::register_file::gpr;
use crate::state::exception::Done;

const ADD: u8 = 0;
const ADC: u8 = 1;
const SUB: u8 = 2;
const SBB: u8 = 3;
const CMP: u8 = 4;

#[inline(always)]
fn compute<const SIZE: usize, const KIND: u8>(flags: &mut Flags, a: u32, b: u32) -> u32 {
    match KIND {
        ADD => {
            let result = a.wrapping_add(b);
            flags.after_add::<SIZE>(a, b, result);
            result
        }
        ADC => {
            let result = a.wrapping_add(b).wrapping_add(u32::from(flags.cf()));
            flags.after_add::<SIZE>(a, b, result);
            result
        }
        SBB => {
            let result = a.wrapping_sub(b).wrapping_sub(u32::from(flags.cf()));
            flags.after_sub::<SIZE>(a, b, result);
            result
        }
        _ => {
            let result = a.wrapping_sub(b);
            flags.after_sub::<SIZE>(a, b, result);
            result
        }
    }
}

fn binary<const SIZE: usize, const FORM: u8, const KIND: u8>(core: &mut Core, op: &Op) -> Done {
    let right = match FORM {
        form::RR | form::MR => core.register::<SIZE>(op.b),
        form::RM => core.load::<SIZE>(op)?,
        _ => op.immediate,
    };
    if matches!(FORM, form::RR | form::RI | form::RM) {
        let left = core.register::<SIZE>(op.a);
        let result = compute::<SIZE, KIND>(&mut core.state.flags, left, right);
        if KIND != CMP {
            core.set_register::<SIZE>(op.a, result);
        }
        Ok(())
    } else if KIND == CMP {
        let left = core.load::<SIZE>(op)?;
        compute::<SIZE, KIND>(&mut core.state.flags, left, right);
        Ok(())
    } else {
        core.modify::<SIZE, true>(op, |core, left| {
            compute::<SIZE, KIND>(&mut core.state.flags, left, right)
        })
    }
}

fn step<const SIZE: usize, const MEMORY: bool, const DOWN: bool>(core: &mut Core, op: &Op) -> Done {
    core.modify::<SIZE, MEMORY>(op, |core, old| {
        if DOWN {
            let new = old.wrapping_sub(1);
            core.state.flags.after_dec::<SIZE>(old, new);
            new
        } else {
            let new = old.wrapping_add(1);
            core.state.flags.after_inc::<SIZE>(old, new);
            new
        }
    })
}

fn negate<const SIZE: usize, const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    core.modify::<SIZE, MEMORY>(op, |core, old| compute::<SIZE, SUB>(&mut core.state.flags, 0, old))
}

fn exchange_add<const SIZE: usize, const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    let addend = core.register::<SIZE>(op.b);
    let mut old_left = 0;
    if MEMORY {
        core.modify::<SIZE, true>(op, |core, left| {
            old_left = left;
            compute::<SIZE, ADD>(&mut core.state.flags, left, addend)
        })?;
        core.set_register::<SIZE>(op.b, old_left);
    } else {
        let left = core.register::<SIZE>(op.a);
        let sum = compute::<SIZE, ADD>(&mut core.state.flags, left, addend);
        // If both operands are one register, that register keeps the sum.
        core.set_register::<SIZE>(op.b, left);
        core.set_register::<SIZE>(op.a, sum);
    }
    Ok(())
}

/// CMPXCHG. Always writes the destination: the old value if the comparison fails, as the P54C does.
fn compare_exchange<const SIZE: usize, const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    let accumulator = core.register::<SIZE>(gpr::EAX as u8);
    let new = core.register::<SIZE>(op.b);
    let (segment, offset) = (core.segment_of(op), core.address(op));
    let old = if MEMORY {
        core.read_modify::<SIZE>(segment, offset, op.locked())?
    } else {
        core.register::<SIZE>(op.a)
    };
    let equal = accumulator == old;
    let written = if equal { new } else { old };
    if MEMORY {
        core.write_back::<SIZE>(segment, offset, written, op.locked())?;
    } else {
        core.set_register::<SIZE>(op.a, written);
    }
    compute::<SIZE, CMP>(&mut core.state.flags, accumulator, old);
    if !equal {
        core.set_register::<SIZE>(gpr::EAX as u8, old);
    }
    Ok(())
}

fn compare_exchange_8_bytes(core: &mut Core, op: &Op) -> Done {
    let (segment, offset) = (core.segment_of(op), core.address(op));
    let lock = if op.locked() { Intent::LOCKED } else { Intent::READ };
    let intent = Intent::WRITE.with(lock);
    let old = core.read_slow(segment, offset, 8, intent)?;
    let general = &core.state.general;
    let pair = |high: usize, low: usize| u64::from(general[high]) << 32 | u64::from(general[low]);
    let equal = pair(gpr::EDX, gpr::EAX) == old;
    let written = if equal { pair(gpr::ECX, gpr::EBX) } else { old };
    core.write_slow(segment, offset, 8, written, intent)?;
    core.state.counters.locked_instructions += u64::from(op.locked());
    core.state.flags.set_zf(equal);
    if !equal {
        core.state.general[gpr::EAX] = old as u32;
        core.state.general[gpr::EDX] = (old >> 32) as u32;
    }
    Ok(())
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    let memory = shape.memory_first();
    Some(match shape.mnemonic {
        Mnemonic::Add => binary_forms!(shape, binary, ADD),
        Mnemonic::Adc => binary_forms!(shape, binary, ADC),
        Mnemonic::Sub => binary_forms!(shape, binary, SUB),
        Mnemonic::Sbb => binary_forms!(shape, binary, SBB),
        Mnemonic::Cmp => binary_forms!(shape, binary, CMP),
        Mnemonic::Inc if memory => sized!(shape.size, step, true, false),
        Mnemonic::Inc => sized!(shape.size, step, false, false),
        Mnemonic::Dec if memory => sized!(shape.size, step, true, true),
        Mnemonic::Dec => sized!(shape.size, step, false, true),
        Mnemonic::Neg if memory => sized!(shape.size, negate, true),
        Mnemonic::Neg => sized!(shape.size, negate, false),
        Mnemonic::Xadd if memory => sized!(shape.size, exchange_add, true),
        Mnemonic::Xadd => sized!(shape.size, exchange_add, false),
        Mnemonic::Cmpxchg if memory => sized!(shape.size, compare_exchange, true),
        Mnemonic::Cmpxchg => sized!(shape.size, compare_exchange, false),
        Mnemonic::Cmpxchg8b => compare_exchange_8_bytes,
        _ => return None,
    })
}
