//! Task state segments: switches by JMP, CALL, IRET and interrupts, and the faults of wrong ones.

use crate::common;

use common::{Bench, CODE, CODE0, CODE3, DATA0, DATA3, GDT, IDT, NO_VECTOR, STACK, TASK, TSS};
use common::{SYSTEM_CALL, VECTOR_SEEN};
use rockcreek_cpu::{cr0, gpr, sreg, vector};

const HLT: u8 = 0xF4;
/// The second task: its TSS, selector, entry point and stack.
const OTHER_TSS: u32 = 0x4A00;
const OTHER: u16 = 0x30;
const OTHER_CODE: u32 = 0x1800;
const OTHER_STACK: u32 = 0x7800;
/// A task gate, open to ring 3.
const GATE: u16 = 0x38;
/// An LDT.
const LOCAL_TABLE: u16 = 0x40;
const SAVED_EIP: u32 = 0x20;
const SAVED_FLAGS: u32 = 0x24;
const SAVED_EAX: u32 = 0x28;

/// A bench with a second 32-bit task of ring 0 that runs `other`.
fn two_tasks(program: &[u8], other: &[u8]) -> Bench {
    let mut bench = Bench::protected(program);
    bench.put(OTHER_CODE, other);
    descriptor(&mut bench, OTHER, (OTHER_TSS << 16) | 0x67, 0x0000_8900);
    descriptor(&mut bench, GATE, u32::from(OTHER) << 16, 0x0000_E500);
    descriptor(&mut bench, LOCAL_TABLE, 0x2800_001F, 0x0000_8200);
    bench.put_word(OTHER_TSS + SAVED_EIP, OTHER_CODE);
    bench.put_word(OTHER_TSS + SAVED_FLAGS, 2);
    for number in 0..8 {
        bench.put_word(OTHER_TSS + SAVED_EAX + 4 * number, 0x100 + number);
    }
    bench.put_word(OTHER_TSS + SAVED_EAX + 16, OTHER_STACK);
    for number in 0..6 {
        bench.put_word(OTHER_TSS + 0x48 + 4 * number, u32::from(DATA0));
    }
    bench.put_word(OTHER_TSS + 0x4C, u32::from(CODE0));
    bench.set(|registers| registers.gdtr.limit = 9 * 8 - 1);
    // The running task is busy.
    bench.put_word(GDT + u32::from(TASK) + 4, 0x0000_8B00);
    bench
}

fn descriptor(bench: &mut Bench, selector: u16, low: u32, high: u32) {
    bench.put_word(GDT + u32::from(selector), low);
    bench.put_word(GDT + u32::from(selector) + 4, high);
}

fn kind(bench: &Bench, selector: u16) -> u32 {
    bench.word(GDT + u32::from(selector) + 4) >> 8 & 0x1F
}

/// jmp or call selector:0
fn far(opcode: u8, selector: u16) -> [u8; 7] {
    let [low, high] = selector.to_le_bytes();
    [opcode, 0, 0, 0, 0, low, high]
}

#[test]
fn a_jump_switches_and_leaves_the_old_task_available() {
    let mut bench = two_tasks(&far(0xEA, OTHER), &[HLT]);
    bench.set(|registers| registers.general[gpr::EBX] = 77);
    bench.run_to_halt();
    let registers = bench.core.registers();
    assert_eq!(registers.eip, OTHER_CODE + 1);
    assert_eq!(registers.general[gpr::ECX], 0x101);
    assert_eq!(registers.general[gpr::ESP], OTHER_STACK);
    assert_eq!(registers.tr.base, OTHER_TSS);
    assert_ne!(registers.cr0 & cr0::TS, 0);
    assert_eq!(registers.eflags & 1 << 14, 0);
    assert_eq!((kind(&bench, TASK), kind(&bench, OTHER)), (9, 11));
    assert_eq!(bench.word(TSS + SAVED_EIP), CODE + 7);
    assert_eq!(bench.word(TSS + SAVED_EAX + 12), 77);
    assert_eq!(bench.word(TSS + 0x4C), u32::from(CODE0));
}

#[test]
fn a_call_nests_and_iret_returns() {
    // call OTHER; hlt / other: inc ecx; iret; inc edx; hlt
    let mut program = far(0x9A, OTHER).to_vec();
    program.extend([0x40, HLT]);
    let mut bench = two_tasks(&program, &[0x41, 0xCF, 0x42, HLT]);
    bench.run_to_halt();
    let registers = bench.core.registers();
    assert_eq!(registers.eip, CODE + 9);
    assert_eq!(registers.general[gpr::EAX], 1);
    assert_eq!(registers.general[gpr::ESP], STACK);
    assert_eq!((kind(&bench, TASK), kind(&bench, OTHER)), (11, 9));
    assert_eq!(bench.word(OTHER_TSS) & 0xFFFF, u32::from(TASK), "the back link");
    assert_eq!(bench.word(OTHER_TSS + SAVED_EIP), OTHER_CODE + 2);
    assert_eq!(bench.word(OTHER_TSS + SAVED_FLAGS) & 1 << 14, 0, "NT is not saved by IRET");
    assert_eq!(bench.word(OTHER_TSS + SAVED_EAX + 4), 0x102);
}

#[test]
fn ring_3_may_use_a_task_gate_but_not_the_tss() {
    let mut bench = two_tasks(&far(0xEA, GATE), &[HLT]);
    bench.enter_user();
    bench.run_to_halt();
    assert_eq!(bench.core.registers().eip, OTHER_CODE + 1);
    assert_eq!(bench.core.privilege_level(), 0);
    assert_eq!(bench.word(TSS + 0x50), u32::from(DATA3));

    let mut bench = two_tasks(&far(0xEA, OTHER), &[HLT]);
    bench.enter_user();
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (u32::from(vector::PROTECTION), u32::from(OTHER)));
}

#[test]
fn faults_through_a_task_gate_push_their_error_code_on_the_new_stack() {
    // int 20h from ring 3: its gate is of ring 0, so #GP(102h)
    let mut bench = two_tasks(&[0xCD, 0x20], &[0x58, HLT]);
    let gate = IDT + 8 * u32::from(vector::PROTECTION);
    bench.put_word(gate, u32::from(OTHER) << 16);
    bench.put_word(gate + 4, 0x0000_8500);
    bench.enter_user();
    bench.run_to_halt();
    let registers = bench.core.registers();
    assert_eq!(registers.general[gpr::EAX], 0x102);
    assert_eq!(registers.eip, OTHER_CODE + 2);
    assert_eq!(registers.eflags >> 14 & 1, 1);
    assert_eq!(bench.word(TSS + SAVED_EIP), CODE);
    assert_eq!(bench.word(TSS + SAVED_FLAGS) >> 16 & 1, 1, "RF is set for a fault");
    assert_eq!(bench.word(TSS + 0x4C), u32::from(CODE3));
}

#[test]
fn wrong_tasks_are_refused_in_the_old_task() {
    type Spoil = fn(&mut Bench);
    let cases: [(Spoil, u8, u16); 4] = [
        (|b| descriptor(b, OTHER, (OTHER_TSS << 16) | 0x67, 0x8B00), vector::PROTECTION, OTHER),
        (|b| descriptor(b, OTHER, (OTHER_TSS << 16) | 0x67, 0x0900), vector::NOT_PRESENT, OTHER),
        (|b| descriptor(b, OTHER, (OTHER_TSS << 16) | 0x66, 0x8900), vector::INVALID_TSS, OTHER),
        (|b| b.set(|r| r.gdtr.limit = 0x2F), vector::PROTECTION, OTHER),
    ];
    for (spoil, expected, error) in cases {
        let mut bench = two_tasks(&far(0xEA, OTHER), &[HLT]);
        spoil(&mut bench);
        let (found, stack) = bench.caught();
        assert_eq!((found, stack[0]), (u32::from(expected), u32::from(error)));
        assert_eq!(stack[1], CODE);
        assert_eq!(bench.core.registers().tr.base, TSS);
    }
}

#[test]
fn wrong_segments_fault_in_the_new_task() {
    let cases = [
        (0x4C, DATA0, vector::INVALID_TSS, DATA0),
        (0x4C, 0, vector::INVALID_TSS, 0),
        (0x54, 0x100, vector::INVALID_TSS, 0x100),
        (0x54, CODE3 & !3, vector::INVALID_TSS, u16::MAX),
        (0x60, DATA0, vector::INVALID_TSS, DATA0),
    ];
    for (offset, selector, expected, error) in cases {
        let mut bench = two_tasks(&far(0xEA, OTHER), &[HLT]);
        bench.put_word(OTHER_TSS + offset, u32::from(selector));
        if error == u16::MAX {
            // For ring 0, readable code of ring 3 is a valid data segment.
            bench.run_to_halt();
            assert_eq!(bench.word(VECTOR_SEEN), NO_VECTOR);
            continue;
        }
        // The handler is a task of its own, because neither CS nor SS of the new task is reliable.
        let gate = IDT + 8 * u32::from(expected);
        bench.put_word(gate, u32::from(TASK) << 16);
        bench.put_word(gate + 4, 0x0000_8500);
        bench.run_to_halt_in_first(expected, error);
    }
}

trait FirstTask {
    fn run_to_halt_in_first(&mut self, vector: u8, error: u16);
}

impl FirstTask for Bench {
    /// The first task, left at its jump, receives the fault: pop ebx; hlt behind the jump.
    fn run_to_halt_in_first(&mut self, vector: u8, error: u16) {
        self.put(CODE + 7, &[0x5B, HLT]);
        self.run_to_halt();
        let registers = self.core.registers();
        assert_eq!(registers.tr.base, TSS, "vector {vector}");
        assert_eq!(registers.general[gpr::EBX], u32::from(error), "vector {vector}");
        assert_eq!(self.word(OTHER_TSS + SAVED_EIP), OTHER_CODE);
    }
}

#[test]
fn the_ldt_and_the_trap_bit_of_the_new_task_count() {
    let mut bench = two_tasks(&far(0xEA, OTHER), &[0x40, HLT]);
    bench.put_word(OTHER_TSS + 0x60, u32::from(LOCAL_TABLE));
    bench.put_word(OTHER_TSS + 0x64, 0x0068_0001);
    // Selector 0Ch: the second entry of the LDT at 2800h, the same as the flat data segment.
    bench.put_word(0x2808, 0x0000_FFFF);
    bench.put_word(0x280C, 0x00CF_9200);
    bench.put_word(OTHER_TSS + 0x54, 0x0C);
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (u32::from(vector::DEBUG), OTHER_CODE));
    let registers = bench.core.registers();
    assert_eq!(registers.segments[sreg::DS].selector, 0x0C);
    assert_eq!(registers.ldtr.base, 0x2800);
    assert_eq!(registers.debug[6] & 0xE00F, 0x8000);
}

#[test]
fn a_16_bit_task_has_words() {
    let mut bench = two_tasks(&far(0x9A, OTHER), &[0x40, HLT]);
    descriptor(&mut bench, OTHER, (OTHER_TSS << 16) | 0x2B, 0x0000_8100);
    bench.put(OTHER_TSS, &[0; 0x2C]);
    let words: [(u32, u16); 6] = [
        (0x0E, OTHER_CODE as u16),
        (0x10, 2),
        (0x12, 5),
        (0x22, DATA0),
        (0x24, CODE0),
        (0x26, DATA0),
    ];
    for (offset, word) in words {
        bench.put(OTHER_TSS + offset, &word.to_le_bytes());
    }
    bench.put(OTHER_TSS + 0x28, &DATA0.to_le_bytes());
    bench.run_to_halt();
    let registers = bench.core.registers();
    assert_eq!(registers.eip, OTHER_CODE + 2);
    assert_eq!(registers.general[gpr::EAX], 0xFFFF_0006);
    assert_eq!(registers.segments[sreg::FS].selector, 0);
    assert_eq!(bench.word(OTHER_TSS) & 0xFFFF, u32::from(TASK));
}

#[test]
fn paging_follows_the_new_task() {
    const OTHER_DIRECTORY: u32 = 0x1_2000;
    const OTHER_TABLE: u32 = 0x1_3000;
    let mut bench = Bench::paged(&[]);
    let template = two_tasks(&far(0xEA, OTHER), &[0xA1, 0, 0, 3, 0, HLT]); // mov eax, [30000h]
    for range in [0x1000..0x1_0000usize, 0x2_0000..0x2_0001] {
        let bytes = template.memory[range.clone()].to_vec();
        bench.put(range.start as u32, &bytes);
    }
    bench.set(|registers| registers.gdtr.limit = 9 * 8 - 1);
    bench.put_word(OTHER_TSS + 0x1C, OTHER_DIRECTORY);
    bench.put_word(OTHER_DIRECTORY, OTHER_TABLE | 7);
    for page in 0..1024u32 {
        bench.put_word(OTHER_TABLE + 4 * page, page << 12 | 7);
    }
    bench.put_word(OTHER_TABLE + 4 * 0x30, 0x3_1000 | 7);
    bench.put_word(0x3_1000, 0x1234_5678);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EAX), 0x1234_5678);
    assert_eq!(bench.core.registers().cr3, OTHER_DIRECTORY);
}

#[test]
fn iret_with_nt_needs_a_busy_task() {
    // push 4002h; popf; iret
    let program = [0x68, 2, 0x40, 0, 0, 0x9D, 0xCF];
    let mut bench = two_tasks(&program, &[HLT]);
    bench.put_word(TSS, u32::from(OTHER));
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (u32::from(vector::INVALID_TSS), u32::from(OTHER)));
    assert_eq!(stack[1], CODE + 6);
}

#[test]
fn interrupts_use_task_gates_too() {
    let mut bench = two_tasks(&[0xCD, SYSTEM_CALL, 0x42, HLT], &[0x43, 0xCF]);
    let gate = IDT + 8 * u32::from(SYSTEM_CALL);
    bench.put_word(gate, u32::from(OTHER) << 16);
    bench.put_word(gate + 4, 0x0000_E500);
    bench.enter_user();
    let (found, _) = bench.caught();
    assert_eq!(found, u32::from(vector::PROTECTION), "HLT in ring 3, after the return");
    assert_eq!(bench.general(gpr::EDX), 1);
    assert_eq!(bench.word(OTHER_TSS + SAVED_EAX + 12), 0x104);
}

#[test]
fn a_switch_whose_accesses_all_wait_does_nothing_twice() {
    use common::{CACHE_DISABLE, PRESENT, USER, WRITABLE};
    // call OTHER; inc eax; hlt / other: inc ecx; iret
    let mut program = far(0x9A, OTHER).to_vec();
    program.extend([0x40, HLT]);
    let template = two_tasks(&program, &[0x41, 0xCF]);
    let run = |uncached: bool, slice: u64| {
        let mut bench = Bench::paged(&[]);
        let bytes = template.memory[0x1000..0x1_0000].to_vec();
        bench.put(0x1000, &bytes);
        bench.put_word(OTHER_TSS + 0x1C, common::DIRECTORY);
        bench.put_word(TSS + 0x1C, common::DIRECTORY);
        bench.set(|registers| registers.gdtr.limit = 9 * 8 - 1);
        if uncached {
            // The tables and both TSSs.
            for page in [0x3000, 0x4000] {
                bench.map(page, PRESENT | WRITABLE | USER | CACHE_DISABLE);
            }
        }
        let mut limit = 0;
        while bench.run(limit) == rockcreek_cpu::Exit::Limit {
            bench.core.begin_window();
            limit += slice;
            bench.core.run(&mut bench.code, limit);
            bench.core.rollback();
        }
        let counters = bench.core.counters();
        let registers = bench.core.registers();
        (registers, counters.instructions, counters.loads, counters.stores, bench.word(OTHER_TSS))
    };
    let expected = run(false, 1 << 40);
    assert_eq!((expected.0.eip, expected.0.general[gpr::EAX]), (CODE + 9, 1));
    assert_eq!(expected.1, 5);
    for slice in [1, 13, 1 << 40] {
        assert_eq!(run(true, slice), expected);
        assert_eq!(run(false, slice), expected);
    }
}
