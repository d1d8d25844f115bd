//! Probes: what they count and record. Nothing else changes, in the interpreter and in translated
//! code.

use crate::common;

use common::{BUS_CYCLES, Bench, CODE, STACK};
use rockcreek_cpu::{CALL_WORDS, Call, CoreSnapshot, Exit, ProbeKind, gpr};

const ROUNDS: u32 = 400;
/// A function that changes its first argument on the stack.
const FUNCTION: u32 = CODE + 0x40;
/// A program whose calls each use a deeper part of the stack, so that arguments often lie in no
/// cache.
const PROGRAM: [u8; 0x50] = {
    let code = [
        0xBB, 0x90, 0x01, 0x00, 0x00, // mov ebx, 400
        0x68, 0x78, 0x56, 0x34, 0x12, // l: push 12345678h
        0x53, // push ebx
        0xE8, 0x30, 0x00, 0x00, 0x00, // call FUNCTION
        0x83, 0xC4, 0x08, // add esp, 8
        0x83, 0xEC, 0x18, // sub esp, 24
        0x81, 0xE4, 0xFF, 0x7F, 0x00, 0x00, // and esp, 7fffh
        0x4B, // dec ebx
        0x75, 0xE6, // jnz l
        0xF4, // hlt
    ];
    let function = [
        0x55, // push ebp
        0x89, 0xE5, // mov ebp, esp
        0xC7, 0x45, 0x08, 0xFF, 0x00, 0x00, 0x00, // mov dword [ebp+8], 255
        0x5D, // pop ebp
        0xC3, // ret
    ];
    let mut all = [0x90; 0x50];
    let mut n = 0;
    while n < code.len() {
        all[n] = code[n];
        n += 1;
    }
    n = 0;
    while n < function.len() {
        all[0x40 + n] = function[n];
        n += 1;
    }
    all
};

struct End {
    snapshot: CoreSnapshot,
    count: Vec<(u32, u64)>,
    calls: Vec<Call>,
    /// A text with the contents of the code cache.
    code: String,
}

/// Runs to HLT. Each window contains some responses, is rolled back once and run again; the words
/// of calls are completed as the chip does it.
fn run(heat: Option<u8>, kind: Option<ProbeKind>) -> End {
    let mut bench = Bench::with(&PROGRAM);
    bench.set(|all| all.general[gpr::ESP] = STACK - 8);
    bench.code.set_translation(heat);
    if let Some(kind) = kind {
        bench.code.leave_to_interpreter(FUNCTION);
        bench.core.set_probe(FUNCTION, kind);
    }
    let mut calls = Vec::new();
    let mut exit = Exit::Limit;
    while exit != Exit::Halted {
        bench.core.begin_window();
        calls.extend(bench.core.take_calls(false));
        let limit = bench.core.cycles() + 700;
        let mut answers = Vec::new();
        exit = bench.core.run(&mut bench.code, limit);
        while let Exit::Bus(request) = exit
            && answers.len() < 5
        {
            let memory = &bench.memory;
            bench.core.complete_calls(&|addr| memory.get(addr.0 as usize).copied());
            let response = bench.perform(&request);
            answers.push((bench.core.cycles() + BUS_CYCLES, response));
            bench.core.complete(bench.core.cycles() + BUS_CYCLES, &response);
            exit = bench.core.run(&mut bench.code, limit);
        }
        bench.core.rollback();
        assert!(bench.core.run(&mut bench.code, limit) == exit || !answers.is_empty());
        for (cycle, response) in &answers {
            bench.core.complete(*cycle, response);
            bench.core.run(&mut bench.code, limit);
        }
    }
    let memory = &bench.memory;
    bench.core.complete_calls(&|addr| memory.get(addr.0 as usize).copied());
    calls.extend(bench.core.take_calls(true));
    End {
        snapshot: bench.core.snapshot(),
        count: bench.core.probe_counts(),
        calls,
        code: format!("{:?}", bench.code),
    }
}

const CALLS: ProbeKind = ProbeKind {
    user_only: false,
    step: false,
    note: Some(rockcreek_cpu::ProbeNote::Call),
    snapshot: false,
};

#[test]
fn probes_change_nothing() {
    let plain = run(None, None);
    for heat in [None, Some(1)] {
        for kind in [None, Some(CALLS), Some(ProbeKind { note: None, ..CALLS })] {
            assert!(run(heat, kind).snapshot == plain.snapshot, "{heat:?} {kind:?}");
        }
    }
}

/// Code without probes is translated as without any probe.
#[test]
#[cfg(target_arch = "x86_64")]
fn probes_leave_the_rest_translated() {
    let code = run(Some(1), Some(CALLS)).code;
    assert!(code.contains("Translations { regions: ") && !code.contains("regions: 0,"));
}

#[test]
fn a_call_is_noted_once_with_its_arguments() {
    for heat in [None, Some(1)] {
        let end = run(heat, Some(CALLS));
        assert_eq!(end.count, [(FUNCTION, u64::from(ROUNDS))]);
        let seen: Vec<_> = end.calls.iter().map(|call| (call.address, &call.words[..3])).collect();
        let due: Vec<[u32; 3]> = (1..=ROUNDS).rev().map(|n| [CODE + 16, n, 0x1234_5678]).collect();
        let due: Vec<_> = due.iter().map(|words| (FUNCTION, &words[..])).collect();
        assert_eq!(seen, due);
    }
    assert_eq!(CALL_WORDS, 8);
}

#[test]
fn a_probe_of_ring_3_sees_no_other_ring() {
    let end = run(Some(1), Some(ProbeKind { user_only: true, ..CALLS }));
    assert_eq!((end.count, end.calls), (vec![(FUNCTION, 0)], vec![]));
}
