//! Stores that L1D does not take, one after another: those to one line wait for each other, others
//! do not; and translated code behaves as the interpreter does.

use crate::common;

use common::{BUS_CYCLES, Bench, POSTED_CYCLES};
use rockcreek_cpu::gpr;

/// Cycles of an access that L2 serves, on the bench.
const L2_CYCLES: u64 = 18;
/// A line, and others of its set of L1D, which has four ways.
const LINE: u32 = 0x10_0000;
const WAY: u32 = 0x1000;
/// The address of lines that no cache has.
const NOWHERE: u32 = LINE + 0x20_0000;

/// The clocks of a piece of code that is in L1I. Before the piece, other lines of LINE's set of L1D
/// are read until LINE is only in L2.
fn cycles(base: u32, code: &[u8]) -> u64 {
    // mov ebp, 3; o: mov edx, 3; m: mov ecx, 6; mov edi, LINE
    let mut all = vec![0xBD, 3, 0, 0, 0, 0xBA, 3, 0, 0, 0, 0xB9, 6, 0, 0, 0, 0xBF];
    all.extend(LINE.to_le_bytes());
    // i: add eax, [edi]; add edi, WAY; dec ecx; jnz i; dec edx; jnz m
    all.extend([0x03, 0x07, 0x81, 0xC7]);
    all.extend(WAY.to_le_bytes());
    all.extend([0x49, 0x75, 0xF5, 0x4A, 0x75, 0xE8]);
    // rdtsc; mov esi, eax; the code; rdtsc; sub eax, esi; dec ebp; jnz o; hlt
    all.extend([0x0F, 0x31, 0x89, 0xC6]);
    all.extend(code);
    all.extend([0x0F, 0x31, 0x29, 0xF0, 0x4D, 0x0F, 0x85]);
    let back = 5 - (all.len() as i32 + 4);
    all.extend(back.to_le_bytes());
    all.push(0xF4);
    let mut bench = Bench::with(&all);
    bench.set(|all| all.general[gpr::EBX] = base);
    bench.run_to_halt();
    u64::from(bench.general(gpr::EAX))
}

/// mov [ebx + place], al, for each place
fn stores(places: &[u8]) -> Vec<u8> {
    places.iter().flat_map(|&place| [0x88, 0x43, place]).collect()
}

/// The clocks by which pairing shortens a sequence: stores pair with each other, and the last one
/// with the instruction behind it.
const PAIRED: u64 = 1;

/// The clocks of two stores that follow three others.
fn two_more(base: u32, places: &[u8; 5]) -> u64 {
    cycles(base, &stores(places)) - cycles(base, &stores(&places[..3]))
}

#[test]
fn a_store_in_l2_waits_for_the_one_before_it_to_its_line() {
    let same = two_more(LINE, &[0, 1, 2, 3, 31]);
    assert!(same.abs_diff(2 * L2_CYCLES) <= PAIRED, "{same}");
    let none = cycles(LINE, &[]);
    assert!(cycles(LINE, &stores(&[0])) - none < 3);
}

#[test]
fn a_store_to_no_cache_waits_until_the_one_before_it_to_its_line_is_acknowledged() {
    let same = two_more(NOWHERE, &[0, 1, 2, 3, 31]);
    assert!(same.abs_diff(2 * (BUS_CYCLES + POSTED_CYCLES)) <= PAIRED, "{same}");
    let others = two_more(NOWHERE, &[0, 32, 64, 96, 0]);
    assert!((2 * BUS_CYCLES..same).contains(&others), "{others}");
}

#[cfg(target_arch = "x86_64")]
mod translated {
    use super::common::ends::{cases, end_alike, end_alike_whoever_answers, wait_alike};
    use super::{LINE, common::Bench};
    use proptest::prelude::*;
    use rockcreek_cpu::{CodeCache, gpr};

    /// Stores to [ebx + 8-bit displacement].
    const STORES: [&[u8]; 9] = [
        &[0x88, 0x43],       // mov [ebx], al
        &[0x89, 0x43],       // mov [ebx], eax
        &[0x66, 0x89, 0x53], // mov [ebx], dx
        &[0xC6, 0x43],       // mov byte [ebx], 77h
        &[0xDD, 0x53],       // fst qword [ebx]
        &[0xD9, 0x53],       // fst dword [ebx]
        &[0xDB, 0x53],       // fist dword [ebx]
        &[0xDD, 0x5B],       // fstp qword [ebx]; fld1
        &[0x01, 0x43],       // add [ebx], eax
    ];

    /// Instructions between the stores.
    const OTHERS: [&[u8]; 10] = [
        &[0x90],                                                    // nop
        &[0xD8, 0xC1],                                              // fadd st, st1
        &[0xDC, 0xC9],                                              // fmul st1, st
        &[0xD8, 0xF1],                                              // fdiv st, st1
        &[0xD9, 0xC9],                                              // fxch
        &[0x0F, 0xAF, 0xC2],                                        // imul eax, edx
        &[0x8D, 0x7B, 0x03, 0xB9, 0x1B, 0, 0, 0, 0xF3, 0xAA],       // lea edi, [ebx + 3]; rep stosb
        &[0x8D, 0x7B, 0x04, 0xB9, 0x0B, 0, 0, 0, 0xF3, 0xAB],       // lea edi, [ebx + 4]; rep stosd
        &[0x8D, 0x7B, 0x08, 0xBE, 0, 0, 8, 0, 0xB1, 9, 0xF3, 0xA5], // mov esi, 80000h; rep movsd
        &[0x57, 0x8D, 0x7B, 0x0C, 0xAB, 0x5F],                      // lea edi, [ebx + 12]; stosd
    ];

    fn piece() -> impl Strategy<Value = Vec<u8>> {
        let store = (0..STORES.len(), 0..64u8, 0..8u8).prop_map(|(which, place, skewed)| {
            let place = if skewed == 0 { place } else { place & 0xF8 };
            let mut code = [STORES[which], &[place]].concat();
            match STORES[which] {
                [0xC6, ..] => code.push(0x77),
                [0xDD, 0x5B] => code.extend([0xD9, 0xE8]),
                _ => {}
            }
            code
        });
        // add edx, [ebx + WAY * n]: the loads evict lines of the set from L1D, so that only L2
        // keeps them.
        let load =
            (0..7u8, 0..2u8).prop_map(|(way, line)| vec![0x03, 0x93, line * 32, way << 4, 0, 0]);
        prop_oneof![
            4 => store,
            3 => load,
            2 => (0..OTHERS.len()).prop_map(|which| OTHERS[which].to_vec()),
        ]
    }

    /// A loop of these pieces. In each round EBX is the address of a line whose bits in `mask` are
    /// random.
    fn program(pieces: &[Vec<u8>], mask: u32) -> Vec<u8> {
        // fninit; fld1; fldpi
        let mut code = vec![0xDB, 0xE3, 0xD9, 0xE8, 0xD9, 0xEB];
        let begin = code.len();
        // imul eax, eax, 41C64E6Dh; add eax, 3039h; mov ebx, eax; and ebx, mask; add ebx, LINE
        code.extend([0x69, 0xC0, 0x6D, 0x4E, 0xC6, 0x41, 0x05, 0x39, 0x30, 0, 0, 0x89, 0xC3]);
        code.extend([0x81, 0xE3]);
        code.extend(mask.to_le_bytes());
        code.extend([0x81, 0xC3]);
        code.extend(LINE.to_le_bytes());
        code.extend(pieces.concat());
        // dec ebp; jnz; hlt
        code.extend([0x4D, 0x0F, 0x85]);
        let back = begin as i32 - (code.len() as i32 + 4);
        code.extend(back.to_le_bytes());
        code.push(0xF4);
        code
    }

    fn bench(code: &[u8], heat: Option<u8>) -> Bench {
        let mut bench = Bench::paged(code);
        bench.code = CodeCache::new();
        bench.code.set_translation(heat);
        bench.set(|all| all.general[gpr::EBP] = 1500);
        bench
    }

    fn masks() -> impl Strategy<Value = u32> {
        prop_oneof![
            2 => Just(0x40),
            2 => Just(0x6000),
            2 => Just(0x7_6040),
            1 => any::<u32>().prop_map(|bits| bits & 0x7_FFF8),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases() / 4 + 1))]

        #[test]
        fn stores_of_one_line_are_as_they_are_interpreted(
            pieces in prop::collection::vec(piece(), 1..12),
            mask in masks(),
            random in any::<u64>(),
            cut in 5_000..150_000u64,
            number in 10..3_000u32,
        ) {
            let code = program(&pieces, mask);
            end_alike(|heat| bench(&code, heat), cut, 3_000_000)?;
            end_alike_whoever_answers(|heat| bench(&code, heat), random)?;
            wait_alike(|heat| bench(&code, heat), number)?;
        }
    }
}
