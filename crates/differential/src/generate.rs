//! Makes cases: random prefixes and opcodes, then operands steered so that most of them are
//! reachable (`steer`).

use iced_x86::{Code, CpuidFeature, Decoder, DecoderOptions, Instruction, Mnemonic, Register};

use crate::case::{Case, Kind};
use crate::layout;
use crate::prelude::{self, Prelude};
use crate::random::Random;
use crate::steer;
use crate::values;

/// The decoder's options for a P54C: no instructions that later processors added by a prefix, and
/// the SCC's own ones.
const P54C: u32 =
    DecoderOptions::NO_MPFX_0FBC | DecoderOptions::NO_MPFX_0FBD | DecoderOptions::CL1INVMB;

/// Second bytes of the two-byte opcodes that programs use.
const TWO_BYTE: [u8; 64] = [
    0x00, 0x01, 0x02, 0x03, 0x06, 0x08, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89,
    0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F, 0x90, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
    0x9A, 0x9B, 0x9C, 0x9D, 0xA0, 0xA1, 0xA3, 0xA4, 0xA5, 0xA8, 0xA9, 0xAB, 0xAC, 0xAD, 0xAF, 0xB0,
    0xB1, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xBA, 0xBB, 0xBC, 0xBD, 0xBE, 0xBF, 0xC0, 0xC1, 0xC7,
];

/// The case of that number.
pub fn case(seed: u64, number: u64) -> Case {
    let mut random = Random::of_case(seed, number);
    loop {
        if let Some(case) = attempt(&mut random, number) {
            return case;
        }
    }
}

/// Decodes as a P54C would.
pub fn decode(bytes: &[u8], address: u32) -> Instruction {
    Decoder::with_ip(32, bytes, u64::from(address), P54C).decode()
}

fn attempt(random: &mut Random, number: u64) -> Option<Case> {
    let mut bytes = encoding(random);
    let entry = layout::slot(number) + layout::ENTRY;
    let mut instruction = decode(&bytes, entry);
    // Without a base of its own a 16-bit address reaches nothing: most go through GS.
    if steer::has_short_address(&instruction) && random.chance(90) {
        bytes.insert(0, 0x65);
        instruction = decode(&bytes, entry);
    }
    let kind = kind(&instruction, &bytes)?;
    if !instruction.is_invalid() {
        bytes.truncate(instruction.len());
    }
    bytes.truncate(15);
    let mut case = Case {
        number,
        bytes,
        prelude: match kind {
            Kind::Lacking => Prelude::default(),
            _ if instruction.is_invalid() || random.chance(60) => Prelude::default(),
            _ => prelude::prelude(&instruction, random),
        },
        general: std::array::from_fn(|_| values::integer(random)),
        eflags: values::eflags(random),
        es_is_gs: false,
        window_address: window_address(random),
        window: std::array::from_fn(|_| values::byte(random)),
        fpu: values::fpu_image(random),
        kind,
    };
    if random.chance(20) {
        let value = case.general[random.below(8) as usize];
        case.general[random.below(8) as usize] = value;
    }
    steer::steer(&mut case, &instruction, random).then_some(case)
}

/// Most windows lie across two pages, some at the end or the start of what is mapped.
fn window_address(random: &mut Random) -> u32 {
    let bytes = layout::WINDOW_BYTES as u32;
    match random.below(10) {
        0 => layout::SCRATCH + layout::SCRATCH_BYTES - bytes,
        1 => layout::SCRATCH,
        _ => layout::SCRATCH + layout::SCRATCH_BYTES / 2 - bytes / 2,
    }
}

/// Prefixes, opcode, and random bytes for whatever follows it.
fn encoding(random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(32);
    if random.chance(22) {
        bytes.push(0x66);
    }
    if random.chance(7) {
        bytes.push(0x67);
    }
    if random.chance(8) {
        bytes.push(random.pick(&[0x26, 0x2E, 0x36, 0x3E, 0x65, 0x65, 0x65, 0x64]));
    }
    let escape = random.below(100);
    let opcode: &[u8] = match escape {
        0..25 => &[0xD8 + random.below(8) as u8],
        25..30 => &[0x0F, random.u8()],
        30..50 => &[0x0F, random.pick(&TWO_BYTE)],
        _ => &[random.u8()],
    };
    let string = matches!(opcode[0], 0x6C..=0x6F | 0xA4..=0xA7 | 0xAA..=0xAF);
    if random.chance(if string { 60 } else { 2 }) {
        bytes.push(random.pick(&[0xF2, 0xF3]));
    }
    let lockable = matches!(opcode[0], 0x00..=0x33 | 0x80..=0x87 | 0xF6..=0xFF);
    if random.chance(if lockable { 10 } else { 1 }) {
        bytes.push(0xF0);
    }
    // Prefixes may come in any order, and more than once.
    if bytes.len() > 1 && random.chance(50) {
        let (i, j) = (random.below(bytes.len() as u32), random.below(bytes.len() as u32));
        bytes.swap(i as usize, j as usize);
    }
    bytes.extend(opcode);
    // The byte after an opcode is mostly a ModRM byte: half of them with registers.
    let modrm = if random.chance(35) { random.u8() | 0xC0 } else { random.u8() };
    bytes.push(modrm);
    bytes.extend((0..11).map(|_| values::byte(random)));
    bytes
}

/// What to expect; `None` for what a program cannot try on the host.
fn kind(instruction: &Instruction, bytes: &[u8]) -> Option<Kind> {
    let as_host = Decoder::new(32, bytes, DecoderOptions::NONE).decode();
    if as_host.is_invalid() && instruction.is_invalid() {
        // Hosts differ in what a forbidden LOCK is checked after.
        let prefixes = bytes.iter().take_while(|b| is_prefix(**b)).count();
        let locked = bytes[..prefixes].contains(&0xF0);
        // Behind these a newer processor finds vector instructions, or calls of its hypervisor.
        let vector =
            matches!(bytes[prefixes..], [0x62 | 0x8F | 0xC4 | 0xC5, ..] | [0x0F, 0x01, ..]);
        return Some(if locked || vector { Kind::Lacking } else { Kind::Common });
    }
    if instruction.mnemonic() == Mnemonic::Cl1invmb {
        // The SCC's own.
        return None;
    }
    if !instruction.is_invalid() && !exists(instruction) {
        return Some(Kind::Lacking);
    }
    if as_host.code() != instruction.code() || !exists(&as_host) {
        return None;
    }
    use Mnemonic as M;
    match instruction.mnemonic() {
        // Different by nature, or answered by the operating system.
        // Some hypervisors report it at the instruction, not behind it.
        M::Int1 => None,
        M::Cpuid | M::Rdtsc | M::Sgdt | M::Sidt | M::Sldt | M::Str | M::Smsw => None,
        // System calls, and what only system management mode may do.
        M::Int if instruction.immediate8() == 0x80 => None,
        // A repeat prefix has no meaning there; some processors let it choose the condition.
        M::Loope | M::Loopne if repeats(instruction) => None,
        M::Call | M::Jmp if instruction.op_count() > 0 && is_far(instruction) => {
            Some(Kind::Selectors)
        }
        M::Retf | M::Iret | M::Iretd | M::Lar | M::Lsl | M::Verr | M::Verw => Some(Kind::Selectors),
        M::Lds | M::Les | M::Lfs | M::Lgs | M::Lss => Some(Kind::Selectors),
        _ if names_segment(instruction) => Some(Kind::Selectors),
        _ => Some(Kind::Common),
    }
}

fn repeats(instruction: &Instruction) -> bool {
    instruction.has_rep_prefix() || instruction.has_repne_prefix()
}

fn is_prefix(byte: u8) -> bool {
    matches!(byte, 0x26 | 0x2E | 0x36 | 0x3E | 0x64..=0x67 | 0xF0 | 0xF2 | 0xF3)
}

/// A far jump or call.
pub fn is_far(instruction: &Instruction) -> bool {
    instruction.is_jmp_far()
        || instruction.is_call_far()
        || instruction.is_jmp_far_indirect()
        || instruction.is_call_far_indirect()
}

/// Whether a segment register is an operand.
fn names_segment(instruction: &Instruction) -> bool {
    (0..instruction.op_count()).any(|i| instruction.op_register(i).is_segment_register())
}

/// Whether the P54C has the instruction (`intel-pentium-manual`, chapter 25).
fn exists(instruction: &Instruction) -> bool {
    use CpuidFeature as F;
    if instruction.code() == Code::Pause {
        return true;
    }
    instruction.cpuid_features().iter().all(|feature| {
        matches!(
            feature,
            F::INTEL8086
                | F::INTEL186
                | F::INTEL286
                | F::INTEL386
                | F::INTEL486
                | F::CPUID
                | F::TSC
                | F::MSR
                | F::CX8
                | F::SMM
                | F::FPU
                | F::FPU287
                | F::FPU387
        )
    })
}

/// Number of a general register, as instructions encode it.
pub fn number(register: Register) -> usize {
    register.full_register32().number()
}
