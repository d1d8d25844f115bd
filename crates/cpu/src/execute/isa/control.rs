//! JMP, CALL, RET, Jcc, LOOP, JECXZ, SETcc, INT, INTO, IRET, BOUND, and their far forms.

use iced_x86::Mnemonic;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, wide};
use crate::instruction::shape::{Form, Shape};
use crate::registers::register_file::gpr;
use crate::state::exception::{Done, Stop, vector};

impl Core {
    #[inline(always)]
    fn take_branch<const SIZE: usize>(&mut self, target: u32) {
        self.state.next_eip = if SIZE == 2 { target & 0xFFFF } else { target };
        self.state.counters.branches += 1;
        self.state.counters.taken_branches += 1;
    }

    /// The EIP at which a direct branch continues if it is taken; the operand counts from the
    /// branch's own address.
    #[inline(always)]
    fn branch_target(&self, op: &Op) -> u32 {
        self.state.eip.wrapping_add(op.immediate)
    }
}

fn jump_if<const CONDITION: u8, const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    if core.state.flags.condition::<CONDITION>() {
        core.take_branch::<SIZE>(core.branch_target(op));
        core.note_jump();
    } else {
        core.state.counters.branches += 1;
    }
    Ok(())
}

fn set_if<const CONDITION: u8, const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    let value = u32::from(core.state.flags.condition::<CONDITION>());
    if MEMORY {
        return core.store::<1>(op, value);
    }
    core.set_register::<1>(op.a, value);
    Ok(())
}

fn jump<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    core.take_branch::<SIZE>(core.branch_target(op));
    core.note_jump();
    Ok(())
}

fn jump_indirect<const SIZE: usize, const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    let target = core.operand::<SIZE, MEMORY>(op, op.a)?;
    core.take_branch::<SIZE>(target);
    core.note_indirect_jump();
    Ok(())
}

fn call<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    core.push::<SIZE>(core.state.next_eip)?;
    core.take_branch::<SIZE>(core.branch_target(op));
    core.note_call_made();
    Ok(())
}

fn call_indirect<const SIZE: usize, const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    let target = core.operand::<SIZE, MEMORY>(op, op.a)?;
    core.push::<SIZE>(core.state.next_eip)?;
    core.take_branch::<SIZE>(target);
    core.note_call_made();
    Ok(())
}

fn ret<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    let (target, stack) = (core.top::<SIZE>()?, core.state.general[gpr::ESP]);
    core.state.general[gpr::ESP] = core.moved_esp(op.immediate.wrapping_add(SIZE as u32));
    core.take_branch::<SIZE>(target);
    core.note_return(stack);
    Ok(())
}

fn far_jump(core: &mut Core, op: &Op) -> Done {
    core.far_jump(op.extra, op.immediate)?;
    core.state.counters.branches += 1;
    core.state.counters.taken_branches += 1;
    Ok(())
}

fn far_call<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    core.far_call(op.extra, op.immediate, SIZE as u32)?;
    core.state.counters.branches += 1;
    core.state.counters.taken_branches += 1;
    Ok(())
}

fn far_indirect<const SIZE: usize, const CALL: bool>(core: &mut Core, op: &Op) -> Done {
    let (segment, offset) = (core.segment_of(op), core.address(op));
    let eip = core.read::<SIZE>(segment, offset)?;
    let selector = core.read::<2>(segment, offset.wrapping_add(SIZE as u32) & op.address_mask)?;
    if CALL {
        core.far_call(selector as u16, eip, SIZE as u32)?;
    } else {
        core.far_jump(selector as u16, eip)?;
    }
    core.state.counters.branches += 1;
    core.state.counters.taken_branches += 1;
    Ok(())
}

fn far_return<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    core.far_return(SIZE as u32, op.immediate)?;
    core.state.counters.branches += 1;
    core.state.counters.taken_branches += 1;
    Ok(())
}

fn interrupt_return<const SIZE: usize>(core: &mut Core, _: &Op) -> Done {
    core.interrupt_return(SIZE as u32)
}

/// Values of `KIND`: which of LOOP, LOOPE, LOOPNE and JECXZ.
const LOOP: u8 = 0;
const LOOPE: u8 = 1;
const LOOPNE: u8 = 2;
const JCXZ: u8 = 3;

fn count_branch<const SIZE: usize, const KIND: u8>(core: &mut Core, op: &Op) -> Done {
    let mask = op.address_mask;
    let ecx = core.state.general[gpr::ECX];
    let left = if KIND == JCXZ { ecx } else { ecx.wrapping_sub(1) } & mask;
    core.state.general[gpr::ECX] = ecx & !mask | left;
    let zf = core.state.flags.zf();
    let taken = match KIND {
        LOOP => left != 0,
        LOOPE => left != 0 && zf,
        LOOPNE => left != 0 && !zf,
        _ => left == 0,
    };
    if taken {
        core.take_branch::<SIZE>(core.branch_target(op));
        core.note_jump();
    } else {
        core.state.counters.branches += 1;
    }
    Ok(())
}

/// INT n. In virtual-8086 mode, the interrupt may be redirected to the 8086 program or forbidden;
/// INT3 and INTO have handlers of their own, which do not check for that.
fn numbered_interrupt(core: &mut Core, op: &Op) -> Done {
    if core.state.virtual_8086() && core.redirect_interrupt(op.immediate as u8)? {
        core.state.counters.software_interrupts += 1;
        return Ok(());
    }
    software_interrupt(core, op)
}

fn software_interrupt(core: &mut Core, op: &Op) -> Done {
    let number = op.immediate as u8;
    core.enter_handler(number, None, true, core.state.next_eip)?;
    core.state.counters.software_interrupts += 1;
    Ok(())
}

fn overflow_interrupt(core: &mut Core, op: &Op) -> Done {
    if core.state.flags.of() { software_interrupt(core, op) } else { Ok(()) }
}

/// INT1 (F1): a trap to the debug vector that no gate can forbid.
fn debug_interrupt(core: &mut Core, _: &Op) -> Done {
    core.enter_handler(vector::DEBUG, None, false, core.state.next_eip)
}

fn bound<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    let (segment, offset) = (core.segment_of(op), core.address(op));
    let low = core.read::<SIZE>(segment, offset)?;
    let high = core.read::<SIZE>(segment, offset.wrapping_add(SIZE as u32) & op.address_mask)?;
    let signed = |value| crate::registers::flags::extend::<SIZE>(value) as i32;
    let index = signed(core.register::<SIZE>(op.a));
    if index < signed(low) || index > signed(high) {
        return Err(core.raise(vector::BOUND));
    }
    Ok(())
}

fn undefined(core: &mut Core, _: &Op) -> Result<(), Stop> {
    Err(core.raise(vector::INVALID_OPCODE))
}

/// The handler of every unsupported instruction. Raises #UD.
pub(crate) const UNDEFINED: Handler = undefined;

fn too_long(core: &mut Core, _: &Op) -> Result<(), Stop> {
    Err(core.protection())
}

/// The handler of an instruction longer than 15 bytes. Raises #GP(0).
pub(crate) const TOO_LONG: Handler = too_long;

macro_rules! by_condition {
    ($condition:expr, $handler:ident, $argument:expr) => {
        match $condition {
            0 => $handler::<0, { $argument }> as Handler,
            1 => $handler::<1, { $argument }>,
            2 => $handler::<2, { $argument }>,
            3 => $handler::<3, { $argument }>,
            4 => $handler::<4, { $argument }>,
            5 => $handler::<5, { $argument }>,
            6 => $handler::<6, { $argument }>,
            7 => $handler::<7, { $argument }>,
            8 => $handler::<8, { $argument }>,
            9 => $handler::<9, { $argument }>,
            10 => $handler::<10, { $argument }>,
            11 => $handler::<11, { $argument }>,
            12 => $handler::<12, { $argument }>,
            13 => $handler::<13, { $argument }>,
            14 => $handler::<14, { $argument }>,
            _ => $handler::<15, { $argument }>,
        }
    };
}

fn select_conditional(shape: &Shape, condition: u8) -> Handler {
    match (shape.is_branch, shape.size, shape.memory_first()) {
        (true, 2, _) => by_condition!(condition, jump_if, 2),
        (true, _, _) => by_condition!(condition, jump_if, 4),
        (false, _, true) => by_condition!(condition, set_if, true),
        (false, _, false) => by_condition!(condition, set_if, false),
    }
}

fn select_transfer(shape: &Shape) -> Option<Handler> {
    let call_mnemonic = shape.mnemonic == Mnemonic::Call;
    Some(match (shape.far, shape.form, call_mnemonic) {
        (true, Form::M, false) => wide!(shape.size, far_indirect, false),
        (true, Form::M, true) => wide!(shape.size, far_indirect, true),
        (true, _, false) => far_jump,
        (true, _, true) => wide!(shape.size, far_call),
        (false, Form::R, false) => wide!(shape.size, jump_indirect, false),
        (false, Form::M, false) => wide!(shape.size, jump_indirect, true),
        (false, _, false) => wide!(shape.size, jump),
        (false, Form::R, true) => wide!(shape.size, call_indirect, false),
        (false, Form::M, true) => wide!(shape.size, call_indirect, true),
        (false, _, true) => wide!(shape.size, call),
    })
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    if let Some(condition) = shape.condition {
        return Some(select_conditional(shape, condition));
    }
    Some(match shape.mnemonic {
        Mnemonic::Jmp | Mnemonic::Call => return select_transfer(shape),
        Mnemonic::Ret => wide!(shape.stack_size(), ret),
        Mnemonic::Retf => wide!(shape.stack_size(), far_return),
        Mnemonic::Iret => interrupt_return::<2>,
        Mnemonic::Iretd => interrupt_return::<4>,
        Mnemonic::Loop => wide!(shape.size, count_branch, LOOP),
        Mnemonic::Loope => wide!(shape.size, count_branch, LOOPE),
        Mnemonic::Loopne => wide!(shape.size, count_branch, LOOPNE),
        Mnemonic::Jcxz | Mnemonic::Jecxz => wide!(shape.size, count_branch, JCXZ),
        Mnemonic::Int => numbered_interrupt,
        Mnemonic::Int3 => software_interrupt,
        Mnemonic::Into => overflow_interrupt,
        Mnemonic::Int1 => debug_interrupt,
        Mnemonic::Bound => wide!(shape.size, bound),
        _ => return None,
    })
}
