//! The pipeline compared with its published rules (`fog-microarchitecture`, the chapters on the P1,
//! and `intel-pentium-manual`): small pieces of code with the clocks that the rules give.

use crate::common;

use common::Bench;
use proptest::prelude::*;
use rockcreek_cpu::{CommitRecord, Exit, gpr};

/// NEG EBP executes alone in one clock and hides nothing.
const ALONE: [u8; 2] = [0xF7, 0xDD];
const DATA: u32 = 0x2_0000;

/// Loads the lines that pieces write, because a store that misses fills none: mov eax, [ebx]; mov
/// eax, [esi]; mov eax, [esp-4]; fninit; mov edi, 3.
const PREPARE: [u8; 15] =
    [0x8B, 0x03, 0x8B, 0x06, 0x8B, 0x44, 0x24, 0xFC, 0xDB, 0xE3, 0xBF, 3, 0, 0, 0];

/// Three rounds of: ALONE; the piece; ALONE; dec edi; jnz.
fn rounds(piece: &[u8]) -> Bench {
    let mut program = PREPARE.to_vec();
    let start = program.len();
    program.extend(ALONE);
    program.extend(piece);
    program.extend(ALONE);
    program.extend([0x4F, 0x0F, 0x85]);
    let back = start as i32 - (program.len() as i32 + 4);
    program.extend(back.to_le_bytes());
    program.push(0xF4);
    let mut bench = Bench::with(&program);
    bench.set(|registers| {
        registers.general[gpr::EBX] = DATA;
        registers.general[gpr::ESI] = DATA + 0x104;
    });
    bench
}

/// The clocks of a piece of code in the last round, with warm caches.
fn clocks(piece: &[u8]) -> u64 {
    let mut bench = rounds(piece);
    bench.core.record_commits(true);
    bench.run_to_halt();
    let records = bench.core.drain_commits();
    let ends: Vec<&CommitRecord> = records
        .iter()
        .filter(|record| bench.memory[record.eip as usize..].starts_with(&ALONE))
        .collect();
    assert_eq!(ends.len(), 6);
    ends[5].cycle - ends[4].cycle - 1
}

fn check(table: &[(&str, &[u8], u64)]) {
    for (code, bytes, expected) in table {
        assert_eq!(clocks(bytes), *expected, "{code}");
    }
}

#[test]
fn simple_instructions_pair() {
    check(&[
        ("mov eax, ebx", &[0x89, 0xD8], 1),
        ("mov eax, ebx; inc ecx", &[0x89, 0xD8, 0x41], 1),
        ("mov eax, ebx; inc eax", &[0x89, 0xD8, 0x40], 2),
        ("mov eax, ebx; inc ecx; add edx, 1; nop", &[0x89, 0xD8, 0x41, 0x83, 0xC2, 1, 0x90], 2),
        ("neg eax; inc ecx; inc edx", &[0xF7, 0xD8, 0x41, 0x42], 2),
        ("inc ecx; neg eax; inc edx", &[0x41, 0xF7, 0xD8, 0x42], 3),
        ("shl eax, 1; inc ecx", &[0xD1, 0xE0, 0x41], 1),
        ("inc ecx; shl eax, 1", &[0x41, 0xD1, 0xE0], 2),
        ("adc eax, ecx; inc edx", &[0x11, 0xC8, 0x42], 1),
        ("push eax; push ecx; pop ecx; pop eax", &[0x50, 0x51, 0x59, 0x58], 2),
        ("mov [ebx], eax; mov ecx, [ebx+4]", &[0x89, 0x03, 0x8B, 0x4B, 0x04], 1),
        ("mov dword [ebx], 1; inc ecx", &[0xC7, 0x03, 1, 0, 0, 0, 0x41], 1),
        ("mov dword [ebx+4], 1; inc ecx", &[0xC7, 0x43, 4, 1, 0, 0, 0, 0x41], 2),
    ]);
}

#[test]
fn pairs_with_memory_operands_interleave() {
    const MOV: [u8; 2] = [0x89, 0xD8]; // mov eax, ebx
    const READ: [u8; 2] = [0x03, 0x0B]; // add ecx, [ebx]
    const MODIFY: [u8; 3] = [0x01, 0x56, 0x08]; // add [esi+8], edx
    const OTHER_READ: [u8; 3] = [0x33, 0x56, 0x08]; // xor edx, [esi+8]
    const OTHER_MODIFY: [u8; 3] = [0x31, 0x43, 0x10]; // xor [ebx+10h], eax
    let pair = |first: &[u8], second: &[u8]| clocks(&[first, second].concat());
    assert_eq!(pair(&MOV, &READ), 2);
    assert_eq!(pair(&MOV, &MODIFY), 3);
    assert_eq!(pair(&READ, &MOV), 2);
    assert_eq!(pair(&READ, &OTHER_READ), 2);
    assert_eq!(pair(&READ, &MODIFY), 3);
    assert_eq!(pair(&MODIFY, &MOV), 3);
    assert_eq!(pair(&MODIFY, &READ), 4);
    assert_eq!(pair(&MODIFY, &OTHER_MODIFY), 5);
    assert_eq!((clocks(&READ), clocks(&MODIFY)), (2, 3));
}

#[test]
fn addresses_wait_a_clock() {
    check(&[
        ("inc ebx; dec ebx; mov eax, [ebx]", &[0x43, 0x4B, 0x8B, 0x03], 4),
        ("mov eax, ebx; mov ecx, [eax]", &[0x89, 0xD8, 0x8B, 0x08], 3),
        (
            "mov eax, ebx; nop; nop; nop; mov ecx, [eax]",
            &[0x89, 0xD8, 0x90, 0x90, 0x90, 0x8B, 8],
            3,
        ),
        ("mov eax, ebx; inc ecx; lea edx, [eax+4]", &[0x89, 0xD8, 0x41, 0x8D, 0x50, 4], 3),
        // The instruction in V waits: the pair takes two clocks.
        ("mov eax, ebx; nop; inc edx; mov ecx, [eax]", &[0x89, 0xD8, 0x90, 0x42, 0x8B, 0x08], 3),
        // Both instructions wait, at the same time.
        (
            "mov eax, ebx; nop; mov edx, [eax+4]; mov ecx, [eax]",
            &[0x89, 0xD8, 0x90, 0x8B, 0x50, 4, 0x8B, 0x08],
            3,
        ),
        ("push eax; neg edx; pop eax", &[0x50, 0xF7, 0xDA, 0x58], 3),
        // No stall, but both access one bank.
        ("push eax; pop eax", &[0x50, 0x58], 2),
        ("sub esp, 4; pop eax", &[0x83, 0xEC, 4, 0x58], 3),
        ("sub esp, 4; nop; nop; nop; pop eax", &[0x83, 0xEC, 4, 0x90, 0x90, 0x90, 0x58], 3),
        (
            "push eax; neg edx; mov ecx, [esp]; pop eax",
            &[0x50, 0xF7, 0xDA, 0x8B, 0x0C, 0x24, 0x58],
            4,
        ),
    ]);
}

#[test]
fn prefixes_take_a_clock_unless_hidden() {
    check(&[
        ("mov ax, cx", &[0x66, 0x89, 0xC8], 2),
        ("mov ax, cx; inc edx", &[0x66, 0x89, 0xC8, 0x42], 2),
        ("inc edx; mov ax, cx", &[0x42, 0x66, 0x89, 0xC8], 3),
        ("movzx eax, cl", &[0x0F, 0xB6, 0xC1], 4),
        ("cld; mov ax, cx", &[0xFC, 0x66, 0x89, 0xC8], 3),
        ("cld; nop; inc edx; mov ax, cx", &[0xFC, 0x90, 0x42, 0x66, 0x89, 0xC8], 4),
        ("cld; neg eax; mov ax, cx", &[0xFC, 0xF7, 0xD8, 0x66, 0x89, 0xC8], 4),
        ("cld; neg eax; neg eax; mov ax, cx", &[0xFC, 0xF7, 0xD8, 0xF7, 0xD8, 0x66, 0x89, 0xC8], 6),
        // The clock of an address stall hides a prefix too.
        (
            "mov eax, ebx; mov ecx, [eax]; mov dx, cx",
            &[0x89, 0xD8, 0x8B, 0x08, 0x66, 0x89, 0xCA],
            4,
        ),
        (
            "mov cx, ax; mov dx, ax; mov cx, ax",
            &[0x66, 0x89, 0xC1, 0x66, 0x89, 0xC2, 0x66, 0x89, 0xC1],
            6,
        ),
    ]);
}

#[test]
fn accesses_to_one_bank_take_turns() {
    // mov eax, [ebx]; mov ecx, [ebx+n]
    let pair = |distance: u32| {
        let mut code = vec![0x8B, 0x03, 0x8B, 0x8B];
        code.extend(distance.to_le_bytes());
        clocks(&code)
    };
    assert_eq!(pair(4), 1);
    assert_eq!(pair(32), 2);
    assert_eq!(pair(36), 1);
    assert_eq!(pair(0x1000), 2);
    // mov al, [ebx]; mov cl, [ebx+1 or +4]
    assert_eq!(clocks(&[0x8A, 0x03, 0x8A, 0x4B, 1]), 2);
    assert_eq!(clocks(&[0x8A, 0x03, 0x8A, 0x4B, 4]), 1);
    // push eax; mov [7FFCh or 7FF8h], ecx; pop eax
    assert_eq!(clocks(&[0x50, 0x89, 0x0D, 0xFC, 0x7F, 0, 0, 0x58]), 3);
    assert_eq!(clocks(&[0x50, 0x89, 0x0D, 0xF8, 0x7F, 0, 0, 0x58]), 2);
}

const FLD_TWO: [u8; 5] = [0xDD, 0x03, 0xDD, 0x43, 0x08]; // fld qword [ebx]; fld qword [ebx+8]
const FSTP_TWO: [u8; 4] = [0xDD, 0xD8, 0xDD, 0xD8]; // fstp st0; fstp st0
const FXCH: [u8; 2] = [0xD9, 0xC9];

/// The clocks of a piece with two numbers loaded before it and dropped after it.
fn float_clocks(piece: &[u8]) -> u64 {
    clocks(&[&FLD_TWO[..], piece, &FSTP_TWO].concat())
}

#[test]
fn floating_point_results_are_waited_for() {
    assert_eq!(float_clocks(&[]), 4);
    // fadd st0, st0, three times: each waits for the one before; then two drops
    assert_eq!(float_clocks(&[0xD8, 0xC0, 0xD8, 0xC0, 0xD8, 0xC0]), 2 + 3 * 3 + 2);
    // fadd qword [ebx]; fxch; then both again: the second addition begins a clock later
    let add = [0xDC, 0x03];
    assert_eq!(float_clocks(&[&add[..], &FXCH, &add, &FXCH].concat()), 2 + 3 + 1 + 1);
    // A multiplication can begin only every two clocks.
    let multiply = [0xDC, 0x0B];
    assert_eq!(float_clocks(&[&multiply[..], &FXCH, &multiply, &FXCH].concat()), 2 + 2 + 3 + 1);
    // fadd st0, st0; fst qword [ebx]: ready a clock before, then two
    assert_eq!(float_clocks(&[0xD8, 0xC0, 0xDD, 0x13]), 2 + 3 + 1 + 2 + 2);
}

#[test]
fn integers_overlap_a_division() {
    let divide = [0xD8, 0xF0]; // fdiv st0, st0
    assert_eq!(float_clocks(&divide), 2 + 39 + 2);
    // Twenty times neg edx.
    let others = [0xF7, 0xDA].repeat(20);
    assert_eq!(float_clocks(&[&divide[..], &others].concat()), 2 + 39 + 2);
    // imul edx, ecx needs the multiplier; nothing hides its 0F.
    let multiply = [0x0F, 0xAF, 0xD1];
    assert_eq!(float_clocks(&[&divide[..], &multiply].concat()), 2 + 39 + 11 + 2);
    // In double precision: push 27Fh; fldcw [esp]; ...; fninit in the end
    let double = [0x68, 0x7F, 0x02, 0, 0, 0xD9, 0x2C, 0x24, 0x59];
    let both = |piece: &[u8]| float_clocks(&[&double[..], piece].concat());
    assert_eq!(both(&divide) - both(&[]), 33);
}

#[test]
fn fxch_shares_a_clock_but_with_integers_behind_it() {
    let add = [0xD8, 0xC0];
    let others = [0xF7, 0xDA].repeat(4);
    let alone = float_clocks(&[&add[..], &others].concat());
    assert_eq!(alone, 2 + 1 + 4 + 2);
    assert_eq!(float_clocks(&[&add[..], &FXCH, &others].concat()), alone + 1);
    // Behind an integer instruction, FXCH takes a clock of its own.
    assert_eq!(float_clocks(&[&add[..], &others, &FXCH].concat()), alone + 1);
}

#[test]
fn branches_that_are_not_foreseen_cost_three_or_four() {
    check(&[
        ("jmp to the next", &[0xEB, 0x00], 1),
        // Ten rounds of one clock; the end of the loop is mispredicted.
        ("mov ecx, 10; l: dec ecx; jnz l", &[0xB9, 10, 0, 0, 0, 0x49, 0x75, 0xFD], 1 + 10 + 4),
        // The conditional jump executes in U.
        (
            "mov ecx, 10; l: dec ecx; nop; jnz l",
            &[0xB9, 10, 0, 0, 0, 0x49, 0x90, 0x75, 0xFC],
            1 + 20 + 3,
        ),
        ("call f; jmp over; f: ret", &[0xE8, 2, 0, 0, 0, 0xEB, 1, 0xC3], 1 + 2 + 1),
        // The return goes to another address than the last time, so it is mispredicted.
        (
            "call f; call f; jmp over; f: ret",
            &[0xE8, 7, 0, 0, 0, 0xE8, 2, 0, 0, 0, 0xEB, 1, 0xC3],
            2 * (1 + 2 + 3) + 1,
        ),
    ]);
}

/// The instructions from which random pieces are made.
fn instruction() -> impl Strategy<Value = Vec<u8>> {
    let choices: Vec<Vec<u8>> = [
        &[0x89, 0xD8][..],            // mov eax, ebx
        &[0x40],                      // inc eax
        &[0x41],                      // inc ecx
        &[0x8B, 0x0B],                // mov ecx, [ebx]
        &[0x89, 0x56, 0x08],          // mov [esi+8], edx
        &[0x03, 0x4E, 0x20],          // add ecx, [esi+20h]
        &[0x01, 0x53, 0x24],          // add [ebx+24h], edx
        &[0x66, 0x89, 0xC8],          // mov ax, cx
        &[0x0F, 0xB6, 0xC1],          // movzx eax, cl
        &[0x50],                      // push eax
        &[0x59],                      // pop ecx
        &[0xD1, 0xE0],                // shl eax, 1
        &[0xF7, 0xD8],                // neg eax
        &[0xFC],                      // cld
        &[0x83, 0xC4, 0x00],          // add esp, 0
        &[0x8D, 0x54, 0x8B, 0x04],    // lea edx, [ebx+ecx*4+4]
        &[0xEB, 0x00],                // jmp to the next
        &[0x85, 0xC0, 0x75, 0x00],    // test eax, eax; jnz to the next
        &[0x8B, 0x43, 0x02],          // mov eax, [ebx+2]
        &[0xC7, 0x43, 4, 1, 0, 0, 0], // mov dword [ebx+4], 1
        &[0xD9, 0xE8, 0xDD, 0xD8],    // fld1; fstp st0
        &[0xD9, 0xC9],                // fxch
        &[0xDC, 0xC1],                // fadd st1, st0
        &[0xDC, 0x0B],                // fmul qword [ebx]
        &[0x0F, 0xAF, 0xD1],          // imul edx, ecx
        &[0x89, 0xDE, 0x8D, 0x7C, 0x24, 0xC0, 0x6A, 2, 0x59, 0xF3, 0xA5, 0x89, 0xDE],
    ]
    .iter()
    .map(|bytes| bytes.to_vec())
    .collect();
    prop::sample::select(choices)
}

/// A program that repeats the piece for ever and leaves the stack unchanged in each round.
fn endless(piece: &[u8]) -> Bench {
    let mut program = vec![0xDB, 0xE3]; // fninit
    let start = program.len();
    program.extend([0xBC, 0, 0x80, 0, 0]); // mov esp, 8000h
    program.extend(piece);
    program.push(0xE9);
    let back = start as i32 - (program.len() as i32 + 4);
    program.extend(back.to_le_bytes());
    let mut bench = Bench::with(&program);
    bench.set(|registers| {
        registers.general[gpr::EBX] = DATA;
        registers.general[gpr::ESI] = DATA + 0x104;
    });
    bench
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    /// The results do not depend on where runs begin and end, nor on whether each instruction is
    /// observed.
    #[test]
    fn slices_add_up(
        pieces in prop::collection::vec(instruction(), 1..40),
        slices in prop::collection::vec(1u64..12, 1..40),
    ) {
        const CYCLES: u64 = 3000;
        let piece = pieces.concat();
        let mut whole = endless(&piece);
        prop_assert_eq!(whole.run(CYCLES), Exit::Limit);

        let mut parts = endless(&piece);
        parts.core.record_commits(true);
        let mut limit = 0;
        for slice in slices.iter().cycle() {
            limit = (limit + slice).min(CYCLES);
            prop_assert_eq!(parts.run(limit), Exit::Limit);
            parts.core.begin_window();
            if *slice == 7 {
                // A window that is rolled back has no effect.
                parts.core.run(&mut parts.code, limit + 20);
                parts.core.rollback();
            }
            if limit == CYCLES {
                break;
            }
        }
        prop_assert_eq!(whole.core.cycles(), parts.core.cycles());
        prop_assert_eq!(whole.core.counters(), parts.core.counters());
        prop_assert!(whole.core.snapshot() == parts.core.snapshot());
    }
}
