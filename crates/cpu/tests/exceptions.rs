//! Exceptions, interrupts, rings: vectors, error codes, stacks, return addresses.

use crate::common;

use common::{
    Bench, CODE, CODE0, CODE3, DATA3, INNER_STACK, NO_VECTOR, STACK, SYSTEM_CALL, VECTOR_SEEN,
};
use rockcreek_cpu::{Activity, Exit, ShutdownCause, gpr, vector};
use rockcreek_defs::Pins;

const HLT: u8 = 0xF4;

#[test]
fn faults_point_at_their_instruction() {
    let cases: [(&[u8], u8, u32); 5] = [
        (&[0x90, 0x31, 0xC9, 0xF7, 0xF1, HLT], vector::DIVIDE, 3), // nop; xor ecx, ecx; div ecx
        (&[0x90, 0x0F, 0x44, 0xC1, HLT], vector::INVALID_OPCODE, 1), // nop; cmove eax, ecx
        (&[0x62, 0x05, 0, 0x20, 0, 0, HLT], vector::BOUND, 0),     // bound eax, [2000h]
        (&[0x8E, 0xC8, HLT], vector::INVALID_OPCODE, 0),           // mov cs, eax
        (&[0xD4, 0x00, HLT], vector::DIVIDE, 0),                   // aam 0
    ];
    for (program, expected, offset) in cases {
        let mut bench = Bench::protected(program);
        bench.set(|registers| registers.general[gpr::EAX] = 5);
        let (found, stack) = bench.caught();
        assert_eq!(found, u32::from(expected), "{program:02x?}");
        assert_eq!(stack[0], CODE + offset, "{program:02x?}");
        assert_eq!(stack[1], u32::from(CODE0));
    }
}

#[test]
fn traps_point_behind_their_instruction() {
    for (program, expected) in [
        (&[0xCC, HLT][..], vector::BREAKPOINT),
        (&[0xCD, 0x45, HLT][..], 0x45),
        (&[0xF1, HLT][..], vector::DEBUG),
    ] {
        let mut bench = Bench::protected(program);
        let (found, stack) = bench.caught();
        assert_eq!(found, u32::from(expected));
        assert_eq!(stack[0], CODE + program.len() as u32 - 1);
    }
}

#[test]
fn a_system_call_changes_to_the_stack_of_the_tss() {
    let mut bench = Bench::protected(&[0xCD, SYSTEM_CALL, HLT]);
    bench.enter_user();
    let (found, stack) = bench.caught();
    assert_eq!(found, u32::from(SYSTEM_CALL));
    assert_eq!(bench.general(gpr::ESP), INNER_STACK - 20);
    assert_eq!(stack[..2], [CODE + 2, u32::from(CODE3)]);
    assert_eq!(stack[3..5], [STACK, u32::from(DATA3)]);
    assert_eq!(bench.core.privilege_level(), 0);
    assert_eq!(bench.core.counters().software_interrupts, 1);
}

#[test]
fn ring_3_may_not_use_what_is_ring_0s() {
    let mut cases: Vec<(Vec<u8>, u32)> = vec![
        (vec![0xCD, 0x20], 0x20 * 8 + 2), // int 20h through a gate of ring 0
        (vec![HLT], 0),
        (vec![0xFA], 0),             // cli
        (vec![0x0F, 0x20, 0xC0], 0), // mov eax, cr0
        (vec![0x0F, 0x06], 0),       // clts
        (vec![0x0F, 0x30], 0),       // wrmsr
        (vec![0x0F, 0x09], 0),       // wbinvd
        (vec![0xE4, 0x60], 0),       // in al, 60h
    ];
    cases.push((vec![0x66, 0xB8, 0x10, 0, 0x8E, 0xD8], 0x10)); // mov ax, 10h; mov ds, ax
    for (program, error) in cases {
        let mut bench = Bench::protected(&program);
        bench.enter_user();
        let (found, stack) = bench.caught();
        assert_eq!(found, u32::from(vector::PROTECTION), "{program:02x?}");
        assert_eq!(stack[0], error, "{program:02x?}");
    }
}

#[test]
fn iret_goes_to_ring_3_and_hides_inner_segments() {
    // push 23h; push STACK; push 202h; push 1Bh; push target; iret; target: int 80h
    let mut bench = Bench::protected(&[
        0x6A, 0x23, 0x68, 0x00, 0x80, 0x00, 0x00, 0x68, 0x02, 0x02, 0x00, 0x00, 0x6A, 0x1B, 0x68,
        0x14, 0x10, 0x00, 0x00, 0xCF, 0xCD, 0x80,
    ]);
    let (found, stack) = bench.caught();
    assert_eq!(found, u32::from(SYSTEM_CALL));
    assert_eq!(stack[..3], [CODE + 22, u32::from(CODE3), 0x202]);
    let registers = bench.core.registers();
    assert!(!registers.segments[rockcreek_cpu::sreg::DS].present());
}

#[test]
fn a_fault_without_handlers_shuts_down() {
    let mut bench = Bench::protected(&[0x0F, 0x0B]);
    bench.set(|registers| registers.idtr.limit = 0);
    let exit = bench.run(u64::MAX);
    let cause = ShutdownCause::TripleFault { vector: vector::PROTECTION, eip: CODE };
    assert_eq!(exit, Exit::Shutdown(cause));
    assert_eq!(bench.core.activity(), Activity::Shutdown);
    assert_eq!(bench.word(VECTOR_SEEN), NO_VECTOR);
}

#[test]
fn single_stepping_traps_after_each_instruction() {
    // pushf; or dword [esp], 100h; popf; inc eax; inc eax
    let mut bench = Bench::protected(&[0x9C, 0x81, 0x0C, 0x24, 0, 1, 0, 0, 0x9D, 0x40, 0x40, HLT]);
    let (found, stack) = bench.caught();
    assert_eq!(found, u32::from(vector::DEBUG));
    assert_eq!(stack[0], CODE + 10);
    assert_eq!(bench.general(gpr::EAX), 1);
}

#[test]
fn an_instruction_that_enters_a_handler_is_not_stepped() {
    // pushf; or dword [esp], 100h; popf; then int 45h, or a fault of ud2.
    let begin = [0x9C, 0x81, 0x0C, 0x24, 0, 1, 0, 0, 0x9D];
    for (last, expected) in [([0xCD, 0x45], 0x45), ([0x0F, 0x0B], vector::INVALID_OPCODE)] {
        let mut bench = Bench::protected(&[&begin[..], &last[..]].concat());
        assert_eq!(bench.caught().0, u32::from(expected));
        let flags_in_handler = bench.core.registers().eflags;
        assert_eq!(flags_in_handler & 0x100, 0);
    }
}

/// mov dword [FEE00000 + offset], value
fn apic_write(offset: u32, value: u32) -> Vec<u8> {
    let mut code = vec![0xC7, 0x05];
    code.extend((0xFEE0_0000 + offset).to_le_bytes());
    code.extend(value.to_le_bytes());
    code
}

fn with_apic(lint0: u32, lint1: u32, rest: &[u8]) -> Bench {
    let mut program = apic_write(0xF0, 0x1FF);
    program.extend(apic_write(0x350, lint0));
    program.extend(apic_write(0x360, lint1));
    program.extend(rest);
    Bench::protected(&program)
}

#[test]
fn the_timer_wakes_a_halted_core() {
    let mut rest = apic_write(0x3E0, 0xB);
    rest.extend(apic_write(0x320, 0x40));
    rest.extend(apic_write(0x380, 5000));
    rest.extend([0xFB, HLT]); // sti; hlt
    let mut bench = with_apic(0x1_0000, 0x1_0000, &rest);
    assert_eq!(bench.run(u64::MAX), Exit::Halted);
    let due = bench.core.next_timer_cycle().expect("armed");
    bench.core.advance_to(due - 1);
    assert_eq!(bench.run(u64::MAX), Exit::Halted);
    bench.core.advance_to(due);
    let (found, stack) = bench.caught();
    assert_eq!(found, 0x40);
    assert_eq!(stack[0], CODE + 62);
    assert_eq!(bench.core.next_timer_cycle(), None);
    assert_eq!(bench.core.counters().interrupts, 1);
}

#[test]
fn the_timer_interrupts_a_running_core_at_the_first_boundary() {
    let mut rest = apic_write(0x3E0, 0xB);
    rest.extend(apic_write(0x320, 0x40));
    rest.extend(apic_write(0x380, 5000));
    rest.extend([0xFB, 0x40, 0xEB, 0xFD]); // sti; l: inc eax; jmp l
    let mut bench = with_apic(0x1_0000, 0x1_0000, &rest);
    let (found, _) = bench.caught();
    assert_eq!(found, 0x40);
    // One clock a turn (INC in U, JMP in V), from the start of the count to its end.
    assert!((4900..5000).contains(&bench.general(gpr::EAX)), "{}", bench.general(gpr::EAX));
}

#[test]
fn pins_interrupt_when_the_program_lets_them() {
    let spin = [0x40, 0xEB, 0xFD]; // l: inc eax; jmp l
    let mut bench = with_apic(0x31, 0x400, &spin);
    bench.run(2000);
    bench.core.set_pins(Pins { lint0: true, ..Pins::default() });
    assert_eq!(bench.run(3000), Exit::Limit, "interrupts are off");
    bench.core.set_pins(Pins::default());
    bench.core.set_pins(Pins { lint1: true, ..Pins::default() });
    let (found, _) = bench.caught();
    assert_eq!(found, u32::from(vector::NMI));

    let mut enabled = vec![0xFB];
    enabled.extend(spin);
    let mut bench = with_apic(0x31, 0x1_0000, &enabled);
    bench.run(2000);
    bench.core.set_pins(Pins { lint0: true, ..Pins::default() });
    let (found, _) = bench.caught();
    assert_eq!(found, 0x31);
}

#[test]
fn sti_holds_interrupts_off_for_one_instruction() {
    // sti; inc eax; hlt, with an interrupt pending
    let mut bench = with_apic(0x31, 0x1_0000, &[0x90, 0x90, 0xFB, 0x40, HLT]);
    bench.run(1100);
    bench.core.set_pins(Pins { lint0: true, ..Pins::default() });
    bench.set(|registers| registers.eip = CODE + 32);
    let (found, _) = bench.caught();
    assert_eq!(found, 0x31);
    assert_eq!(bench.general(gpr::EAX), 1);
}

#[test]
fn a_new_stack_without_room_is_named() {
    // int 80h from ring 3, with 8 bytes for a frame of 20 on the stack of ring 0
    let small_stack = || {
        let mut bench = Bench::protected(&[0xCD, SYSTEM_CALL]);
        // Selector 30h: data of ring 0, 4 KB.
        bench.put_word(common::GDT + 0x30, 0x0000_0FFF);
        bench.put_word(common::GDT + 0x34, 0x0040_9200);
        bench.put_word(common::TSS + 4, 8);
        bench.put_word(common::TSS + 8, 0x30);
        bench.set(|registers| registers.gdtr.limit = 7 * 8 - 1);
        bench.enter_user();
        bench
    };
    // The delivery of #SS needs the stack that is too small, and so does that of #DF.
    let cause = ShutdownCause::TripleFault { vector: vector::STACK, eip: CODE };
    assert_eq!(small_stack().run(u64::MAX), Exit::Shutdown(cause));

    // A handler in ring 3 shows the error code: pop eax; then hlt, which ring 3 may not execute.
    let mut bench = small_stack();
    let gate = common::IDT + 8 * u32::from(vector::STACK);
    bench.put_word(gate, u32::from(CODE3) << 16 | 0x1400);
    bench.put_word(gate + 4, 0x0000_EE00);
    bench.put(0x1400, &[0x58, HLT]);
    bench.run(u64::MAX);
    assert_eq!(bench.general(gpr::EAX), 0x30);
}

#[test]
fn a_pin_interrupts_virtual_8086_mode_and_is_counted() {
    // The APIC is set up; then ring 0 counts interrupts (CESR event 27h) and continues in
    // virtual-8086 mode.
    let mut rest = vec![0xB8, 0xE7, 0, 0, 0, 0x31, 0xD2, 0xB9, 0x11, 0, 0, 0, 0x0F, 0x30];
    let frame = [0, 0x140, 0x2_0202, 0x7000, 0, 0, 0, 0, 0];
    for word in frame.into_iter().rev() {
        rest.push(0x68);
        rest.extend(u32::to_le_bytes(word));
    }
    rest.push(0xCF);
    let mut bench = with_apic(0x31, 0x1_0000, &rest);
    bench.put(0x1400, &[0xEB, 0xFE]); // l: jmp l
    bench.put(common::HANDLERS + 16 * 0x31, &[0xB9, 0x12, 0, 0, 0, 0x0F, 0x32, HLT]);
    assert_eq!(bench.run(5000), Exit::Limit);
    assert_eq!(bench.core.privilege_level(), 3);
    bench.core.set_pins(Pins { lint0: true, ..Pins::default() });
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EAX), 1);
    let esp = bench.general(gpr::ESP);
    assert_eq!(esp, INNER_STACK - 36);
    assert_eq!([0, 4, 8].map(|i| bench.word(esp + i)), [0, 0x140, 0x2_0202]);
}
