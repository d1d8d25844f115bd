//! Debug registers: breakpoints of all kinds, RF, GD, the order of debug exceptions.

use crate::common;

use common::{Bench, CODE, SYSTEM_CALL};
use rockcreek_cpu::{cr4, gpr, vector};

const HLT: u8 = 0xF4;
const RF: u32 = 1 << 16;
const TF: u32 = 1 << 8;
/// Bits of DR7: enable breakpoint 0 locally, breakpoint 1 globally.
const L0: u32 = 1;
const G1: u32 = 8;
/// R/W of breakpoint 0, and LEN of 4 bytes.
const WRITE_0: u32 = 1 << 16;
const PORT_0: u32 = 2 << 16;
const ACCESS_0: u32 = 3 << 16;
const FOUR_0: u32 = 3 << 18;
const TWO_0: u32 = 1 << 18;

/// Runs a program with DR0, DR1 and DR7 set; other code in ring 0 sets them first.
fn armed(program: &[u8], addresses: [u32; 2], control: u32) -> Bench {
    let mut bench = Bench::protected(program);
    bench.set(|registers| {
        registers.debug[0] = addresses[0];
        registers.debug[1] = addresses[1];
        registers.debug[7] = control | 0x400;
    });
    bench
}

fn debug_status(bench: &Bench) -> u32 {
    bench.core.registers().debug[6] & 0xE00F
}

#[test]
fn an_instruction_breakpoint_faults_before_its_instruction() {
    let mut bench = armed(&[0x40, 0x40, HLT], [CODE + 1, CODE + 2], L0 | G1);
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (u32::from(vector::DEBUG), CODE + 1));
    assert_eq!(stack[2] & RF, 0, "the handler sets RF itself");
    assert_eq!((bench.general(gpr::EAX), debug_status(&bench)), (1, 1));
}

#[test]
fn rf_passes_one_instruction() {
    // push 10002h; push cs; push target; iret; target: inc eax; inc eax (breakpoint 1); hlt
    let mut bench = armed(
        &[0x68, 2, 0, 1, 0, 0x0E, 0x68, 12, 0x10, 0, 0, 0xCF, 0x40, 0x40, HLT],
        [CODE + 12, CODE + 13],
        L0 | G1,
    );
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (u32::from(vector::DEBUG), CODE + 13));
    assert_eq!((bench.general(gpr::EAX), debug_status(&bench)), (1, 2));
}

#[test]
fn a_disabled_breakpoint_does_nothing() {
    let mut bench = armed(&[0x40, 0x40, HLT], [CODE + 1, 0], G1);
    bench.run_to_halt();
    assert_eq!((bench.general(gpr::EAX), debug_status(&bench)), (2, 0));
}

#[test]
fn data_breakpoints_trap_behind_the_access() {
    // mov [20002h], ax; mov eax, [20004h]; hlt
    let program = [0x66, 0xA3, 2, 0, 2, 0, 0xA1, 4, 0, 2, 0, 0x90, HLT];
    let cases = [
        (0x2_0000, L0 | WRITE_0 | FOUR_0, Some(6)),
        (0x2_0000, L0 | WRITE_0 | TWO_0, None),
        (0x2_0003, L0 | WRITE_0, Some(6)),
        (0x2_0004, L0 | WRITE_0 | FOUR_0, None),
        (0x2_0006, L0 | ACCESS_0, Some(11)),
        (0x2_0007, L0 | ACCESS_0 | FOUR_0, Some(11)),
        (0x2_0008, L0 | ACCESS_0 | FOUR_0, None),
    ];
    for (address, control, expected) in cases {
        let mut bench = armed(&program, [address, 0], control);
        let (found, stack) = bench.caught();
        if let Some(offset) = expected {
            assert_eq!((found, stack[0]), (1, CODE + offset), "{address:x} {control:x}");
            assert_eq!(debug_status(&bench), 1);
        } else {
            assert_eq!(found, common::NO_VECTOR, "{address:x} {control:x}");
        }
    }
}

#[test]
fn a_repeated_string_traps_between_iterations() {
    // mov edi, 20000h; mov ecx, 8; rep stosd; hlt
    let program = [0xBF, 0, 0, 2, 0, 0xB9, 8, 0, 0, 0, 0xF3, 0xAB, HLT];
    let mut bench = armed(&program, [0x2_0008, 0], L0 | WRITE_0 | FOUR_0);
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (1, CODE + 10));
    assert_eq!(bench.general(gpr::ECX), 5);
    assert_eq!(stack[2] & RF, RF);
}

#[test]
fn port_breakpoints_need_the_debugging_extensions() {
    // in al, 61h; hlt
    let program = [0xE4, 0x61, 0x90, HLT];
    let mut bench = armed(&program, [0x60, 0], L0 | PORT_0 | TWO_0);
    bench.run_to_halt();
    assert_eq!(debug_status(&bench), 0);
    let mut bench = armed(&program, [0x60, 0], L0 | PORT_0 | TWO_0);
    bench.set(|registers| registers.cr4 = cr4::DE);
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0], debug_status(&bench)), (1, CODE + 2, 1));
    // With CR4.DE set, DR4 is no other name of DR6.
    let mut bench = Bench::protected(&[0x0F, 0x21, 0xE0, HLT]);
    bench.set(|registers| registers.cr4 = cr4::DE);
    assert_eq!(bench.caught().0, u32::from(vector::INVALID_OPCODE));
}

#[test]
fn general_detect_guards_the_registers_once() {
    // mov dr7, eax; mov ebx, dr7
    let mut bench = Bench::protected(&[0x0F, 0x23, 0xF8, 0x0F, 0x21, 0xFB]);
    bench.set(|registers| registers.general[gpr::EAX] = 0x2000);
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (u32::from(vector::DEBUG), CODE + 3));
    assert_eq!(debug_status(&bench), 0x2000);
    assert_eq!(bench.core.registers().debug[7], 0x400, "GD is off in the handler");
}

#[test]
fn reserved_bits_keep_their_values() {
    // xor eax, eax; mov dr6, eax; mov dr7, eax; dec eax; mov ebx, dr6; mov ecx, dr7; hlt
    let mut bench = Bench::protected(&[
        0x31, 0xC0, 0x0F, 0x23, 0xF0, 0x0F, 0x23, 0xF8, 0x0F, 0x21, 0xF3, 0x0F, 0x21, 0xF9, HLT,
    ]);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EBX), 0xFFFF_0FF0);
    assert_eq!(bench.general(gpr::ECX), 0x0000_0400);
}

#[test]
fn a_single_step_and_a_data_breakpoint_share_one_trap() {
    // mov [20000h], eax; nop; hlt
    let program = [0xA3, 0, 0, 2, 0, 0x90, HLT];
    let mut bench = armed(&program, [0x2_0000, CODE + 5], L0 | G1 | WRITE_0 | FOUR_0);
    bench.set(|registers| registers.eflags |= TF);
    let (found, stack) = bench.caught();
    // The trap of an instruction precedes the fault of the next one.
    assert_eq!((found, stack[0]), (1, CODE + 5));
    assert_eq!(debug_status(&bench), 0x4001);
}

#[test]
fn loading_ss_holds_debug_traps_off() {
    // mov ax, 10h; mov ss, ax; inc ebx; inc ebx; hlt, stepping from the load on
    let mut bench = Bench::protected(&[0x8E, 0xD0, 0x43, 0x43, HLT]);
    bench.set(|registers| {
        registers.general[gpr::EAX] = 0x10;
        registers.eflags |= TF;
    });
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (1, CODE + 3));
    assert_eq!(bench.general(gpr::EBX), 1);
}

#[test]
fn faults_push_rf_and_traps_do_not() {
    let mut bench = Bench::protected(&[0x0F, 0x0B]);
    assert_eq!(bench.caught().1[2] & RF, RF);
    let mut bench = Bench::protected(&[0xCD, SYSTEM_CALL, HLT]);
    assert_eq!(bench.caught().1[2] & RF, 0);
}
