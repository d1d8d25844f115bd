//! CESR, CTR0 and CTR1: known pieces of code give exactly the expected counts.

use crate::common;

use common::{Bench, CACHE_DISABLE, CODE, CODE3, DATA3, HANDLERS, PRESENT, STACK, SYSTEM_CALL};
use common::{USER, WRITABLE, WRITE_THROUGH};
use rockcreek_cpu::gpr;

const HLT: u8 = 0xF4;
/// CESR, CTR0, CTR1.
const SELECT: u8 = 0x11;
const COUNTER_0: u8 = 0x12;
/// Values of CESR's control fields: count at CPL 0 to 2, at CPL 3, at any level.
const INNER: u32 = 1;
const OUTER: u32 = 2;
const ANY: u32 = 3;
/// The address in EBX.
const DATA: u32 = 0x2_0000;

/// mov eax, value; xor edx, edx; mov ecx, register; wrmsr
fn write_msr(register: u8, value: u32) -> Vec<u8> {
    let mut code = vec![0xB8];
    code.extend(value.to_le_bytes());
    code.extend([0x31, 0xD2, 0xB9, register, 0, 0, 0, 0x0F, 0x30]);
    code
}

/// mov ecx, COUNTER_0; rdmsr; mov esi, eax; inc ecx; rdmsr; mov edi, eax; hlt
const READ_BOTH: [u8; 15] =
    [0xB9, COUNTER_0, 0, 0, 0, 0x0F, 0x32, 0x89, 0xC6, 0x41, 0x0F, 0x32, 0x89, 0xC7, HLT];

fn select(events: [u32; 2], control: u32) -> u32 {
    events[0] | control << 6 | events[1] << 16 | control << 22
}

fn counters(bench: &Bench) -> [u32; 2] {
    [bench.general(gpr::ESI), bench.general(gpr::EDI)]
}

/// The counts of two events for `body`, on a bench that `prepare` has changed.
fn counts(events: [u32; 2], body: &[u8], prepare: impl Fn(&mut Bench)) -> [u32; 2] {
    let mut program = write_msr(SELECT, select(events, ANY));
    program.extend(body);
    program.extend(write_msr(SELECT, 0));
    program.extend(READ_BOTH);
    let mut bench = Bench::paged(&program);
    bench.set(|registers| registers.general[gpr::EBX] = DATA);
    prepare(&mut bench);
    bench.run_to_halt();
    counters(&bench)
}

fn count(events: [u32; 2], body: &[u8]) -> [u32; 2] {
    counts(events, body, |_| {})
}

/// mov ebp, 10; l: mov eax, [ebx]; mov [ebx+4], eax; dec ebp; jnz l
const LOOP: [u8; 13] = [0xBD, 10, 0, 0, 0, 0x8B, 0x03, 0x89, 0x43, 0x04, 0x4D, 0x75, 0xF8];
/// The instructions counted outside the body: the WRMSR that starts counting, and three before the
/// one that ends it.
const FRAME: u32 = 4;

#[test]
fn a_loop_counts_instructions_and_branches() {
    assert_eq!(count([0x16, 0x12], &LOOP), [FRAME + 1 + 40, 10]);
    // In V: the first load beside MOV EBP, each DEC beside the store, and MOV ECX of the frame
    // beside XOR.
    // The last JNZ is not taken, but has an entry in the branch target buffer.
    assert_eq!(count([0x14, 0x17], &LOOP), [9 + 1, 1 + 10 + 1]);
    // The first JNZ has no entry; of the nine jumps back, all except the first are predicted.
    assert_eq!(count([0x13, 0x15], &LOOP), [9, 2]);
    assert_eq!(count([0x16, 0x16], &[]), [FRAME, FRAME]);
}

#[test]
fn a_loop_counts_data_accesses() {
    assert_eq!(count([0x00, 0x01], &LOOP), [10, 10]);
    assert_eq!(count([0x28, 0x29], &LOOP), [20, 1]);
    // One fill; then every store hits the line, which this core owns.
    assert_eq!(count([0x03, 0x04], &LOOP), [1, 0]);
    assert_eq!(count([0x05, 0x06], &LOOP), [10, 0]);
    assert_eq!(count([0x07, 0x08], &LOOP), [0, 0]);
}

#[test]
fn stores_that_miss_are_not_allocated() {
    // mov [ebx], eax; mov [ebx], eax; mov [ebx+40h], eax
    let body = [0x89, 0x03, 0x89, 0x03, 0x89, 0x43, 0x40];
    assert_eq!(count([0x04, 0x05], &body), [3, 0]);
    // mov eax, [ebx] first, on a write-through page: hits that own nothing
    let mut body = vec![0x8B, 0x03];
    body.extend([0x89, 0x03, 0x89, 0x03]);
    let through = PRESENT | WRITABLE | USER | WRITE_THROUGH;
    assert_eq!(counts([0x04, 0x05], &body, |bench| bench.map(DATA, through)), [0, 0]);
    assert_eq!(counts([0x01, 0x03], &body, |bench| bench.map(DATA, through)), [2, 1]);
}

#[test]
fn displaced_lines_are_written_back() {
    // mov eax, [ebx]; mov [ebx], eax; then four more lines of the set, 4 KB apart; in a set that
    // the page tables do not use
    let mut body = vec![0x81, 0xC3, 0x00, 0x04, 0x00, 0x00, 0x8B, 0x03, 0x89, 0x03];
    for page in 1..=4u32 {
        body.extend([0x8B, 0x83]);
        body.extend((page * 4096).to_le_bytes());
    }
    assert_eq!(count([0x06, 0x03], &body), [1, 5]);
    assert_eq!(count([0x02, 0x0D], &body), [5, 0]);
}

#[test]
fn uncached_reads_and_locked_cycles() {
    // mov eax, [ebx]; mov eax, [ebx]; mov al, [ebx+4]
    let body = [0x8B, 0x03, 0x8B, 0x03, 0x8A, 0x43, 0x04];
    let uncached = PRESENT | WRITABLE | USER | CACHE_DISABLE;
    assert_eq!(counts([0x1E, 0x03], &body, |bench| bench.map(DATA, uncached)), [3, 3]);
    assert_eq!(count([0x1E, 0x03], &body), [0, 1]);
    // lock inc [ebx]; xchg [ebx], eax; the page's A and D bits before them
    let body = [0xF0, 0xFF, 0x03, 0x87, 0x03];
    assert_eq!(count([0x1C, 0x00], &body), [3, 2]);
    let marked = PRESENT | WRITABLE | USER | common::ACCESSED | common::DIRTY;
    assert_eq!(counts([0x1C, 0x01], &body, |bench| bench.map(DATA, marked)), [2, 2]);
}

#[test]
fn ports_segments_and_floating_point() {
    // in al, 60h; out 60h, al; push ds; pop ds; mov es, [esp-4]
    let body = [0xE4, 0x60, 0xE6, 0x60, 0x1E, 0x1F, 0x8E, 0x44, 0x24, 0xFC];
    assert_eq!(count([0x1D, 0x0F], &body), [2, 2]);
    // fninit; fld1; fld1; faddp; fsqrt; fmul st0, st0; fstp st0
    let body = [0xDB, 0xE3, 0xD9, 0xE8, 0xD9, 0xE8, 0xDE, 0xC1, 0xD9, 0xFA, 0xDC, 0xC8, 0xDD, 0xD8];
    assert_eq!(count([0x22, 0x16], &body), [3, FRAME + 7]);
}

#[test]
fn code_lines_are_read_when_execution_enters_them() {
    // The lines from the instruction behind the first WRMSR to the last XOR.
    let lines = |bytes: u32| {
        let first = CODE + write_msr(0, 0).len() as u32;
        let last = first + bytes + 11;
        last / 32 - first / 32 + 1
    };
    let body = [0x90; 100];
    let [reads, misses] = count([0x0C, 0x0E], &body);
    assert_eq!(reads, lines(100));
    // L1I already had the first of these lines.
    assert_eq!(misses, lines(100) - 1);
    // mov ebp, 10; l: dec ebp; jnz l: each jump enters its line again
    let spin = [0xBD, 10, 0, 0, 0, 0x4D, 0x75, 0xFD];
    assert_eq!(count([0x0C, 0x14], &spin), [lines(8) + 9, 10]);
}

#[test]
fn pairs_of_accesses_and_address_stalls_are_counted() {
    // mov ecx, [ebx]; mov edx, [ebx+4]; mov ecx, [ebx]; mov edx, [ebx+20h]
    let body = [0x8B, 0x0B, 0x8B, 0x53, 0x04, 0x8B, 0x0B, 0x8B, 0x53, 0x20];
    assert_eq!(count([0x09, 0x0A], &body), [2, 1]);
    // lea ecx, [ebx]; nop; mov esi, [ecx]; mov edi, [ecx+4]: both wait
    let body = [0x8D, 0x0B, 0x90, 0x8B, 0x31, 0x8B, 0x79, 0x04];
    assert_eq!(count([0x1F, 0x09], &body), [2, 1]);
}

#[test]
fn operands_across_their_boundary_are_counted_once() {
    // mov ecx, [ebx+2]; mov cx, [ebx+1]; mov ecx, [ebx+1Eh]; add [ebx+3], ecx
    let body = [0x8B, 0x4B, 2, 0x66, 0x8B, 0x4B, 1, 0x8B, 0x4B, 0x1E, 0x01, 0x4B, 3];
    assert_eq!(count([0x0B, 0x28], &body), [4, 6]);
}

#[test]
fn waiting_is_counted_by_what_is_waited_for() {
    // mov eax, [ebx]; mov ecx, [ebx+n]: in the same line, or in one to be fetched
    let read = |n: u8| [0x8B, 0x03, 0x8B, 0x4B, n];
    let clocks = common::BUS_CYCLES as u32;
    let [bus, reads] = count([0x18, 0x1A], &read(4));
    assert_eq!(count([0x18, 0x1A], &read(0x44)), [bus + clocks, reads + clocks]);
    // mov eax, [ebx]; mov [ebx+n], eax
    let write = |n: u8| [0x8B, 0x03, 0x89, 0x43, n];
    let [reads, writes] = count([0x1A, 0x19], &write(4));
    // With a delay behind it (mov ecx, 100; l: dec ecx; jnz l) the store is acknowledged during the
    // delay.
    let delay = [0xB9, 100, 0, 0, 0, 0x49, 0x75, 0xFD];
    let one = [&write(0x44)[..], &delay].concat();
    assert_eq!(count([0x1A, 0x19], &one), [reads, writes]);
    // A second one, mov [ebx+64h], eax, waits for the first.
    let two = [&write(0x44)[..], &[0x89, 0x43, 0x64], &delay].concat();
    let [_, waits] = count([0x1A, 0x19], &two);
    assert!((writes + clocks - 2..writes + clocks).contains(&waits), "{waits} of {clocks}");
}

#[test]
fn breakpoint_matches_count_without_breaking() {
    let watch = |bench: &mut Bench| {
        bench.set(|registers| {
            registers.debug[0] = DATA + 4;
            registers.debug[7] = 0x400 | 1 << 16 | 3 << 18;
        });
    };
    assert_eq!(counts([0x23, 0x24], &LOOP, watch), [10, 0]);
}

#[test]
fn counters_look_at_the_privilege_level() {
    // Five pushes and IRET to ring 3; there five NOPs and a system call.
    let run = |control: u32| {
        let mut program = write_msr(SELECT, select([0x16, 0x01], control));
        let target = CODE + program.len() as u32 + 5 * 5 + 1;
        for word in [u32::from(DATA3), STACK, 2, u32::from(CODE3), target] {
            program.push(0x68);
            program.extend(word.to_le_bytes());
        }
        program.push(0xCF);
        program.extend([0x90, 0x90, 0x90, 0x90, 0x90, 0xCD, SYSTEM_CALL]);
        let mut bench = Bench::paged(&program);
        bench.put(HANDLERS + 16 * u32::from(SYSTEM_CALL), &READ_BOTH);
        bench.run_to_halt();
        counters(&bench)
    };
    // WRMSR, pushes, INT and the instructions before each RDMSR; INT's pushes belong to ring 3.
    assert_eq!(run(INNER)[0], 1 + 5 + 1 + 1);
    assert_eq!(run(OUTER)[0], 1 + 5);
    assert_eq!(run(INNER)[1] + run(OUTER)[1], run(ANY)[1]);
    assert_eq!(run(0), [0, 0]);
}

#[test]
fn counters_have_40_bits_and_can_be_preset() {
    // wrmsr with EDX:EAX all ones, then one event
    let mut program =
        vec![0x31, 0xC0, 0x48, 0x31, 0xD2, 0x4A, 0xB9, COUNTER_0, 0, 0, 0, 0x0F, 0x30];
    program.extend([0x0F, 0x32, 0x89, 0xD5]); // rdmsr; mov ebp, edx
    program.extend(write_msr(SELECT, select([0x01, 0x01], ANY)));
    program.extend([0x89, 0x03, 0x89, 0x03]); // mov [ebx], eax, twice
    program.extend(READ_BOTH);
    let mut bench = Bench::paged(&program);
    bench.set(|registers| registers.general[gpr::EBX] = DATA);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EBP), 0xFF);
    assert_eq!(counters(&bench), [1, 2]);
    assert_eq!(bench.general(gpr::EDX), 0);
}

#[test]
fn waits_and_windows_count_nothing_twice() {
    let slices = [1, 7, 1000];
    let results: Vec<_> = slices
        .iter()
        .map(|&slice| {
            let mut program = write_msr(SELECT, select([0x0C, 0x28], ANY));
            program.extend(LOOP);
            program.extend(READ_BOTH);
            let mut bench = Bench::paged(&program);
            bench.set(|registers| registers.general[gpr::EBX] = DATA);
            let mut limit = 0;
            while bench.run(limit) == rockcreek_cpu::Exit::Limit {
                bench.core.begin_window();
                let ahead = limit + slice;
                // A window that is rolled back and run again has no effect on the counts.
                bench.core.run(&mut bench.code, ahead);
                bench.core.rollback();
                limit = ahead;
            }
            counters(&bench)
        })
        .collect();
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
    assert_eq!(results[0][1], 20);
}
