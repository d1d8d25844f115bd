//! MOV, MOVZX, MOVSX, LEA, XCHG, XLAT, LDS..LSS, CBW..CDQ, BSWAP, LAHF, SAHF, SALC, segment
//! moves.

use iced_x86::Mnemonic;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, STORES_IMMEDIATE, form, prefix, sized, wide};
use crate::instruction::shape::{Form, Shape};
use crate::registers::flags;
use crate::registers::register_file::{gpr, sreg};
use crate::state::exception::{Done, vector};

fn mov<const SIZE: usize, const FORM: u8>(core: &mut Core, op: &Op) -> Done {
    match FORM {
        form::RR => core.set_register::<SIZE>(op.a, core.register::<SIZE>(op.b)),
        form::RI => core.set_register::<SIZE>(op.a, op.immediate),
        form::RM => {
            let value = core.load::<SIZE>(op)?;
            core.set_register::<SIZE>(op.a, value);
        }
        form::MR => return core.store::<SIZE>(op, core.register::<SIZE>(op.b)),
        _ => return core.store::<SIZE>(op, op.immediate),
    }
    Ok(())
}

/// If the instruction is a MOV to memory without LOCK, marks it as one that only performs a store,
/// and records the number of bytes and whether the value is an immediate.
pub(crate) fn describe_store(op: &mut Op, shape: &Shape) {
    let plain = shape.mnemonic == Mnemonic::Mov && !shape.second_is_segment && !op.locked();
    let immediate = match shape.form {
        Form::MR => 0,
        Form::MI => STORES_IMMEDIATE,
        _ => return,
    };
    if plain {
        op.prefixes |= prefix::ONLY_STORES;
        op.extra = shape.size as u16 | immediate;
    }
}

/// MOVZX and MOVSX from `FROM` bytes to `SIZE` bytes.
fn widen<const SIZE: usize, const FROM: usize, const MEMORY: bool, const SIGNED: bool>(
    core: &mut Core,
    op: &Op,
) -> Done {
    let value = core.operand::<FROM, MEMORY>(op, op.b)?;
    let value = if SIGNED { flags::extend::<FROM>(value) } else { value };
    core.set_register::<SIZE>(op.a, value);
    Ok(())
}

fn lea<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    let offset = core.address(op);
    core.set_register::<SIZE>(op.a, offset);
    Ok(())
}

fn exchange_registers<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    let (a, b) = (core.register::<SIZE>(op.a), core.register::<SIZE>(op.b));
    core.set_register::<SIZE>(op.a, b);
    core.set_register::<SIZE>(op.b, a);
    Ok(())
}

/// XCHG with memory. Asserts LOCK# with or without the prefix.
fn exchange_memory<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    let (segment, offset) = (core.segment_of(op), core.address(op));
    let old = core.read_modify::<SIZE>(segment, offset, true)?;
    let new = core.register::<SIZE>(op.b);
    core.write_back::<SIZE>(segment, offset, new, true)?;
    core.set_register::<SIZE>(op.b, old);
    Ok(())
}

fn translate_byte(core: &mut Core, op: &Op) -> Done {
    let index = core.register::<1>(gpr::EAX as u8);
    let offset = core.state.general[gpr::EBX].wrapping_add(index) & op.address_mask;
    let value = core.read::<1>(core.segment_of(op), offset)?;
    core.set_register::<1>(gpr::EAX as u8, value);
    Ok(())
}

fn swap_bytes(core: &mut Core, op: &Op) -> Done {
    let value = core.register::<4>(op.a);
    core.set_register::<4>(op.a, value.swap_bytes());
    Ok(())
}

/// CBW (`SIZE` = 2) and CWDE (`SIZE` = 4).
fn extend_accumulator<const SIZE: usize>(core: &mut Core, _: &Op) -> Done {
    let eax = core.state.general[gpr::EAX];
    let value = if SIZE == 2 { flags::extend::<1>(eax) } else { flags::extend::<2>(eax) };
    core.set_register::<SIZE>(gpr::EAX as u8, value);
    Ok(())
}

/// CWD (`SIZE` = 2) and CDQ (`SIZE` = 4).
fn extend_to_edx<const SIZE: usize>(core: &mut Core, _: &Op) -> Done {
    let value = flags::extend::<SIZE>(core.state.general[gpr::EAX]) as i32 >> 31;
    core.set_register::<SIZE>(gpr::EDX as u8, value as u32);
    Ok(())
}

/// The flags that LAHF and SAHF move.
const LOW_FLAGS: u32 = flags::CF | flags::PF | flags::AF | flags::ZF | flags::SF;

fn load_ah(core: &mut Core, _: &Op) -> Done {
    let image = core.state.flags.image() & LOW_FLAGS | flags::ALWAYS_ONE;
    // Register 4 of the byte registers is AH.
    core.set_register::<1>(4, image);
    Ok(())
}

fn store_ah(core: &mut Core, _: &Op) -> Done {
    let ah = core.register::<1>(4);
    let image = core.state.flags.image() & !LOW_FLAGS | ah & LOW_FLAGS;
    core.state.flags.load(image);
    Ok(())
}

/// SALC (D6, undocumented): AL becomes FF if CF is set, else 0.
fn set_al_from_carry(core: &mut Core, _: &Op) -> Done {
    let value = if core.state.flags.cf() { 0xFF } else { 0 };
    core.set_register::<1>(gpr::EAX as u8, value);
    Ok(())
}

/// MOV to a segment register other than CS (for CS: #UD): loads the selector from `op.b`, and the
/// descriptor that it names.
fn load_segment<const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    let number = usize::from(op.a);
    if number == sreg::CS {
        return Err(core.raise(vector::INVALID_OPCODE));
    }
    let selector = core.operand::<2, MEMORY>(op, op.b)? as u16;
    let segment = core.checked_segment(number, selector)?;
    core.put_segment(number, segment);
    Ok(())
}

fn store_segment_in_register<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    let selector = core.state.segments[usize::from(op.b & 7)].selector;
    core.set_register::<SIZE>(op.a, u32::from(selector));
    Ok(())
}

fn store_segment(core: &mut Core, op: &Op) -> Done {
    let selector = core.state.segments[usize::from(op.b & 7)].selector;
    core.store::<2>(op, u32::from(selector))
}

/// LDS, LES, LFS, LGS, LSS: load a far pointer from memory, its offset into register `op.a` and its
/// selector into segment register `SEGMENT`.
fn load_far<const SIZE: usize, const SEGMENT: usize>(core: &mut Core, op: &Op) -> Done {
    let (memory, offset) = (core.segment_of(op), core.address(op));
    let value = core.read::<SIZE>(memory, offset)?;
    let selector = core.read::<2>(memory, offset.wrapping_add(SIZE as u32) & op.address_mask)?;
    let segment = core.checked_segment(SEGMENT, selector as u16)?;
    core.state.segments[SEGMENT] = segment;
    core.state.counters.segment_loads += 1;
    core.set_register::<SIZE>(op.a, value);
    Ok(())
}

fn select_mov(shape: &Shape) -> Option<Handler> {
    if shape.first_is_segment {
        return Some(if shape.form == Form::RM {
            load_segment::<true>
        } else {
            load_segment::<false>
        });
    }
    if shape.second_is_segment {
        return Some(if shape.memory_first() {
            store_segment
        } else {
            wide!(shape.size, store_segment_in_register)
        });
    }
    Some(match shape.form {
        Form::RR => sized!(shape.size, mov, form::RR),
        Form::RI => sized!(shape.size, mov, form::RI),
        Form::RM => sized!(shape.size, mov, form::RM),
        Form::MR => sized!(shape.size, mov, form::MR),
        Form::MI => sized!(shape.size, mov, form::MI),
        _ => return None,
    })
}

fn select_widen(shape: &Shape) -> Handler {
    let signed = shape.mnemonic == Mnemonic::Movsx;
    match (shape.second_size, shape.form == Form::RM, signed) {
        (1, false, false) => wide!(shape.size, widen, 1, false, false),
        (1, false, true) => wide!(shape.size, widen, 1, false, true),
        (1, true, false) => wide!(shape.size, widen, 1, true, false),
        (1, true, true) => wide!(shape.size, widen, 1, true, true),
        (_, false, false) => wide!(shape.size, widen, 2, false, false),
        (_, false, true) => wide!(shape.size, widen, 2, false, true),
        (_, true, false) => wide!(shape.size, widen, 2, true, false),
        (_, true, true) => wide!(shape.size, widen, 2, true, true),
    }
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    Some(match shape.mnemonic {
        // `isa/system.rs` selects the MOV to and from control and debug registers.
        Mnemonic::Mov if !shape.special_register => return select_mov(shape),
        Mnemonic::Movzx | Mnemonic::Movsx => select_widen(shape),
        Mnemonic::Lea => wide!(shape.size, lea),
        Mnemonic::Xchg if shape.memory_first() => sized!(shape.size, exchange_memory),
        Mnemonic::Xchg => sized!(shape.size, exchange_registers),
        Mnemonic::Xlatb => translate_byte,
        Mnemonic::Bswap => swap_bytes,
        Mnemonic::Cbw => extend_accumulator::<2>,
        Mnemonic::Cwde => extend_accumulator::<4>,
        Mnemonic::Cwd => extend_to_edx::<2>,
        Mnemonic::Cdq => extend_to_edx::<4>,
        Mnemonic::Lahf => load_ah,
        Mnemonic::Sahf => store_ah,
        Mnemonic::Salc => set_al_from_carry,
        Mnemonic::Les => wide!(shape.size, load_far, sreg::ES),
        Mnemonic::Lds => wide!(shape.size, load_far, sreg::DS),
        Mnemonic::Lss => wide!(shape.size, load_far, sreg::SS),
        Mnemonic::Lfs => wide!(shape.size, load_far, sreg::FS),
        Mnemonic::Lgs => wide!(shape.size, load_far, sreg::GS),
        _ => return None,
    })
}
