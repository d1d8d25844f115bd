//! Delay loops: whether they are skipped or executed, state, counters and time are equal.

use crate::common;

use common::Bench;
use proptest::prelude::*;
use rockcreek_cpu::Exit;

const DEC_JNZ: &[u8] = &[
    0xB9, 0xFF, 0xFF, 0xFF, 0x7F, // start: mov ecx, 7fffffffh
    0x49, // l: dec ecx
    0x75, 0xFD, // jnz l
    0xEB, 0xF6, // jmp start
];
const LOOP: &[u8] = &[
    0x31, 0xC9, // start: xor ecx, ecx
    0x90, // l: nop
    0xE2, 0xFD, // loop l
    0xEB, 0xF9, // jmp start
];
const COUNT_UP: &[u8] = &[
    0x31, 0xC0, // start: xor eax, eax
    0x83, 0xC0, 0x03, // l: add eax, 3
    0x8D, 0x50, 0x01, // lea edx, [eax+1]
    0x81, 0xFA, 0x00, 0x00, 0x00, 0x70, // cmp edx, 70000000h
    0x7C, 0xF2, // jl l
    0xEB, 0xEE, // jmp start
];
/// A delay loop on the lower half of the time stamp.
const CLOCK: &[u8] = &[
    0x0F, 0x31, // start: rdtsc
    0x89, 0xC6, // mov esi, eax
    0x0F, 0x31, // l: rdtsc
    0x29, 0xF0, // sub eax, esi
    0x3D, 0x00, 0x00, 0x00, 0x40, // cmp eax, 40000000h
    0x72, 0xF5, // jb l
    0xEB, 0xEF, // jmp start
];
/// A delay loop on the whole time stamp, in several lines.
const LONG_CLOCK: &[u8] = &[
    0x0F, 0x31, // start: rdtsc
    0x89, 0xC6, // mov esi, eax
    0x89, 0xD7, // mov edi, edx
    0x0F, 0x31, // l: rdtsc
    0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, // nop, 12 times
    0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, // nop, 10 times
    0x29, 0xF0, // sub eax, esi
    0x19, 0xFA, // sbb edx, edi
    0x83, 0xFA, 0x02, // cmp edx, 2
    0x72, 0xDF, // jb l
    0xEB, 0xD7, // jmp start
];

/// A delay of billions of rounds: the test would not end if they were executed.
#[test]
fn delays_take_no_time() {
    const CYCLES: u64 = 200_000_000_000;
    for (n, program) in [DEC_JNZ, LOOP, COUNT_UP, CLOCK, LONG_CLOCK].into_iter().enumerate() {
        for translated in [false, true] {
            let mut bench = Bench::with(program);
            if !translated {
                bench.code.set_translation(None);
            }
            assert_eq!(bench.run(CYCLES), Exit::Limit, "program {n}");
            let instructions = bench.core.counters().instructions;
            assert!(instructions > CYCLES / 40, "program {n}: {instructions} instructions");
        }
    }
}

/// A core that polls a word, which L1D has, with PAUSE.
const POLL: &[u8] = &[
    0xA1, 0x00, 0x30, 0x00, 0x00, // l: mov eax, [3000h]
    0x83, 0xF8, 0x01, // cmp eax, 1
    0x73, 0x04, // jae done
    0xF3, 0x90, // pause
    0xEB, 0xF2, // jmp l
    0xF4, // done: hlt
];

/// Waiting for a word takes the host no time, whether it is interpreted, translated from the
/// beginning, or has been translated code for long.
#[test]
fn polls_of_a_cached_word_take_no_time() {
    const CYCLES: u64 = 200_000_000_000;
    for heat in [None, Some(3), Some(100)] {
        let mut bench = Bench::with(POLL);
        bench.code.set_translation(heat);
        for window in [10, 1000, 100_000, CYCLES] {
            let limit = bench.core.cycles() + window;
            assert_eq!(bench.run(limit), Exit::Limit, "{heat:?}");
        }
        let instructions = bench.core.counters().instructions;
        assert!(instructions > CYCLES / 40, "{heat:?}: {instructions} instructions");
    }
}

/// Any general register except ESP.
fn register() -> impl Strategy<Value = u8> {
    prop::sample::select(vec![0u8, 1, 2, 3, 5, 6, 7])
}

/// An instruction that a delay loop may contain, or that makes the loop no delay loop.
fn instruction() -> impl Strategy<Value = Vec<u8>> {
    let both = (register(), register());
    let small = prop::sample::select(vec![1i8, 2, 3, 7, -1, -4, 100]);
    prop_oneof![
        3 => register().prop_map(|r| vec![0x40 + r]),
        3 => register().prop_map(|r| vec![0x48 + r]),
        2 => (prop::sample::select(vec![0x01u8, 0x29, 0x89, 0x39, 0x85, 0x31, 0x21, 0x09, 0x19]), both)
            .prop_map(|(op, (a, b))| vec![op, 0xC0 | b << 3 | a]),
        4 => (prop::sample::select(vec![0u8, 5, 7, 4, 3]), register(), small)
            .prop_map(|(op, r, imm)| vec![0x83, 0xC0 | op << 3 | r, imm as u8]),
        1 => register().prop_map(|r| vec![0xF7, 0xD8 | r]),
        1 => (register(), register(), register(), 0u8..4, any::<i8>()).prop_map(
            |(r, base, index, scale, disp)| {
                vec![0x8D, 0x44 | r << 3, scale << 6 | index << 3 | base, disp as u8]
            }
        ),
        2 => Just(vec![0x0F, 0x31]),
        1 => Just(vec![0x90]),
        // A jump over one instruction.
        1 => (0x70u8..0x80, register()).prop_map(|(jump, r)| vec![jump, 1, 0x40 + r]),
    ]
}

fn program() -> impl Strategy<Value = Vec<u8>> {
    let value = prop_oneof![0u32..3000, any::<u32>(), 0x7FFF_F000u32..0x8000_1000];
    let values = prop::collection::vec(value, 7);
    let body = prop::collection::vec(instruction(), 1..6);
    // JO and JP make a loop no delay loop, but may occur in it.
    (values, body, 0x70u8..0x80, 0usize..30).prop_map(|(values, body, jump, room)| {
        let mut code = vec![0x90; room];
        let start = code.len();
        for (register, value) in [0u8, 1, 2, 3, 5, 6, 7].into_iter().zip(values) {
            code.push(0xB8 + register);
            code.extend(value.to_le_bytes());
        }
        let head = code.len();
        code.extend(body.concat());
        code.extend([jump, (head as i32 - code.len() as i32 - 2) as u8]);
        code.extend([0xEB, (start as i32 - code.len() as i32 - 2) as u8]);
        code
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn passed_or_executed_all_is_the_same(
        program in program(),
        stops in prop::collection::vec(1u64..60_000, 4),
        translated: bool,
    ) {
        let bench = |passing: bool| {
            let mut bench = Bench::with(&program);
            bench.core.set_delay_passing(passing);
            if !translated {
                bench.code.set_translation(None);
            }
            bench
        };
        let (mut passed, mut executed) = (bench(true), bench(false));
        let mut limit = 0;
        for stop in stops {
            limit += stop;
            for bench in [&mut passed, &mut executed] {
                prop_assert_eq!(bench.run(limit), Exit::Limit);
            }
            prop_assert_eq!(passed.core.snapshot(), executed.core.snapshot());
            prop_assert_eq!(passed.core.counters(), executed.core.counters());
        }
    }
}
