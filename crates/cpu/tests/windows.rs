//! Windows: a core that is rolled back and run again reaches an equal state.

use crate::common;

use common::{BUS_CYCLES, Bench, MEMORY_BYTES};
use proptest::prelude::*;
use rockcreek_cpu::{CoreSnapshot, Exit, gpr};

/// A program that runs for ever over 64 KB: sums, stores, calls, block copies and x87 instructions.
fn busy_program() -> Bench {
    let program = [
        0xBF, 0x00, 0x00, 0x04, 0x00, // start: mov edi, 40000h
        0xBE, 0x00, 0x00, 0x03, 0x00, // mov esi, 30000h
        0xB9, 0x40, 0x00, 0x00, 0x00, // mov ecx, 64
        0x01, 0x04, 0x8E, // l: add [esi+ecx*4], eax
        0x8B, 0x14, 0x8E, // mov edx, [esi+ecx*4]
        0x05, 0x01, 0x01, 0x00, 0x00, // add eax, 101h
        0xE8, 0x12, 0x00, 0x00, 0x00, // call f
        0x49, // dec ecx
        0x75, 0xED, // jnz l
        0xB9, 0x80, 0x00, 0x00, 0x00, // mov ecx, 128
        0xF3, 0xA5, // rep movsd
        0xD9, 0xE8, // fld1
        0xDD, 0x9E, 0x01, 0x00, 0x00, 0x00, // fstp qword [esi+1]
        0xEB, 0xCE, // jmp start
        0x55, // f: push ebp
        0x89, 0xE5, // mov ebp, esp
        0x31, 0x17, // xor [edi], edx
        0x81, 0xC7, 0x60, 0x05, 0x00, 0x00, // add edi, 560h
        0x81, 0xE7, 0xFF, 0xFF, 0x04, 0x00, // and edi, 4ffffh
        0x5D, // pop ebp
        0xC3, // ret
    ];
    let mut bench = Bench::with(&program);
    for i in 0..MEMORY_BYTES / 16 {
        let at = i * 16;
        if !(0x1000..0x1100).contains(&at) {
            bench.memory[at] = i as u8;
        }
    }
    bench
}

/// Runs a window: to the limit or to the first transaction, which is not performed.
fn run_window(bench: &mut Bench, limit: u64) -> (Exit, CoreSnapshot) {
    let exit = bench.core.run(&mut bench.code, limit);
    (exit, bench.core.snapshot())
}

#[test]
fn a_shutdown_that_is_taken_back_has_not_been() {
    let program = [
        0xB9, 0x00, 0x02, 0x00, 0x00, // mov ecx, 512
        0x49, // l: dec ecx
        0x75, 0xFD, // jnz l
        0x0F, 0x0B, // ud2
    ];
    let mut bench = Bench::with(&program);
    bench.set(|registers| registers.idtr.limit = 0);
    assert_eq!(bench.run(200), Exit::Limit);
    bench.core.begin_window();
    assert!(matches!(bench.core.run(&mut bench.code, 100_000), Exit::Shutdown(_)));
    bench.core.rollback();
    let limit = bench.core.cycles() + 50;
    assert_eq!(bench.core.run(&mut bench.code, limit), Exit::Limit);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn a_window_can_be_run_again(start in 0u64..200_000, length in 1u64..3000, short in 0u64..100) {
        let mut bench = busy_program();
        bench.core.record_commits(true);
        prop_assert_eq!(bench.run(start), Exit::Limit);
        bench.core.drain_commits();
        bench.core.begin_window();
        let before = bench.core.snapshot();
        let limit = bench.core.cycles() + length;
        let first = run_window(&mut bench, limit);

        bench.core.rollback();
        prop_assert!(bench.core.snapshot() == before);
        prop_assert!(bench.core.drain_commits().is_empty());

        // A stop on the way changes nothing either.
        bench.core.run(&mut bench.code, bench.core.cycles() + length * short / 100);
        let second = run_window(&mut bench, limit);
        prop_assert_eq!(first.0, second.0);
        prop_assert!(first.1 == second.1);
        prop_assert_eq!(bench.core.counters().instructions - bench_instructions(&before),
            bench.core.drain_commits().len() as u64);
    }
}

fn bench_instructions(snapshot: &CoreSnapshot) -> u64 {
    let mut bench = Bench::new();
    bench.core.restore(snapshot);
    bench.core.counters().instructions
}

/// A program with unpredictable branches, on the bits of a linear congruential generator, for ever.
fn program_of_branches() -> Vec<u8> {
    let program: [u8; 0x2F] = [
        0x69, 0xC0, 0x6D, 0x4E, 0xC6, 0x41, // start: imul eax, eax, 41c64e6dh
        0x05, 0x39, 0x30, 0x00, 0x00, // add eax, 3039h
        0xA9, 0x00, 0x00, 0x01, 0x00, // test eax, 10000h
        0x74, 0x01, // jz a
        0x43, // inc ebx
        0xA9, 0x00, 0x00, 0x04, 0x00, // a: test eax, 40000h
        0x75, 0x01, // jnz b
        0x41, // inc ecx
        0x89, 0xC2, // b: mov edx, eax
        0xC1, 0xEA, 0x14, // shr edx, 20
        0x83, 0xE2, 0x01, // and edx, 1
        0x81, 0xC2, 0x2B, 0x10, 0x00, 0x00, // add edx, c
        0xFF, 0xE2, // jmp edx
        0x46, // c: inc esi
        0x47, // inc edi
        0xEB, 0xD1, // jmp start
    ];
    program.to_vec()
}

#[test]
fn what_branches_have_taught_in_a_window_is_taken_back() {
    let program = program_of_branches();
    let mut benches = [None, Some(1)].map(|heat| {
        let mut bench = Bench::with(&program);
        bench.code.set_translation(heat);
        assert_eq!(bench.run(1000), Exit::Limit);
        bench
    });
    for window in 1..100 {
        let [interpreted, translated] = benches.each_mut().map(|bench| {
            bench.core.begin_window();
            let before = bench.core.snapshot();
            let limit = bench.core.cycles() + 20 * window;
            let first = run_window(bench, limit);
            bench.core.rollback();
            assert!(bench.core.snapshot() == before, "window {window}");
            let second = run_window(bench, limit);
            assert!(first == second, "window {window}");
            second.1
        });
        assert!(interpreted == translated, "window {window}");
    }
}

#[test]
fn results_do_not_depend_on_how_often_a_run_is_interrupted() {
    let mut whole = busy_program();
    assert_eq!(whole.run(100_000), Exit::Limit);
    let mut pieces = busy_program();
    for limit in (0..=100_000).step_by(37) {
        assert_eq!(pieces.run(limit), Exit::Limit);
        pieces.core.begin_window();
    }
    pieces.run(100_000);
    assert!(whole.core.snapshot() == pieces.core.snapshot());
    assert_eq!(whole.requests, pieces.requests);
    assert!(whole.memory == pieces.memory);
}

/// A serialising instruction is followed by a new fetch, whether or not a run ends behind it.
#[test]
fn what_serialises_ends_its_block() {
    let serialising: [&[u8]; 5] = [
        &[0x0F, 0x22, 0xD8],                // mov cr3, eax
        &[0x0F, 0x22, 0xE2],                // mov cr4, edx
        &[0x0F, 0x01, 0x3D, 0, 0x10, 0, 0], // invlpg [1000h]
        &[0x0F, 0x08],                      // invd
        &[0x0F, 0x09],                      // wbinvd
    ];
    for instruction in serialising {
        // mov eax, cr3; mov edx, 10h; cld; cld: the pipes are empty where the block begins.
        let begin = [0x0F, 0x20, 0xD8, 0xBA, 0x10, 0, 0, 0, 0xFC, 0xFC];
        let program = [&begin, instruction, &[0x90, 0x90, 0xF4]].concat(); // nop; nop; hlt
        let mut whole = Bench::paged(&program);
        whole.run_to_halt();
        let mut pieces = Bench::paged(&program);
        for limit in 0..whole.core.cycles() {
            pieces.run(limit);
        }
        pieces.run_to_halt();
        assert!(whole.core.snapshot() == pieces.core.snapshot(), "{instruction:X?}");
        assert_eq!(whole.requests, pieces.requests, "{instruction:X?}");
    }
}

#[test]
fn a_snapshot_continues_on_another_core() {
    let mut first = busy_program();
    first.run(50_000);
    let bytes = postcard::to_stdvec(&first.core.snapshot()).expect("plain data");
    let snapshot: CoreSnapshot = postcard::from_bytes(&bytes).expect("the same data");
    let mut second = Bench::new();
    second.memory.clone_from(&first.memory);
    second.core.restore(&snapshot);
    first.run(90_000);
    second.run(90_000);
    assert!(first.core.snapshot() == second.core.snapshot());
}

#[test]
fn a_cancelled_transaction_is_asked_for_again() {
    let mut bench = Bench::with(&[0xA1, 0x00, 0x00, 0x10, 0x00, 0xF4]); // mov eax, [100000h]; hlt
    bench.put_word(0x10_0000, 77);
    let request = loop {
        bench.core.begin_window();
        match bench.core.run(&mut bench.code, u64::MAX) {
            Exit::Bus(request) if request.addr().is_some_and(|a| a.0 == 0x10_0000) => {
                break request;
            }
            Exit::Bus(request) => {
                let response = bench.perform(&request);
                bench.core.complete(bench.core.cycles() + BUS_CYCLES, &response);
            }
            exit => panic!("{exit:?}"),
        }
    };
    assert_eq!(bench.core.waiting_for(), Some(&request));
    bench.core.rollback();
    assert_eq!(bench.core.waiting_for(), None);
    assert_eq!(bench.core.run(&mut bench.code, u64::MAX), Exit::Bus(request));
    let response = bench.perform(&request);
    bench.core.complete(bench.core.cycles() + BUS_CYCLES, &response);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EAX), 77);
}
