//! Real mode: the vector table, far transfers, limits, 16-bit stacks, "unreal" segments.

use crate::common;

use common::{Bench, STACK};
use rockcreek_cpu::{Segment, TableRegister, gpr, sreg, vector};
use rockcreek_defs::Pins;

const HLT: u8 = 0xF4;
/// Handlers of the vector table: 0:HANDLER + 8 * vector.
const HANDLER: u32 = 0x5000;
const PARAGRAPH: u16 = 0x100;
const CODE: u32 = 0x1000;

fn real(program: &[u8]) -> Bench {
    let mut bench = Bench::with(program);
    for number in 0..256 {
        bench.put_word(number * 4, HANDLER + 8 * number);
        // mov bp, vector; hlt
        bench.put(HANDLER + 8 * number, &[0xBD, number as u8, 0, HLT]);
    }
    bench.set(|registers| {
        registers.cr0 = 0x10;
        registers.segments = [Segment::real(0); 6];
        registers.segments[sreg::CS] = Segment::real(PARAGRAPH);
        registers.eip = 0;
        registers.general[gpr::EBP] = 0xFFFF;
        registers.idtr = TableRegister { base: 0, limit: 0x3FF };
    });
    bench
}

/// The vector that was taken, and IP, CS and flags on the stack.
fn taken(bench: &mut Bench) -> (u32, [u32; 3]) {
    bench.run_to_halt();
    let sp = bench.general(gpr::ESP) & 0xFFFF;
    let word = |i: u32| bench.word(sp + 2 * i) & 0xFFFF;
    (bench.general(gpr::EBP) & 0xFFFF, [word(0), word(1), word(2)])
}

#[test]
fn faults_have_vectors_and_no_error_codes() {
    let cases: [(&[u8], u8); 8] = [
        (&[0xA1, 0xFF, 0xFF], vector::PROTECTION), // mov ax, [FFFFh]
        (&[0x67, 0xA0, 0, 0, 1, 0], vector::PROTECTION), // mov al, [10000h]
        (&[0x36, 0xA1, 0xFF, 0xFF], vector::STACK), // mov ax, ss:[FFFFh]
        (&[0x0F, 0x00, 0xD8], vector::INVALID_OPCODE), // ltr ax
        (&[0xD4, 0x00], vector::DIVIDE),           // aam 0
        (&[0x66, 0xEA, 0, 0, 1, 0, 0, 1], vector::PROTECTION), // jmp 100h:10000h
        (&[0x66, 0xE9, 0, 0, 1, 0], vector::PROTECTION), // jmp +10006h
        (&[0x66, 0xE8, 0, 0, 1, 0], vector::PROTECTION), // call +10006h: ESP as before
    ];
    for (program, expected) in cases {
        let mut bench = real(program);
        let (found, stack) = taken(&mut bench);
        assert_eq!(found, u32::from(expected), "{program:02x?}");
        assert_eq!(stack[..2], [0, u32::from(PARAGRAPH)], "{program:02x?}");
        assert_eq!(bench.general(gpr::ESP), STACK - 6);
    }
}

#[test]
fn interrupts_clear_if_and_return() {
    // sti; int 40h; hlt, with a handler: pushf; pop ax; iret
    let mut bench = real(&[0xFB, 0xCD, 0x40, HLT]);
    bench.put(HANDLER + 8 * 0x40, &[0x9C, 0x58, 0xCF]);
    bench.run_to_halt();
    let registers = bench.core.registers();
    assert_eq!(registers.general[gpr::EAX] & 0x200, 0);
    assert_eq!(registers.eflags & 0x200, 0x200);
    assert_eq!(registers.eip, 4);
    assert_eq!(registers.general[gpr::ESP], STACK);
}

#[test]
fn a_vector_beyond_the_table_is_a_double_fault() {
    let mut bench = real(&[0xCD, 0x40]);
    bench.set(|registers| registers.idtr.limit = 0xFF);
    assert_eq!(taken(&mut bench).0, u32::from(vector::DOUBLE_FAULT));
}

#[test]
fn far_calls_push_words_and_the_stack_wraps() {
    // mov sp, 0; call 110h:0 (at +100h: inc ax; retf 2); hlt
    let mut bench = real(&[0xBC, 0, 0, 0x9A, 0, 0, 0x10, 0x01, HLT]);
    bench.put(CODE + 0x100, &[0x40, 0xCA, 2, 0]);
    bench.run_to_halt();
    assert_eq!(bench.word(0xFFFC), u32::from(PARAGRAPH) << 16 | 8);
    assert_eq!(bench.general(gpr::ESP) & 0xFFFF, 2);
    assert_eq!(bench.general(gpr::EAX), 1);
}

#[test]
fn sixteen_bit_addresses_wrap() {
    // mov bx, FFF0h; mov al, [bx+20h]; mov si, FFFFh; lodsb; hlt
    let mut bench = real(&[0xBB, 0xF0, 0xFF, 0x8A, 0x47, 0x20, 0xBE, 0xFF, 0xFF, 0xAC, HLT]);
    bench.put(0x10, &[0x77]);
    bench.put(0xFFFF, &[0x66]);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EAX) & 0xFF, 0x66);
    assert_eq!(bench.general(gpr::ESI) & 0xFFFF, 0);
}

#[test]
fn code_can_be_written_through_cs() {
    // mov byte [cs:7], 43h; nop; the byte at 7 becomes inc bx; hlt
    let mut bench = real(&[0x2E, 0xC6, 0x06, 7, 0, 0x43, 0x90, 0x90, HLT]);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EBX), 1);
}

#[test]
fn a20m_takes_bit_20_out_of_addresses() {
    // mov ax, FFFFh; mov ds, ax; mov bl, [10h] (100000h); hlt
    let program = [0xB8, 0xFF, 0xFF, 0x8E, 0xD8, 0x8A, 0x1E, 0x10, 0, HLT];
    for (a20m, expected) in [(false, 0x55), (true, 0x66)] {
        let mut bench = real(&program);
        bench.put(0x10_0000, &[0x55]);
        bench.put(0, &[0x66]);
        bench.core.set_pins(Pins { a20m, ..Pins::default() });
        bench.run_to_halt();
        assert_eq!(bench.general(gpr::EBX), expected);
    }
}

#[test]
fn limits_of_protected_mode_stay() {
    // mov al, [00020000h]; mov cx, 10h; mov ds, cx; mov ah, [00020000h]; hlt
    let mut bench = real(&[
        0x67, 0xA0, 0, 0, 2, 0, 0xB9, 0x10, 0, 0x8E, 0xD9, 0x67, 0x8A, 0x25, 0, 0, 2, 0, HLT,
    ]);
    bench.put(0x2_0000, &[0x11]);
    bench.put(0x2_0100, &[0x22]);
    bench.set(|registers| registers.segments[sreg::DS] = Segment::new(0, 0, u32::MAX, 0x93));
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EAX) & 0xFFFF, 0x2211);
}

#[test]
fn protected_mode_is_entered_and_left() {
    // lgdt [2000h]; mov eax, cr0; or al, 1; mov cr0, eax; mov cx, 8; mov ds, cx;
    // and al, FEh; mov cr0, eax; jmp 100h:next; mov bl, [12340000h & mem]; hlt
    let mut bench = real(&[
        0x0F, 0x01, 0x16, 0x00, 0x20, 0x0F, 0x20, 0xC0, 0x0C, 0x01, 0x0F, 0x22, 0xC0, 0xB9, 8, 0,
        0x8E, 0xD9, 0x24, 0xFE, 0x0F, 0x22, 0xC0, 0xEA, 28, 0, 0, 1, 0x67, 0x8A, 0x1D, 0, 0, 3, 0,
        HLT,
    ]);
    bench.put(0x2000, &[0x0F, 0, 0, 0x21, 0, 0]);
    bench.put_word(0x2108, 0x0000_FFFF);
    bench.put_word(0x210C, 0x008F_9200);
    bench.put(0x3_0000, &[0x5A]);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EBX), 0x5A);
    assert_eq!(bench.core.registers().segments[sreg::CS].selector, PARAGRAPH);
}

#[test]
fn stack_instructions_move_words() {
    // push -2; push 1234h; pop cx; pop dx; pusha; mov di, 0; popa; push dword 5; pop eax; hlt
    let mut bench = real(&[
        0x6A, 0xFE, 0x68, 0x34, 0x12, 0x59, 0x5A, 0x60, 0xBF, 0, 0, 0x61, 0x66, 0x6A, 0x05, 0x66,
        0x58, HLT,
    ]);
    bench.set(|registers| {
        registers.general[gpr::EDI] = 0xAAAA_7777;
        registers.general[gpr::ESP] = 0x5555_0000 | STACK;
    });
    bench.run_to_halt();
    let word = |number| bench.general(number);
    assert_eq!((word(gpr::ECX), word(gpr::EDX)), (0x1234, 0xFFFE));
    assert_eq!((word(gpr::EDI), word(gpr::EAX)), (0xAAAA_7777, 5));
    assert_eq!(word(gpr::ESP), 0x5555_0000 | STACK, "only SP moves");
    // PUSHA stored the SP from before it: AX, CX, DX, BX, then SP.
    assert_eq!(bench.word(STACK - 10) & 0xFFFF, STACK);
}

#[test]
fn near_calls_frames_and_loops_use_words() {
    // mov cx, 3; l: call f; loop l; hlt / f: enter 4, 0; mov [bp-2], cx; leave; inc ax; ret
    let mut bench = real(&[0xB9, 3, 0, 0xE8, 0x0A, 0x00, 0xE2, 0xFB, HLT]);
    bench.put(CODE + 0x10, &[0xC8, 4, 0, 0, 0x89, 0x4E, 0xFE, 0xC9, 0x40, 0xC3]);
    bench.set(|registers| {
        registers.general[gpr::EBP] = 0x1111_2222;
        registers.general[gpr::ECX] = 0x9999_0000;
    });
    bench.run_to_halt();
    let word = |number| bench.general(number);
    assert_eq!((word(gpr::EAX), word(gpr::ECX)), (3, 0x9999_0000));
    assert_eq!((word(gpr::EBP), word(gpr::ESP)), (0x1111_2222, STACK));
    assert_eq!(bench.word(STACK - 4), 6 << 16 | 0x2222, "return address, old BP");
}

#[test]
fn stacks_at_the_edge_fault_or_wrap() {
    // push ax with SP = 1: the word would end beyond FFFFh, and so would its handler's frame
    let mut bench = real(&[0x50]);
    bench.set(|registers| registers.general[gpr::ESP] = 1);
    assert!(matches!(bench.run(u64::MAX), rockcreek_cpu::Exit::Shutdown(_)));
    // pop ax with SP = FFFEh wraps to 0
    let mut bench = real(&[0x58, HLT]);
    bench.set(|registers| registers.general[gpr::ESP] = 0xFFFE);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::ESP), 0);
}
