//! Measures how fast interpreter and translator are on this host. Ignored in ordinary runs, because
//! it checks no result: `cargo test -p rockcreek-cpu --test speed -- --ignored --nocapture`.

use crate::common;

use std::time::Instant;

use common::Bench;
use rockcreek_cpu::{Exit, gpr};

/// The code that a compiler generates for a hash over an array, with a call for each element.
const HASH: &[u8] = &[
    0xB9, 0x00, 0x04, 0x00, 0x00, // start: mov ecx, 1024
    0xBE, 0x00, 0x00, 0x03, 0x00, // mov esi, 30000h
    0x8B, 0x06, // l: mov eax, [esi]
    0x83, 0xC6, 0x04, // add esi, 4
    0x50, // push eax
    0xE8, 0x0B, 0x00, 0x00, 0x00, // call f
    0x83, 0xC4, 0x04, // add esp, 4
    0x89, 0x46, 0xFC, // mov [esi-4], eax
    0x49, // dec ecx
    0x75, 0xEC, // jnz l
    0xEB, 0xE0, // jmp start
    0x55, // f: push ebp
    0x89, 0xE5, // mov ebp, esp
    0x8B, 0x45, 0x08, // mov eax, [ebp+8]
    0x89, 0xC2, // mov edx, eax
    0xC1, 0xEA, 0x07, // shr edx, 7
    0x31, 0xD0, // xor eax, edx
    0x8D, 0x04, 0x80, // lea eax, [eax+eax*4]
    0x01, 0xC8, // add eax, ecx
    0x5D, // pop ebp
    0xC3, // ret
];

/// A loop that uses only registers.
const COUNT: &[u8] = &[
    0xB9, 0x00, 0x00, 0x01, 0x00, // start: mov ecx, 10000h
    0x01, 0xC8, // l: add eax, ecx
    0x31, 0xC2, // xor edx, eax
    0x89, 0xD3, // mov ebx, edx
    0xD1, 0xE8, // shr eax, 1
    0x42, // inc edx
    0x49, // dec ecx
    0x75, 0xF4, // jnz l
    0xEB, 0xED, // jmp start
];

/// Floating point: a dot product of 64-bit numbers.
const DOT: &[u8] = &[
    0xDB, 0xE3, // fninit
    0xD9, 0xEE, // start: fldz
    0xB9, 0x00, 0x02, 0x00, 0x00, // mov ecx, 512
    0xBE, 0x00, 0x00, 0x03, 0x00, // mov esi, 30000h
    0xDD, 0x04, 0xCE, // l: fld qword [esi+ecx*8]
    0xDC, 0x8C, 0xCE, 0x00, 0x20, 0x00, 0x00, // fmul qword [esi+ecx*8+2000h]
    0xDE, 0xC1, // faddp
    0x49, // dec ecx
    0x75, 0xF1, // jnz l
    0xDD, 0xD8, // fstp st0
    0xEB, 0xE1, // jmp start
];

fn speed(name: &str, program: &[u8], translated: bool) {
    const WARM: u64 = 200_000;
    const CYCLES: u64 = 60_000_000;
    let mut bench = Bench::with(program);
    if !translated {
        bench.code.set_translation(None);
    }
    bench.set(|registers| registers.general[gpr::EBP] = 0x2_0000);
    assert_eq!(bench.run(WARM), Exit::Limit);
    let before = bench.core.counters().instructions;
    let begin = Instant::now();
    let mut limit = WARM;
    while limit < WARM + CYCLES {
        limit += 10_000;
        assert_eq!(bench.run(limit), Exit::Limit);
        bench.core.begin_window();
    }
    let instructions = bench.core.counters().instructions - before;
    let micros = begin.elapsed().as_micros().max(1) as u64;
    let cycles = CYCLES * 100 / instructions;
    println!("{name}: {} MIPS, {cycles} cycles per 100 instructions", instructions / micros);
}

#[test]
#[ignore = "a measurement"]
fn host_speed() {
    for _ in 0..3 {
        for translated in [false, true] {
            println!("translated: {translated}");
            speed("hash", HASH, translated);
            speed("count", COUNT, translated);
            speed("dot", DOT, translated);
        }
    }
}
