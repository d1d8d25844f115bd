//! What the operands of a case hold where random values would nearly always mean the same: numbers
//! of the x87's formats, selectors that exist, bounds, return addresses and jump targets that lead
//! back to the frame, or nowhere.

use iced_x86::{Code, Instruction, Mnemonic, OpKind, Register};

use crate::case::Case;
use crate::generate::{is_far, number};
use crate::layout::{self, selector};
use crate::random::Random;
use crate::steer::constant_offsets;
use crate::values;

const EAX: usize = 0;
const EDX: usize = 2;
const ESP: usize = 4;

const TRAP: u32 = 1 << 8;
const NESTED_TASK: u32 = 1 << 14;
const VIRTUAL_8086: u32 = 1 << 17;

/// Instructions that take a selector from a register or from memory.
pub fn takes_selector(instruction: &Instruction) -> bool {
    let loads = instruction.mnemonic() == Mnemonic::Mov
        && instruction.op0_kind() == OpKind::Register
        && instruction.op0_register().is_segment_register();
    loads
        || matches!(
            instruction.mnemonic(),
            Mnemonic::Lar | Mnemonic::Lsl | Mnemonic::Verr | Mnemonic::Verw
        )
}

pub fn data_selector(instruction: &Instruction, random: &mut Random) -> u16 {
    let stack = instruction.op_count() > 0 && instruction.op0_register() == Register::SS
        || instruction.mnemonic() == Mnemonic::Lss;
    if stack {
        // The frame needs a flat stack.
        return random.pick(&[selector::DATA, selector::DATA, selector::DATA, 0, 3, 0x28, 0x23]);
    }
    random.pick(&[selector::DATA, selector::TLS, selector::CODE, selector::DATA - 3, 0, 3, 0xFFF8])
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

/// What the window holds there; zero outside it.
pub fn peek<const N: usize>(case: &Case, address: u32) -> [u8; N] {
    std::array::from_fn(|i| {
        let place = address.wrapping_add(i as u32).wrapping_sub(case.window_address) as usize;
        case.window.get(place).copied().unwrap_or(0)
    })
}

/// What the operand holds, where random bytes would nearly always mean the same.
pub fn contents(case: &mut Case, instruction: &Instruction, at: Option<u32>, random: &mut Random) {
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
pub fn stack_contents(case: &mut Case, instruction: &Instruction, random: &mut Random) {
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
pub fn branch(
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
