//! Decodes bytes into a pre-decoded instruction, with iced-x86.
//!
//! The decoder knows more instructions than a P54C has. Those without a handler (CMOV, MMX, SSE,
//! SYSENTER, UD2, the long NOPs) raise #UD. F3 0F BC and F3 0F BD are BSF and BSR with a
//! meaningless prefix; 0F 0A is the SCC's CL1INVMB. A WAIT before an x87 instruction is an
//! instruction of its own.

use iced_x86::{
    Code, Decoder, DecoderError, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind,
    Register,
};

use crate::execute::isa;
use crate::execute::op::{Handler, Op, prefix};
use crate::instruction::shape::{Shape, is_immediate, shape};
use crate::registers::register_file::{gpr, sreg};
use crate::state::core_state::ZERO;
use crate::timing::instruction_costs;
use crate::timing::pairing::{self, Encoded, Pipe};

const OPTIONS: u32 = DecoderOptions::NO_MPFX_0FBC
    | DecoderOptions::NO_MPFX_0FBD
    | DecoderOptions::CL1INVMB
    | DecoderOptions::NO_LAHF_SAHF_64;
const WAIT: u8 = 0x9B;
/// The length in bytes of the longest instruction.
const MAX_LENGTH: usize = 15;

/// What the decoder found at the start of some bytes of code.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Decoded {
    /// The bytes end before the instruction does: more bytes are needed.
    Incomplete,
    /// A decoded instruction. `ends_block`: true if the instruction executed next need not be the
    /// one behind it in memory. `begins_block`: true if the instruction uses counters that are
    /// updated at the end of each block, so that it must start a block of its own.
    Op { op: Op, code: Code, pipe: Pipe, begins_block: bool, ends_block: bool },
}

/// A decoded instruction together with iced-x86's description of it, which the translator needs.
pub(crate) struct Decoding {
    pub instruction: Instruction,
    pub shape: Shape,
    pub op: Op,
    pub pipe: Pipe,
    pub begins_block: bool,
    pub ends_block: bool,
}

/// Decodes the first instruction of `bytes`. `big`: true for 32-bit code, false for 16-bit code.
pub(crate) fn decode(bytes: &[u8], big: bool) -> Decoded {
    match decode_shape(bytes, big) {
        None => Decoded::Incomplete,
        Some(Decoding { instruction, op, pipe, begins_block, ends_block, .. }) => {
            Decoded::Op { op, code: instruction.code(), pipe, begins_block, ends_block }
        }
    }
}

/// Decodes the first instruction of `bytes` for the translator. `big`: true for 32-bit code, false
/// for 16-bit code. `None` if the instruction continues after `bytes`.
pub(crate) fn decode_shape(bytes: &[u8], big: bool) -> Option<Decoding> {
    let bytes = &bytes[..bytes.len().min(MAX_LENGTH)];
    let bytes = if bytes[0] == WAIT { &bytes[..1] } else { bytes };
    let mut decoder = Decoder::with_ip(if big { 32 } else { 16 }, bytes, 0, OPTIONS);
    let instruction = decoder.decode();
    if decoder.last_error() == DecoderError::NoMoreBytes {
        return None;
    }
    let shape = shape(&instruction, big);
    let known = select(&shape).filter(|_| !instruction.is_invalid());
    let handler =
        if is_too_long(&instruction, bytes, big) { Some(isa::control::TOO_LONG) } else { known };
    let costs = instruction_costs::costs(&instruction, &shape);
    let mut op = operation(&instruction, &shape, bytes, handler);
    if let Some(costs) = costs.filter(|costs| costs.each > 0) {
        op.extra = costs.each;
    }
    let length = instruction.len().clamp(1, bytes.len());
    let pipe = pairing::pipe(&Encoded {
        instruction: &instruction,
        shape: &shape,
        costs,
        prefixes: decoded_prefixes(&bytes[..length]),
        both_constants: {
            let constants = decoder.get_constant_offsets(&instruction);
            constants.has_displacement() && constants.has_immediate()
        },
    });
    let ends_block = handler.is_none() || instruction.flow_control() != FlowControl::Next;
    let begins_block = looks_at_counters(&shape);
    Some(Decoding { instruction, shape, op, pipe, begins_block, ends_block })
}

/// True if the instruction reads or writes the performance counters, or may change the privilege
/// level (the counters can be limited to one level).
fn looks_at_counters(shape: &Shape) -> bool {
    use Mnemonic::{Int, Int1, Int3, Into, Iret, Iretd, Rdmsr, Retf, Wrmsr};
    let named = [Int, Int1, Int3, Into, Iret, Iretd, Rdmsr, Retf, Wrmsr];
    shape.far || named.contains(&shape.mnemonic)
}

/// True if the instruction is longer than 15 bytes. iced-x86 reports it as invalid.
fn is_too_long(instruction: &Instruction, bytes: &[u8], big: bool) -> bool {
    instruction.is_invalid()
        && bytes.len() == MAX_LENGTH
        && matches!(decode(&bytes[..MAX_LENGTH - 1], big), Decoded::Incomplete)
}

/// The handler of an instruction; `None` if a P54C does not have the instruction.
pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    isa::mov::select(shape)
        .or_else(|| isa::arith::select(shape))
        .or_else(|| isa::logic::select(shape))
        .or_else(|| isa::control::select(shape))
        .or_else(|| isa::stack::select(shape))
        .or_else(|| isa::shift::select(shape))
        .or_else(|| isa::multiply::select(shape))
        .or_else(|| isa::bit::select(shape))
        .or_else(|| isa::string::select(shape))
        .or_else(|| isa::x87::select(shape))
        .or_else(|| isa::system::select(shape))
        .or_else(|| isa::tables::select(shape))
        .or_else(|| isa::port::select(shape))
        .or_else(|| isa::mpbt::select(shape))
        .or_else(|| isa::bcd::select(shape))
}

/// The number by which an instruction's handler names a register, from 0 to 7: its number in the
/// encoding.
fn register_number(register: Register) -> u8 {
    if register.is_gpr8() {
        // The order is the encoding's: AL CL DL BL AH CH DH BH.
        register as u8 - Register::AL as u8
    } else {
        register.number() as u8
    }
}

fn operation(
    instruction: &Instruction,
    shape: &Shape,
    bytes: &[u8],
    handler: Option<Handler>,
) -> Op {
    let length = instruction.len().max(1);
    let prefix_bits = prefixes(&bytes[..length.min(bytes.len())]);
    let register = |i: u32| {
        let named = i < shape.operands && instruction.op_kind(i) == OpKind::Register;
        if named { register_number(instruction.op_register(i)) } else { 0 }
    };
    let index = |register: Register| {
        if register == Register::None { ZERO as u8 } else { register.number() as u8 }
    };
    let mut op = Op {
        handler: handler.unwrap_or(isa::control::UNDEFINED),
        displacement: instruction.memory_displacement32(),
        immediate: immediate(instruction, shape),
        address_mask: if has_short_addresses(instruction) { 0xFFFF } else { u32::MAX },
        base: index(instruction.memory_base()),
        index: index(instruction.memory_index()),
        scale: instruction.memory_index_scale().trailing_zeros() as u8,
        segment: segment(instruction),
        a: register(0),
        b: register(1),
        length: length as u8,
        prefixes: prefix_bits,
        cycles: 0,
        extra: second_immediate(instruction, shape).unwrap_or(0),
    };
    let operands = 0..instruction.op_count();
    let in_memory = |i: u32| instruction.op_kind(i) == OpKind::Memory;
    if instruction.is_stack_instruction() && !operands.into_iter().any(in_memory) {
        // Only the check for a bank conflict reads these fields.
        op.base = gpr::ESP as u8;
        op.displacement = instruction.stack_pointer_increment().min(0) as u32;
        op.segment = sreg::SS as u8;
    }
    isa::mov::describe_store(&mut op, shape);
    if isa::x87::is_x87(shape.code) {
        isa::x87::describe_operands(&mut op, shape, bytes);
    }
    op
}

/// The LOCK and REP prefixes among `bytes`, as bits of [`prefix`].
fn prefixes(bytes: &[u8]) -> u8 {
    let mut bits = 0;
    for &byte in bytes {
        match byte {
            0xF0 => bits |= prefix::LOCK,
            0xF3 => bits = bits & !prefix::REPNE | prefix::REP,
            0xF2 => bits = bits & !prefix::REP | prefix::REPNE,
            0x26 | 0x2E | 0x36 | 0x3E | 0x64..=0x67 => {}
            _ => break,
        }
    }
    bits
}

/// The number of bytes that take an extra clock of decoding each: prefixes, and 0F except for near
/// conditional jumps. LOCK, and the 0F of RDTSC and CL1INVMB, are not counted: the times measured
/// on the SCC for these instructions include the decoding.
fn decoded_prefixes(bytes: &[u8]) -> u8 {
    let mut count = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            0xF0 => {}
            0xF2 | 0xF3 | 0x26 | 0x2E | 0x36 | 0x3E | 0x64..=0x67 => count += 1,
            0x0F => {
                let free = |next: &u8| matches!(next, 0x80..=0x8F | 0x31 | 0x0A);
                return count + u8::from(!bytes.get(at + 1).is_some_and(free));
            }
            _ => break,
        }
    }
    count
}

fn segment(instruction: &Instruction) -> u8 {
    let segment = instruction.memory_segment();
    if segment.is_segment_register() { segment.number() as u8 } else { sreg::DS as u8 }
}

/// True if the instruction's addresses have 16 bits (for LOOP: its counter).
fn has_short_addresses(instruction: &Instruction) -> bool {
    let by_kind = (0..instruction.op_count())
        .any(|i| matches!(instruction.op_kind(i), OpKind::MemoryESDI | OpKind::MemorySegSI));
    let base = instruction.memory_base();
    let has_memory = (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::Memory);
    let by_base = base.size() == 2 || instruction.memory_index().size() == 2;
    let none = base == Register::None && instruction.memory_index() == Register::None;
    let by_displacement = none && instruction.memory_displ_size() == 2;
    let counts = matches!(
        instruction.mnemonic(),
        Mnemonic::Loop | Mnemonic::Loope | Mnemonic::Loopne | Mnemonic::Jcxz
    ) && instruction.code().op_code().address_size() == 16;
    by_kind || counts || has_memory && (by_base || by_displacement)
}

fn immediate(instruction: &Instruction, shape: &Shape) -> u32 {
    match shape.mnemonic {
        Mnemonic::Int3 => return u32::from(crate::state::exception::vector::BREAKPOINT),
        Mnemonic::Into => return u32::from(crate::state::exception::vector::OVERFLOW),
        _ => {}
    }
    for i in 0..shape.operands {
        match instruction.op_kind(i) {
            OpKind::NearBranch16 => return u32::from(instruction.near_branch16()),
            OpKind::NearBranch32 => return instruction.near_branch32(),
            OpKind::FarBranch16 => return u32::from(instruction.far_branch16()),
            OpKind::FarBranch32 => return instruction.far_branch32(),
            kind if is_immediate(kind) => {
                return instruction.immediate(i) as u32;
            }
            _ => {}
        }
    }
    0
}

/// ENTER's level or a far pointer's selector; `None` for other instructions.
fn second_immediate(instruction: &Instruction, shape: &Shape) -> Option<u16> {
    if shape.mnemonic == Mnemonic::Enter {
        return Some(instruction.immediate(1) as u16);
    }
    (shape.far && !shape.uses_memory()).then(|| instruction.far_branch_selector())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handler_of(bytes: &[u8]) -> Option<Handler> {
        let mut decoder = Decoder::with_ip(32, bytes, 0, OPTIONS);
        let instruction = decoder.decode();
        select(&shape(&instruction, true)).filter(|_| !instruction.is_invalid())
    }

    #[test]
    fn what_a_p54c_does_not_have_is_undefined() {
        let missing: [&[u8]; 8] = [
            &[0x0F, 0x44, 0xC1],       // cmove eax, ecx
            &[0x0F, 0x1F, 0x00],       // nop [eax]
            &[0x0F, 0x34],             // sysenter
            &[0x0F, 0x6E, 0xC0],       // movd mm0, eax
            &[0x0F, 0x58, 0xC1],       // addps xmm0, xmm1
            &[0x0F, 0x0B],             // ud2
            &[0x0F, 0xAE, 0xF0],       // mfence
            &[0xF3, 0x0F, 0x1E, 0xFB], // endbr32
        ];
        for bytes in missing {
            assert!(handler_of(bytes).is_none(), "{bytes:02X?}");
        }
    }

    #[test]
    fn old_instructions_keep_their_meaning_behind_new_prefixes() {
        for bytes in [[0xF3, 0x0F, 0xBC, 0xC1], [0xF3, 0x0F, 0xBD, 0xC1]] {
            let instruction = Decoder::with_ip(32, &bytes, 0, OPTIONS).decode();
            assert!(matches!(instruction.mnemonic(), Mnemonic::Bsf | Mnemonic::Bsr));
        }
        assert!(handler_of(&[0x0F, 0x0A]).is_some());
    }

    /// All one- and two-byte opcodes with all ModR/M bytes, with and without prefixes.
    fn all_instructions() -> impl Iterator<Item = Instruction> {
        let prefixes: [&[u8]; 4] = [&[], &[0x66], &[0xF3], &[0xF0]];
        prefixes.into_iter().flat_map(|prefix| {
            (0..2u32 << 16).filter_map(move |number| {
                let [modrm, opcode, escape, _] = number.to_le_bytes();
                let mut bytes = prefix.to_vec();
                if escape == 1 {
                    bytes.push(0x0F);
                }
                bytes.extend([opcode, modrm, 0x24, 5, 6, 7, 8, 9, 10, 11]);
                let instruction = Decoder::with_ip(32, &bytes, 0, OPTIONS).decode();
                (!instruction.is_invalid()).then_some(instruction)
            })
        })
    }

    #[test]
    fn each_instruction_that_executes_has_a_row_of_clocks() {
        for instruction in all_instructions() {
            let shape = shape(&instruction, true);
            if select(&shape).is_some() && !isa::x87::is_x87(shape.code) {
                let found = instruction_costs::costs(&instruction, &shape);
                assert!(found.is_some(), "{:?} has no clocks", instruction.code());
            }
        }
    }

    /// True if iced-x86 states that the Pentium or an earlier processor introduced the instruction.
    fn is_of_a_pentium(instruction: &Instruction) -> bool {
        use iced_x86::CpuidFeature as F;
        instruction.cpuid_features().iter().all(|feature| {
            let named = [F::CPUID, F::TSC, F::MSR, F::CX8, F::FPU, F::FPU287, F::FPU387];
            named.contains(feature) || format!("{feature:?}").starts_with("INTEL")
        })
    }

    #[test]
    fn what_executes_is_what_a_p54c_has() {
        let mut differences = std::collections::BTreeSet::new();
        for instruction in all_instructions() {
            if select(&shape(&instruction, true)).is_some() != is_of_a_pentium(&instruction) {
                differences.insert(format!("{:?}", instruction.mnemonic()));
            }
        }
        // The SCC's own instruction, a NOP with a prefix, and three that are defined to raise #UD.
        let expected = ["Cl1invmb", "Pause", "Ud0", "Ud1", "Ud2"];
        assert_eq!(differences.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn an_instruction_cut_short_asks_for_more() {
        assert!(matches!(decode(&[0xE8, 0, 0], true), Decoded::Incomplete));
        assert!(matches!(decode(&[0x0F], true), Decoded::Incomplete));
    }
}
