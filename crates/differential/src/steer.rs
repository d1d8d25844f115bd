//! Gives a random instruction operands that mean something: addresses inside the window, counts
//! that are small, jump targets that return to the frame, selectors that exist.
//!
//! Only registers, memory and displacements are changed, never the opcode; what is left random
//! faults, and equally on both sides.

use iced_x86::{
    Code, ConstantOffsets, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register,
};

use crate::case::Case;
use crate::generate::{is_far, number};
use crate::layout::{self, selector};
use crate::random::Random;
use crate::values;

const EAX: usize = 0;
const ECX: usize = 1;
const EDX: usize = 2;
const ESP: usize = 4;
const EBP: usize = 5;
const ESI: usize = 6;
const EDI: usize = 7;

const TRAP: u32 = 1 << 8;
const NESTED_TASK: u32 = 1 << 14;
const VIRTUAL_8086: u32 = 1 << 17;

/// Steers the case; false if this instruction cannot be tried.
pub fn steer(case: &mut Case, instruction: &Instruction, random: &mut Random) -> bool {
    case.general[ESP] = stack_pointer(case, random);
    if instruction.is_invalid() {
        return true;
    }
    string_operands(case, instruction, random);
    if !bit_offset(case, instruction, random) {
        return false;
    }
    frame_pointer(case, instruction, random);
    selector_in_register(case, instruction, random);
    if has_memory_operand(instruction) && !address(case, instruction, random) {
        return false;
    }
    let operand = effective_address(case, instruction);
    contents(case, instruction, operand, random);
    if operand != effective_address(case, instruction) {
        // A register that was given a value is a part of the address.
        return false;
    }
    if operand.is_some_and(|at| leaves_window(case, instruction, at)) {
        return false;
    }
    stack_contents(case, instruction, random);
    branch(case, instruction, operand, random)
}

/// Whether it addresses memory by 16-bit registers.
pub fn has_short_address(instruction: &Instruction) -> bool {
    has_memory_operand(instruction)
        && (instruction.memory_base().size() == 2
            || instruction.memory_index().size() == 2
            || instruction.memory_displ_size() == 2)
}

/// Where displacements and immediates lie in the bytes.
fn constant_offsets(bytes: &[u8]) -> ConstantOffsets {
    let mut decoder = Decoder::new(32, bytes, DecoderOptions::CL1INVMB);
    let instruction = decoder.decode();
    decoder.get_constant_offsets(&instruction)
}

fn has_memory_operand(instruction: &Instruction) -> bool {
    (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::Memory)
}

/// Somewhere in the middle of the window, or near the end of what is mapped.
fn stack_pointer(case: &Case, random: &mut Random) -> u32 {
    let middle = case.window_address + 128;
    let aligned = if at_end(case) && random.chance(25) {
        case.window_address + 256 - 4 * random.below(3)
    } else if at_start(case) && random.chance(25) {
        case.window_address + 4 * random.below(3)
    } else {
        middle
    };
    if random.chance(10) { aligned.wrapping_sub(random.below(4)) } else { aligned }
}

fn at_end(case: &Case) -> bool {
    case.window_address == layout::SCRATCH + layout::SCRATCH_BYTES - layout::WINDOW_BYTES as u32
}

fn at_start(case: &Case) -> bool {
    case.window_address == layout::SCRATCH
}

/// Where an operand of `size` bytes is to lie.
fn target(case: &Case, size: u32, random: &mut Random) -> u32 {
    if at_end(case) && random.chance(25) {
        return case.window_address + 256 - random.below(size + 4);
    }
    if at_start(case) && random.chance(25) {
        return case.window_address.wrapping_sub(random.below(4));
    }
    // Mostly across the middle, where a page may end.
    if size <= 32 && random.chance(30) {
        return case.window_address + 128 - random.below(size + 2);
    }
    let place = case.window_address + 64 + random.below(64);
    if random.chance(50) { place & !7 } else { place }
}

fn string_operands(case: &mut Case, instruction: &Instruction, random: &mut Random) {
    if !instruction.is_string_instruction() {
        return;
    }
    let gs = instruction.segment_prefix() == Register::GS;
    let short = (0..instruction.op_count())
        .any(|i| matches!(instruction.op_kind(i), OpKind::MemorySegSI | OpKind::MemoryESDI));
    case.es_is_gs = random.chance(if short { 80 } else { 10 });
    let base = |of_gs: bool| if of_gs { layout::GS_BASE } else { 0 };
    case.general[ESI] = target(case, 8, random).wrapping_sub(base(gs));
    case.general[EDI] = target(case, 8, random).wrapping_sub(base(case.es_is_gs));
    if random.chance(50) {
        // Runs of equal bytes let a comparison go on.
        let value = random.u8();
        case.window[60..200].fill(value);
        case.general[EAX] = u32::from(value) * 0x0101_0101;
    }
    if instruction.has_rep_prefix() || instruction.has_repne_prefix() {
        let count = random.below(7);
        let high = if short { case.general[ECX] & 0xFFFF_0000 } else { 0 };
        case.general[ECX] = high | count;
    }
}

/// BT and its kin address any bit from their operand on: keep it near.
fn bit_offset(case: &mut Case, instruction: &Instruction, random: &mut Random) -> bool {
    let family = matches!(
        instruction.mnemonic(),
        Mnemonic::Bt | Mnemonic::Bts | Mnemonic::Btr | Mnemonic::Btc
    );
    if !family
        || instruction.op0_kind() != OpKind::Memory
        || instruction.op1_kind() != OpKind::Register
    {
        return true;
    }
    let register = instruction.op1_register();
    let used = number(register);
    let bases = [instruction.memory_base(), instruction.memory_index()];
    if used == ESP || bases.iter().any(|&r| r != Register::None && number(r) == used) {
        return false;
    }
    let offset = random.between(-256, 255) as u32;
    case.general[used] = match register.size() {
        2 => case.general[used] & 0xFFFF_0000 | offset & 0xFFFF,
        _ => offset,
    };
    true
}

/// ENTER copies the frame pointers of outer procedures; LEAVE returns to EBP.
fn frame_pointer(case: &mut Case, instruction: &Instruction, random: &mut Random) {
    match instruction.mnemonic() {
        Mnemonic::Enter => {
            case.general[EBP] = case.window_address + 160 + random.below(16);
            let end = case.bytes.len();
            let size = if random.chance(80) { random.below(64) } else { random.below(0x300) };
            case.bytes[end - 3..end - 1].copy_from_slice(&(size as u16).to_le_bytes());
            case.bytes[end - 1] = random.below(8) as u8 | random.u8() & 0xE0;
        }
        Mnemonic::Leave => case.general[EBP] = target(case, 4, random),
        _ => {}
    }
}

/// Whether the operand is partly in scratch memory that no case sets.
fn leaves_window(case: &Case, instruction: &Instruction, at: u32) -> bool {
    let size = instruction.memory_size().size().max(1) as u32;
    let mapped = |place: u32| place.wrapping_sub(layout::SCRATCH) < layout::SCRATCH_BYTES;
    let set = |place: u32| place.wrapping_sub(case.window_address) < layout::WINDOW_BYTES as u32;
    [at, at.wrapping_add(size - 1)].into_iter().any(|place| mapped(place) && !set(place))
}

/// Instructions that take a selector from a register or from memory.
fn takes_selector(instruction: &Instruction) -> bool {
    let loads = instruction.mnemonic() == Mnemonic::Mov
        && instruction.op0_kind() == OpKind::Register
        && instruction.op0_register().is_segment_register();
    loads
        || matches!(
            instruction.mnemonic(),
            Mnemonic::Lar | Mnemonic::Lsl | Mnemonic::Verr | Mnemonic::Verw
        )
}

fn data_selector(instruction: &Instruction, random: &mut Random) -> u16 {
    let stack = instruction.op_count() > 0 && instruction.op0_register() == Register::SS
        || instruction.mnemonic() == Mnemonic::Lss;
    if stack {
        // The frame needs a flat stack.
        return random.pick(&[selector::DATA, selector::DATA, selector::DATA, 0, 3, 0x28, 0x23]);
    }
    random.pick(&[selector::DATA, selector::TLS, selector::CODE, selector::DATA - 3, 0, 3, 0xFFF8])
}

fn selector_in_register(case: &mut Case, instruction: &Instruction, random: &mut Random) {
    if !takes_selector(instruction) {
        return;
    }
    let source = instruction.op_count() - 1;
    if instruction.op_kind(source) == OpKind::Register {
        let register = number(instruction.op_register(source));
        let selector = u32::from(data_selector(instruction, random));
        case.general[register] = case.general[register] & 0xFFFF_0000 | selector;
    }
}

/// Sets the displacement, or else a register, so that the operand lies at a target.
fn address(case: &mut Case, instruction: &Instruction, random: &mut Random) -> bool {
    if instruction.mnemonic() == Mnemonic::Lea {
        return true;
    }
    let size = instruction.memory_size().size().max(1) as u32;
    let gs = instruction.memory_segment() == Register::GS;
    let wanted = target(case, size, random).wrapping_sub(if gs { layout::GS_BASE } else { 0 });
    let (base, index) = (instruction.memory_base(), instruction.memory_index());
    let offsets = constant_offsets(&case.bytes);
    let place = offsets.displacement_offset();
    match offsets.displacement_size() {
        0 => {}
        1 => case.bytes[place] = random.between(-16, 15) as u8,
        bytes => {
            let rest = sum_of_registers(case, instruction);
            let displacement = wanted.wrapping_sub(rest);
            case.bytes[place..place + bytes].copy_from_slice(&displacement.to_le_bytes()[..bytes]);
            return true;
        }
    }
    if base == Register::ESP {
        if index != Register::None {
            case.general[number(index)] = random.below(4);
        }
        return true;
    }
    let displacement = match offsets.displacement_size() {
        1 => case.bytes[place] as i8 as u32,
        _ => 0,
    };
    let scale = instruction.memory_index_scale();
    if base == index {
        let times = 1 + scale;
        let wanted = wanted.wrapping_sub(displacement);
        let wanted = if times == 2 { wanted & !1 } else { wanted };
        case.general[number(base)] = divide(wanted, times);
        return true;
    }
    set_base(case, base, wanted.wrapping_sub(displacement), index, scale)
}

fn set_base(case: &mut Case, base: Register, wanted: u32, index: Register, scale: u32) -> bool {
    if base == Register::None {
        return false;
    }
    let indexed = value(case, index).wrapping_mul(scale);
    let rest = wanted.wrapping_sub(indexed);
    let register = &mut case.general[number(base)];
    *register = match base.size() {
        2 => *register & 0xFFFF_0000 | rest & 0xFFFF,
        _ => rest,
    };
    true
}

/// `x` with `x * times == wanted` modulo 2^32; `times` is odd, or 2 and `wanted` even.
fn divide(wanted: u32, times: u32) -> u32 {
    if times == 2 {
        return wanted / 2;
    }
    // Newton's iteration doubles the correct bits of the inverse.
    let inverse =
        (0..5).fold(times, |x: u32, _| x.wrapping_mul(2u32.wrapping_sub(times.wrapping_mul(x))));
    wanted.wrapping_mul(inverse)
}

fn value(case: &Case, register: Register) -> u32 {
    match register {
        Register::None => 0,
        Register::AL => case.general[EAX] & 0xFF,
        _ if register.size() == 2 => case.general[number(register)] & 0xFFFF,
        _ => case.general[number(register)],
    }
}

fn sum_of_registers(case: &Case, instruction: &Instruction) -> u32 {
    let index = value(case, instruction.memory_index());
    value(case, instruction.memory_base())
        .wrapping_add(index.wrapping_mul(instruction.memory_index_scale()))
}

/// Linear address of the memory operand as the bytes now say.
pub fn effective_address(case: &Case, instruction: &Instruction) -> Option<u32> {
    if !has_memory_operand(instruction) {
        return None;
    }
    let now = crate::generate::decode(&case.bytes, case.entry());
    let sum = sum_of_registers(case, &now).wrapping_add(now.memory_displacement32());
    let offset = if has_short_address(&now) { sum & 0xFFFF } else { sum };
    let gs = now.memory_segment() == Register::GS;
    Some(offset.wrapping_add(if gs { layout::GS_BASE } else { 0 }))
}

/// Writes to the window what lies inside it.
fn poke(case: &mut Case, address: u32, bytes: &[u8]) {
    for (i, &byte) in (0..).zip(bytes) {
        let place = address.wrapping_add(i).wrapping_sub(case.window_address) as usize;
        if let Some(to) = case.window.get_mut(place) {
            *to = byte;
        }
    }
}

fn peek<const N: usize>(case: &Case, address: u32) -> [u8; N] {
    std::array::from_fn(|i| {
        let place = address.wrapping_add(i as u32).wrapping_sub(case.window_address) as usize;
        case.window.get(place).copied().unwrap_or(0)
    })
}

/// What the operand holds, where random bytes would nearly always mean the same.
fn contents(case: &mut Case, instruction: &Instruction, at: Option<u32>, random: &mut Random) {
    let size = instruction.memory_size().size();
    if let Some(at) = at {
        if rockcreek_x87::describe(instruction.code()).is_some() && random.chance(85) {
            let mut bytes = [0; layout::FPU_BYTES];
            let known = matches!(size, 4 | 8 | 10 | layout::FPU_BYTES);
            if known && !(size <= 8 && is_integer(instruction)) {
                values::x87_operand(random, size, &mut bytes);
                poke(case, at, &bytes[..size]);
            }
        }
        if takes_selector(instruction) {
            poke(case, at, &data_selector(instruction, random).to_le_bytes());
        }
    }
    match instruction.mnemonic() {
        Mnemonic::Div | Mnemonic::Idiv if random.chance(70) => {
            let small = random.below(4);
            let high = if case.general[EAX] & 0x8000_0000 != 0 { u32::MAX } else { 0 };
            case.general[EDX] = if random.chance(50) { high } else { small };
            if random.chance(50) {
                case.general[EAX] &= 0xFFFF_03FF;
            }
        }
        Mnemonic::Bound => {
            let value = case.general[number(instruction.op0_register())];
            let (low, high) =
                (value.wrapping_sub(random.below(9)), value.wrapping_add(random.below(9)));
            if let Some(at) = at.filter(|_| random.chance(60)) {
                let half = size as u32 / 2;
                poke(case, at, &low.to_le_bytes()[..half as usize]);
                poke(case, at + half, &high.to_le_bytes()[..half as usize]);
            }
        }
        Mnemonic::Cmpxchg8b if random.chance(50) => {
            if let Some(at) = at {
                case.general[EAX] = u32::from_le_bytes(peek(case, at));
                case.general[EDX] = u32::from_le_bytes(peek(case, at.wrapping_add(4)));
            }
        }
        Mnemonic::Cmpxchg if random.chance(50) => {
            let value = match at {
                Some(at) => u32::from_le_bytes(peek(case, at)),
                None => case.general[number(instruction.op0_register())],
            };
            case.general[EAX] = value;
        }
        Mnemonic::Lds | Mnemonic::Les | Mnemonic::Lfs | Mnemonic::Lgs | Mnemonic::Lss => {
            let selector = data_selector(instruction, random);
            if let Some(at) = at {
                poke(case, at.wrapping_add(size as u32 - 2), &selector.to_le_bytes());
            }
        }
        _ => {}
    }
}

fn is_integer(instruction: &Instruction) -> bool {
    matches!(
        instruction.mnemonic(),
        Mnemonic::Fild
            | Mnemonic::Fiadd
            | Mnemonic::Fisub
            | Mnemonic::Fisubr
            | Mnemonic::Fimul
            | Mnemonic::Fidiv
            | Mnemonic::Fidivr
            | Mnemonic::Ficom
            | Mnemonic::Ficomp
    )
}

/// What instructions find that pop more than data.
fn stack_contents(case: &mut Case, instruction: &Instruction, random: &mut Random) {
    let top = case.general[ESP];
    match instruction.mnemonic() {
        Mnemonic::Popf | Mnemonic::Popfd => {
            let flags = u32::from_le_bytes(peek(case, top)) & !TRAP;
            poke(case, top, &flags.to_le_bytes());
        }
        Mnemonic::Pop if instruction.op0_register().is_segment_register() => {
            poke(case, top, &data_selector(instruction, random).to_le_bytes());
        }
        Mnemonic::Iret | Mnemonic::Iretd => {
            let size = if instruction.mnemonic() == Mnemonic::Iret { 2 } else { 4 };
            case.eflags &= !NESTED_TASK;
            let flags = random.u32() & !(TRAP | NESTED_TASK | VIRTUAL_8086);
            poke(case, top.wrapping_add(2 * size), &flags.to_le_bytes()[..size as usize]);
            far_return(case, top, size, random);
        }
        Mnemonic::Retf => {
            let short = matches!(instruction.code(), Code::Retfw | Code::Retfw_imm16);
            far_return(case, top, if short { 2 } else { 4 }, random);
        }
        Mnemonic::Ret => {
            let destination = destination(case, random);
            poke(case, top, &destination.to_le_bytes());
        }
        _ => {}
    }
}

fn far_return(case: &mut Case, top: u32, size: u32, random: &mut Random) {
    let destination = destination(case, random);
    poke(case, top, &destination.to_le_bytes()[..size as usize]);
    poke(case, top.wrapping_add(size), &code_selector(random).to_le_bytes());
}

fn code_selector(random: &mut Random) -> u16 {
    random.pick(&[selector::CODE, selector::CODE, selector::CODE, selector::DATA, 0, 3, 0xFFFB])
}

/// A landing, or an address that faults.
fn destination(case: &Case, random: &mut Random) -> u32 {
    let slot = layout::slot(case.number);
    match random.below(10) {
        0..4 => slot + layout::LANDING_A,
        4..8 => slot + layout::LANDING_B,
        _ => layout::NOWHERE + random.below(0x1000_0000),
    }
}

/// Where jumps and calls go.
fn branch(
    case: &mut Case,
    instruction: &Instruction,
    at: Option<u32>,
    random: &mut Random,
) -> bool {
    let next = case.entry() + case.bytes.len() as u32;
    let end = case.bytes.len();
    let goal = destination(case, random);
    let offsets = constant_offsets(&case.bytes);
    if matches!(instruction.op0_kind(), OpKind::NearBranch16 | OpKind::NearBranch32) {
        let bytes = offsets.immediate_size();
        let goal = if bytes == 1 && goal >= layout::NOWHERE {
            layout::slot(case.number) + layout::LANDING_A
        } else {
            goal
        };
        let relative = goal.wrapping_sub(next).to_le_bytes();
        case.bytes[end - bytes..].copy_from_slice(&relative[..bytes]);
        return true;
    }
    if matches!(instruction.op0_kind(), OpKind::FarBranch16 | OpKind::FarBranch32) {
        let bytes = offsets.immediate_size();
        let (place, last) = (offsets.immediate_offset(), end - 2);
        case.bytes[place..place + bytes].copy_from_slice(&goal.to_le_bytes()[..bytes]);
        case.bytes[last..].copy_from_slice(&code_selector(random).to_le_bytes());
        return true;
    }
    if is_far(instruction) {
        let size = instruction.memory_size().size() as u32 - 2;
        if let Some(at) = at {
            poke(case, at, &goal.to_le_bytes()[..size as usize]);
            poke(case, at.wrapping_add(size), &code_selector(random).to_le_bytes());
        }
        return true;
    }
    if instruction.is_jmp_near_indirect() || instruction.is_call_near_indirect() {
        match at {
            Some(at) if inside(case, at) => poke(case, at, &goal.to_le_bytes()),
            Some(_) => {}
            None => {
                let register = instruction.op0_register();
                case.general[number(register)] = goal;
            }
        }
    }
    true
}

fn inside(case: &Case, address: u32) -> bool {
    address.wrapping_sub(case.window_address) <= layout::WINDOW_BYTES as u32 - 4
}
