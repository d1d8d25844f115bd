//! The glue to the x87 unit: traps, memory operands, the order of events.
//!
//! The unit itself is pure (crate `rockcreek-x87`). An instruction that writes memory executes
//! on the unit, then writes; if the write waits or faults, the unit is put back. With CR0.NE
//! clear a pending exception is ignored, as with IGNNE# asserted: the chip has no interrupt
//! controller that FERR# would reach.

use std::sync::OnceLock;

use iced_x86::Code;
use rockcreek_x87::{Form, Operand, STORE_BYTES, describe, execute};

use crate::access::Intent;
use crate::core::Core;
use crate::decode::Shape;
use crate::exception::{Done, Stop, vector};
use crate::op::{Handler, Op};
use crate::registers::{cr0, gpr, sreg};

/// Marks `Op::prefixes` of instructions with a memory operand (no other prefix matters here).
const HAS_MEMORY: u8 = 1 << 7;

/// The forms by decoder code.
fn forms() -> &'static [Option<Form>] {
    static FORMS: OnceLock<Vec<Option<Form>>> = OnceLock::new();
    FORMS.get_or_init(|| Code::values().map(describe).collect())
}

pub(crate) fn is_x87(code: Code) -> bool {
    forms()[code as usize].is_some()
}

/// Puts the code, the 11-bit opcode and the stack register where the handler looks.
pub(crate) fn describe_operands(op: &mut Op, code: Code, bytes: &[u8]) {
    op.extra = code as u16;
    op.a |= op.b;
    let escape = bytes.iter().position(|byte| byte & 0xF8 == 0xD8).unwrap_or(0);
    let modrm = bytes.get(escape + 1).copied().unwrap_or(0);
    op.immediate = u32::from(bytes[escape] & 7) << 8 | u32::from(modrm);
    op.prefixes = if modrm < 0xC0 && code != Code::Wait { HAS_MEMORY } else { 0 };
}

impl Core {
    /// Reads 8 bytes at `offset` of a segment.
    #[inline(always)]
    fn read_quad(&mut self, segment: usize, offset: u32) -> Result<u64, Stop> {
        self.read_slow(segment, offset, 8, Intent::READ)
    }

    fn read_operand(&mut self, op: &Op, bytes: &mut [u8]) -> Done {
        let (segment, start) = (self.segment_of(op), self.address(op));
        for (i, part) in bytes.chunks_mut(8).enumerate() {
            let offset = start.wrapping_add(8 * i as u32) & op.address_mask;
            let size = part.len();
            let value = match size {
                4 => u64::from(self.read::<4>(segment, offset)?),
                8 => self.read_quad(segment, offset)?,
                _ => self.read_slow(segment, offset, size as u32, Intent::READ)?,
            };
            part.copy_from_slice(&value.to_le_bytes()[..size]);
        }
        Ok(())
    }

    fn write_operand(&mut self, op: &Op, bytes: &[u8]) -> Done {
        let (segment, start) = (self.segment_of(op), self.address(op));
        for (i, part) in bytes.chunks(8).enumerate() {
            let offset = start.wrapping_add(8 * i as u32) & op.address_mask;
            let mut value = [0; 8];
            value[..part.len()].copy_from_slice(part);
            let value = u64::from_le_bytes(value);
            self.write_slow(segment, offset, part.len() as u32, value, Intent::WRITE)?;
        }
        Ok(())
    }

    fn check_x87(&mut self, code: Code, form: &Form) -> Done {
        let trapping = if code == Code::Wait {
            let both = cr0::MP | cr0::TS;
            self.state.cr0 & both == both
        } else {
            self.state.cr0 & (cr0::EM | cr0::TS) != 0
        };
        if trapping {
            return Err(self.raise(vector::NO_COPROCESSOR));
        }
        if form.waits && self.state.fpu.pending() && self.state.cr0 & cr0::NE != 0 {
            return Err(self.raise(vector::FLOATING_POINT));
        }
        Ok(())
    }
}

fn x87(core: &mut Core, op: &Op) -> Done {
    let index = usize::from(op.extra);
    let form = forms()[index].expect("only x87 instructions have this handler");
    let code = Code::try_from(index).unwrap_or_default();
    core.check_x87(code, &form)?;
    let mut operand = [0; STORE_BYTES];
    let read = usize::from(form.read_bytes);
    core.read_operand(op, &mut operand[..read])?;
    let before = (form.write_bytes > 0).then(|| core.state.fpu.clone());
    if form.records {
        let selector = core.state.segments[sreg::CS].selector;
        let data = (op.prefixes & HAS_MEMORY != 0)
            .then(|| (core.state.segments[core.segment_of(op) & 7].selector, core.address(op)));
        core.state.fpu.record(selector, core.state.eip, op.immediate as u16, data);
    }
    core.state.extra_cycles += form.cost.clocks(core.state.fpu.control());
    let source = Operand {
        register: op.a,
        memory: &operand[..read],
        write_bytes: form.write_bytes,
        protected: core.state.cr0 & cr0::PE != 0,
    };
    let mut store = [0; STORE_BYTES];
    let outcome = execute(&mut core.state.fpu, form.op, source, &mut store);
    if outcome.stored > 0
        && let Err(stop) = core.write_operand(op, &store[..usize::from(outcome.stored)])
    {
        core.state.fpu = before.expect("kept for every instruction that writes");
        return Err(stop);
    }
    if let Some(ax) = outcome.ax {
        core.set_register::<2>(gpr::EAX as u8, u32::from(ax));
    }
    core.state.counters.x87_instructions += 1;
    Ok(())
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    is_x87(shape.code).then_some(x87 as Handler)
}
