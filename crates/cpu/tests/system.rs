//! System instructions: identification, MSRs, gates, selectors, ports, real mode from reset.

use crate::common;

use common::{Bench, CODE, CODE0, CODE3, DATA0, DATA3, GDT, SYSTEM_CALL, TSS};
use rockcreek_cpu::{Core, cr0, cr4, gpr, sreg, vector};
use rockcreek_defs::{BusRequest, CoreId, Pins};

const HLT: u8 = 0xF4;

#[test]
fn cpuid_names_a_p54c() {
    let mut bench = Bench::with(&[0x31, 0xC0, 0x0F, 0xA2, HLT]); // xor eax, eax; cpuid; hlt
    bench.run_to_halt();
    let text: Vec<u8> = [gpr::EBX, gpr::EDX, gpr::ECX]
        .iter()
        .flat_map(|&number| bench.general(number).to_le_bytes())
        .collect();
    assert_eq!(text, b"GenuineIntel");
    assert_eq!(bench.general(gpr::EAX), 1);
    let mut bench = Bench::with(&[0xB8, 1, 0, 0, 0, 0x0F, 0xA2, HLT]);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EAX), 0x52C);
    assert_eq!(bench.general(gpr::EDX), 0x3BF);
}

#[test]
fn the_time_stamp_counter_can_be_set_and_forbidden() {
    // xor edx, edx; mov eax, 1000000; mov ecx, 10h; wrmsr; rdtsc; hlt
    let mut bench = Bench::with(&[
        0x31, 0xD2, 0xB8, 0x40, 0x42, 0x0F, 0x00, 0xB9, 0x10, 0, 0, 0, 0x0F, 0x30, 0x0F, 0x31, HLT,
    ]);
    bench.run_to_halt();
    assert!((1_000_000..1_001_000).contains(&bench.general(gpr::EAX)));

    let mut bench = Bench::protected(&[0x0F, 0x31, 0xCD, SYSTEM_CALL]);
    bench.enter_user();
    bench.set(|registers| registers.cr4 = cr4::TSD);
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (u32::from(vector::PROTECTION), 0));
    let mut bench = Bench::protected(&[0xB9, 0x55, 0, 0, 0, 0x0F, 0x32, HLT]);
    assert_eq!(bench.caught().0, u32::from(vector::PROTECTION), "no such MSR");
}

/// Machine check registers read as zero, test registers keep 32 bits, and other numbers do not
/// exist.
#[test]
fn model_specific_registers_are_those_of_a_p54c() {
    let access = |number: u8, write: bool| {
        // mov ecx, number; mov eax, 5AA5h; mov edx, 1; [wrmsr;] rdmsr; hlt
        let mut code = vec![0xB9, number, 0, 0, 0, 0xB8, 0xA5, 0x5A, 0, 0, 0xBA, 1, 0, 0, 0];
        code.extend(if write { &[0x0F, 0x30][..] } else { &[] });
        code.extend([0x0F, 0x32, HLT]);
        let mut bench = Bench::protected(&code);
        let (vector, _) = bench.caught();
        (vector == common::NO_VECTOR).then(|| [gpr::EAX, gpr::EDX].map(|n| bench.general(n)))
    };
    assert_eq!((access(0, false), access(1, false)), (Some([0, 0]), Some([0, 0])));
    for number in [2, 4, 5, 6, 7, 8, 9, 0xB, 0xC, 0xD, 0xE] {
        assert_eq!(access(number, false), Some([0, 0]), "MSR {number:#x}");
        assert_eq!(access(number, true), Some([0x5AA5, 0]), "MSR {number:#x}");
    }
    assert_eq!(access(0x11, true), Some([0x5AA5 & 0x03FF_03FF, 0]), "CESR");
    // Reserved numbers; the APIC's base; page attributes.
    for number in [0x03, 0x0A, 0x0F, 0x14, 0x1B, 0x77, 0xFE] {
        assert_eq!((access(number, false), access(number, true)), (None, None), "{number:#x}");
    }
}

#[test]
fn a_call_gate_leads_to_ring_0_and_back() {
    // call 2Bh... through selector 30h: an inner gate with one parameter
    let mut bench = Bench::protected(&[
        0x6A,
        0x55, // push 55h
        0x9A,
        0,
        0,
        0,
        0,
        0x33,
        0x00, // call 33h:0
        0xCD,
        SYSTEM_CALL,
    ]);
    // ring 0: mov eax, [esp+8] (the parameter); retf 4
    bench.put(CODE + 0x100, &[0x8B, 0x44, 0x24, 0x08, 0xCA, 0x04, 0x00]);
    bench.put_word(GDT + 0x30, (u32::from(CODE0) << 16) | (CODE + 0x100));
    bench.put_word(GDT + 0x34, 0x0000_EC01);
    bench.set(|registers| registers.gdtr.limit = 7 * 8 - 1);
    bench.enter_user();
    let (found, stack) = bench.caught();
    assert_eq!(found, u32::from(SYSTEM_CALL));
    assert_eq!(bench.general(gpr::EAX), 0x55);
    assert_eq!(stack[..2], [CODE + 11, u32::from(CODE3)]);
    // The parameter was released on both stacks.
    assert_eq!(stack[3..5], [common::STACK, u32::from(DATA3)]);
}

#[test]
fn far_jumps_and_returns_keep_the_level() {
    // push cs; push CODE+20h; retf; at +20h: jmp 8:CODE+40h; at +40h: call 8:CODE+60h; hlt
    let mut bench = Bench::protected(&[0x0E, 0x68, 0x20, 0x10, 0, 0, 0xCB]);
    bench.put(CODE + 0x20, &[0xEA, 0x40, 0x10, 0, 0, 0x08, 0]);
    bench.put(CODE + 0x40, &[0x9A, 0x60, 0x10, 0, 0, 0x08, 0, HLT]);
    bench.put(CODE + 0x60, &[0x40, 0xCB]); // inc eax; retf
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EAX), 1);
    assert_eq!(bench.core.registers().eip, CODE + 0x48);
    assert_eq!(bench.general(gpr::ESP), common::STACK);
}

#[test]
fn selectors_are_checked_without_faults() {
    // mov cx, selector; verr cx; sete al; verw cx; sete ah; lsl ebx, cx; hlt
    let check = |selector: u16| {
        let [low, high] = selector.to_le_bytes();
        let mut bench = Bench::protected(&[
            0x66, 0xB9, low, high, 0x0F, 0x00, 0xE1, 0x0F, 0x94, 0xC0, 0x0F, 0x00, 0xE9, 0x0F,
            0x94, 0xC4, 0x0F, 0x03, 0xD9, HLT,
        ]);
        bench.run_to_halt();
        (bench.general(gpr::EAX), bench.general(gpr::EBX))
    };
    assert_eq!(check(DATA0), (0x0101, u32::MAX));
    assert_eq!(check(CODE0), (0x0001, u32::MAX));
    assert_eq!(check(0x28), (0, 0x67));
    assert_eq!(check(0x100), (0, 0));
}

#[test]
fn ltr_marks_its_descriptor_busy_once() {
    // mov ax, 28h; ltr ax; ltr ax
    let program = [0x66, 0xB8, 0x28, 0, 0x0F, 0x00, 0xD8, 0x0F, 0x00, 0xD8, HLT];
    let mut bench = Bench::protected(&program);
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (u32::from(vector::PROTECTION), 0x28));
    assert_eq!(bench.core.registers().tr.base, TSS);
    assert_eq!(bench.word(GDT + 0x2C) >> 8 & 0xF, 0xB);
}

#[test]
fn port_instructions_make_one_transaction_each() {
    // in al, 60h; mov dx, 3F8h; out dx, eax; mov edi, 20000h; mov ecx, 2; rep insb; hlt
    let mut bench = Bench::with(&[
        0xE4, 0x60, 0x66, 0xBA, 0xF8, 0x03, 0xEF, 0xBF, 0, 0, 2, 0, 0xB9, 2, 0, 0, 0, 0xF3, 0x6C,
        HLT,
    ]);
    bench.port_value = 0xAB;
    bench.run_to_halt();
    let ports: Vec<_> = bench.requests.iter().filter(|request| request.addr().is_none()).collect();
    let read = BusRequest::IoRead { port: 0x3F8, size: 1 };
    let expected = [
        &BusRequest::IoRead { port: 0x60, size: 1 },
        &BusRequest::IoWrite { port: 0x3F8, size: 4, data: 0xAB },
        &read,
        &read,
    ];
    assert_eq!(ports, expected);
    assert_eq!(bench.word(0x2_0000), 0xABAB);
    assert_eq!(bench.core.counters().port_accesses, 4);
}

/// Manual: IA-32 Architectures Software Developer's Manual vol. 3, state of the processor after INIT.
#[test]
fn init_keeps_the_caches_on() {
    let mut bench = Bench::with(&[0xEB, 0xFE]); // jmp $
    bench.put(0x3F_FFF0, &[HLT]); // the bench's memory repeats every 4 MB
    bench.run(1000);
    bench.core.set_pins(Pins { init: true, ..Pins::default() });
    bench.run_to_halt();
    assert_eq!(bench.core.registers().cr0 & (cr0::CD | cr0::NW | cr0::PE), 0);
}

#[test]
fn reset_begins_in_real_mode_at_the_top_of_memory() {
    let mut bench = Bench::new();
    bench.core = Core::new(CoreId(5), &common::config());
    // The bench's memory repeats every 4 MB. mov ax, 1234h; jmp 0:1000h
    bench.put(0x3F_FFF0, &[0xB8, 0x34, 0x12, 0xEA, 0x00, 0x10, 0x00, 0x00]);
    // mov ss, ax (as 16-bit code); mov sp, 100h; mov [10h], ax; int 21h; hlt
    let program = [0x8E, 0xD0, 0xBC, 0x00, 0x01, 0xA3, 0x10, 0x00, 0xCD, 0x21, HLT];
    bench.put(CODE, &program);
    // Vector 21h leads to 0:1100h: inc bx; iret
    bench.put_word(0x21 * 4, 0x1100);
    bench.put(0x1100, &[0x43, 0xCF]);
    bench.run_to_halt();
    let registers = bench.core.registers();
    assert_eq!(registers.general[gpr::EAX] & 0xFFFF, 0x1234);
    assert_eq!(registers.general[gpr::EBX], 1);
    assert_eq!(registers.segments[sreg::SS].base, 0x1_2340);
    assert_eq!(bench.word(0x10) & 0xFFFF, 0x1234);
    assert_eq!(registers.eip, 0x100B);
    assert_eq!(registers.general[gpr::ESP], 0x100);
}
