//! A line of code that is read as data and then written: the first store finds it clean in L1D, and
//! drops it from L1I. Compares translated code with the interpreter.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::ends::End;
use common::{Bench, STACK};
use rockcreek_cpu::{CodeCache, gpr};

const FUNCTION: u32 = 0x9000;
const ROUNDS: u32 = 400;
const CODE: [u8; 31] = [
    0x8B, 0x17, // l: mov edx, [edi]: into L1D
    0xFF, 0xD7, // call edi: into L1I
    0x89, 0x4F, 0x04, // mov [edi + 4], ecx: the function's number
    0xFF, 0xD7, // call edi
    0x01, 0xC3, // add ebx, eax
    0x89, 0x4F, 0x14, // mov [edi + 14h], ecx: dirty by now
    0x8D, 0x77, 0x10, // lea esi, [edi + 10h]
    0xFF, 0xD6, // call esi: another function in the line
    0x01, 0xC5, // add ebp, eax
    0x83, 0xE9, 0x01, // sub ecx, 1
    0x0F, 0x85, 0xE2, 0xFF, 0xFF, 0xFF, // jnz l
    0xF4, // hlt
];

fn bench(heat: Option<u8>) -> Bench {
    let mut bench = Bench::paged(&CODE);
    // nop; nop; nop; mov eax, 0; ret
    for at in [FUNCTION, FUNCTION + 0x10] {
        bench.put(at, &[0x90, 0x90, 0x90, 0xB8, 0, 0, 0, 0, 0xC3]);
    }
    bench.code = CodeCache::new();
    bench.code.set_translation(heat);
    bench.set(|all| {
        all.general[gpr::ESP] = STACK;
        all.general[gpr::ECX] = ROUNDS;
        all.general[gpr::EDI] = FUNCTION;
    });
    bench
}

#[test]
fn a_function_returns_what_has_just_been_written_into_it() {
    for heat in [None, Some(1)] {
        let mut bench = bench(heat);
        bench.run_to_halt();
        let sums = [gpr::EBX, gpr::EBP].map(|sum| bench.general(sum));
        assert_eq!(sums, [ROUNDS * (ROUNDS + 1) / 2; 2]);
    }
    let to = |heat| End::after(bench(heat), &[9_000, u64::MAX]);
    let (interpreted, translated) = (to(None), to(Some(1)));
    assert_eq!(interpreted.seen, translated.seen);
    assert!(interpreted.snapshot == translated.snapshot, "TLBs, caches or flags differ");
}
