//! Operands of the x87 in two lines, and integers that are not aligned: compares translated code
//! with the interpreter after any number of clocks, at any wait, and when windows are rolled back.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::ends::{cases, end_alike, end_alike_whoever_answers, wait_alike};
use common::{Bench, CODE, STACK};
use proptest::prelude::*;
use rockcreek_cpu::{CodeCache, Segment, gpr, sreg};

/// Three pages; operands lie around the ends of their lines. `FAR`: more lines of these sets of L1D
/// than it has ways, on pages of one set of the TLB.
const DATA: u32 = 0x2_0000;
const FAR: u32 = 0x10_0000;
const CONTROL: u32 = 0x1_8000;

/// The address of an operand near the end of a line, often of a page.
fn place(near: u8, which: u8) -> u32 {
    let line = match near >> 4 {
        0..=2 => 127,
        3 => 255,
        4..=9 => 3,
        10..=13 => 7,
        n => u32::from(n),
    };
    let set = match which >> 4 {
        0..=7 => 0,
        n @ 8..=13 => 0x1000 * u32::from(n - 7),
        n => 0x1_0000 * u32::from(n - 13),
    };
    DATA + set + 32 * line + 20 + u32::from(near & 15)
}

/// The operand of an instruction with this digit in ModRM: [disp32], [esi + disp32], [edi +
/// disp32].
fn operand(digit: u8, [near, which]: [u8; 2]) -> Vec<u8> {
    let at = place(near, which);
    let (mode, displacement) = match which & 15 {
        0..=3 => (0x05, at),
        4..=8 => (0x86, at - DATA),
        _ => (0x87, at - DATA),
    };
    let mut bytes = vec![mode | digit << 3];
    bytes.extend(displacement.to_le_bytes());
    bytes
}

fn instruction([what, more, near, which]: [u8; 4]) -> Vec<u8> {
    let memory = |escape: u8, digit: u8| [vec![escape], operand(digit, [near, which])].concat();
    match what % 32 {
        0..=5 => memory(0xDD, 0),             // fld qword
        6..=7 => memory(0xDC, more & 7),      // fadd qword and others
        8..=12 => memory(0xDD, 2 | more & 1), // fst, fstp qword
        13..=14 => memory(0xDB, 5),           // fld tbyte
        15..=16 => memory(0xDB, 7),           // fstp tbyte
        17 => memory(0xDF, 5),                // fild qword
        18 => memory(0xDF, 7),                // fistp qword
        19 => memory(0xD9, (more & 1) * 3),   // fld, fstp dword
        20 => memory([0xDB, 0xDF][usize::from(more & 1)], (more >> 1 & 1) * 3),
        21 => memory(0x8B, 2),      // mov edx, [...]
        22..=23 => memory(0x89, 2), // mov [...], edx
        24 => load_control(more),
        25 => vec![0xDE, [0xC1, 0xC9, 0xF9][usize::from(more % 3)]], // faddp, fmulp, fdivp
        26 => vec![0xD8, [0xC0, 0xC8, 0xF0][usize::from(more % 3)] | more >> 6],
        27 => vec![0xD9, 0xC8 | more & 3], // fxch
        28 => vec![0xD9, 0xE8],            // fld1
        29 => vec![0xDD, 0xD8],            // fstp st(0)
        30 => vec![0xD9, 0xFA],            // fsqrt
        // add edi, ...
        _ => vec![0x83, 0xC7, more & 0x7C],
    }
}

/// Integers of two and four bytes: loaded, stored or both, alone and in pairs; in DS, FS and GS.
fn of_integers([what, more, near, which]: [u8; 4]) -> Vec<u8> {
    let segment: &[u8] = [&[][..], &[], &[0x64], &[0x65]][usize::from(more >> 6)];
    let memory =
        |bytes: &[u8], digit: u8| [segment, bytes, &operand(digit, [near, which])[..]].concat();
    match what % 16 {
        0..=2 => memory(&[0x8B], [0, 1, 2, 3][usize::from(more & 3)]), // mov r, [...]
        3..=5 => memory(&[0x89], [0, 1, 2, 3][usize::from(more & 3)]), // mov [...], r
        6 => memory(&[0x66, 0x8B], 2),
        7 => memory(&[0x66, 0x89], 2),
        8 => memory(&[0x0F, 0xB7], 1),         // movzx ecx, word
        9 => memory(&[0x01], 2),               // add [...], edx
        10 => memory(&[0x66, 0xFF], more & 1), // inc, dec word
        11 => memory(&[0x3B], 2),              // cmp edx, [...]
        12 => memory(&[0xFF], 6),              // push [...]
        13 => memory(&[0x8F], 0),              // pop [...]
        14 => vec![0x40 | [0, 1, 2, 3][usize::from(more & 3)]], // inc r
        // add edi, ...
        _ => vec![0x83, 0xC7, more & 0x7F],
    }
}

/// fldcw of one of four control words
fn load_control(which: u8) -> Vec<u8> {
    let mut code = vec![0xD9, 0x2D];
    code.extend((CONTROL + 2 * u32::from(which & 3)).to_le_bytes());
    code
}

/// A loop around the instructions.
#[derive(Clone, Debug)]
struct Loop {
    choices: Vec<[u8; 4]>,
    integers: bool,
    /// Base and limit of GS.
    thread: (u32, u32),
    rounds: u8,
    /// The distance by which EDI moves in each round through 32 KB: lines come from memory, or
    /// lines of one set of L1D come from L2.
    stride: u32,
    /// The control words at the start and at the end.
    controls: Option<[u8; 2]>,
    paged: bool,
}

fn loops() -> impl Strategy<Value = Loop> {
    let choices = prop::collection::vec(any::<[u8; 4]>(), 1..24);
    let stride = prop_oneof![Just(0u32), Just(36), Just(1028), Just(0x1000)];
    // One case in eight has a limit, so that an access beyond it raises #GP.
    let limit = prop_oneof![7 => Just(u32::MAX), 1 => Just(0x2_8000)];
    let thread = (prop_oneof![Just(0u32), Just(0x40), Just(0x1013)], limit);
    let kind = (any::<bool>(), any::<bool>(), thread);
    let all = (choices, 2..60u8, stride, any::<Option<[u8; 2]>>(), kind);
    all.prop_map(|(choices, rounds, stride, controls, (integers, paged, thread))| Loop {
        choices,
        integers,
        thread,
        rounds,
        stride,
        controls,
        paged,
    })
}

impl Loop {
    fn program(&self) -> Vec<u8> {
        let make = if self.integers { of_integers } else { instruction };
        let instructions = self.choices.iter().flat_map(|&choice| make(choice));
        let mut body: Vec<u8> = match self.controls {
            Some([first, last]) => load_control(first)
                .into_iter()
                .chain(instructions)
                .chain(load_control(last))
                .collect(),
            None => instructions.collect(),
        };
        body.extend([0x81, 0xC7]); // add edi, stride
        body.extend(self.stride.to_le_bytes());
        body.extend([0x81, 0xE7, 0xFF, 0x7F, 0xFF, 0xFF]); // and edi, ~8000h
        // fninit; fld1; fldpi; fldln2; mov ebp, rounds
        let mut code = vec![0xDB, 0xE3, 0xD9, 0xE8, 0xD9, 0xEB, 0xD9, 0xED, 0xBD];
        code.extend(u32::from(self.rounds).to_le_bytes());
        code.extend(&body);
        // dec ebp; jnz start
        code.extend([0x4D, 0x0F, 0x85]);
        code.extend((-(body.len() as i32 + 7)).to_le_bytes());
        code.push(0xF4);
        code
    }
}

fn bench(of: &Loop, heat: Option<u8>) -> Bench {
    let code = of.program();
    let mut bench = if of.paged { Bench::paged(&code) } else { Bench::protected(&code) };
    bench.code = CodeCache::new();
    bench.code.set_translation(heat);
    for (n, word) in [0x37Fu16, 0x27F, 0x07F, 0xC7F].into_iter().enumerate() {
        bench.put(CONTROL + 2 * n as u32, &word.to_le_bytes());
    }
    for at in (DATA..FAR).step_by(4) {
        // Numbers with exponents from a small range, whichever bytes are read.
        bench.put_word(at, 0x3FF1_4003u32.rotate_left(at / 4 % 5 * 8) ^ at);
    }
    bench.set(|all| {
        all.general = [1, 5, 0x4001_2345, 0x1234_5678, STACK, 0, DATA, DATA];
        all.general[gpr::ESP] = STACK;
        let (base, limit) = of.thread;
        all.segments[sreg::GS] = Segment::new(0x33, base, limit, 0xC0F3);
        all.eip = CODE;
    });
    bench
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]
    #[test]
    fn any_loop_ends_in_the_same_state(of in loops(), cut in 1..20_000u64) {
        end_alike(|heat| bench(&of, heat), cut, 1_000_000)?;
    }

    #[test]
    fn any_loop_waits_in_the_same_state(of in loops(), number in 0..300u32) {
        wait_alike(|heat| bench(&of, heat), number)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases() / 5 + 1))]
    #[test]
    fn any_loop_ends_in_the_same_state_whoever_answers(of in loops(), random in any::<u64>()) {
        end_alike_whoever_answers(|heat| bench(&of, heat), random)?;
    }
}
