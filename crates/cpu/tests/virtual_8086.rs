//! Virtual-8086 mode: entry, segments, sensitive instructions, interrupts, VME and PVI.

use crate::common;

use common::{Bench, CODE, IDT, INNER_STACK, STACK, TSS, VECTOR_SEEN};
use rockcreek_cpu::{Segment, TableRegister, cr4, gpr, sreg, vector};

const HLT: u8 = 0xF4;
const VM: u32 = 1 << 17;
const IF: u32 = 1 << 9;
const VIF: u32 = 1 << 19;
const VIP: u32 = 1 << 20;
const IOPL3: u32 = 3 << 12;
/// The paragraph of the program and of its stack segment.
const PARAGRAPH: u16 = (CODE / 16) as u16;
/// The offset of the I/O bitmap in the TSS: 32 bytes of redirection bitmap lie before it, and no
/// port is allowed.
const PORTS: u32 = 0x88;

/// A program that runs in virtual-8086 mode at CODE with SS = 0:STACK.
fn virtual_mode(program: &[u8], eflags: u32) -> Bench {
    let mut bench = Bench::protected(program);
    bench.put_word(TSS + 0x64, PORTS << 16);
    bench.set(|registers| {
        registers.eflags = eflags | VM | 2;
        registers.segments = [Segment::virtual_8086(0); 6];
        registers.segments[sreg::CS] = Segment::virtual_8086(PARAGRAPH);
        registers.segments[sreg::DS] = Segment::virtual_8086(0x40);
        registers.eip = 0;
        registers.tr = Segment::new(common::TASK, TSS, 0x100, 0x008B);
    });
    assert_eq!(bench.core.privilege_level(), 3);
    bench
}

#[test]
fn iret_enters_and_an_interrupt_leaves() {
    // push gs..: nine words for IRET, then iret; the program: mov ax, 1234h; mov es, ax;
    // mov [es:4], ax; int3
    let mut bench = Bench::protected(&[]);
    let frame = [0, u32::from(PARAGRAPH) + 0x10, VM | IOPL3 | 2, 0x7000, 0, 1, 2, 3, 4];
    let mut program = Vec::new();
    for word in frame.into_iter().rev() {
        program.push(0x68);
        program.extend(word.to_le_bytes());
    }
    program.push(0xCF);
    bench.put(CODE, &program);
    bench.put(CODE + 0x100, &[0xB8, 0x34, 0x12, 0x8E, 0xC0, 0x26, 0xA3, 4, 0, 0xCC]);
    let gate = IDT + 8 * u32::from(vector::BREAKPOINT);
    let rights = bench.word(gate + 4);
    bench.put_word(gate + 4, rights | 3 << 13);
    bench.run_to_halt();
    assert_eq!(bench.word(VECTOR_SEEN), u32::from(vector::BREAKPOINT));
    assert_eq!(bench.word(0x1_2344) & 0xFFFF, 0x1234);
    let registers = bench.core.registers();
    assert_eq!(registers.eflags & VM, 0);
    let esp = registers.general[gpr::ESP];
    assert_eq!(esp, INNER_STACK - 9 * 4);
    let stack: Vec<u32> = (0..9).map(|i| bench.word(esp + 4 * i)).collect();
    let flags = VM | IOPL3 | 2;
    assert_eq!(stack, [10, u32::from(PARAGRAPH) + 0x10, flags, 0x7000, 0, 0x1234, 2, 3, 4]);
    assert!(!registers.segments[sreg::DS].present());
    assert_eq!(bench.core.privilege_level(), 0);
}

#[test]
fn sensitive_instructions_need_iopl_3() {
    let cases: [&[u8]; 7] = [
        &[0xFA],       // cli
        &[0xFB],       // sti
        &[0x9C],       // pushf
        &[0x9D],       // popf
        &[0xCF],       // iret
        &[0xCD, 0x21], // int 21h
        &[HLT],
    ];
    for program in cases {
        let mut bench = virtual_mode(program, 0);
        let (found, stack) = bench.caught();
        assert_eq!((found, stack[0]), (u32::from(vector::PROTECTION), 0), "{program:02x?}");
        assert_eq!(stack[1..3], [0, u32::from(PARAGRAPH)]);
    }
    // With IOPL 3 all of these instructions are allowed: sti; pushf; pop ax; cli; hlt
    let mut bench = virtual_mode(&[0xFB, 0x9C, 0x58, 0xFA, HLT], IOPL3);
    bench.caught();
    assert_eq!(bench.general(gpr::EAX) & 0xFFFF, IOPL3 | IF | 2);
}

#[test]
fn protected_mode_instructions_are_undefined() {
    for program in [[0x0F, 0x00, 0xD8], [0x0F, 0x02, 0xC3], [0x63, 0xC3, 0x90]] {
        let mut bench = virtual_mode(&program, IOPL3); // ltr ax; lar ax, bx; arpl bx, ax
        assert_eq!(bench.caught().0, u32::from(vector::INVALID_OPCODE), "{program:02x?}");
    }
}

#[test]
fn ports_go_by_the_bitmap_even_with_iopl_3() {
    let mut bench = virtual_mode(&[0xE4, 0x60, 0xE4, 0x61, HLT], IOPL3);
    bench.put(TSS + PORTS + 0x60 / 8, &[0xFE]);
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0], stack[1]), (u32::from(vector::PROTECTION), 0, 2));
}

#[test]
fn the_limit_is_64_kb() {
    // mov bx, FFFFh; mov ax, [bx]; with a 32-bit address: mov al, [00010000h]
    let mut bench = virtual_mode(&[0xBB, 0xFF, 0xFF, 0x8B, 0x07], 0);
    assert_eq!(bench.caught().0, u32::from(vector::PROTECTION));
    let mut bench = virtual_mode(&[0x67, 0xA0, 0, 0, 1, 0], 0);
    assert_eq!(bench.caught().0, u32::from(vector::PROTECTION));
}

#[test]
fn vme_redirects_software_interrupts() {
    // int 21h; hlt with a vector to PARAGRAPH:40h: pop bx; pop cx; pop dx; hlt
    let program = [0xCD, 0x21, HLT];
    for (eflags, image, left) in
        [(VIF, IF | IOPL3 | 2, 0), (IF, IOPL3 | 2, IF), (IOPL3 | IF, IOPL3 | IF | 2, IOPL3)]
    {
        let mut bench = virtual_mode(&program, eflags);
        bench.set(|registers| registers.cr4 = cr4::VME);
        bench.put_word(0x21 * 4, u32::from(PARAGRAPH) << 16 | 0x40);
        bench.put(CODE + 0x40, &[0x5B, 0x59, 0x5A, HLT]);
        let (found, stack) = bench.caught();
        assert_eq!(found, u32::from(vector::PROTECTION), "the HLT");
        assert_eq!(stack[1], 0x43);
        let word = |number| bench.general(number) & 0xFFFF;
        assert_eq!(word(gpr::EBX), 2);
        assert_eq!(word(gpr::ECX), u32::from(PARAGRAPH));
        assert_eq!(word(gpr::EDX), image);
        assert_eq!(stack[3] & (IF | VIF | IOPL3), left);
    }
}

#[test]
fn vme_leaves_intercepted_interrupts_to_the_monitor() {
    let mut bench = virtual_mode(&[0xCD, 0x21], 0);
    bench.set(|registers| registers.cr4 = cr4::VME);
    bench.put(TSS + PORTS - 32 + 4, &[0x02]);
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (u32::from(vector::PROTECTION), 0));
}

#[test]
fn vme_gives_a_virtual_interrupt_flag() {
    // sti; pushf; pop ax; cli; pushf; pop bx; push 200h; popf; hlt
    let program = [0xFB, 0x9C, 0x58, 0xFA, 0x9C, 0x5B, 0x68, 0x00, 0x02, 0x9D, HLT];
    let mut bench = virtual_mode(&program, 0);
    bench.set(|registers| registers.cr4 = cr4::VME);
    let (_, stack) = bench.caught();
    assert_eq!(stack[1], program.len() as u32 - 1);
    assert_eq!(bench.general(gpr::EAX) & 0xFFFF, IF | IOPL3 | 2);
    assert_eq!(bench.general(gpr::EBX) & 0xFFFF, IOPL3 | 2);
    assert_eq!(stack[3] & (IF | VIF | IOPL3), VIF);

    // A pending virtual interrupt goes to the monitor as soon as the program allows interrupts.
    let mut bench = virtual_mode(&[0xFB], VIP);
    bench.set(|registers| registers.cr4 = cr4::VME);
    assert_eq!(bench.caught().0, u32::from(vector::PROTECTION));
    // PUSHFD has no virtual form.
    let mut bench = virtual_mode(&[0x66, 0x9C], 0);
    bench.set(|registers| registers.cr4 = cr4::VME);
    assert_eq!(bench.caught().0, u32::from(vector::PROTECTION));
}

#[test]
fn pvi_does_so_for_protected_mode() {
    let mut bench = Bench::protected(&[0xFB, 0xFA, 0xFB, HLT]);
    bench.enter_user();
    bench.set(|registers| registers.cr4 = cr4::PVI);
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[1]), (u32::from(vector::PROTECTION), CODE + 3));
    assert_eq!(stack[3] & (IF | VIF), VIF);
}

#[test]
fn a_handler_that_is_not_of_ring_0_is_refused() {
    let mut bench = virtual_mode(&[0xCC], IOPL3);
    // The gate leads to code of ring 3, which raises #GP with the selector.
    let gate = IDT + 8 * u32::from(vector::BREAKPOINT);
    bench.put_word(gate, u32::from(common::CODE3) << 16 | 0x5000);
    bench.put_word(gate + 4, 0x0000_EE00);
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (u32::from(vector::PROTECTION), 0x18));
}

#[test]
fn far_transfers_are_those_of_an_8086() {
    // call PARAGRAPH+2:0 (at +20h: retf); int3 through a gate of ring 0: #GP(1Ah)
    let [low, high] = (PARAGRAPH + 2).to_le_bytes();
    let mut bench = virtual_mode(&[0x9A, 0, 0, low, high, HLT], 0);
    bench.put(CODE + 0x20, &[0x40, 0xCB]);
    bench.set(|registers| registers.idtr = TableRegister { base: IDT, limit: 0x7FF });
    let (_, stack) = bench.caught();
    assert_eq!(stack[1..3], [5, u32::from(PARAGRAPH)]);
    assert_eq!(stack[4] & 0xFFFF, STACK);
    assert_eq!(bench.general(gpr::EAX), 1);
}
