//! Paging: rights, error codes, accessed and dirty bits, the SCC's memory types.

use crate::common;

use common::{
    ACCESSED, BUS_CYCLES, Bench, CACHE_DISABLE, CODE, DIRECTORY, DIRTY, PMB, PRESENT, TABLE, USER,
    WRITABLE, WRITE_THROUGH,
};
use rockcreek_cpu::{cr0, cr4, gpr, vector};
use rockcreek_defs::bus::FillKind;
use rockcreek_defs::{BusRequest, CoreAddr};

const PAGE: u32 = 0x2_0000;
/// mov eax, [PAGE]; hlt
const LOAD: [u8; 6] = [0xA1, 0x00, 0x00, 0x02, 0x00, 0xF4];
/// mov [PAGE], eax; hlt
const STORE: [u8; 6] = [0xA3, 0x00, 0x00, 0x02, 0x00, 0xF4];

fn page_fault(program: &[u8], bits: u32, user: bool, wp: bool) -> Option<(u32, u32)> {
    let mut bench = Bench::paged(program);
    bench.map(PAGE, bits);
    if user {
        bench.enter_user();
    }
    if wp {
        bench.set(|registers| registers.cr0 |= cr0::WP);
    }
    bench.run_to_halt();
    let esp = bench.general(gpr::ESP);
    let seen = bench.word(common::VECTOR_SEEN);
    (seen == u32::from(vector::PAGE_FAULT)).then(|| (bench.word(esp), bench.core.registers().cr2))
}

#[test]
fn error_codes_tell_why() {
    let open = PRESENT | WRITABLE | USER;
    let faults = [
        (&LOAD, 0, true, false, Some(4)),
        (&LOAD, 0, false, false, Some(0)),
        (&STORE, 0, true, false, Some(6)),
        (&LOAD, PRESENT | WRITABLE, true, false, Some(5)),
        (&STORE, PRESENT | USER, true, false, Some(7)),
        (&STORE, PRESENT | USER, false, true, Some(3)),
        (&STORE, PRESENT | USER, false, false, None),
        (&LOAD, PRESENT | WRITABLE, false, false, None),
    ];
    for (program, bits, user, wp, error) in faults {
        let found = page_fault(program, bits, user, wp);
        assert_eq!(found, error.map(|code| (code, PAGE)), "{bits:x} user {user} wp {wp}");
    }
    // In ring 3 HLT itself faults, so an allowed access ends in #GP, not #PF.
    assert_eq!(page_fault(&LOAD, open, true, false), None);
}

#[test]
fn walks_set_accessed_and_dirty_bits() {
    let mut bench = Bench::paged(&LOAD);
    bench.run_to_halt();
    assert_eq!(bench.word(TABLE + (PAGE >> 12) * 4) & (ACCESSED | DIRTY), ACCESSED);
    assert_eq!(bench.word(DIRECTORY) & ACCESSED, ACCESSED);
    bench.put(CODE + 0x100, &STORE);
    bench.set(|registers| registers.eip = CODE + 0x100);
    let mut bench = Bench::paged(&STORE);
    bench.run_to_halt();
    assert_eq!(bench.word(TABLE + (PAGE >> 12) * 4) & (ACCESSED | DIRTY), ACCESSED | DIRTY);
}

#[test]
fn page_bits_choose_the_memory_type() {
    let open = PRESENT | WRITABLE;
    let line = |kind| BusRequest::ReadLine { addr: CoreAddr(PAGE), kind };
    let word = BusRequest::Read { addr: CoreAddr(PAGE), size: 4 };
    for (bits, expected) in [
        (open, line(FillKind::Data)),
        (open | WRITE_THROUGH, line(FillKind::Data)),
        (open | CACHE_DISABLE, word),
        (open | PMB, line(FillKind::Mpbt)),
        (open | PMB | WRITE_THROUGH, line(FillKind::Mpbt)),
    ] {
        let mut bench = Bench::paged(&LOAD);
        bench.map(PAGE, bits);
        bench.run_to_halt();
        let reads: Vec<_> = bench
            .requests
            .iter()
            .filter(|request| request.addr().is_some_and(|addr| addr.line().0 == PAGE))
            .collect();
        assert_eq!(reads, [&expected], "{bits:x}");
    }
}

#[test]
fn pmb_means_nothing_without_mpe() {
    let mut bench = Bench::paged(&LOAD);
    bench.map(PAGE, PRESENT | WRITABLE | PMB);
    bench.set(|registers| registers.cr4 = 0);
    bench.run_to_halt();
    let mpbt = |request: &&BusRequest| {
        matches!(request, BusRequest::ReadLine { kind: FillKind::Mpbt, .. })
    };
    assert_eq!(bench.requests.iter().filter(mpbt).count(), 0);
}

#[test]
fn pmb_with_page_size_extensions_is_reserved() {
    let mut bench = Bench::paged(&LOAD);
    bench.map(PAGE, PRESENT | WRITABLE | PMB);
    bench.set(|registers| registers.cr4 = cr4::MPE | cr4::PSE);
    let (found, stack) = bench.caught();
    assert_eq!((found, stack[0]), (u32::from(vector::PAGE_FAULT), 9));
}

#[test]
fn large_pages_translate() {
    let mut bench = Bench::paged(&[0xA1, 0x00, 0x00, 0x42, 0x00, 0xF4]); // mov eax, [420000h]
    bench.put_word(DIRECTORY + 4, PRESENT | WRITABLE | 0x80);
    bench.put_word(PAGE, 0x1234);
    bench.set(|registers| registers.cr4 = cr4::PSE);
    bench.run_to_halt();
    assert_eq!(bench.general(gpr::EAX), 0x1234);
}

#[test]
fn invlpg_drops_all_code_of_a_large_page() {
    // mov eax, 420000h; call eax; mov eax, 421000h; call eax; mov dword [DIRECTORY + 4], 0;
    // invlpg [420000h]; call eax; hlt
    let mut program = vec![0xB8, 0, 0, 0x42, 0, 0xFF, 0xD0, 0xB8, 0, 0x10, 0x42, 0, 0xFF, 0xD0];
    program.extend([0xC7, 0x05]);
    program.extend((DIRECTORY + 4).to_le_bytes());
    program.extend([0, 0, 0, 0, 0x0F, 0x01, 0x3D, 0, 0, 0x42, 0, 0xFF, 0xD0, 0xF4]);
    let mut bench = Bench::paged(&program);
    bench.put_word(DIRECTORY + 4, PRESENT | WRITABLE | 0x80);
    bench.put(PAGE, &[0xC3]);
    bench.put(PAGE + 0x1000, &[0xC3]);
    bench.set(|registers| registers.cr4 = cr4::PSE);
    assert_eq!(bench.caught().0, u32::from(vector::PAGE_FAULT));
    assert_eq!(bench.core.registers().cr2, 0x42_1000);
}

#[test]
fn insb_that_faults_reads_no_port() {
    // mov edx, 3F8h; mov edi, PAGE; insb; hlt
    let mut bench = Bench::paged(&[0xBA, 0xF8, 3, 0, 0, 0xBF, 0, 0, 2, 0, 0x6C, 0xF4]);
    bench.map(PAGE, 0);
    assert_eq!(bench.caught().0, u32::from(vector::PAGE_FAULT));
    assert!(bench.requests.iter().all(|request| request.addr().is_some()), "a port was read");
}

#[test]
fn stale_translations_stay_until_they_are_dropped() {
    // mov eax, [PAGE]; mov [the page's entry], edx; mov ebx, [PAGE]; invlpg [PAGE];
    // mov ecx, [PAGE]; hlt
    let mut program = vec![0xA1, 0, 0, 2, 0, 0x89, 0x15];
    program.extend((TABLE + (PAGE >> 12) * 4).to_le_bytes());
    program.extend([0x8B, 0x1D, 0, 0, 2, 0, 0x0F, 0x01, 0x3D, 0, 0, 2, 0]);
    program.extend([0x8B, 0x0D, 0, 0, 2, 0, 0xF4]);
    let mut bench = Bench::paged(&program);
    bench.put_word(PAGE, 1);
    bench.put_word(PAGE + 0x1000, 2);
    bench.set(|registers| {
        registers.general[gpr::EDX] = (PAGE + 0x1000) | PRESENT | WRITABLE | ACCESSED;
    });
    bench.run_to_halt();
    let found = [gpr::EAX, gpr::EBX, gpr::ECX].map(|number| bench.general(number));
    assert_eq!(found, [1, 1, 2]);
}

#[test]
fn each_access_of_an_instruction_that_waits_is_made_once() {
    let open = PRESENT | WRITABLE;
    let touches = |bench: &Bench| -> Vec<BusRequest> {
        let inside =
            |request: &&BusRequest| request.addr().is_some_and(|addr| addr.0 & !0xFFF == PAGE);
        bench.requests.iter().filter(inside).copied().collect()
    };
    let write = |offset: u32, data: u64| BusRequest::Write {
        addr: CoreAddr(PAGE + offset),
        size: 4,
        data,
        posted: false,
    };
    // xchg [PAGE], eax; hlt
    let mut bench = Bench::paged(&[0x87, 0x05, 0, 0, 2, 0, 0xF4]);
    bench.map(PAGE, open | CACHE_DISABLE);
    bench.put_word(PAGE, 7);
    bench.set(|registers| registers.general[gpr::EAX] = 9);
    bench.run_to_halt();
    let read = BusRequest::Read { addr: CoreAddr(PAGE), size: 4 };
    assert_eq!(touches(&bench), [read, write(0, 9)]);
    assert_eq!(bench.general(gpr::EAX), 7);
    assert_eq!((bench.core.counters().loads, bench.core.counters().stores), (1, 1));

    // pusha; hlt, on an uncached stack
    let mut bench = Bench::paged(&[0x60, 0xF4]);
    bench.map(PAGE, open | CACHE_DISABLE);
    bench.set(|registers| {
        registers.general = [1, 2, 3, 4, PAGE + 0x20, 6, 7, 8];
    });
    bench.run_to_halt();
    let pushed = [1, 2, 3, 4, PAGE + 0x20, 6, 7, 8];
    let expected: Vec<_> =
        (0..8).map(|i| write(0x1C - 4 * i, u64::from(pushed[i as usize]))).collect();
    assert_eq!(touches(&bench), expected);
    assert_eq!(bench.core.counters().stores, 8);
    assert!(bench.core.counters().waiting_cycles >= 8 * BUS_CYCLES);

    // rep movsd of two words, source and target uncached
    let mut bench = Bench::paged(&[0xF3, 0xA5, 0xF4]);
    bench.map(PAGE, open | CACHE_DISABLE);
    bench.put_word(PAGE, 0x11);
    bench.put_word(PAGE + 4, 0x22);
    bench.set(|registers| {
        registers.general = [0, 2, 0, 0, common::STACK, 0, PAGE, PAGE + 0x100];
    });
    bench.run_to_halt();
    let read = |offset: u32| BusRequest::Read { addr: CoreAddr(PAGE + offset), size: 4 };
    assert_eq!(touches(&bench), [read(0), write(0x100, 0x11), read(4), write(0x104, 0x22)]);
    let registers = bench.core.registers();
    assert_eq!(registers.general[gpr::ESI], PAGE + 8);
    assert_eq!(registers.general[gpr::ECX], 0);
}

#[test]
fn a_store_across_pages_checks_both_before_it_writes() {
    // mov [PAGE - 2], eax; hlt, the second page read-only
    let mut bench = Bench::paged(&[0xA3, 0xFE, 0xFF, 0x01, 0x00, 0xF4]);
    bench.map(PAGE, PRESENT);
    bench.set(|registers| {
        registers.cr0 |= cr0::WP;
        registers.general[gpr::EAX] = u32::MAX;
    });
    let (found, _) = bench.caught();
    assert_eq!(found, u32::from(vector::PAGE_FAULT));
    assert_eq!(bench.word(PAGE - 4), 0);
    assert_eq!(bench.core.registers().cr2, PAGE);
}
