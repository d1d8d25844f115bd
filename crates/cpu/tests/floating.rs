//! Compares translated x87 code with the interpreter: after any number of clocks, and at any wait,
//! registers, flags, pointers, clocks and counters are equal.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::ends::{End, cases};
use common::{Bench, CODE, STACK};
use proptest::prelude::*;
use rockcreek_cpu::{CodeCache, gpr};

/// The addresses of operands: 8-byte numbers, then 4-byte ones, then control words.
const DATA: u32 = 0x2_0000;
const SHORT: u8 = 0x40;
const CONTROLS: u32 = DATA + 0x400;
/// The address of operands in other lines and pages.
const FAR: u32 = 0x3_0000;

/// 64-bit numbers of all classes.
const NUMBERS: [u64; 16] = [
    0x3FF0_0000_0000_0000, // 1
    0x4008_0000_0000_0000, // 3
    0xBFB9_9999_9999_999A, // -0.1
    0x4024_5555_5555_5555,
    0x0000_0000_0000_0000,
    0x8000_0000_0000_0000,
    0x7FF0_0000_0000_0000, // infinities
    0xFFF0_0000_0000_0000,
    0x7FF8_0000_0000_1234, // quiet, then signalling
    0x7FF0_0000_0000_0001,
    0x0000_0000_0000_0001, // denormal
    0x800F_FFFF_FFFF_FFFF,
    0x7FEF_FFFF_FFFF_FFFF, // the largest
    0x0010_0000_0000_0000, // the smallest normal
    0x41DF_FFFF_FFE0_0000, // 2^31 - 0.5
    0xC3E0_0000_0000_0000, // -2^63
];

/// F2XM1, FYL2X, FPTAN, FPATAN, FXTRACT, FPREM1, FPREM, FYL2XP1, FSINCOS, FSCALE, FSIN, FCOS
const FUNCTIONS: [u8; 12] =
    [0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF8, 0xF9, 0xFB, 0xFD, 0xFE, 0xFF];

/// A memory operand with this digit in ModRM: [esi + disp8] among the numbers, or [disp32]
/// elsewhere.
fn operand(digit: u8, how: u8, value: u8, wide: bool) -> Vec<u8> {
    let ragged = match how >> 4 {
        0x1 => how & 3,
        0x2 | 0xD => 4,
        0xE => how & 7,
        _ => 0,
    };
    if how & 0xC0 == 0xC0 {
        let mut bytes = vec![0x05 | digit << 3];
        // More lines of one L1D set than it has ways, so that some are only in L2.
        let page = 0x1000 * u32::from(how & 15);
        let line = u32::from(value & 0x38);
        bytes.extend((FAR + page + line + u32::from(ragged)).to_le_bytes());
        return bytes;
    }
    let at = if wide { value & 0x38 } else { SHORT | value & 0x3C };
    vec![0x46 | digit << 3, at + ragged]
}

/// One or two instructions.
#[expect(clippy::too_many_lines, reason = "a table of instructions")]
fn instruction([what, how, value, more]: [u8; 4]) -> Vec<u8> {
    let digit = more & 7;
    let i = if value & 0xC0 == 0 { value & 7 } else { value & 3 };
    let memory = |escape: u8, digit: u8, wide: bool| {
        let mut code = vec![escape];
        code.extend(operand(digit, how, value, wide));
        code
    };
    match what % 72 {
        64..=67 => vec![0xD9, FUNCTIONS[usize::from(more) % FUNCTIONS.len()]],
        68..=69 => memory(0xDB, 5, true),
        70 => memory(0xDB, 7, true),
        71 => memory(0xDD, [0, 2, 3, 3][usize::from(more & 3)], true),
        0..=5 => memory(0xDC, digit, true),
        6..=7 => memory(0xD8, digit, false),
        8 => memory(0xDA, digit, false),
        9 => memory(0xDE, digit, false),
        10..=14 => vec![0xD8, 0xC0 | digit << 3 | i],
        15..=18 => vec![0xDC, [0xC0, 0xC8, 0xE0, 0xE8, 0xF0, 0xF8][usize::from(digit % 6)] | i],
        19..=23 => vec![0xDE, [0xC0, 0xC8, 0xE0, 0xE8, 0xF0, 0xF8][usize::from(digit % 6)] | i],
        24..=30 => memory(0xDD, 0, true),
        31 => memory(0xD9, 0, false),
        32 => memory(0xDB, 0, false),
        33 => memory(0xDF, (more & 1) * 5, true),
        34..=37 => memory(0xDD, 2 | more & 1, true),
        38 => memory(0xD9, 2 | more & 1, false),
        39 => memory(0xDB, 2 | more & 1, false),
        40 => memory(0xDF, [2, 3, 7, 7][usize::from(more & 3)], true),
        41 => vec![0xD9, 0xE8 + (more % 7)],
        42..=43 => vec![0xD9, 0xC0 | i],
        44..=46 => vec![0xD9, 0xC8 | i],
        47..=48 => vec![0xDD, 0xD0 | (more & 1) << 3 | i],
        49 => vec![0xDD, 0xE0 | (more & 1) << 3 | i],
        50 => [vec![0xDA, 0xE9], vec![0xDE, 0xD9]][usize::from(more & 1)].clone(),
        51 => vec![0xD9, [0xE4, 0xE5, 0xE0, 0xE1][usize::from(more & 3)]],
        52 => vec![0xD9, [0xFA, 0xFC][usize::from(more & 1)]],
        53 => match more & 15 {
            0..=3 => vec![0xDD, 0xC0 | i],
            4..=5 => vec![0xD9, 0xF6 | more & 1],
            6 => vec![0xDB, 0xE2],
            7 => vec![0xDB, 0xE3],
            8 => vec![0xD9, [0xFE, 0xF2, 0xF8, 0xFD][usize::from(value & 3)]],
            9 => memory(0xDB, 5, true),
            10 => memory(0xDB, 7, true),
            11 => vec![0x9B],
            12 => vec![0xD9, 0xD0],
            13 => memory(0xDD, 7, false),
            _ => vec![0xD9, 0xC9, 0xD9, 0xC9],
        },
        // The code that a compiler generates for a comparison.
        54..=55 => vec![0xDF, 0xE0, 0x9E, 0x70 | more & 15, 0x01, 0x43],
        56 => vec![0xDF, 0xE0],
        // FLDCW, in most cases of a word that masks all exceptions.
        57 => {
            let mut code = vec![0xD9, 0x2D];
            code.extend((CONTROLS + 2 * u32::from(value & 15)).to_le_bytes());
            code
        }
        58 => memory(0xD9, 7, false),
        59 => vec![0x43, 0x0F, 0xAF, 0xD3],
        60 => {
            let mut code = vec![[0x8B, 0x89, 0x88, 0xC7][usize::from(more & 3)]];
            let digit = [2, 2, 2 | more & 4, 0][usize::from(more & 3)];
            code.extend(operand(digit, how, value, false));
            let number = [0, 4][usize::from(more & 3 == 3)];
            code.extend(&[value, 0, 0xF0, 0x3F][..number]);
            code
        }
        61 => {
            // Two accesses that pair.
            let what = [0x8B, 0x89][usize::from(more & 1)];
            let (mut near, mut other) = (vec![what, 0x56, value & 0x7C], vec![what]);
            other.extend(operand(3, how, value, false));
            if more & 2 != 0 {
                std::mem::swap(&mut near, &mut other);
            }
            let mut code = near;
            code.extend(other);
            code
        }
        62 => vec![0x83, 0xC3, value, 0x6A, value, 0x5A],
        // A jump over the next instruction, taken or not.
        _ => vec![0xF6, 0xC3, value, 0x74, 0x02, 0xD9, 0xE0],
    }
}

/// A loop around the instructions, counted in EBP.
fn program(choices: &[[u8; 4]], depth: u8, rounds: u8) -> Vec<u8> {
    let body: Vec<u8> = choices.iter().flat_map(|&choice| instruction(choice)).collect();
    let mut code = vec![0xDB, 0xE3, 0xD9, 0x2D];
    code.extend(CONTROLS.to_le_bytes());
    for n in 0..depth {
        code.extend([0xDD, 0x46, 8 * n]);
    }
    code.push(0xBD);
    code.extend(u32::from(rounds).to_le_bytes());
    code.extend(&body);
    // dec ebp; jnz start
    code.push(0x4D);
    code.extend([0x0F, 0x85]);
    code.extend((-(body.len() as i32 + 7)).to_le_bytes());
    code.push(0xF4);
    code
}

/// The initial values of a case.
#[derive(Clone, Debug)]
struct Setting {
    paged: bool,
    user: bool,
    control: u16,
    cr0: u32,
    numbers: [u8; 8],
}

fn bench(code: &[u8], setting: &Setting, heat: Option<u8>) -> Bench {
    let mut bench = if setting.paged { Bench::paged(code) } else { Bench::protected(code) };
    bench.code = CodeCache::new();
    bench.code.set_translation(heat);
    if setting.user {
        bench.enter_user();
    }
    for (n, &choice) in (0..).zip(&setting.numbers) {
        let number = NUMBERS[usize::from(choice & 15)];
        bench.put(DATA + 8 * n, &number.to_le_bytes());
        let short = [0x3F80_0000, 0xC120_0000, 3, 0x7F80_0001, 0x8000_0000, 0x1234_5678, 1, 0x4B00];
        bench.put_word(DATA + u32::from(SHORT) + 4 * n, short[usize::from(choice >> 5)]);
        bench.put_word(DATA + u32::from(SHORT) + 0x20 + 4 * n, u32::from(choice) * 0x0101_0101);
    }
    for n in 0..16u16 {
        // Every rounding mode; precision and masks in most cases as in the initial control word.
        let precision = if n > 11 { (n & 3) << 8 } else { setting.control & 0x300 };
        let masks = if n == 7 { 0x3F ^ 1 << (setting.control & 5) } else { 0x3F };
        let first = if n == 0 { setting.control } else { precision | masks | (n & 3) << 10 };
        bench.put(CONTROLS + 2 * u32::from(n), &first.to_le_bytes());
    }
    for n in 0..1280 {
        let number = NUMBERS[usize::from(setting.numbers[n as usize % 8] & 3)];
        bench.put(FAR + 8 * n, &number.to_le_bytes());
    }
    bench.set(|all| {
        all.general = [1, 5, 0x8000_0000, 0x1234_5678, STACK, 0, DATA, 0xFFFF];
        all.general[gpr::ESP] = STACK;
        all.eip = CODE;
        all.cr0 |= setting.cr0;
    });
    bench
}

fn settings() -> impl Strategy<Value = Setting> {
    let masks = prop_oneof![12 => Just(0x3F), 1 => 0u16..0x40];
    let control = (masks, 0..4u16, 0..4u16).prop_map(|(masks, pc, rc)| masks | pc << 8 | rc << 10);
    // MP, EM, TS, NE
    let cr0 = prop_oneof![12 => Just(0x20), 1 => (0..16u32).prop_map(|bits| bits << 1 & 0xE | bits << 2 & 0x20)];
    let all = (any::<bool>(), any::<bool>(), control, cr0, any::<[u8; 8]>());
    all.prop_map(|(paged, user, control, cr0, numbers)| Setting {
        paged,
        user,
        control,
        cr0,
        numbers,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]
    #[test]
    fn any_loop_ends_in_the_same_state(
        choices in prop::collection::vec(any::<[u8; 4]>(), 1..30),
        depth in 0..7u8,
        rounds in 2..60u8,
        setting in settings(),
        cut in 1..20_000u64,
    ) {
        let code = program(&choices, depth, rounds);
        let cuts = [cut / 3, cut / 2, cut, 1_000_000];
        let to = |heat| End::after(bench(&code, &setting, heat), &cuts);
        let (interpreted, translated) = (to(None), to(Some(1)));
        prop_assert_eq!(interpreted.seen, translated.seen);
        prop_assert!(interpreted.snapshot == translated.snapshot, "TLBs, caches or times differ");
    }

    /// Any loop, stopped at a transaction within an instruction.
    #[test]
    fn any_loop_waits_in_the_same_state(
        choices in prop::collection::vec(any::<[u8; 4]>(), 1..30),
        depth in 0..7u8,
        rounds in 2..60u8,
        setting in settings(),
        number in 0..300u32,
    ) {
        let code = program(&choices, depth, rounds);
        let to = |heat| End::at_transaction(bench(&code, &setting, heat), number);
        let (interpreted, translated) = (to(None), to(Some(1)));
        prop_assert_eq!(interpreted.seen, translated.seen);
        prop_assert!(interpreted.snapshot == translated.snapshot, "TLBs, caches or times differ");
    }
}

/// Loads that are not aligned, at a known address and at another one; in the 50th round AC is set.
#[rustfmt::skip]
const CHECKED_AT_LAST: [u8; 38] = [
    0xDB, 0xE3, // fninit
    0xB9, 0x64, 0, 0, 0, // mov ecx, 100
    0xDD, 0x46, 0x04, 0xDD, 0xD8, // l: fld qword [esi + 4]; fstp st(0)
    0xDB, 0x2D, 0x24, 0, 2, 0, 0xDD, 0xD8, // fld tbyte [DATA + 0x24]; fstp st(0)
    0x83, 0xF9, 0x32, 0x75, 0x09, // cmp ecx, 50; jne n
    0x9C, 0x81, 0x0C, 0x24, 0, 0, 4, 0, 0x9D, // pushfd; or dword [esp], AC; popfd
    0x49, 0x75, 0xE2, // n: dec ecx; jnz l
    0xF4, // hlt
];

#[test]
fn what_is_not_aligned_is_checked_once_that_is_asked_for() {
    let setting =
        Setting { paged: true, user: true, control: 0x37F, cr0: 1 << 18, numbers: [0; 8] };
    let to = |heat| End::after(bench(&CHECKED_AT_LAST, &setting, heat), &[100_000]);
    let (interpreted, translated) = (to(None), to(Some(1)));
    assert!(interpreted.seen.contains("exceptions: 1"), "{}", interpreted.seen);
    assert_eq!(interpreted.seen, translated.seen);
}
