//! Random operands, with the edges of every format more often than chance would give them.

use crate::layout::FPU_BYTES;
use crate::random::Random;

/// Carry, parity, auxiliary, zero, sign, direction, overflow.
const STATUS_FLAGS: u32 = 0xCD5;
const NESTED_TASK: u32 = 1 << 14;
const ALIGNMENT_CHECK: u32 = 1 << 18;
const IDENTIFICATION: u32 = 1 << 21;
/// IF and bit 1 are set in every program.
const ALWAYS: u32 = 0x202;

/// A general register.
pub fn integer(random: &mut Random) -> u32 {
    const EDGES: [u32; 16] = [
        0,
        1,
        2,
        0x7F,
        0x80,
        0xFF,
        0x7FFF,
        0x8000,
        0xFFFF,
        0x7FFF_FFFF,
        0x8000_0000,
        0x8000_0001,
        0xFFFF_FFFF,
        0xFFFF_FF80,
        0xFFFF_8000,
        0x9999_9999,
    ];
    match random.below(4) {
        0 => random.pick(&EDGES),
        1 => random.u32() >> random.below(32),
        _ => random.u32(),
    }
}

/// EFLAGS as a program may have them, without TF.
pub fn eflags(random: &mut Random) -> u32 {
    let mut flags = ALWAYS | random.u32() & STATUS_FLAGS;
    for (flag, percent) in [(NESTED_TASK, 3), (ALIGNMENT_CHECK, 3), (IDENTIFICATION, 10)] {
        if random.chance(percent) {
            flags |= flag;
        }
    }
    flags
}

/// A byte of memory or of an immediate.
pub fn byte(random: &mut Random) -> u8 {
    if random.chance(30) { random.pick(&[0, 1, 0x7F, 0x80, 0xFF]) } else { random.u8() }
}

/// An 80-bit number: sign and exponent, significand.
pub fn extended(random: &mut Random) -> [u8; 10] {
    const EXPONENTS: [u16; 16] = [
        0, 0, 1, 2, 0x3FFE, 0x3FFF, 0x3FFF, 0x4000, 0x401E, 0x403E, 0x403F, 0x7FFE, 0x7FFF, 0x7FFF,
        0x3C00, 0x43FF,
    ];
    let sign = (random.u32() as u16) & 0x8000;
    let exponent = match random.below(8) {
        0..2 => random.pick(&EXPONENTS),
        2 => random.u32() as u16 & 0x7FFF,
        3 => (0x3FFF - 70) + random.below(140) as u16,
        _ => (0x3FFF - 8) + random.below(72) as u16,
    };
    let significand = match random.below(8) {
        0 => 0,
        1 => 1 << 63,
        2 => u64::MAX,
        3 => random.u64() << random.below(64),
        4 => random.u64() >> random.below(64),
        _ => random.u64(),
    };
    // Mostly normal: a set integer bit wherever the exponent is not zero.
    let integer_bit = if exponent != 0 && random.chance(95) { 1 << 63 } else { 0 };
    let mut bytes = [0; 10];
    bytes[..8].copy_from_slice(&(significand | integer_bit).to_le_bytes());
    bytes[8..].copy_from_slice(&(sign | exponent).to_le_bytes());
    bytes
}

/// A 64-bit number.
fn double(random: &mut Random) -> u64 {
    let exponent = match random.below(4) {
        0 => random.pick(&[0, 1, 0x3FE, 0x3FF, 0x400, 0x7FE, 0x7FF]),
        1 => u64::from(random.below(0x800)),
        _ => u64::from(0x3FF - 20 + random.below(60)),
    };
    random.u64() & 1 << 63 | exponent << 52 | fraction(random) >> 12
}

/// A 32-bit number.
fn single(random: &mut Random) -> u32 {
    let exponent = match random.below(4) {
        0 => random.pick(&[0, 1, 0x7E, 0x7F, 0x80, 0xFE, 0xFF]),
        1 => random.below(0x100),
        _ => 0x7F - 20 + random.below(60),
    };
    random.u32() & 1 << 31 | exponent << 23 | (fraction(random) >> 41) as u32
}

fn fraction(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => random.pick(&[0, u64::MAX, 1 << 63, 1 << 12, 1 << 41]),
        1 => random.u64() << random.below(64),
        _ => random.u64(),
    }
}

/// What an x87 instruction finds at its memory operand of `size` bytes.
pub fn x87_operand(random: &mut Random, size: usize, out: &mut [u8]) {
    let put = |out: &mut [u8], bytes: &[u8]| {
        for (to, from) in out.iter_mut().zip(bytes) {
            *to = *from;
        }
    };
    match size {
        4 => put(out, &single(random).to_le_bytes()),
        8 => put(out, &double(random).to_le_bytes()),
        10 if random.chance(50) => put(out, &packed_decimal(random)),
        10 => put(out, &extended(random)),
        FPU_BYTES => put(out, &fpu_image(random)),
        _ => {}
    }
}

fn packed_decimal(random: &mut Random) -> [u8; 10] {
    let mut bytes: [u8; 10] =
        std::array::from_fn(|_| (random.below(10) << 4 | random.below(10)) as u8);
    bytes[9] = (random.u8() & 0x80) | if random.chance(10) { random.u8() } else { 0 };
    bytes
}

/// An FRSTOR image.
pub fn fpu_image(random: &mut Random) -> [u8; FPU_BYTES] {
    let mut image = [0; FPU_BYTES];
    let masks = if random.chance(75) { 0x3F } else { random.u32() & 0x3F };
    let control = 0x40 | masks | random.below(16) << 8 | random.below(2) << 12;
    let pending = if random.chance(20) { random.u32() & 0x7F } else { 0 };
    let status = random.u32() & 0x7F00 | pending;
    // Physical registers that are empty.
    let empty = if random.chance(60) { 0 } else { random.u32() & random.u32() };
    let tags =
        (0..8).fold(0, |tags, i| if empty >> i & 1 == 0 { tags } else { tags | 3 << (2 * i) });
    let words = [control, status, tags, random.u32(), random.u32() & 0x07FF_FFFF, random.u32()];
    for (place, word) in image.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    for place in image[28..].chunks_exact_mut(10) {
        place.copy_from_slice(&extended(random));
    }
    image
}
