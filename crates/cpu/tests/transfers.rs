//! Control transfers: interpreted and translated code record the same transfers at the same cycles,
//! also when windows are rolled back; and nothing else changes.

use crate::common;

use std::collections::BTreeSet;
use std::sync::Arc;

use common::{BUS_CYCLES, Bench, CODE, STACK};
use rockcreek_cpu::{CoreSnapshot, Exit, Taken, Transfer, TransferKind, gpr};

const FUNCTION: u32 = CODE + 0x40;
const TAIL: u32 = CODE + 0x60;
const ROUNDS: usize = 400;
/// Calls on a stack that moves, so that pushes often miss; a call through a register; and a call
/// whose function jumps into another.
const PROGRAM: [u8; 0x80] = {
    let code = [
        0xBB, 0x90, 0x01, 0x00, 0x00, // mov ebx, 400
        0xB8, 0x40, 0x10, 0x00, 0x00, // l: mov eax, FUNCTION
        0xFF, 0xD0, // call eax
        0xE8, 0x4F, 0x00, 0x00, 0x00, // call TAIL
        0x83, 0xEC, 0x24, // sub esp, 36
        0x81, 0xE4, 0xFF, 0x7F, 0x00, 0x00, // and esp, 7fffh
        0x4B, // dec ebx
        0x75, 0xE8, // jnz l
        0xF4, // hlt
    ];
    let function = [0x55, 0x5D, 0xC3]; // push ebp; pop ebp; ret
    let tail = [0x90, 0xEB, 0xDD]; // nop; jmp FUNCTION
    let mut all = [0x90; 0x80];
    let mut n = 0;
    while n < code.len() {
        all[n] = code[n];
        n += 1;
    }
    n = 0;
    while n < 3 {
        all[0x40 + n] = function[n];
        all[0x60 + n] = tail[n];
        n += 1;
    }
    all
};

/// Runs to HLT; each window is rolled back once and run again.
fn run(heat: Option<u8>, watch: bool) -> (CoreSnapshot, Vec<Transfer>) {
    run_without(heat, watch, 0, &[])
}

/// Like `run`, but drops calls that return in fewer cycles, except those of the functions in
/// `kept`.
fn run_without(
    heat: Option<u8>,
    watch: bool,
    shortest_cycles: u64,
    kept: &[u32],
) -> (CoreSnapshot, Vec<Transfer>) {
    let mut bench = Bench::with(&PROGRAM);
    bench.set(|all| all.general[gpr::ESP] = STACK - 8);
    bench.code.set_translation(heat);
    if watch {
        let entries = Arc::new(BTreeSet::from([FUNCTION, TAIL]));
        bench.code.note_transfers(Some(entries.clone()));
        bench.core.watch_transfers(Some(entries), kept);
    }
    let mut noted = Vec::new();
    let mut exit = Exit::Limit;
    while exit != Exit::Halted {
        bench.core.begin_window();
        // Short pairs are found among the records that are taken together.
        if shortest_cycles == 0 {
            bench.core.take_transfers(Taken { all: false, shortest_cycles }, &mut noted);
        }
        let limit = bench.core.cycles() + 700;
        let mut answers = Vec::new();
        exit = bench.core.run(&mut bench.code, limit);
        while let Exit::Bus(request) = exit
            && answers.len() < 5
        {
            let response = bench.perform(&request);
            answers.push((bench.core.cycles() + BUS_CYCLES, response));
            bench.core.complete(bench.core.cycles() + BUS_CYCLES, &response);
            exit = bench.core.run(&mut bench.code, limit);
        }
        bench.core.rollback();
        bench.core.run(&mut bench.code, limit);
        for (cycle, response) in &answers {
            bench.core.complete(*cycle, response);
            bench.core.run(&mut bench.code, limit);
        }
    }
    bench.core.take_transfers(Taken { all: true, shortest_cycles }, &mut noted);
    (bench.core.snapshot(), noted)
}

#[test]
fn transfers_are_noted_alike_and_change_nothing() {
    let (plain, none) = run(None, false);
    assert!(none.is_empty());
    let (interpreted, due) = run(None, true);
    let (translated, noted) = run(Some(1), true);
    assert!(interpreted == plain && translated == plain);
    assert_eq!(noted.len(), due.len());
    for (n, (is, must)) in noted.iter().zip(&due).enumerate() {
        assert_eq!(is, must, "number {n}");
    }
    assert!(due.is_sorted_by_key(|transfer| transfer.cycle));
}

#[test]
fn each_transfer_is_noted_once() {
    let (_, noted) = run(Some(1), true);
    let kinds = noted.iter().map(|transfer| (transfer.kind, transfer.target));
    let round = [
        (TransferKind::Call, FUNCTION),
        (TransferKind::Return, CODE + 12),
        (TransferKind::Call, TAIL),
        (TransferKind::Jump, FUNCTION),
        (TransferKind::Return, CODE + 17),
    ];
    let due: Vec<_> = (0..ROUNDS).flat_map(|_| round).collect();
    assert_eq!(kinds.collect::<Vec<_>>(), due);
    let of_a_call = noted
        .chunks(5)
        .all(|round| round[0].stack == round[1].stack && round[2].stack == round[4].stack);
    assert!(of_a_call, "a return finds its address where the call has put it");
}

/// After short calls are dropped, only the call that ends with a jump remains.
#[test]
fn short_calls_are_left_out() {
    let (_, all) = run(Some(1), true);
    let (plain, few) = run_without(Some(1), true, 1000, &[]);
    assert!(plain == run(None, false).0);
    assert!(few.len() < all.len() * 7 / 10, "{} of {}", few.len(), all.len());
    let calls = |noted: &[Transfer], target| {
        let of =
            |transfer: &&Transfer| transfer.kind == TransferKind::Call && transfer.target == target;
        noted.iter().filter(of).count()
    };
    assert_eq!(calls(&few, TAIL), ROUNDS);
    let mut rest = all.iter();
    assert!(few.iter().all(|noted| rest.any(|other| other == noted)), "in the same order");
    let (_, kept) = run_without(Some(1), true, 1000, &[FUNCTION]);
    assert_eq!(calls(&kept, FUNCTION), ROUNDS);
}
