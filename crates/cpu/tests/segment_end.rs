//! Segments that begin at 0 and end below 4 GB, as a hypervisor gives them to its guest: their code
//! is translated, and what lies behind their end faults as it does when it is interpreted.
#![cfg(target_arch = "x86_64")]

use crate::common;
use crate::translator::{bench, program};

use common::ends::{End, cases, end_alike_whoever_answers};
use common::{Bench, CODE, CODE0, DATA0, NO_VECTOR, STACK, VECTOR_SEEN};
use proptest::prelude::*;
use rockcreek_cpu::{Exit, ProfileReport, Segment, sreg};

/// The last address of the segments in tests of branches, and an address behind it.
const END: u32 = 0x2F_FFFF;
const BEHIND: u32 = END + 1;
/// A word in memory, and the place where each test's loop begins anew.
const CELL: u32 = 0x2_0000;
const AGAIN: u32 = CODE + 0x40;
const ROUNDS: u8 = 20;
const GENERAL_PROTECTION: u32 = 13;

/// Lets the segments of ring 0 end at address `end`; `code`: CS too.
fn cut(bench: &mut Bench, end: u32, code: bool) {
    let (low, high) = (end >> 12 & 0xFFFF, end >> 12 & 0xF_0000);
    bench.set(|all| {
        let number = |number: usize| if number == sreg::CS { CODE0 } else { DATA0 };
        for (n, segment) in all.segments.iter_mut().enumerate() {
            let rights = if n == sreg::CS { 0x00C0_9B00 } else { 0x00C0_9300 };
            if n != sreg::CS || code {
                *segment = Segment::from_descriptor(number(n), low, high | rights);
            }
        }
    });
}

fn end() -> impl Strategy<Value = u32> {
    let ends = vec![0x2_0FFF, 0x2_1FFF, 0x2_2FFF, 0x2_FFFF, 0x3_FFFF, 0x3F_FFFF, 0xF7FF_FFFF];
    prop::sample::select(ends)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]
    #[test]
    fn any_loop_in_cut_segments_ends_in_the_same_state(
        choices in prop::collection::vec(any::<[u8; 4]>(), 1..40),
        rounds in 2..60u8,
        paged in any::<bool>(),
        whole_code in any::<bool>(),
        end in end(),
        random in any::<u64>(),
    ) {
        let code = program(&choices, rounds);
        let to = |heat| {
            let mut bench = bench(&code, paged, false, heat);
            cut(&mut bench, end, !whole_code);
            bench
        };
        end_alike_whoever_answers(to, random)?;
    }
}

/// A loop that puts AGAIN into EAX, in its last round `target`, and then executes `transfer`.
fn transfers(target: u32, transfer: &[u8]) -> Vec<u8> {
    let mut code = vec![0xB9, ROUNDS, 0, 0, 0, 0xBC]; // mov ecx, ROUNDS; mov esp, STACK
    code.extend(STACK.to_le_bytes());
    code.extend([0xB8]); // l: mov eax, AGAIN
    code.extend(AGAIN.to_le_bytes());
    code.extend([0x49, 0x75, 0x05, 0xB8]); // dec ecx; jnz over; mov eax, target
    code.extend(target.to_le_bytes());
    code.extend(transfer); // over:
    code.resize((AGAIN - CODE) as usize, 0x90);
    code.push(0xBC); // mov esp, STACK
    code.extend(STACK.to_le_bytes());
    code.extend([0xEB, 0xC3]); // jmp l
    code
}

/// The vector of the fault with which a loop ends, interpreted and translated.
fn fault_of(code: &[u8]) -> u32 {
    let to = |heat| {
        let mut bench = bench(code, false, false, heat);
        bench.put(END - 1, &[0x90, 0x90]);
        cut(&mut bench, END, true);
        bench
    };
    let ends = [None, Some(1)].map(|heat| End::after(to(heat), &[500, 1_000_000]));
    assert_eq!(ends[0].seen, ends[1].seen);
    assert!(ends[0].snapshot == ends[1].snapshot);
    let mut translated = to(Some(1));
    translated.run_to_halt();
    translated.word(VECTOR_SEEN)
}

#[test]
fn a_branch_behind_the_end_faults() {
    let cell = |opcode: [u8; 2]| {
        let mut code = vec![0xA3]; // mov [CELL], eax
        code.extend(CELL.to_le_bytes());
        code.extend(opcode);
        code.extend(CELL.to_le_bytes());
        code
    };
    let kinds = [
        vec![0xFF, 0xE0],             // jmp eax
        vec![0xFF, 0xD0],             // call eax
        vec![0x50, 0xC3],             // push eax; ret
        vec![0x50, 0x50, 0xC2, 4, 0], // push eax; push eax; ret 4
        cell([0xFF, 0x25]),           // jmp [CELL]
        cell([0xFF, 0x15]),           // call [CELL]
    ];
    for transfer in kinds {
        assert_eq!(fault_of(&transfers(BEHIND, &transfer)), GENERAL_PROTECTION, "{transfer:X?}");
        // At the last two bytes, from which execution runs on behind the end.
        assert_eq!(fault_of(&transfers(END - 1, &transfer)), GENERAL_PROTECTION, "{transfer:X?}");
    }
}

#[test]
fn a_direct_branch_behind_the_end_faults() {
    // dec ecx; jnz l; a branch behind the end
    for branch in [vec![0xE9], vec![0xE8], vec![0x0F, 0x84]] {
        let mut code = vec![0xB9, ROUNDS, 0, 0, 0, 0x49, 0x75, 0xFD];
        code.extend(&branch);
        let next = CODE + code.len() as u32 + 4;
        code.extend((BEHIND - next).to_le_bytes());
        assert_eq!(fault_of(&code), GENERAL_PROTECTION, "{branch:X?}");
    }
}

#[test]
fn code_in_cut_segments_is_translated() {
    let program = [
        0xB9, 0x10, 0x27, 0x00, 0x00, // mov ecx, 10000
        0x51, // l: push ecx
        0x01, 0x0C, 0x24, // add [esp], ecx
        0xF3, 0x90, // pause
        0x58, // pop eax
        0x49, // dec ecx
        0x75, 0xF6, // jnz l
        0xF4, // hlt
    ];
    for end in [0xF7FF_FFFF, u32::MAX] {
        let mut bench = bench(&program, false, false, Some(10));
        bench.code.set_profiling(true);
        cut(&mut bench, end, true);
        assert_eq!(bench.run(10_000_000), Exit::Halted);
        assert_eq!(bench.word(VECTOR_SEEN), NO_VECTOR);
        let mut report = ProfileReport::default();
        bench.code.report(&mut report);
        let left: u64 =
            report.instructions.values().map(|by| by.interpreted + by.stepped + by.missed).sum();
        assert!(left < 1000, "{end:X}: {left} instructions by the interpreter");
    }
}
