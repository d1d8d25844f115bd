//! x87 instructions on a core: operands in memory, traps, pointers, waiting. Tests of the results
//! are in crates/x87.

use crate::common;

use common::{Bench, CODE};
use rockcreek_cpu::gpr;
use rockcreek_defs::Pins;

const GDT: u32 = 0x2800;
const IDT: u32 = 0x3000;
/// The address of a handler that records its execution and halts.
const HANDLER: u32 = 0x1800;
const DATA: u32 = 0x4000;
const NO_COPROCESSOR: u32 = 7;
const FLOATING_POINT: u32 = 16;
const CR0_PE: u32 = 1 << 0;
const CR0_MP: u32 = 1 << 1;
const CR0_EM: u32 = 1 << 2;
const CR0_TS: u32 = 1 << 3;
const CR0_ET: u32 = 1 << 4;
const CR0_NE: u32 = 1 << 5;

/// A program with handlers for #NM (EBX = 7) and #MF (EBX = 16).
fn trapping(cr0: u32, program: &[u8]) -> Bench {
    let mut bench = Bench::with(program);
    bench.put_word(GDT + 8, 0x0000_FFFF);
    bench.put_word(GDT + 12, 0x00CF_9B00);
    bench.put_word(GDT + 16, 0x0000_FFFF);
    bench.put_word(GDT + 20, 0x00CF_9300);
    for (i, number) in [NO_COPROCESSOR, FLOATING_POINT].into_iter().enumerate() {
        let handler = HANDLER + 0x20 * i as u32;
        bench.put_word(IDT + 8 * number, 0x0008_0000 | handler);
        bench.put_word(IDT + 8 * number + 4, 0x0000_8E00);
        bench.put(handler, &[0xBB, number as u8, 0, 0, 0, 0xF4]); // mov ebx, number; hlt
    }
    bench.set(|registers| {
        registers.gdtr.base = GDT;
        registers.gdtr.limit = 0x17;
        registers.idtr.base = IDT;
        registers.idtr.limit = 0x3FF;
        registers.cr0 = CR0_PE | CR0_ET | cr0;
    });
    bench
}

#[test]
fn operands_of_all_sizes_go_to_and_from_memory() {
    let mut bench = Bench::with(&[
        0xDB, 0xE3, // fninit
        0xDD, 0x05, 0x00, 0x40, 0x00, 0x00, // fld qword [4000h]
        0xD8, 0x05, 0x08, 0x40, 0x00, 0x00, // fadd dword [4008h]
        0xDE, 0x0D, 0x0C, 0x40, 0x00, 0x00, // fimul word [400Ch]
        0xDD, 0x15, 0x20, 0x40, 0x00, 0x00, // fst qword [4020h]
        0xDB, 0x3D, 0x3C, 0x40, 0x00, 0x00, // fstp tbyte [403Ch], across a line
        0xDB, 0x2D, 0x3C, 0x40, 0x00, 0x00, // fld tbyte [403Ch]
        0xDB, 0x1D, 0x50, 0x40, 0x00, 0x00, // fistp dword [4050h]
        0xDF, 0xE0, // fnstsw ax
        0xF4, // hlt
    ]);
    bench.put(DATA, &1.5f64.to_le_bytes());
    bench.put(DATA + 8, &0.25f32.to_le_bytes());
    bench.put(DATA + 12, &(-4i16).to_le_bytes());
    bench.run_to_halt();
    let double = u64::from(bench.word(0x4020)) | u64::from(bench.word(0x4024)) << 32;
    assert_eq!(double, (-7.0f64).to_bits());
    // -7 = -1.11b * 2^2 in extended format.
    assert_eq!(bench.word(0x403C), 0);
    assert_eq!(bench.word(0x4040), 0xE000_0000);
    assert_eq!(bench.word(0x4044) & 0xFFFF, 0xC001);
    assert_eq!(bench.word(0x4050) as i32, -7);
    assert_eq!(bench.general(gpr::EAX), 0, "an empty stack, nothing raised");
    assert_eq!(bench.core.counters().x87_instructions, 9);
}

#[test]
fn comparing_and_popping_twice_compares_with_the_register_below() {
    const ZERO_BELOW_ONE: u32 = 0x0100; // C0: ST(0) is less
    for compare in [[0xDE, 0xD9], [0xDA, 0xE9]] {
        let mut program = vec![0xDB, 0xE3, 0xD9, 0xE8, 0xD9, 0xEE]; // fninit; fld1; fldz
        program.extend(compare); // fcompp, fucompp
        program.extend([0xDF, 0xE0, 0xF4]); // fnstsw ax; hlt
        let mut bench = Bench::with(&program);
        bench.run_to_halt();
        assert_eq!(bench.general(gpr::EAX) & 0x4700, ZERO_BELOW_ONE);
    }
}

#[test]
fn a_store_that_waits_pops_once() {
    // Without caching, each part of the store is a transaction that the instruction waits for.
    let mut bench = Bench::with(&[
        0xDB, 0xE3, // fninit
        0xD9, 0xE8, // fld1
        0xD9, 0xEE, // fldz
        0xDB, 0x3D, 0x00, 0x40, 0x00, 0x00, // fstp tbyte [4000h]
        0xDB, 0x3D, 0x10, 0x40, 0x00, 0x00, // fstp tbyte [4010h]
        0xF4, // hlt
    ]);
    bench.set(|registers| registers.cr0 |= 1 << 30);
    bench.run_to_halt();
    assert_eq!((bench.word(0x4004), bench.word(0x4008) & 0xFFFF), (0, 0));
    assert_eq!((bench.word(0x4014), bench.word(0x4018) & 0xFFFF), (0x8000_0000, 0x3FFF));
    assert_eq!(bench.core.counters().instructions, 6);
}

#[test]
fn a_division_costs_what_precision_control_asks_for() {
    let cycles = |control: u16| {
        let mut bench = Bench::with(&[
            0xDB, 0xE3, // fninit
            0xD9, 0x2D, 0x00, 0x40, 0x00, 0x00, // fldcw [4000h]
            0xD9, 0xE8, // fld1
            0xD8, 0xF0, // fdiv st0, st0
            0xDD, 0xD8, // fstp st0: waits for it
            0xF4, // hlt
        ]);
        bench.put(DATA, &control.to_le_bytes());
        bench.run_to_halt();
        bench.core.cycles()
    };
    assert_eq!(cycles(0x037F) - cycles(0x007F), 39 - 19);
    assert_eq!(cycles(0x037F) - cycles(0x027F), 39 - 33);
}

#[test]
fn an_absent_or_stale_unit_traps() {
    let fninit = [0xDB, 0xE3, 0xF4];
    let wait = [0x9B, 0xF4];
    for (cr0, program, expected) in [
        (0, &fninit[..], 0),
        (CR0_EM, &fninit, NO_COPROCESSOR),
        (CR0_TS, &fninit, NO_COPROCESSOR),
        (CR0_EM, &wait, 0),
        (CR0_TS, &wait, 0),
        (CR0_MP | CR0_TS, &wait, NO_COPROCESSOR),
    ] {
        let mut bench = trapping(cr0, program);
        bench.run_to_halt();
        assert_eq!(bench.general(gpr::EBX), expected, "CR0 {cr0:#x}");
    }
}

#[test]
fn an_unmasked_exception_traps_at_the_next_waiting_instruction() {
    let program = [
        0xDB, 0xE3, // fninit
        0xD9, 0x2D, 0x00, 0x40, 0x00, 0x00, // fldcw [4000h]
        0xD9, 0xE8, // fld1
        0xDC, 0x35, 0x08, 0x40, 0x00, 0x00, // fdiv qword [4008h]: by zero
        0xDF, 0xE0, // fnstsw ax, does not wait
        0xB9, 0x01, 0x00, 0x00, 0x00, // mov ecx, 1
        0xD9, 0xC0, // fld st0: #MF
        0xF4, // hlt
    ];
    for (cr0, expected) in [(CR0_NE, FLOATING_POINT), (0, 0)] {
        let mut bench = trapping(cr0, &program);
        bench.put(DATA, &0x037Bu16.to_le_bytes());
        bench.run_to_halt();
        assert_eq!(bench.general(gpr::EBX), expected);
        assert_eq!(bench.general(gpr::ECX), 1);
        assert_eq!(bench.general(gpr::EAX) & 0x80FF, 0x8084, "ZE, ES and B");
    }
}

#[test]
fn the_environment_names_the_last_instruction_and_its_operand() {
    let mut bench = Bench::with(&[
        0xDB, 0xE3, // fninit
        0xD9, 0xE8, // fld1
        0x26, 0xDC, 0x0D, 0x00, 0x41, 0x00, 0x00, // fmul qword es:[4100h]
        0xD9, 0x35, 0x00, 0x40, 0x00, 0x00, // fnstenv [4000h]
        0xF4, // hlt
    ]);
    bench.run_to_halt();
    let words: Vec<u32> = (0..7).map(|i| bench.word(DATA + 4 * i)).collect();
    assert_eq!(words[0], 0xFFFF_037F);
    assert_eq!(words[2], 0xFFFF_7FFF, "R7 holds zero");
    assert_eq!(words[3], CODE + 4, "the prefix belongs to the instruction");
    assert_eq!(words[4], 0x040D << 16 | 0x08);
    assert_eq!(words[5], 0x4100);
    assert_eq!(words[6], 0xFFFF_0010);
}

#[test]
fn saving_and_restoring_brings_the_stack_back() {
    let mut bench = Bench::with(&[
        0xDB, 0xE3, // fninit
        0xD9, 0xEB, // fldpi
        0xD9, 0xE8, // fld1
        0xDD, 0x35, 0x03, 0x40, 0x00, 0x00, // fnsave [4003h], unaligned
        0xDD, 0x25, 0x03, 0x40, 0x00, 0x00, // frstor [4003h]
        0xDE, 0xE9, // fsubp st1, st0
        0xDD, 0x1D, 0x00, 0x41, 0x00, 0x00, // fstp qword [4100h]
        0xF4, // hlt
    ]);
    bench.run_to_halt();
    let double = u64::from(bench.word(0x4100)) | u64::from(bench.word(0x4104)) << 32;
    assert_eq!(double, (std::f64::consts::PI - 1.0).to_bits());
}

/// fninit; fldcw [4000h] (division by zero unmasked); fld1; fldz; fdivp; fld1; inc ecx; hlt
const FAILING: [u8; 18] = [
    0xDB, 0xE3, 0xD9, 0x2D, 0x00, 0x40, 0x00, 0x00, 0xD9, 0xE8, 0xD9, 0xEE, 0xDE, 0xF9, 0xD9, 0xE8,
    0x41, 0xF4,
];

#[test]
fn without_ne_an_exception_asserts_ferr_and_waits_for_an_answer() {
    let mut bench = trapping(0, &FAILING);
    bench.put(DATA, &0x037Bu16.to_le_bytes());
    assert!(!bench.core.ferr());
    bench.run_to_halt();
    assert!(bench.core.ferr());
    assert_eq!((bench.general(gpr::ECX), bench.core.registers().eip), (0, CODE + 14));
    // The core stays stopped until an interrupt comes, or until IGNNE# lets the program continue.
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::ECX), 0);
    bench.core.set_pins(Pins { ignne: true, ..Pins::default() });
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::ECX), 1);
    assert!(bench.core.ferr());
}

#[test]
fn with_ne_ferr_is_silent() {
    let mut bench = trapping(CR0_NE, &FAILING);
    bench.put(DATA, &0x037Bu16.to_le_bytes());
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EBX), FLOATING_POINT);
    assert!(!bench.core.ferr());
}
