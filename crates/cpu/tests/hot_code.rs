//! Which hot code is executed without the interpreter: the profile reports where instructions were
//! executed.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::{ACCESSED, Bench, CODE, DIRTY, PMB, PRESENT, STACK, WRITABLE, WRITE_THROUGH};
use rockcreek_cpu::{CodeCache, Executions, ProfileReport, gpr};

const ROUNDS: u32 = 4000;
/// Upper limit of the executions by the interpreter before code is hot, and of missed accesses.
const FEW: u64 = 5 * CodeCache::HOT as u64;
const DATA: u32 = 0x2_0000;
/// A page of code with the same sets of L1I as that of [`CODE`].
const FAR: u32 = 0x9000;
/// Pages of code with the sets of L1I of [`CODE`].
const FAR_PAGES: u32 = 0x3_0000;

/// The profile of a loop that counts ECX down and then halts.
fn profile(bench: &mut Bench) -> ProfileReport {
    bench.code.set_profiling(true);
    bench.set(|all| {
        all.general[gpr::ESP] = STACK;
        all.general[gpr::ECX] = ROUNDS;
        all.general[gpr::ESI] = DATA;
        all.eip = CODE;
    });
    bench.run_to_halt();
    let mut report = ProfileReport::default();
    bench.code.report(&mut report);
    report
}

fn counts(report: &ProfileReport, name: &str) -> Executions {
    report.instructions.get(name).copied().unwrap_or_default()
}

#[test]
fn code_whose_lines_take_turns_in_l1i_is_entered_from_other_code() {
    let mut bench = Bench::paged(&[0xEB, 0x1E]); // jmp CODE + 20h
    // jmp FAR + 1Dh
    bench.put(CODE + 0x20, &[0xE9, 0xF8, 0x7F, 0x00, 0x00]);
    // add eax, 1, in two lines; dec ecx; jz; jmp CODE; hlt
    bench
        .put(FAR + 0x1D, &[0x05, 1, 0, 0, 0, 0x49, 0x74, 0x05, 0xE9, 0xD6, 0x7F, 0xFF, 0xFF, 0xF4]);
    let report = profile(&mut bench);
    assert_eq!(bench.general(gpr::EAX), ROUNDS);
    let add = counts(&report, "ADD EAX, imm32");
    assert!(add.interpreted > 0 && add.interpreted < FEW, "{add:?}");
    assert!(report.stays < FEW, "{} stays", report.stays);
}

#[test]
fn code_that_l1i_never_holds_is_not_left() {
    // Six pages whose code is in the same two sets of L1I, which has four ways: each round fetches
    // all lines from L2. On each: add eax, 1, in two lines; jmp to the next page.
    const PAGES: u32 = 6;
    let place = |page: u32| FAR_PAGES + 0x1000 * page + 0x1D;
    let mut bench = Bench::paged(&jump(CODE, place(0)));
    for page in 0..PAGES {
        let code = [&[0x05, 1, 0, 0, 0][..], &jump(place(page) + 5, place(page + 1))].concat();
        bench.put(place(page), &code);
    }
    // dec ecx; jz; jmp; hlt
    let code = [&[0x49, 0x74, 0x05][..], &jump(place(PAGES) + 3, place(0)), &[0xF4]].concat();
    bench.put(place(PAGES), &code);
    let report = profile(&mut bench);
    assert_eq!(bench.general(gpr::EAX), PAGES * ROUNDS);
    let fills = bench.core.caches().stats().l1i_fills_from_l2;
    assert!(fills > u64::from(PAGES * ROUNDS), "{fills} lines come from L2");
    // Each page becomes hot, with pipes that are empty and that are not.
    let few = 2 * u64::from(PAGES + 1) * FEW;
    let add = counts(&report, "ADD EAX, imm32");
    assert!(add.interpreted < few && report.stays < few, "{add:?}, {} stays", report.stays);
}

/// `jmp` at address `from` to address `to`.
fn jump(from: u32, to: u32) -> Vec<u8> {
    [&[0xE9][..], &to.wrapping_sub(from + 5).to_le_bytes()].concat()
}

#[test]
fn messages_are_written_and_dropped_in_place() {
    // cl1invmb; mov dword [esi], 5; mov [esi + 4], ecx; mov ebx, [esi + 40h]; dec ecx; jnz; hlt
    let code = [
        0x0F, 0x0A, 0xC7, 0x06, 5, 0, 0, 0, 0x89, 0x4E, 0x04, 0x8B, 0x5E, 0x40, 0x49, 0x75, 0xEF,
        0xF4,
    ];
    let mut bench = Bench::paged(&code);
    bench.map(DATA, PRESENT | WRITABLE | PMB | WRITE_THROUGH);
    let report = profile(&mut bench);
    let reads = bench.requests.len() as u32;
    assert!(reads > ROUNDS, "each round reads the line anew: {reads}");
    for name in ["CL1INVMB", "MOV r/m32, imm32", "MOV r/m32, r32"] {
        let Executions { interpreted, stepped, missed } = counts(&report, name);
        assert!(interpreted + stepped + missed < FEW, "{name}: {stepped}, {missed}");
    }
}

#[test]
fn whole_lines_of_messages_are_sent_in_place() {
    // mov [esi], ecx; mov [esi + 4], ecx and so on to the end of the line;
    // mov dword [esi + 10040h], 0; dec ecx; jnz; hlt
    let mut code = vec![0x89, 0x0E];
    for word in 1..8 {
        code.extend([0x89, 0x4E, 4 * word]);
    }
    code.extend([0xC7, 0x86, 0x40, 0, 1, 0, 0, 0, 0, 0, 0x49, 0x75]);
    code.push((-(code.len() as i32 + 1)) as u8);
    code.push(0xF4);
    let mut bench = Bench::paged(&code);
    for page in [DATA, DATA + 0x1_0000] {
        bench.map(page, PRESENT | WRITABLE | PMB | WRITE_THROUGH);
    }
    let report = profile(&mut bench);
    assert!(bench.requests.len() as u32 > 2 * ROUNDS, "each round sends two lines");
    for name in ["MOV r/m32, r32", "MOV r/m32, imm32"] {
        let Executions { stepped, missed, .. } = counts(&report, name);
        assert!(stepped + missed < FEW, "{name}: {stepped}, {missed}");
    }
}

/// The loop's last instructions: dec ecx; jnz; hlt
fn looped(mut body: Vec<u8>) -> Vec<u8> {
    body.extend([0x49, 0x75, (-(body.len() as i32 + 3)) as u8, 0xF4]);
    body
}

#[test]
fn x87_operands_in_two_lines_are_loaded_and_stored_in_place() {
    // fld qword [esi + 1Ch]; fadd qword [esi + 3Ch]; fstp qword [esi + 5Ch];
    // fld tbyte [esi + 78h]; fstp tbyte [esi + 9Ch]
    let body = [
        0xDD, 0x46, 0x1C, 0xDC, 0x46, 0x3C, 0xDD, 0x5E, 0x5C, 0xDB, 0x6E, 0x78, 0xDB, 0xBE, 0x9C,
        0, 0, 0,
    ];
    let mut code = vec![0xDB, 0xE3]; // fninit
    // The lines that are stored to are in L1D: mov eax, [esi + 40h]; mov eax, [esi + 60h] and so on
    for line in [0x40, 0x60, 0x80] {
        code.extend([0x8B, 0x86, line, 0, 0, 0]);
    }
    code.extend([0x8B, 0x86, 0xA0, 0, 0, 0]);
    code.extend(looped(body.to_vec()));
    let report = profile(&mut Bench::paged(&code));
    for name in ["FLD m64fp", "FADD m64fp", "FSTP m64fp", "FLD m80fp", "FSTP m80fp"] {
        let Executions { stepped, missed, .. } = counts(&report, name);
        assert!(stepped + missed < FEW, "{name}: {stepped}, {missed}");
    }
}

#[test]
fn a_control_word_whose_line_takes_turns_is_loaded_in_place() {
    // Six lines of one set: mov eax, [esi]; mov eax, [esi + 1000h] and so on; fldcw [esi + 5000h]
    let mut body = vec![];
    for page in 0..5 {
        body.extend([0x8B, 0x86, 0, page << 4, 0, 0]);
    }
    body.extend([0xD9, 0xAE, 0, 0x50, 0, 0]);
    let code = [vec![0xDB, 0xE3], looped(body)].concat();
    let mut bench = Bench::paged(&code);
    bench.put(DATA + 0x5000, &0x37Fu16.to_le_bytes());
    let report = profile(&mut bench);
    let Executions { interpreted, stepped, missed } = counts(&report, "FLDCW m2byte");
    assert!(interpreted > 0 && interpreted + stepped + missed < FEW, "{stepped}, {missed}");
    assert!(bench.core.caches().stats().l1d_fills_from_l2 > u64::from(ROUNDS), "L2 serves it");
}

#[test]
fn stores_amid_arithmetic_to_lines_that_take_turns_are_done_in_place() {
    // mov eax, [esi]; mov eax, [esi + 1000h]; fld1; fdiv st, st(0); fst qword [esi + 4];
    // mov [esi + 0Ch], eax; fstp qword [esi + 1004h]; mov [esi + 100Ch], eax
    let body = [
        0x8B, 0x06, 0x8B, 0x86, 0, 0x10, 0, 0, 0xD9, 0xE8, 0xD8, 0xF0, 0xDD, 0x56, 0x04, 0x89,
        0x46, 0x0C, 0xDD, 0x9E, 0x04, 0x10, 0, 0, 0x89, 0x86, 0x0C, 0x10, 0, 0,
    ];
    let code = [vec![0xDB, 0xE3], looped(body.to_vec())].concat();
    let report = profile(&mut Bench::paged(&code));
    for name in ["FST m64fp", "FSTP m64fp", "MOV r/m32, r32"] {
        let Executions { interpreted, stepped, missed } = counts(&report, name);
        assert!(interpreted > 0 && stepped + missed < FEW, "{name}: {stepped}, {missed}");
    }
}

#[test]
fn the_precision_of_the_x87_is_changed_in_place() {
    // fldcw [esi]; fsqrt; fldcw [esi + 2]
    let body = vec![0xD9, 0x2E, 0xD9, 0xFA, 0xD9, 0x6E, 0x02];
    let code = [vec![0xDB, 0xE3, 0xD9, 0xEB], looped(body)].concat(); // fninit; fldpi
    let mut bench = Bench::paged(&code);
    bench.put_word(DATA, 0x037F_027F);
    let report = profile(&mut bench);
    let Executions { interpreted, stepped, missed } = counts(&report, "FLDCW m2byte");
    // Two instructions in each round, and each precision becomes hot separately.
    assert!(interpreted < 2 * FEW, "{interpreted}");
    assert!(stepped + missed < FEW, "{stepped}, {missed}");
}

#[test]
fn elements_of_strings_and_loops_that_count_are_done_in_place() {
    // mov edi, esi; mov ebx, ecx; l: lodsd; stosd; sub esi, 4; movsd; sub esi, 4; scasb; dec edi;
    // loope m; m: jecxz n; n: sub esi, 0; and edi, FFFFF7FFh; cmp eax, eax; loopne o
    // o: loop l; hlt
    let body = [
        0xAD, 0xAB, 0x83, 0xEE, 0x04, 0xA5, 0x83, 0xEE, 0x04, 0xAE, 0x4F, 0x41, 0xE1, 0x00, 0xE3,
        0x00, 0x81, 0xE7, 0xFF, 0xF7, 0xFF, 0xFF, 0x41, 0xE0, 0x00,
    ];
    let mut code = vec![0x8D, 0xBE, 0, 4, 0, 0]; // lea edi, [esi + 400h]
    code.extend(body);
    code.extend([0xE2, (-(body.len() as i32 + 2)) as u8, 0xF4]);
    let report = profile(&mut Bench::paged(&code));
    for name in
        ["LODSD", "STOSD", "MOVSD", "SCASB", "LOOP rel8", "LOOPE rel8", "LOOPNE rel8", "JECXZ rel8"]
    {
        let Executions { interpreted, stepped, missed } = counts(&report, name);
        assert!(interpreted > 0, "{name}");
        assert!(interpreted + stepped + missed < FEW, "{name}: {interpreted} {stepped} {missed}");
    }
}

#[test]
fn flags_interrupts_and_segments_are_changed_within_hot_code() {
    // pushf; cli; inc eax; popf; sti; push ds; pop es
    let body = vec![0x9C, 0xFA, 0x40, 0x9D, 0xFB, 0x1E, 0x07];
    let report = profile(&mut Bench::protected(&looped(body)));
    for name in ["PUSHFD", "CLI", "POPFD", "STI", "INC r32", "PUSH DS", "POP ES"] {
        let Executions { interpreted, .. } = counts(&report, name);
        assert!(interpreted > 0 && interpreted < FEW, "{name}: {interpreted}");
    }
}

#[test]
fn what_is_rare_in_compiled_code_is_done_in_place() {
    // cmpxchg [esi], edx; xadd [esi], edx; shl dword [esi], 3; sar dword [esi], cl; neg dword [esi];
    // rol ax, 8; shr al, 3; rcl eax, 1; lahf; cbw; aam; cld; xchg al, ah; mov edx, ds; push ecx;
    // cpuid; pop ecx
    let body = [
        0x0F, 0xB1, 0x16, 0x0F, 0xC1, 0x16, 0xC1, 0x26, 0x03, 0xD3, 0x3E, 0xF7, 0x1E, 0x66, 0xC1,
        0xC0, 0x08, 0xC0, 0xE8, 0x03, 0xD1, 0xD0, 0x9F, 0x66, 0x98, 0xD4, 0x0A, 0xFC, 0x86, 0xE0,
        0x8C, 0xDA, 0x51, 0x0F, 0xA2, 0x59,
    ];
    let report = profile(&mut Bench::paged(&looped(body.to_vec())));
    let mut seen = 0;
    for (name, Executions { interpreted, stepped, missed }) in &report.instructions {
        seen += usize::from(*interpreted > 0);
        assert!(interpreted + stepped + missed < FEW, "{name}: {interpreted} {stepped} {missed}");
    }
    assert!(seen > 14, "{seen}");
}

#[test]
fn a_loop_that_waits_again_and_again_is_translated() {
    // mov esi, -ROUNDS * 4; l: add eax, [esi + DATA + ROUNDS * 4]; add esi, 4; jnz l; hlt
    let mut code = vec![0xBE];
    code.extend((ROUNDS * 4).wrapping_neg().to_le_bytes());
    code.extend([0x03, 0x86]);
    code.extend((DATA + ROUNDS * 4).to_le_bytes());
    code.extend([0x83, 0xC6, 0x04, 0x75, 0xF5, 0xF4]);
    for at_once in [None, Some(1)] {
        let mut bench = Bench::paged(&code);
        // The loop is tested for a delay loop before it is hot.
        const HEAT: u8 = 100;
        bench.code.set_translation(Some(HEAT));
        bench.at_once = at_once;
        let report = profile(&mut bench);
        assert!(bench.requests.len() as u32 >= ROUNDS / 8, "lines come from memory");
        let Executions { interpreted, stepped, missed } = counts(&report, "ADD r32, r/m32");
        assert!(interpreted < 4 * u64::from(HEAT), "{interpreted}, at once: {at_once:?}");
        assert!(stepped + missed < FEW, "{stepped}, {missed}");
    }
}

#[test]
fn stores_to_more_pages_than_the_tlb_has_are_done_in_place() {
    // mov [esi + 100000h], ecx; add esi, 1000h; and esi, 7F000h
    let body =
        vec![0x89, 0x8E, 0, 0, 0x10, 0, 0x81, 0xC6, 0, 0x10, 0, 0, 0x81, 0xE6, 0, 0xF0, 7, 0];
    for at_once in [None, Some(1)] {
        let mut bench = Bench::paged(&looped(body.clone()));
        bench.at_once = at_once;
        for page in 0..128 {
            bench.map(0x10_0000 + (page << 12), PRESENT | WRITABLE | ACCESSED | DIRTY);
        }
        let report = profile(&mut bench);
        let walks = bench.core.counters().dtlb_misses;
        assert!(walks > u64::from(ROUNDS) * 9 / 10, "{walks} walks");
        let Executions { interpreted, stepped, missed } = counts(&report, "MOV r/m32, r32");
        assert!(interpreted + stepped + missed < FEW, "{interpreted}, {stepped}, {missed}");
    }
}

#[test]
fn words_that_no_cache_has_are_modified_in_place() {
    // add [esi + 100000h], ecx; add esi, 1020h; and esi, 7F060h: eight lines for a set of L2
    let body =
        vec![0x01, 0x8E, 0, 0, 0x10, 0, 0x81, 0xC6, 0x20, 0x10, 0, 0, 0x81, 0xE6, 0x60, 0xF0, 7, 0];
    let mut bench = Bench::paged(&looped(body));
    for page in 0..128 {
        bench.map(0x10_0000 + (page << 12), PRESENT | WRITABLE | ACCESSED | DIRTY);
    }
    bench.at_once = Some(1);
    let report = profile(&mut bench);
    assert!(bench.requests.len() as u32 >= ROUNDS, "lines come from memory");
    // In each round one line is written back and one is fetched; one transaction in four is not
    // performed at once.
    let missed = counts(&report, "ADD r/m32, r32").missed;
    assert!(missed < u64::from(ROUNDS) / 2, "{missed}");
}
