//! BT, BTS, BTR, BTC, BSF, BSR, and the instructions on single flags: CLC, STC, CMC, CLD, STD.
//!
//! Undefined flags: the bit tests change CF alone; the scans change ZF alone. A scan of zero
//! leaves its destination as it was (the manual leaves it undefined).

use iced_x86::Mnemonic;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, wide};
use crate::instruction::shape::{Form, Shape};
use crate::registers::flags;
use crate::state::exception::Done;

const TEST: u8 = 0;
const SET: u8 = 1;
const RESET: u8 = 2;
const COMPLEMENT: u8 = 3;

fn changed<const KIND: u8>(value: u32, bit: u32) -> u32 {
    match KIND {
        SET => value | bit,
        RESET => value & !bit,
        COMPLEMENT => value ^ bit,
        _ => value,
    }
}

/// A bit test whose bit string is a register. The bit number comes from a register or an immediate.
fn in_register<const SIZE: usize, const KIND: u8, const IMMEDIATE: bool>(
    core: &mut Core,
    op: &Op,
) -> Done {
    let number = if IMMEDIATE { op.immediate } else { core.register::<SIZE>(op.b) };
    let bit = 1 << (number % (SIZE as u32 * 8));
    let value = core.register::<SIZE>(op.a);
    core.state.flags.set_cf(value & bit != 0);
    if KIND != TEST {
        core.set_register::<SIZE>(op.a, changed::<KIND>(value, bit));
    }
    Ok(())
}

/// A bit test whose bit string is in memory. A bit number from a register is signed and may lie
/// outside the operand, before or after it.
fn in_memory<const SIZE: usize, const KIND: u8, const IMMEDIATE: bool>(
    core: &mut Core,
    op: &Op,
) -> Done {
    let bits = SIZE as u32 * 8;
    let number = if IMMEDIATE { op.immediate } else { core.register::<SIZE>(op.b) };
    let mut offset = core.address(op);
    if !IMMEDIATE {
        let units = flags::extend::<SIZE>(number) as i32 >> bits.trailing_zeros();
        offset = offset.wrapping_add((units as u32).wrapping_mul(SIZE as u32)) & op.address_mask;
    }
    let bit = 1 << (number % bits);
    let segment = core.segment_of(op);
    if KIND == TEST {
        let value = core.read::<SIZE>(segment, offset)?;
        core.state.flags.set_cf(value & bit != 0);
        return Ok(());
    }
    let value = core.read_modify::<SIZE>(segment, offset, op.locked())?;
    core.write_back::<SIZE>(segment, offset, changed::<KIND>(value, bit), op.locked())?;
    core.state.flags.set_cf(value & bit != 0);
    Ok(())
}

fn scan<const SIZE: usize, const MEMORY: bool, const UP: bool>(core: &mut Core, op: &Op) -> Done {
    let value = core.operand::<SIZE, MEMORY>(op, op.b)?;
    core.state.flags.set_zf(value == 0);
    if value != 0 {
        let found = if UP { value.trailing_zeros() } else { 31 - value.leading_zeros() };
        core.set_register::<SIZE>(op.a, found);
    }
    Ok(())
}

fn set_carry<const VALUE: bool>(core: &mut Core, _: &Op) -> Done {
    core.state.flags.set_cf(VALUE);
    Ok(())
}

fn complement_carry(core: &mut Core, _: &Op) -> Done {
    let cf = core.state.flags.cf();
    core.state.flags.set_cf(!cf);
    Ok(())
}

fn set_direction<const DOWN: bool>(core: &mut Core, _: &Op) -> Done {
    let direction = if DOWN { flags::DF } else { 0 };
    core.state.system_flags = core.state.system_flags & !flags::DF | direction;
    Ok(())
}

macro_rules! bit_forms {
    ($shape:expr, $kind:ident) => {
        match $shape.form {
            Form::RR => wide!($shape.size, in_register, $kind, false),
            Form::RI => wide!($shape.size, in_register, $kind, true),
            Form::MR => wide!($shape.size, in_memory, $kind, false),
            Form::MI => wide!($shape.size, in_memory, $kind, true),
            _ => return None,
        }
    };
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    let from_memory = shape.form == Form::RM;
    Some(match shape.mnemonic {
        Mnemonic::Bt => bit_forms!(shape, TEST),
        Mnemonic::Bts => bit_forms!(shape, SET),
        Mnemonic::Btr => bit_forms!(shape, RESET),
        Mnemonic::Btc => bit_forms!(shape, COMPLEMENT),
        Mnemonic::Bsf if from_memory => wide!(shape.size, scan, true, true),
        Mnemonic::Bsf => wide!(shape.size, scan, false, true),
        Mnemonic::Bsr if from_memory => wide!(shape.size, scan, true, false),
        Mnemonic::Bsr => wide!(shape.size, scan, false, false),
        Mnemonic::Clc => set_carry::<false>,
        Mnemonic::Stc => set_carry::<true>,
        Mnemonic::Cmc => complement_carry,
        Mnemonic::Cld => set_direction::<false>,
        Mnemonic::Std => set_direction::<true>,
        _ => return None,
    })
}
