//! PUSH, POP, PUSHA, POPA, PUSHF, POPF, ENTER, LEAVE.

use iced_x86::Mnemonic;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, wide};
use crate::instruction::shape::{Form, Shape};
use crate::registers::flags;
use crate::registers::register_file::{gpr, sreg};
use crate::state::exception::{Done, Stop};
use crate::system::virtual_8086::InterruptFlag;

impl Core {
    /// A mask of the bits of ESP that address the stack: all 32, or the low 16 for a 16-bit stack.
    #[inline(always)]
    pub(crate) fn stack_mask(&self) -> u32 {
        if self.state.segments[sreg::SS].big() { u32::MAX } else { 0xFFFF }
    }

    /// ESP increased by `bytes`. Bits of ESP that do not address the stack keep their value.
    #[inline(always)]
    pub(crate) fn moved_esp(&self, bytes: u32) -> u32 {
        let (esp, mask) = (self.state.general[gpr::ESP], self.stack_mask());
        esp & !mask | esp.wrapping_add(bytes) & mask
    }

    #[inline(always)]
    pub(crate) fn push<const SIZE: usize>(&mut self, value: u32) -> Done {
        let below = self.moved_esp((SIZE as u32).wrapping_neg());
        self.write::<SIZE>(sreg::SS, below & self.stack_mask(), value)?;
        self.state.general[gpr::ESP] = below;
        Ok(())
    }

    /// Reads the value on top of the stack. The caller changes ESP once no further step of the
    /// instruction can fault.
    #[inline(always)]
    pub(crate) fn top<const SIZE: usize>(&mut self) -> Result<u32, Stop> {
        let offset = self.state.general[gpr::ESP] & self.stack_mask();
        self.read::<SIZE>(sreg::SS, offset)
    }
}

fn push_register<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    core.push::<SIZE>(core.register::<SIZE>(op.a))
}

fn push_immediate<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    core.push::<SIZE>(op.immediate)
}

fn push_memory<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    let value = core.load::<SIZE>(op)?;
    core.push::<SIZE>(value)
}

fn push_segment<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    core.push::<SIZE>(u32::from(core.state.segments[usize::from(op.a & 7)].selector))
}

fn pop_register<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    let value = core.top::<SIZE>()?;
    core.state.general[gpr::ESP] = core.moved_esp(SIZE as u32);
    core.set_register::<SIZE>(op.a, value);
    Ok(())
}

/// POP to memory. The destination's address is computed from ESP after the pop, as the manual asks.
fn pop_memory<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    let value = core.top::<SIZE>()?;
    let old = core.state.general[gpr::ESP];
    core.state.general[gpr::ESP] = core.moved_esp(SIZE as u32);
    let done = core.store::<SIZE>(op, value);
    if done.is_err() {
        core.state.general[gpr::ESP] = old;
    }
    done
}

fn pop_segment<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    let number = usize::from(op.a & 7);
    let selector = core.top::<SIZE>()? as u16;
    let segment = core.checked_segment(number, selector)?;
    core.state.general[gpr::ESP] = core.moved_esp(SIZE as u32);
    core.put_segment(number, segment);
    Ok(())
}

fn push_all<const SIZE: usize>(core: &mut Core, _: &Op) -> Done {
    let mut stack = core.stack();
    for number in 0..8 {
        let value = core.register::<SIZE>(number);
        stack.push(core, SIZE as u32, value)?;
    }
    core.state.general[gpr::ESP] = stack.pointer;
    Ok(())
}

fn pop_all<const SIZE: usize>(core: &mut Core, _: &Op) -> Done {
    let mut stack = core.stack();
    let mut values = [0; 8];
    for value in values.iter_mut().rev() {
        *value = stack.pop(core, SIZE as u32)?;
    }
    for (number, &value) in values.iter().enumerate() {
        if number != gpr::ESP {
            core.set_register::<SIZE>(number as u8, value);
        }
    }
    core.state.general[gpr::ESP] = stack.pointer;
    Ok(())
}

fn push_flags<const SIZE: usize>(core: &mut Core, _: &Op) -> Done {
    let image = match core.image_flag(SIZE as u32)? {
        InterruptFlag::Real => core.state.eflags(),
        InterruptFlag::Virtual => core.virtual_image(),
    };
    core.push::<SIZE>(image & !(flags::VM | flags::RF))
}

fn pop_flags<const SIZE: usize>(core: &mut Core, _: &Op) -> Done {
    let flag = core.image_flag(SIZE as u32)?;
    let image = core.top::<SIZE>()?;
    if flag == InterruptFlag::Virtual {
        core.check_virtual_image(image)?;
    }
    core.state.general[gpr::ESP] = core.moved_esp(SIZE as u32);
    match flag {
        InterruptFlag::Real => {
            core.load_flags_as(image & !flags::RF, SIZE as u32, core.state.cpl);
        }
        InterruptFlag::Virtual => core.load_virtual_image(image),
    }
    Ok(())
}

/// ENTER. `immediate` is the size of the frame, `extra` the nesting level (modulo 32).
fn enter<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    let level = op.extra & 31;
    let mask = core.stack_mask();
    let mut stack = core.stack();
    let old_frame = core.state.general[gpr::EBP];
    stack.push(core, SIZE as u32, old_frame)?;
    let frame = stack.pointer;
    let mut display = old_frame;
    for _ in 1..level.max(1) {
        display = display.wrapping_sub(SIZE as u32);
        let value = core.read::<SIZE>(sreg::SS, display & mask)?;
        stack.push(core, SIZE as u32, value)?;
    }
    if level > 0 {
        stack.push(core, SIZE as u32, frame)?;
    }
    stack.skip(op.immediate.wrapping_neg());
    // Check that the final ESP is writable, without writing.
    core.probe_write(sreg::SS, stack.pointer & mask, SIZE as u32)?;
    core.set_register::<SIZE>(gpr::EBP as u8, frame);
    core.state.general[gpr::ESP] = stack.pointer;
    Ok(())
}

fn leave<const SIZE: usize>(core: &mut Core, _: &Op) -> Done {
    let mask = core.stack_mask();
    let frame = core.state.general[gpr::EBP];
    let value = core.read::<SIZE>(sreg::SS, frame & mask)?;
    let esp = core.state.general[gpr::ESP];
    core.state.general[gpr::ESP] = esp & !mask | frame.wrapping_add(SIZE as u32) & mask;
    core.set_register::<SIZE>(gpr::EBP as u8, value);
    Ok(())
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    let push_size = shape.stack_size();
    Some(match shape.mnemonic {
        Mnemonic::Push if shape.first_is_segment => wide!(push_size, push_segment),
        Mnemonic::Push => match shape.form {
            Form::R => wide!(push_size, push_register),
            Form::M => wide!(push_size, push_memory),
            _ => wide!(push_size, push_immediate),
        },
        Mnemonic::Pop if shape.first_is_segment => wide!(push_size, pop_segment),
        Mnemonic::Pop if shape.memory_first() => wide!(push_size, pop_memory),
        Mnemonic::Pop => wide!(push_size, pop_register),
        Mnemonic::Pusha => push_all::<2>,
        Mnemonic::Pushad => push_all::<4>,
        Mnemonic::Popa => pop_all::<2>,
        Mnemonic::Popad => pop_all::<4>,
        Mnemonic::Pushf => push_flags::<2>,
        Mnemonic::Pushfd => push_flags::<4>,
        Mnemonic::Popf => pop_flags::<2>,
        Mnemonic::Popfd => pop_flags::<4>,
        Mnemonic::Enter => wide!(push_size, enter),
        Mnemonic::Leave => wide!(push_size, leave),
        _ => return None,
    })
}
