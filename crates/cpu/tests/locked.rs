//! Read-modify-writes with LOCK, and XCHG with memory, together with other uses of their lines:
//! compares translated code with the interpreter.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::Bench;
use common::ends::{cases, end_alike, end_alike_whoever_answers, wait_alike};
use proptest::prelude::*;
use rockcreek_cpu::{CodeCache, Executions, ProfileReport, gpr};

const DATA: u32 = 0x10_0000;

/// Instructions on [ebx + 8-bit displacement]: the bytes before the displacement, and those after
/// it.
const LOCKED: [(&[u8], &[u8]); 20] = [
    (&[0xF0, 0x01, 0x4B], &[]),                    // lock add [ebx], ecx
    (&[0xF0, 0x29, 0x4B], &[]),                    // sub
    (&[0xF0, 0x21, 0x4B], &[]),                    // and
    (&[0xF0, 0x09, 0x4B], &[]),                    // or
    (&[0xF0, 0x31, 0x53], &[]),                    // lock xor [ebx], edx
    (&[0xF0, 0x11, 0x4B], &[]),                    // lock adc [ebx], ecx
    (&[0xF0, 0x19, 0x4B], &[]),                    // sbb
    (&[0x66, 0xF0, 0x01, 0x4B], &[]),              // lock add [ebx], cx
    (&[0xF0, 0x30, 0x73], &[]),                    // lock xor [ebx], dh
    (&[0xF0, 0x81, 0x43], &[0x78, 0x56, 0x34, 1]), // lock add dword [ebx], 1345678h
    (&[0xF0, 0x80, 0x6B], &[0x77]),                // lock sub byte [ebx], 77h
    (&[0xF0, 0xFF, 0x43], &[]),                    // lock inc dword [ebx]
    (&[0xF0, 0xFF, 0x4B], &[]),                    // dec
    (&[0xF0, 0xF7, 0x53], &[]),                    // not
    (&[0xF0, 0xF7, 0x5B], &[]),                    // neg
    (&[0xF0, 0x0F, 0xC1, 0x53], &[]),              // lock xadd [ebx], edx
    (&[0xF0, 0x0F, 0xC0, 0x73], &[]),              // lock xadd [ebx], dh
    (&[0xF0, 0x0F, 0xB1, 0x4B], &[]),              // lock cmpxchg [ebx], ecx
    (&[0x87, 0x53], &[]),                          // xchg [ebx], edx
    (&[0x86, 0x73], &[]),                          // xchg [ebx], dh
];

/// Loads, stores, an instruction that uses flags, and divisions that keep the x87 busy.
const OTHERS: [&[u8]; 8] = [
    &[0x03, 0x43, 0x08],             // add eax, [ebx + 8]
    &[0x8B, 0x43, 0x24],             // mov eax, [ebx + 24h]
    &[0x89, 0x43, 0x10],             // mov [ebx + 10h], eax
    &[0x89, 0x53, 0x20],             // mov [ebx + 20h], edx
    &[0x0F, 0x92, 0xC0],             // setb al
    &[0xD8, 0xF1],                   // fdiv st, st1
    &[0xDE, 0xF9, 0xD9, 0xE8],       // fdivp; fld1
    &[0xD9, 0x5B, 0x18, 0xD9, 0xE8], // fstp dword [ebx + 18h]; fld1
];

fn piece() -> impl Strategy<Value = Vec<u8>> {
    let locked = (0..LOCKED.len(), 0..16u8, 0..12u8).prop_map(|(which, word, skewed)| {
        let (before, after) = LOCKED[which];
        [before, &[4 * word + if skewed == 0 { 1 } else { 0 }], after].concat()
    });
    prop_oneof![2 => locked, 1 => (0..OTHERS.len()).prop_map(|which| OTHERS[which].to_vec())]
}

/// A loop of these pieces. In each round EBX is an address whose bits in `mask` are random.
fn program(pieces: &[Vec<u8>], mask: u32) -> Vec<u8> {
    // fninit; fld1; fldpi
    let mut code = vec![0xDB, 0xE3, 0xD9, 0xE8, 0xD9, 0xEB];
    let begin = code.len();
    // imul esi, esi, 41C64E6Dh; add esi, 3039h; mov ebx, esi; shr ebx, 8; and ebx, mask
    code.extend([0x69, 0xF6, 0x6D, 0x4E, 0xC6, 0x41, 0x81, 0xC6, 0x39, 0x30, 0, 0]);
    code.extend([0x89, 0xF3, 0xC1, 0xEB, 0x08, 0x81, 0xE3]);
    code.extend(mask.to_le_bytes());
    // add ebx, DATA
    code.extend([0x81, 0xC3]);
    code.extend(DATA.to_le_bytes());
    code.extend(pieces.concat());
    // dec ecx; jnz; hlt
    code.extend([0x49, 0x0F, 0x85]);
    let back = begin as i32 - (code.len() as i32 + 4);
    code.extend(back.to_le_bytes());
    code.push(0xF4);
    code
}

fn bench(code: &[u8], heat: Option<u8>) -> Bench {
    let mut bench = Bench::paged(code);
    bench.code = CodeCache::new();
    bench.code.set_translation(heat);
    bench.set(|all| (all.general[gpr::ECX], all.general[gpr::ESI]) = (1500, 1));
    bench
}

fn masks() -> impl Strategy<Value = u32> {
    prop_oneof![
        2 => Just(0x60),
        2 => Just(0x3_F0E0),
        1 => Just(0xF_FFFC),
        1 => any::<u32>().prop_map(|bits| bits & 0xF_FFFC),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases() / 10 + 1))]

    #[test]
    fn locked_accesses_are_as_they_are_interpreted(
        pieces in prop::collection::vec(piece(), 1..8),
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

#[test]
fn a_locked_store_to_a_line_of_code_drops_it() -> Result<(), TestCaseError> {
    // l: lock inc dword [CODE + 1Ch]; dec ecx; jnz l; hlt
    let code = [0xF0, 0xFF, 0x05, 0x1C, 0x10, 0, 0, 0x49, 0x75, 0xF6, 0xF4];
    end_alike(|heat| bench(&code, heat), 20_000, 1_000_000)
}

#[test]
fn locked_accesses_stay_in_translated_code() {
    // lock xadd [ebx], edx; xchg [ebx + 20h], edx; add eax, [ebx + 8]
    let pieces =
        [vec![0xF0, 0x0F, 0xC1, 0x53, 0x00], vec![0x87, 0x53, 0x20], vec![0x03, 0x43, 0x08]];
    let mut bench = bench(&program(&pieces, 0x60), Some(1));
    bench.code.set_profiling(true);
    bench.run_to_halt();
    assert_eq!(bench.core.counters().locked_instructions, 3000);
    let mut report = ProfileReport::default();
    bench.code.report(&mut report);
    for name in ["XADD r/m32, r32", "XCHG r/m32, r32"] {
        let Executions { interpreted, stepped, missed } =
            report.instructions.get(name).copied().unwrap_or_default();
        assert!(interpreted + stepped + missed < 50, "{name}: {interpreted}, {stepped}, {missed}");
    }
}
