//! Small programs, assembled by hand, on one core.

use crate::common;

use common::{Bench, CODE, STACK};
use rockcreek_cpu::{Exit, gpr};

#[test]
fn a_loop_sums_and_halts() {
    let mut bench = Bench::with(&[
        0xB9, 0x64, 0x00, 0x00, 0x00, // mov ecx, 100
        0x31, 0xC0, // xor eax, eax
        0x01, 0xC8, // l: add eax, ecx
        0x49, // dec ecx
        0x75, 0xFB, // jnz l
        0xA3, 0x00, 0x20, 0x00, 0x00, // mov [2000h], eax
        0x03, 0x05, 0x00, 0x20, 0x00, 0x00, // add eax, [2000h]
        0xF4, // hlt
    ]);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EAX), 10100);
    assert_eq!(bench.word(0x2000), 5050);
    let counters = bench.core.counters();
    assert_eq!(counters.instructions, 2 + 300 + 3);
    assert_eq!((counters.branches, counters.taken_branches), (100, 99));
    assert_eq!((counters.loads, counters.stores), (1, 1));
}

#[test]
fn calls_and_stack_frames() {
    let mut bench = Bench::with(&[
        0x6A, 0x07, // push 7
        0xE8, 0x02, 0x00, 0x00, 0x00, // call f
        0x59, // pop ecx
        0xF4, // hlt
        0x55, // f: push ebp
        0x89, 0xE5, // mov ebp, esp
        0x8B, 0x45, 0x08, // mov eax, [ebp+8]
        0x6B, 0xC0, 0x06, // imul eax, eax, 6
        0xC9, // leave
        0xC3, // ret
    ]);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EAX), 42);
    assert_eq!(bench.general(gpr::ECX), 7);
    assert_eq!(bench.general(gpr::ESP), STACK);
}

#[test]
fn a_limit_stops_at_the_first_boundary_at_or_after_it() {
    let mut bench = Bench::with(&[0x40, 0xEB, 0xFD]); // l: inc eax; jmp l
    assert_eq!(bench.run(1000), Exit::Limit);
    let first = bench.core.cycles();
    assert!((1000..1003).contains(&first));
    assert_eq!(bench.run(first + 1), Exit::Limit);
    assert_eq!(bench.core.cycles(), first + 1);
}

#[test]
fn code_that_rewrites_the_next_instruction_executes_the_new_one() {
    let mut bench = Bench::with(&[
        0xC6, 0x05, 0x08, 0x10, 0x00, 0x00, 0x05, // mov byte [CODE+8], 5
        0xB0, 0x01, // mov al, 1 (becomes 5)
        0xF4, // hlt
    ]);
    assert_eq!(CODE, 0x1000);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EAX) & 0xFF, 5);
}

#[test]
fn stack_instructions_take_operands_at_fixed_addresses() {
    let mut bench = Bench::with(&[
        0xFF, 0x35, 0x00, 0x20, 0x00, 0x00, // push dword [2000h]
        0x8F, 0x05, 0x04, 0x20, 0x00, 0x00, // pop dword [2004h]
        0xFF, 0x15, 0x08, 0x20, 0x00, 0x00, // call [2008h]
        0xF4, // hlt
        0xB8, 0x2A, 0x00, 0x00, 0x00, // mov eax, 42
        0xC3, // ret
    ]);
    bench.put_word(0x2000, 77);
    bench.put_word(0x2008, CODE + 19);
    bench.run_to_halt();
    assert_eq!((bench.word(0x2004), bench.general(gpr::EAX)), (77, 42));
}
