//! The x87 instructions and WAIT: availability, pending exceptions, memory operands, pointers. The
//! crate x87 computes their results.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapters 6, 7 and 25. With CR0.NE =
//! 0 a pending exception asserts FERR# (see `Core::ferr`) and the next waiting instruction stops
//! until an interrupt, unless IGNNE# is asserted.
//!
//! Operands of an [`Op`]: `extra` is the decoder's code, `a` the i of ST(i), `immediate` the opcode
//! as the last-opcode register holds it. The block gives these instructions the clocks of their
//! integer side only; `x87_latency.rs` charges the others.
//!
//! Invariant: memory is read before the unit changes, and an instruction that writes memory works
//! on a copy of the unit until the write is done.

use std::sync::LazyLock;

use iced_x86::{Code, Mnemonic};
use rockcreek_x87::{Form, IMAGE_BYTES, Operand, describe, execute};

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, prefix};
use crate::instruction::shape::Shape;
use crate::memory::access_path::Intent;
use crate::registers::flags;
use crate::registers::register_file::{cr0, gpr, sreg};
use crate::state::core_state::Activity;
use crate::state::exception::{Done, Stop, vector};

/// For each of iced-x86's instruction codes, by number, the x87 operation; `None` for other
/// instructions.
static FORMS: LazyLock<Vec<Option<Form>>> =
    LazyLock::new(|| Code::values().map(describe).collect());

/// The size in bytes of the largest operand that is a single value: m80.
const VALUE_BYTES: usize = 10;
/// The number of bytes of an FSAVE image that hold the eight registers.
const REGISTER_BYTES: usize = 80;

pub(crate) fn is_x87(code: Code) -> bool {
    FORMS[code as usize].is_some()
}

/// Fills in the operands for the handler: the code, the 11-bit opcode and the stack register.
pub(crate) fn describe_operands(op: &mut Op, shape: &Shape, bytes: &[u8]) {
    let code = shape.code;
    op.extra = code as u16;
    if is_floating_point_operation(shape.mnemonic) {
        op.prefixes |= prefix::FLOATING_POINT;
    }
    op.a |= op.b;
    if matches!(code, Code::Fcompp | Code::Fucompp) {
        op.a = 1; // ST(1), which the decoder does not list as an operand
    }
    let escape = bytes.iter().position(|byte| byte & 0xF8 == 0xD8).unwrap_or(0);
    let modrm = bytes.get(escape + 1).copied().unwrap_or(0);
    op.immediate = u32::from(bytes[escape] & 7) << 8 | u32::from(modrm);
}

/// True for instructions that the performance counters count as floating-point operations.
fn is_floating_point_operation(mnemonic: Mnemonic) -> bool {
    use Mnemonic::{F2xm1, Fcos, Fpatan, Fptan, Fsin, Fsincos, Fyl2x, Fyl2xp1};
    use Mnemonic::{Fadd, Faddp, Fiadd, Fisub, Fisubr, Fsub, Fsubp, Fsubr, Fsubrp};
    use Mnemonic::{Fdiv, Fdivp, Fdivr, Fdivrp, Fidiv, Fidivr, Fimul, Fmul, Fmulp};
    use Mnemonic::{Fprem, Fprem1, Fsqrt};
    const OPERATIONS: [Mnemonic; 29] = [
        F2xm1, Fcos, Fpatan, Fptan, Fsin, Fsincos, Fyl2x, Fyl2xp1, Fadd, Faddp, Fiadd, Fisub,
        Fisubr, Fsub, Fsubp, Fsubr, Fsubrp, Fdiv, Fdivp, Fdivr, Fdivrp, Fidiv, Fidivr, Fimul, Fmul,
        Fmulp, Fprem, Fprem1, Fsqrt,
    ];
    OPERATIONS.contains(&mnemonic)
}

fn count(core: &mut Core, op: &Op) {
    let counters = &mut core.state.counters;
    counters.x87_instructions += 1;
    let operation = op.prefixes & prefix::FLOATING_POINT != 0;
    counters.floating_point_operations += u64::from(operation);
}

pub(crate) fn form_of(op: &Op) -> &'static Form {
    FORMS[usize::from(op.extra)].as_ref().expect("the decoder chose an x87 instruction")
}

/// Raises #NM (`unavailable`) or #MF if one is due; both take precedence over all other faults.
/// With CR0.NE = 0, a pending exception stops the core until an interrupt instead of raising #MF,
/// unless IGNNE# is asserted.
#[inline(always)]
fn check(core: &mut Core, unavailable: bool, form: &Form) -> Done {
    if unavailable {
        return Err(core.raise(vector::NO_COPROCESSOR));
    }
    if form.waits && core.state.fpu.pending() {
        if core.state.cr0 & cr0::NE != 0 {
            return Err(core.raise(vector::FLOATING_POINT));
        }
        if !core.state.pins.ignne {
            core.state.activity = Activity::Halted;
            core.state.frozen = true;
            core.look_up();
            return Err(Stop::Yield);
        }
    }
    Ok(())
}

fn wait(core: &mut Core, op: &Op) -> Done {
    const BOTH: u32 = cr0::MP | cr0::TS;
    let unavailable = core.state.cr0 & BOTH == BOTH;
    let form = form_of(op);
    check(core, unavailable, form)?;
    core.charge_x87(op, form, core.state.fpu.top());
    Ok(())
}

fn instruction<const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    let form = form_of(op);
    let unavailable = core.state.cr0 & (cr0::EM | cr0::TS) != 0;
    check(core, unavailable, form)?;
    if form.write_bytes > 0 {
        return storing(core, op, form);
    }
    if usize::from(form.read_bytes) > VALUE_BYTES {
        let mut image = [0; IMAGE_BYTES];
        let image = &mut image[..usize::from(form.read_bytes)];
        read_image(core, op, image)?;
        run(core, op, form, image);
        return Ok(());
    }
    let mut value = [0; 16];
    if MEMORY && form.read_bytes > 0 {
        let low = u32::from(form.read_bytes).min(8);
        let (segment, offset) = (core.segment_of(op), core.address(op));
        let first = core.read_slow(segment, offset, low, Intent::READ)?;
        value[..8].copy_from_slice(&first.to_le_bytes());
        if usize::from(form.read_bytes) == VALUE_BYTES {
            let offset = offset.wrapping_add(low) & op.address_mask;
            value[8..10].copy_from_slice(&core.read::<2>(segment, offset)?.to_le_bytes()[..2]);
        }
    }
    run(core, op, form, &value[..usize::from(form.read_bytes)]);
    Ok(())
}

/// Executes an x87 instruction that writes no memory; `memory`: the bytes of its operand, empty if
/// it has none.
#[inline(always)]
fn run(core: &mut Core, op: &Op, form: &Form, memory: &[u8]) {
    record(core, op, form);
    let operand = Operand { register: op.a, memory, protected: protected_format(core) };
    let top = core.state.fpu.top();
    let outcome = execute(&mut core.state.fpu, form.op, operand, &mut []);
    core.charge_x87(op, form, top);
    if let Some(ax) = outcome.ax {
        core.set_register::<2>(gpr::EAX as u8, u32::from(ax));
    }
    count(core, op);
}

/// Executes an x87 instruction that stores its result in memory.
fn storing(core: &mut Core, op: &Op, form: &Form) -> Done {
    core.wait_for_x87(op, form);
    let top = core.state.fpu.top();
    let before = core.state.fpu;
    record(core, op, form);
    let mut image = [0; IMAGE_BYTES];
    let image = &mut image[..usize::from(form.write_bytes)];
    let operand = Operand { register: op.a, memory: &[], protected: protected_format(core) };
    let outcome = execute(&mut core.state.fpu, form.op, operand, image);
    if outcome.stored > 0 {
        let after = std::mem::replace(&mut core.state.fpu, before);
        write_image(core, op, image)?;
        core.state.fpu = after;
    } else {
        // An unmasked exception has prevented the store. The hardware checks the address before it
        // raises that exception.
        let after = std::mem::replace(&mut core.state.fpu, before);
        let (segment, mut offset) = (core.segment_of(op), core.address(op));
        for part in parts(image.len()) {
            core.probe_write(segment, offset, part as u32)?;
            offset = offset.wrapping_add(part as u32) & op.address_mask;
        }
        core.state.fpu = after;
    }
    core.charge_x87(op, form, top);
    count(core, op);
    Ok(())
}

fn record(core: &mut Core, op: &Op, form: &Form) {
    if form.records {
        let uses_memory = form.read_bytes > 0 || form.write_bytes > 0;
        let data = uses_memory
            .then(|| (core.state.segments[core.segment_of(op) & 7].selector, core.address(op)));
        let selector = core.state.segments[sreg::CS].selector;
        core.state.fpu.record(selector, core.state.eip, op.immediate as u16, data);
    }
}

/// True if FSTENV and FSAVE write the layout of protected mode; false for that of real mode, which
/// virtual-8086 mode uses, too.
fn protected_format(core: &Core) -> bool {
    core.state.protected() && core.state.system_flags & flags::VM == 0
}

/// The sizes in bytes of the accesses to an operand of `bytes` bytes, in order. A value is one
/// access. An environment is read or written word by word; an FSAVE image is an environment
/// followed by the registers.
fn parts(bytes: usize) -> impl Iterator<Item = usize> {
    let environment = match bytes {
        14 | 28 => bytes,
        _ => bytes.saturating_sub(REGISTER_BYTES),
    };
    let word = if environment == 28 { 4 } else { 2 };
    let words = std::iter::repeat_n(word, environment / word);
    let rest = bytes - environment;
    let values = (0..rest.div_ceil(VALUE_BYTES)).flat_map(move |_| {
        let value = rest.min(VALUE_BYTES);
        [value.min(8), value.saturating_sub(8)]
    });
    words.chain(values.filter(|&part| part > 0))
}

/// The intent of the access to the part at `done` of an operand of `bytes` bytes: whether its
/// alignment is checked. In FNSAVE and FRSTOR images, only the environment is checked; the
/// registers after it have ten bytes each (`intel-pentium-manual`, chapter 14, table of
/// alignments).
fn alignment(bytes: usize, done: usize) -> Intent {
    let registers = bytes > REGISTER_BYTES && done >= bytes - REGISTER_BYTES;
    if registers { Intent::UNALIGNED } else { Intent::READ }
}

fn read_image(core: &mut Core, op: &Op, image: &mut [u8]) -> Done {
    let (segment, offset) = (core.segment_of(op), core.address(op));
    let mut done = 0;
    for part in parts(image.len()) {
        let at = offset.wrapping_add(done as u32) & op.address_mask;
        let value = core.read_slow(segment, at, part as u32, alignment(image.len(), done))?;
        image[done..done + part].copy_from_slice(&value.to_le_bytes()[..part]);
        done += part;
    }
    Ok(())
}

fn write_image(core: &mut Core, op: &Op, image: &[u8]) -> Done {
    let (segment, offset) = (core.segment_of(op), core.address(op));
    let mut done = 0;
    for part in parts(image.len()) {
        let at = offset.wrapping_add(done as u32) & op.address_mask;
        let mut bytes = [0; 8];
        bytes[..part].copy_from_slice(&image[done..done + part]);
        let intent = Intent::WRITE.with(alignment(image.len(), done));
        core.write_slow(segment, at, part as u32, u64::from_le_bytes(bytes), intent)?;
        done += part;
    }
    Ok(())
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    let form = describe(shape.code)?;
    Some(match (shape.code, form.read_bytes) {
        (Code::Wait, _) => wait,
        (_, 0) => instruction::<false>,
        _ => instruction::<true>,
    })
}
