//! Compares what the host and the virtual core made of a case, but for the reviewed table and what
//! this file excuses, each of which has its row in `undefined.toml`.

use iced_x86::{Instruction, Mnemonic, OpKind};
use rockcreek_x87::F80;

use crate::case::{Case, Fault, Outcome, PAGE_FAULT};
use crate::contents;
use crate::generate::{decode, number};
use crate::layout;
use crate::mask::{self, Mask};
use crate::steer;

/// Of EFLAGS: all but RF, which a processor sets in the image of a fault.
const COMPARED_FLAGS: u32 = 0x3F_7FD7 & !(1 << 16);
const ZERO_FLAG: u32 = 1 << 6;
/// CF, PF, AF, ZF, SF and OF.
const ARITHMETIC_FLAGS: u32 = 0x8D5;
const ALIGNMENT: u32 = 17;
const PROTECTION: u32 = 13;
const STACK: u32 = 12;
const DIVIDE: u32 = 0;
const BOUND: u32 = 5;
/// Status word bits that follow from others: ES and B.
const SUMMARY: u16 = 0x8080;
const C2: u16 = 1 << 10;

/// Which fields of an FNSAVE image hold what.
mod image {
    pub const CONTROL: usize = 0;
    pub const STATUS: usize = 4;
    pub const TAGS: usize = 8;
    pub const REGISTERS: usize = 28;
}

/// The differences that count, in words; empty if there are none.
pub fn differences(case: &Case, host: &Outcome, ours: &Outcome) -> Vec<String> {
    let instruction = decode(&case.bytes, case.entry());
    if excused(case, &instruction, host, ours) {
        return Vec::new();
    }
    let mut found = Found(Vec::new());
    let fault = host.fault.map(|fault| fault.vector);
    // rule in-parts
    let in_parts = fault == Some(PAGE_FAULT) && is_in_parts(&instruction);
    match (host.fault, ours.fault) {
        (Some(theirs), Some(mine)) if in_parts && theirs.vector == mine.vector => {}
        _ => found.compare(
            "exception",
            &comparable(host, &instruction),
            &comparable(ours, &instruction),
        ),
    }
    found.compare_hex("eip", host.eip, ours.eip);
    let mut mask = mask::mask(case, &instruction, host.eflags & ZERO_FLAG != 0);
    if fault.is_some_and(|vector| vector != DIVIDE) {
        mask = Mask::default();
    }
    if fault.is_some() && is_repeated_comparison(&instruction) {
        // rule repeated-comparison
        mask.eflags |= ARITHMETIC_FLAGS;
    }
    let flags = COMPARED_FLAGS & !mask.eflags;
    found.compare_hex("eflags", host.eflags & flags, ours.eflags & flags);
    let skipped = mask.destination.then(|| destination(&instruction)).flatten();
    // rule popa: how far it came before its page fault.
    let popa = in_parts && matches!(instruction.mnemonic(), Mnemonic::Popa | Mnemonic::Popad);
    for (i, name) in NAMES.iter().enumerate().filter(|(i, _)| Some(*i) != skipped && !popa) {
        found.compare_hex(name, host.general[i], ours.general[i]);
    }
    if fault.is_none() {
        // rule null-selector
        let visible = |segments: [u16; 4]| segments.map(|s| if s <= 3 { 0 } else { s });
        found.compare("ds, es, fs, gs", &visible(host.segments), &visible(ours.segments));
    }
    compare_x87(&mut found, case, &instruction, host, ours, mask.status);
    let to_memory = mask.destination && instruction.op0_kind() == OpKind::Memory;
    if !to_memory && !in_parts {
        compare_memory(&mut found, case, &instruction, host, ours);
    }
    found.0
}

/// The exception without the bits of its error code that a P54C does not have.
fn comparable(outcome: &Outcome, instruction: &Instruction) -> Option<Fault> {
    let fault = outcome.fault?;
    if fault.vector != PAGE_FAULT {
        return Some(fault);
    }
    // rule no-execute, and rule arpl
    let write = if instruction.mnemonic() == Mnemonic::Arpl { PAGE_FAULT_WRITE } else { 0 };
    Some(Fault { error: fault.error & PAGE_FAULT_BITS & !write, ..fault })
}

/// Present, write, user.
const PAGE_FAULT_BITS: u32 = 7;
const PAGE_FAULT_WRITE: u32 = 2;

const NAMES: [&str; 8] = ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"];

struct Found(Vec<String>);

impl Found {
    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, host: &T, ours: &T) {
        if host != ours {
            self.0.push(format!("{what}: host {host:x?}, ours {ours:x?}"));
        }
    }

    fn compare_hex(&mut self, what: &str, host: u32, ours: u32) {
        if host != ours {
            self.0.push(format!("{what}: host {host:08x}, ours {ours:08x}"));
        }
    }
}

/// Cases in which the order of two faults of one instruction decides.
fn excused(case: &Case, instruction: &Instruction, host: &Outcome, ours: &Outcome) -> bool {
    // rule arpl: whether it must be able to write what it does not change.
    if instruction.mnemonic() == Mnemonic::Arpl && host.fault != ours.fault {
        return ours.fault.is_some();
    }
    // rule selector-on-the-stack
    let misaligned = |address: u32| !address.is_multiple_of(4);
    if host.fault != ours.fault && selector_on_stack(case, instruction).is_some_and(misaligned) {
        return true;
    }
    // rule fault-priority: a store that raises an unmasked x87 exception, at a bad address.
    if is_x87_store(instruction)
        && (raises(host) && ours.fault.is_some() || raises(ours) && host.fault.is_some())
    {
        return true;
    }
    let (Some(theirs), Some(mine)) = (host.fault, ours.fault) else { return false };
    let both = [theirs.vector, mine.vector];
    // rule fault-priority: an address that is both misaligned and unmapped.
    if both.contains(&ALIGNMENT) && both.contains(&PAGE_FAULT) {
        return true;
    }
    // rule fault-priority: a lower bound that is broken, an upper one that is not there.
    if both.contains(&BOUND) && both.contains(&PAGE_FAULT) {
        return true;
    }
    // rule fault-priority: two operands, one of which breaks a segment and one a page.
    let segment = [PROTECTION, STACK, ALIGNMENT];
    let crossed = segment.iter().any(|v| both.contains(v)) && theirs.vector != mine.vector;
    crossed && is_in_parts(instruction)
}

/// True if the case ends without a fault, with an unmasked x87 exception for the next instruction
/// to report.
fn raises(outcome: &Outcome) -> bool {
    outcome.fault.is_none() && half(&outcome.fpu, image::STATUS) & SUMMARY != 0
}

/// Where an instruction of 32 bits pushes or pops a selector.
fn selector_on_stack(case: &Case, instruction: &Instruction) -> Option<u32> {
    use Mnemonic as M;
    let segment = instruction.op0_kind() == OpKind::Register
        && instruction.op0_register().is_segment_register();
    let offset = match instruction.mnemonic() {
        M::Push if segment => -4,
        M::Pop if segment => 0,
        M::Retf | M::Iretd => 4,
        _ => return None,
    };
    Some(case.general[ESP].wrapping_add_signed(offset))
}

fn is_x87_store(instruction: &Instruction) -> bool {
    use Mnemonic as M;
    matches!(instruction.mnemonic(), M::Fst | M::Fstp | M::Fist | M::Fistp | M::Fbstp)
}

/// Instructions with several operands in memory, or with one that is stored in parts.
fn is_in_parts(instruction: &Instruction) -> bool {
    use Mnemonic as M;
    let images = [
        M::Fldenv,
        M::Fnstenv,
        M::Frstor,
        M::Fnsave,
        M::Fstenv,
        M::Fsave,
        M::Fbstp,
        M::Fstp,
        M::Fld,
    ];
    let operands = (0..instruction.op_count())
        .filter(|&i| {
            !matches!(
                instruction.op_kind(i),
                OpKind::Register | OpKind::Immediate8 | OpKind::Immediate32 | OpKind::Immediate16
            )
        })
        .count();
    images.contains(&instruction.mnemonic()) || instruction.is_stack_instruction() || operands > 1
}

fn is_repeated_comparison(instruction: &Instruction) -> bool {
    use Mnemonic as M;
    let compares = matches!(
        instruction.mnemonic(),
        M::Cmpsb | M::Cmpsw | M::Cmpsd | M::Scasb | M::Scasw | M::Scasd
    );
    compares && (instruction.has_repe_prefix() || instruction.has_repne_prefix())
}

fn destination(instruction: &Instruction) -> Option<usize> {
    (instruction.op_count() > 0 && instruction.op0_kind() == OpKind::Register)
        .then(|| number(instruction.op0_register()))
}

fn half(image: &[u8], place: usize) -> u16 {
    u16::from_le_bytes([image[place], image[place + 1]])
}

fn register(image: &[u8], i: usize) -> F80 {
    let bytes = &image[image::REGISTERS + 10 * i..][..10];
    let significand = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"));
    F80 { significand, sign_exponent: half(bytes, 8) }
}

fn compare_x87(
    found: &mut Found,
    case: &Case,
    instruction: &Instruction,
    host: &Outcome,
    ours: &Outcome,
    masked: u16,
) {
    let (theirs, mine) = (&host.fpu[..], &ours.fpu[..]);
    let mut masked = masked;
    let transcendental = is_transcendental(instruction.mnemonic());
    if transcendental {
        // rule transcendental
        masked |= TRANSCENDENTAL_STATUS;
    }
    // rule partial-remainder
    let partial = matches!(instruction.mnemonic(), Mnemonic::Fprem | Mnemonic::Fprem1)
        && half(theirs, image::STATUS) & half(mine, image::STATUS) & C2 != 0;
    if host.fault.is_none() && (partial || outside_domain(case, instruction)) {
        return;
    }
    let masks = half(mine, image::CONTROL);
    if masked & !masks & 0x3F != 0 {
        masked |= SUMMARY;
    }
    // rule transcendental: zero, denormal or normal; but empty is empty.
    let empty = empty(half(theirs, image::TAGS)) | empty(half(mine, image::TAGS));
    let tags = if transcendental { !(empty | empty << 1) } else { 0 };
    let words = [
        ("x87 control", image::CONTROL, 0),
        ("x87 status", image::STATUS, masked),
        ("x87 tags", image::TAGS, tags),
    ];
    for (what, place, ignored) in words {
        let (a, b) = (half(theirs, place) & !ignored, half(mine, place) & !ignored);
        found.compare_hex(what, a.into(), b.into());
    }
    for i in 0..8 {
        let (a, b) = (register(theirs, i), register(mine, i));
        let close = transcendental && distance(a, b) <= TRANSCENDENTAL_ULPS;
        if a != b && !close {
            let show = |one: F80| format!("{:04x}:{:016x}", one.sign_exponent, one.significand);
            found.0.push(format!("st({i}): host {}, ours {}", show(a), show(b)));
        }
    }
}

/// The lower tag bits of the registers that are empty.
fn empty(tags: u16) -> u16 {
    tags & tags >> 1 & 0x5555
}

/// rule domain: operands for which the manual promises nothing.
fn outside_domain(case: &Case, instruction: &Instruction) -> bool {
    let F80 { sign_exponent: sign, significand } = register(&case.fpu, 0);
    let (exponent, negative) = (sign & 0x7FFF, sign & 0x8000 != 0);
    let one = exponent == ONE && significand == 1 << 63;
    match instruction.mnemonic() {
        Mnemonic::F2xm1 => exponent >= ONE && !one,
        // From -(1 - sqrt(1/2)) to sqrt(2) - 1.
        Mnemonic::Fyl2xp1 => {
            let limit = if negative { NEGATIVE_LIMIT } else { POSITIVE_LIMIT };
            (exponent, significand) > limit
        }
        Mnemonic::Fbld => steer::effective_address(case, instruction).is_some_and(|at| {
            let digits: [u8; 9] = contents::peek(case, at);
            digits.iter().any(|byte| byte & 0xF > 9 || byte >> 4 > 9)
        }),
        _ => false,
    }
}

/// Biased exponent of 1.0.
const ONE: u16 = 0x3FFF;
/// 1 - sqrt(1/2) and sqrt(2) - 1, rounded down.
const NEGATIVE_LIMIT: (u16, u64) = (0x3FFD, 0x95F6_1998_0C43_36F7);
const POSITIVE_LIMIT: (u16, u64) = (0x3FFD, 0xD413_CCCF_E779_9211);

/// Each side is within one unit in the last place of the true value.
const TRANSCENDENTAL_ULPS: u64 = 2;
/// Precision and underflow, and whether the result was rounded up.
const TRANSCENDENTAL_STATUS: u16 = 1 << 4 | 1 << 5 | 1 << 9;

fn is_transcendental(mnemonic: Mnemonic) -> bool {
    use Mnemonic as M;
    matches!(
        mnemonic,
        M::F2xm1 | M::Fyl2x | M::Fyl2xp1 | M::Fptan | M::Fpatan | M::Fsin | M::Fcos | M::Fsincos
    )
}

/// Units in the last place between two numbers of the same sign.
fn distance(a: F80, b: F80) -> u64 {
    let order = |one: F80| {
        i128::from(one.sign_exponent & 0x7FFF) << 63 | i128::from(one.significand & !(1 << 63))
    };
    if (a.sign_exponent ^ b.sign_exponent) & 0x8000 != 0 {
        return u64::MAX;
    }
    u64::try_from((order(a) - order(b)).unsigned_abs()).unwrap_or(u64::MAX)
}

fn compare_memory(
    found: &mut Found,
    case: &Case,
    instruction: &Instruction,
    host: &Outcome,
    ours: &Outcome,
) {
    let ignored = ignored_memory(case, instruction);
    let different = |i: &usize| host.window[*i] != ours.window[*i] && !ignored.contains(i);
    let places: Vec<usize> = (0..layout::WINDOW_BYTES).filter(different).collect();
    if places.is_empty() {
        return;
    }
    let bytes = |window: &[u8]| places.iter().map(|&i| window[i]).collect::<Vec<u8>>();
    let (theirs, mine) = (bytes(&host.window), bytes(&ours.window));
    let first = case.window_address + places[0] as u32;
    found.0.push(format!(
        "memory from {first:08x} (+{:?}): host {theirs:02x?}, ours {mine:02x?}",
        places.iter().map(|place| place - places[0]).collect::<Vec<_>>()
    ));
}

/// Places in the window that hold what is not compared.
fn ignored_memory(case: &Case, instruction: &Instruction) -> std::ops::Range<usize> {
    use Mnemonic as M;
    let start = |address: u32| address.wrapping_sub(case.window_address) as usize;
    if matches!(instruction.mnemonic(), M::Fnstenv | M::Fnsave)
        && let Some(address) = steer::effective_address(case, instruction)
    {
        // rule stored-pointers
        let short = matches!(instruction.memory_size().size(), 14 | 94);
        let (from, to) = if short { (6, 14) } else { (12, 28) };
        return start(address).saturating_add(from)..start(address).saturating_add(to);
    }
    if instruction.mnemonic() == M::Push
        && let Some(pushed) = selector_on_stack(case, instruction)
    {
        // rule selector-on-the-stack
        let upper = start(pushed.wrapping_add(2));
        return upper..upper.saturating_add(2);
    }
    0..0
}

const ESP: usize = 4;
