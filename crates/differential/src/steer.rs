//! Gives a random instruction addresses and counts that mean something: operands inside the
//! window, few repetitions, a stack. What the operands hold is the business of `contents`.
//!
//! Only registers, memory and displacements are changed, never the opcode; what is left random
//! faults, and equally on both sides.

use iced_x86::{ConstantOffsets, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

use crate::case::Case;
use crate::contents::{branch, contents, data_selector, stack_contents, takes_selector};
use crate::generate::number;
use crate::layout;
use crate::random::Random;

const EAX: usize = 0;
const ECX: usize = 1;
const ESP: usize = 4;
const EBP: usize = 5;
const ESI: usize = 6;
const EDI: usize = 7;

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
pub fn constant_offsets(bytes: &[u8]) -> ConstantOffsets {
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
        let port = is_port_string(instruction.mnemonic());
        // Whether a count of 0 checks the right to the port is not said.
        let count = random.below(7).max(u32::from(port));
        let high = if short { case.general[ECX] & 0xFFFF_0000 } else { 0 };
        case.general[ECX] = high | count;
    }
}

fn is_port_string(mnemonic: Mnemonic) -> bool {
    use Mnemonic as M;
    matches!(mnemonic, M::Insb | M::Insw | M::Insd | M::Outsb | M::Outsw | M::Outsd)
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
