//! Every x87 instruction of the P5 against the x87 of an x86-64 host: registers, tags, status and
//! memory, over random operands and states, four roundings, three precisions, any masks.
//!
//! Not compared: transcendental results (tests/transcendental.rs has exact references; here they
//! must be within one unit of the host's), instruction and operand pointers (AMD and Intel differ),
//! and the condition codes that the manual calls undefined.
#![cfg(target_arch = "x86_64")]

use crate::common;

use std::arch::asm;

use common::Random;
use iced_x86::{Code, Decoder, DecoderOptions};
use rockcreek_x87::{
    Binary, Class, F80, Form, Fpu, IMAGE_BYTES, Op, Operand, Pushing, Unary, describe, execute,
};

/// An FNSAVE image in the 32-bit protected format.
type Image = [u8; IMAGE_BYTES];

/// Loads `image`, executes the two bytes with RCX at `memory`, and saves the state to `after`.
fn on_host<const B0: u8, const B1: u8>(image: &Image, memory: &mut Image, after: &mut Image) {
    // SAFETY: the three pointers are to 108 bytes each, the most that any x87 instruction
    // touches; the encodings used address memory through RCX only. FNSAVE leaves the unit
    // initialised, as the ABI wants it, and takes no pending exception.
    unsafe {
        asm!(
            "frstor [{image}]",
            ".byte {b0}, {b1}",
            "fnsave [{after}]",
            b0 = const B0,
            b1 = const B1,
            image = in(reg) image.as_ptr(),
            after = in(reg) after.as_mut_ptr(),
            in("rcx") memory.as_mut_ptr(),
            inout("rax") 0u64 => _,
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
        );
    }
}

type HostInstruction = fn(&Image, &mut Image, &mut Image);

/// All second bytes that are tried: memory operands at (RCX), and ST(0), ST(1), ST(2), ST(7) or,
/// for the rows that hold eight instructions, all.
macro_rules! encodings {
    ($($b0:literal: $($b1:literal)*;)*) => {
        [$($(([$b0, $b1], on_host::<$b0, $b1> as HostInstruction)),*),*]
    };
}

#[rustfmt::skip]
const ENCODINGS: [([u8; 2], HostInstruction); ENCODING_COUNT] = encodings! {
    0xD8: 0x01 0x09 0x11 0x19 0x21 0x29 0x31 0x39
          0xC0 0xC1 0xC2 0xCF 0xC8 0xC9 0xD0 0xD1 0xD7 0xD8 0xD9 0xE0 0xE1 0xE2 0xE8 0xE9 0xEA
          0xF0 0xF1 0xF2 0xF8 0xF9 0xFF;
    0xD9: 0x01 0x11 0x19 0x21 0x29 0x31 0x39
          0xC0 0xC1 0xC2 0xC7 0xC8 0xC9 0xCA 0xCF 0xD0 0xD9 0xDF 0xE0 0xE1 0xE4 0xE5
          0xE8 0xE9 0xEA 0xEB 0xEC 0xED 0xEE 0xF0 0xF1 0xF2 0xF3 0xF4 0xF5 0xF6 0xF7
          0xF8 0xF9 0xFA 0xFB 0xFC 0xFD 0xFE 0xFF;
    0xDA: 0x01 0x09 0x11 0x19 0x21 0x29 0x31 0x39 0xE9;
    0xDB: 0x01 0x11 0x19 0x29 0x39 0xE2 0xE3;
    0xDC: 0x01 0x09 0x11 0x19 0x21 0x29 0x31 0x39
          0xC0 0xC1 0xC2 0xC8 0xC9 0xCF 0xD0 0xD1 0xD8 0xD9 0xE0 0xE1 0xE2 0xE8 0xE9 0xEA
          0xF0 0xF1 0xF2 0xF8 0xF9 0xFF;
    0xDD: 0x01 0x11 0x19 0x21 0x31 0x39
          0xC0 0xC1 0xC7 0xC8 0xC9 0xD0 0xD1 0xD7 0xD8 0xD9 0xDF 0xE0 0xE1 0xE7 0xE8 0xE9 0xEA;
    0xDE: 0x01 0x09 0x11 0x19 0x21 0x29 0x31 0x39
          0xC0 0xC1 0xC2 0xC8 0xC9 0xCF 0xD0 0xD1 0xD9 0xE0 0xE1 0xE2 0xE8 0xE9 0xEA
          0xF0 0xF1 0xF2 0xF8 0xF9 0xFF;
    0xDF: 0x01 0x11 0x19 0x21 0x29 0x31 0x39 0xC0 0xC1 0xC8 0xC9 0xD0 0xD1 0xD8 0xD9 0xE0;
};
const ENCODING_COUNT: usize = 190;

fn decode(bytes: [u8; 2]) -> (Code, u8) {
    let instruction = Decoder::new(32, &bytes, DecoderOptions::NONE).decode();
    let register = if bytes[1] >= 0xC0 { bytes[1] & 7 } else { 0 };
    (instruction.code(), register)
}

/// A random state without pending exceptions.
fn random_image(random: &mut Random) -> Image {
    let mut fpu = Fpu::new();
    let control = random.control();
    fpu.set_control(control);
    fpu.set_status_word(random.next() as u16 & (control & 0x3F | 0x7F00));
    let pairs = random.next() as u16 & 0x5555;
    let empties = if random.one_in(3) { pairs & random.next() as u16 } else { 0 };
    // ST(7) is empty mostly, so that a push finds room.
    let top = fpu.status_word() >> 11 & 7;
    let room = if random.one_in(8) { 0 } else { 3u16 << (2 * ((top + 7) & 7)) };
    fpu.set_tag_word(room | empties | empties << 1);
    let tags = fpu.tag_word();
    for i in 0..8 {
        fpu.set_st(i, random.f80());
    }
    fpu.set_tag_word(tags);
    image_of(&fpu)
}

fn image_of(fpu: &Fpu) -> Image {
    let mut image = [0; IMAGE_BYTES];
    let operand = Operand { register: 0, memory: &[], protected: true };
    execute(&mut { *fpu }, Op::Save, operand, &mut image);
    image
}

fn fpu_of(image: &Image) -> Fpu {
    let mut fpu = Fpu::new();
    let operand = Operand { register: 0, memory: image, protected: true };
    execute(&mut fpu, Op::Restore, operand, &mut []);
    fpu
}

fn random_memory(random: &mut Random, form: &Form) -> Image {
    let mut memory = [0u8; IMAGE_BYTES];
    if form.read_bytes == IMAGE_BYTES as u8 || form.op == Op::LoadEnvironment {
        memory = random_image(random);
    } else if random.one_in(4) && matches!(form.read_bytes, 4 | 8) {
        // Edges of the short formats.
        let sign = random.next() & 1;
        let fraction = random.significand();
        if form.read_bytes == 4 {
            let exponent = [0, 1, 127, 254, 255][random.below(5) as usize];
            let bits = (sign << 31 | exponent << 23 | fraction >> 41) as u32;
            memory[..4].copy_from_slice(&bits.to_le_bytes());
        } else {
            let exponent = [0, 1, 1023, 2046, 2047][random.below(5) as usize];
            let bits = sign << 63 | exponent << 52 | fraction >> 12;
            memory[..8].copy_from_slice(&bits.to_le_bytes());
        }
    } else {
        for byte in &mut memory {
            *byte = random.next() as u8;
        }
        memory[..10].copy_from_slice(&random.f80().to_bytes());
        if form.read_bytes == 10 && random.one_in(2) {
            // Decimal digits, for FBLD.
            for byte in &mut memory[..9] {
                *byte = (random.below(10) << 4 | random.below(10)) as u8;
            }
        }
        if matches!(form.read_bytes, 4 | 8) && random.one_in(2) {
            let bits = random.next();
            memory[..8].copy_from_slice(&bits.to_le_bytes());
        }
    }
    memory
}

fn is_transcendental(op: Op) -> bool {
    matches!(
        op,
        Op::Unary(Unary::TwoToXMinusOne | Unary::Sin | Unary::Cos)
            | Op::Binary(Binary::YLog2X | Binary::YLog2XPlus1 | Binary::ArcTangent)
            | Op::Pushing(Pushing::SinCos | Pushing::Tangent)
    )
}

/// Status bits that the manual defines after this instruction.
fn defined_status(op: Op) -> u16 {
    match op {
        Op::Compare { .. }
        | Op::Examine
        | Op::Binary(Binary::Remainder | Binary::RemainderNearest) => 0xFFFF,
        Op::Unary(Unary::Sin | Unary::Cos) | Op::Pushing(Pushing::SinCos | Pushing::Tangent) => {
            !0x4100
        }
        _ => !0x4500,
    }
}

fn show(fpu: &Fpu, status: u16) -> String {
    let st: Vec<String> = (0..8)
        .map(|i| format!("{:04X}:{:016X}", fpu.st(i).sign_exponent, fpu.st(i).significand))
        .collect();
    let (control, tags) = (fpu.control(), fpu.tag_word());
    format!("cw {control:04X} sw {status:04X} tw {tags:04X} {}", st.join(" "))
}

struct Case {
    before: Image,
    memory: Image,
}

/// Runs a case here and on the host; a description of the difference, if any.
fn difference(bytes: [u8; 2], host: HostInstruction, form: &Form, case: &Case) -> Option<String> {
    let mut host_memory = case.memory;
    let mut host_after = [0; IMAGE_BYTES];
    host(&case.before, &mut host_memory, &mut host_after);
    let mut fpu = fpu_of(&case.before);
    let mut store = [0; IMAGE_BYTES];
    let operand = Operand {
        register: decode(bytes).1,
        memory: &case.memory[..usize::from(form.read_bytes)],
        protected: true,
    };
    let written = &mut store[..usize::from(form.write_bytes)];
    let outcome = execute(&mut fpu, form.op, operand, written);
    let mut memory = case.memory;
    let stored = usize::from(outcome.stored);
    memory[..stored].copy_from_slice(&store[..stored]);
    if matches!(form.op, Op::StoreEnvironment | Op::Save) {
        // Pointers and opcode: bytes 12 to 27.
        memory[12..28].fill(0);
        host_memory[12..28].fill(0);
    }
    if passes_denormal(form.op, &fpu_of(&case.before)) {
        return None;
    }
    let (ours, theirs) = (fpu, fpu_of(&host_after));
    let word = |image: &Image| u16::from_le_bytes([image[4], image[5]]);
    let mask = defined_status(form.op);
    let same = ours.control() == theirs.control()
        && (ours.status_word() ^ word(&host_after)) & mask == 0
        && ours.tag_word() == theirs.tag_word()
        && (0..8).all(|i| ours.st(i) == theirs.st(i))
        && memory == host_memory;
    if same {
        return None;
    }
    let before = fpu_of(&case.before);
    Some(format!(
        "{:02X} {:02X} {:?}\n before {}\n memory {:02X?}\n ours   {}\n stored {:02X?}\n host   {}\n stored {:02X?}",
        bytes[0],
        bytes[1],
        decode(bytes).0,
        show(&before, before.status_word()),
        &case.memory[..10],
        show(&ours, ours.status_word()),
        &memory[..28],
        show(&theirs, word(&host_after)),
        &host_memory[..28],
    ))
}

/// The remainder by infinity is the dividend, and a number scaled by 0 that number: if it is
/// denormal and underflow unmasked, AMD hosts raise that exception and Intel hosts do not.
fn passes_denormal(op: Op, before: &Fpu) -> bool {
    let kept_by = match op {
        Op::Binary(Binary::Remainder | Binary::RemainderNearest) => Class::Infinity,
        Op::Binary(Binary::Scale) => Class::Zero,
        _ => return false,
    };
    !masks_underflow(before)
        && before.st(0).class() == Class::Denormal
        && before.st(1).class() == kept_by
}

fn masks_underflow(fpu: &Fpu) -> bool {
    fpu.control() & 0x0010 != 0
}

/// Distance in units in the last place of two values of the same sign; `None` if not comparable.
fn distance(a: F80, b: F80) -> Option<u64> {
    if a == b {
        return Some(0);
    }
    let finite = |v: F80| matches!(v.class(), Class::Zero | Class::Normal | Class::Denormal);
    if !finite(a) || !finite(b) || a.sign() != b.sign() {
        return None;
    }
    let place = |v: F80| {
        let exponent = u128::from(v.sign_exponent & 0x7FFF).max(1);
        (exponent << 63) + u128::from(v.significand)
    };
    u64::try_from(place(a).abs_diff(place(b))).ok()
}

/// A number from the environment: RCK_X87_CASES (of each encoding) and RCK_X87_SEED (not 0) make
/// longer and other runs.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |n| n.parse().expect("a number"))
}

/// Runs `check` on random cases of the encodings that `select` takes.
fn for_each_case(
    select: fn(Op) -> bool,
    check: impl Fn([u8; 2], HostInstruction, &Form, &Case) -> Option<String>,
) {
    let mut random = Random(setting("RCK_X87_SEED", 0x1234_5678_9ABC_DEF1));
    let cases = setting("RCK_X87_CASES", 12_000);
    let mut failures = vec![];
    for (bytes, host) in ENCODINGS {
        let form = describe(decode(bytes).0).unwrap_or_else(|| panic!("{bytes:02X?}"));
        if !select(form.op) {
            continue;
        }
        for _ in 0..cases {
            let before = random_image(&mut random);
            let memory = random_memory(&mut random, &form);
            if let Some(text) = check(bytes, host, &form, &Case { before, memory }) {
                failures.push(text);
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn all_but_the_transcendental_instructions_agree_with_the_host() {
    for_each_case(|op| !is_transcendental(op), difference);
}

#[test]
fn transcendental_instructions_are_near_the_host_with_the_same_exceptions() {
    for_each_case(is_transcendental, transcendental_difference);
}

/// As [`difference`], but results may differ in the last place, and so may C1.
fn transcendental_difference(
    bytes: [u8; 2],
    host: HostInstruction,
    form: &Form,
    case: &Case,
) -> Option<String> {
    let (mut memory, mut after) = (case.memory, [0; IMAGE_BYTES]);
    host(&case.before, &mut memory, &mut after);
    let (before, theirs) = (fpu_of(&case.before), fpu_of(&after));
    let mut ours = before;
    let operand = Operand { register: 0, memory: &[], protected: true };
    execute(&mut ours, form.op, operand, &mut []);
    let x = before.st(0);
    // The last place decides whether a result just below the least normal number underflows.
    let tiny = x.exponent() <= 1;
    let open = match form.op {
        _ if tiny && !masks_underflow(&before) => true,
        // The manual leaves results for operands of 1 and more open; here also -1 and 1.
        Op::Unary(Unary::TwoToXMinusOne) => x.exponent() >= 0x3FFF,
        // From 1 - sqrt(1/2) on.
        Op::Binary(Binary::YLog2XPlus1) => x.exponent() >= 0x3FFD,
        _ => false,
    };
    const C1: u16 = 0x0200;
    const INEXACT: u16 = 0x0030;
    const UNDERFLOW: u16 = 0x0010;
    // The logarithm of a power of two is exact, but an AMD host calls it inexact.
    let exact = form.op == Op::Binary(Binary::YLog2X) && x.significand.is_power_of_two();
    let mask = defined_status(form.op) & !C1 & if exact { !INEXACT } else { !0 };
    let mask = if tiny { mask & !UNDERFLOW } else { mask };
    let status = u16::from_le_bytes([after[4], after[5]]);
    let near = (0..8).all(|i| distance(ours.st(i), theirs.st(i)).is_some_and(|d| d <= 1));
    let same = near
        && empty(ours.tag_word()) == empty(theirs.tag_word())
        && (ours.status_word() ^ status) & mask & !summary(exact || tiny) == 0;
    (!open && !same).then(|| {
        let (a, b) = (show(&ours, ours.status_word()), show(&theirs, status));
        let before = show(&before, before.status_word());
        format!("{:?}\n before {before}\n ours   {a}\n host   {b}", decode(bytes).0)
    })
}

/// Which registers are empty: whether one is zero or denormal may depend on its last place.
fn empty(tags: u16) -> u16 {
    tags & tags >> 1 & 0x5555
}

/// ES and B, which follow the flags that are not compared.
fn summary(ignored: bool) -> u16 {
    if ignored { 0x8080 } else { 0 }
}
