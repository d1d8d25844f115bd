//! Descriptor table registers and selector checks: LGDT, LIDT, SGDT, SIDT, LLDT, LTR, SLDT, STR,
//! LAR, LSL, VERR, VERW, ARPL.

use iced_x86::Mnemonic;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, wide};
use crate::instruction::shape::{Form, Shape};
use crate::memory::descriptor::{Descriptor, SELECTOR_MASK, is_null, system};
use crate::registers::register_file::TableRegister;
use crate::registers::segment::{Segment, attribute};
use crate::state::exception::{Done, Stop, vector};

/// LGDT and LIDT. With a 16-bit operand size, the base has 24 bits.
fn load_table<const SIZE: usize, const INTERRUPTS: bool>(core: &mut Core, op: &Op) -> Done {
    core.require_ring0()?;
    let (segment, offset) = (core.segment_of(op), core.address(op));
    let limit = core.read::<2>(segment, offset)? as u16;
    let base = core.read::<4>(segment, offset.wrapping_add(2) & op.address_mask)?;
    let base = if SIZE == 2 { base & 0x00FF_FFFF } else { base };
    let table = TableRegister { base, limit };
    if INTERRUPTS {
        core.state.idtr = table;
    } else {
        core.state.gdtr = table;
    }
    core.state.counters.segment_loads += 1;
    Ok(())
}

fn store_table<const INTERRUPTS: bool>(core: &mut Core, op: &Op) -> Done {
    let table = if INTERRUPTS { core.state.idtr } else { core.state.gdtr };
    let (segment, offset) = (core.segment_of(op), core.address(op));
    core.write::<2>(segment, offset, u32::from(table.limit))?;
    core.write::<4>(segment, offset.wrapping_add(2) & op.address_mask, table.base)
}

impl Core {
    fn require_protected_mode(&mut self) -> Done {
        if self.state.real_segments() { Err(self.raise(vector::INVALID_OPCODE)) } else { Ok(()) }
    }

    /// The system descriptor in the GDT that the selector operand of LLDT or LTR selects; raises an
    /// exception if it is not one of `kinds`.
    fn system_descriptor(&mut self, selector: u16, kinds: &[u16]) -> Result<Descriptor, Stop> {
        let error = u32::from(selector & SELECTOR_MASK);
        let in_gdt = selector & 4 == 0;
        let found = if in_gdt { self.find_descriptor(selector)? } else { None };
        let Some(descriptor) = found.filter(|found| kinds.contains(&found.kind())) else {
            return Err(self.raise_with(vector::PROTECTION, error));
        };
        if !descriptor.present() {
            return Err(self.raise_with(vector::NOT_PRESENT, error));
        }
        Ok(descriptor)
    }
}

fn load_local_table<const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    core.require_protected_mode()?;
    core.require_ring0()?;
    let selector = core.operand::<2, MEMORY>(op, op.a)? as u16;
    core.state.ldtr = if is_null(selector) {
        Segment::null(selector)
    } else {
        core.system_descriptor(selector, &[system::LDT])?.segment(selector)
    };
    core.state.counters.segment_loads += 1;
    Ok(())
}

fn load_task<const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    core.require_protected_mode()?;
    core.require_ring0()?;
    let selector = core.operand::<2, MEMORY>(op, op.a)? as u16;
    if is_null(selector) {
        return Err(core.protection());
    }
    let descriptor = core.system_descriptor(selector, &[system::TSS16, system::TSS32])?;
    core.write_attributes(&descriptor, descriptor.high | u32::from(system::BUSY) << 8)?;
    let mut task = descriptor.segment(selector);
    task.attributes |= system::BUSY;
    core.state.tr = task;
    core.state.counters.segment_loads += 1;
    Ok(())
}

fn store_selector<const SIZE: usize, const TASK: bool>(core: &mut Core, op: &Op) -> Done {
    core.require_protected_mode()?;
    let selector = if TASK { core.state.tr.selector } else { core.state.ldtr.selector };
    core.set_register::<SIZE>(op.a, u32::from(selector));
    Ok(())
}

fn store_selector_in_memory<const TASK: bool>(core: &mut Core, op: &Op) -> Done {
    core.require_protected_mode()?;
    let selector = if TASK { core.state.tr.selector } else { core.state.ldtr.selector };
    core.store::<2>(op, u32::from(selector))
}

/// The descriptor of `selector` for LAR, LSL, VERR and VERW; `None` if there is none or the
/// program's privilege does not permit its use.
fn visible(core: &mut Core, selector: u16) -> Result<Option<Descriptor>, Stop> {
    if is_null(selector) {
        return Ok(None);
    }
    let Some(descriptor) = core.find_descriptor(selector)? else { return Ok(None) };
    let segment = descriptor.segment(selector);
    let privilege = core.state.cpl.max(segment.rpl());
    let seen = segment.is_conforming() || segment.dpl() >= privilege;
    Ok(seen.then_some(descriptor))
}

fn load_rights<const SIZE: usize, const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    core.require_protected_mode()?;
    let selector = core.operand::<2, MEMORY>(op, op.b)? as u16;
    let valid = |found: &Descriptor| match found.kind() {
        kind if kind & attribute::NOT_SYSTEM != 0 => true,
        kind => matches!(kind, 1..=5 | 9 | 11 | 12),
    };
    let found = visible(core, selector)?.filter(valid);
    core.state.flags.set_zf(found.is_some());
    if let Some(descriptor) = found {
        let mask = if SIZE == 2 { 0xFF00 } else { 0x00FF_FF00 };
        core.set_register::<SIZE>(op.a, descriptor.high & mask);
    }
    Ok(())
}

fn load_limit<const SIZE: usize, const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    core.require_protected_mode()?;
    let selector = core.operand::<2, MEMORY>(op, op.b)? as u16;
    let valid = |found: &Descriptor| match found.kind() {
        kind if kind & attribute::NOT_SYSTEM != 0 => true,
        kind => matches!(kind, 1..=3 | 9 | 11),
    };
    let found = visible(core, selector)?.filter(valid);
    core.state.flags.set_zf(found.is_some());
    if let Some(descriptor) = found {
        core.set_register::<SIZE>(op.a, descriptor.segment(selector).limit);
    }
    Ok(())
}

fn verify<const MEMORY: bool, const WRITE: bool>(core: &mut Core, op: &Op) -> Done {
    core.require_protected_mode()?;
    let selector = core.operand::<2, MEMORY>(op, op.a)? as u16;
    let found = visible(core, selector)?.is_some_and(|descriptor| {
        let segment = descriptor.segment(selector);
        if WRITE { segment.is_writable_data() } else { segment.is_readable() }
    });
    core.state.flags.set_zf(found);
    Ok(())
}

fn adjust_rpl<const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    core.require_protected_mode()?;
    let wanted = core.register::<2>(op.b) & 3;
    core.modify::<2, MEMORY>(op, |core, selector| {
        let low = selector & 3 < wanted;
        core.state.flags.set_zf(low);
        if low { selector & !3 | wanted } else { selector }
    })
}

macro_rules! by_memory {
    ($shape:expr, $handler:ident $(, $argument:expr)*) => {
        if $shape.uses_memory() {
            $handler::<true $(, { $argument })*> as Handler
        } else {
            $handler::<false $(, { $argument })*>
        }
    };
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    let in_memory = shape.form == Form::M;
    let uses_memory = shape.uses_memory();
    Some(match shape.mnemonic {
        Mnemonic::Lgdt => wide!(shape.default_size, load_table, false),
        Mnemonic::Lidt => wide!(shape.default_size, load_table, true),
        Mnemonic::Sgdt => store_table::<false>,
        Mnemonic::Sidt => store_table::<true>,
        Mnemonic::Lldt => by_memory!(shape, load_local_table),
        Mnemonic::Ltr => by_memory!(shape, load_task),
        Mnemonic::Sldt if in_memory => store_selector_in_memory::<false>,
        Mnemonic::Sldt => wide!(shape.size, store_selector, false),
        Mnemonic::Str if in_memory => store_selector_in_memory::<true>,
        Mnemonic::Str => wide!(shape.size, store_selector, true),
        Mnemonic::Lar if uses_memory => wide!(shape.size, load_rights, true),
        Mnemonic::Lar => wide!(shape.size, load_rights, false),
        Mnemonic::Lsl if uses_memory => wide!(shape.size, load_limit, true),
        Mnemonic::Lsl => wide!(shape.size, load_limit, false),
        Mnemonic::Verr => by_memory!(shape, verify, false),
        Mnemonic::Verw => by_memory!(shape, verify, true),
        Mnemonic::Arpl => by_memory!(shape, adjust_rpl),
        _ => return None,
    })
}
