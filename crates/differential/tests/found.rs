//! What the differential runs found, each as a case of its own, and a short run as a smoke test.

use rockcreek_differential::{
    Bench, Case, Kind, Outcome, Prelude, case, differences, host_can_run, layout, run_on_host,
};

const EAX: usize = 0;
const ECX: usize = 1;
const EDX: usize = 2;
const EBX: usize = 3;
const ESP: usize = 4;
const ALIGNMENT_CHECK: u32 = 1 << 18;
const PAGE_FAULT: u32 = 14;
const WRITE_BY_USER: u32 = 6;
/// The end of what is mapped.
const END: u32 = layout::SCRATCH + layout::SCRATCH_BYTES;

/// A case with an empty x87, all exceptions masked.
fn plain(bytes: &[u8]) -> Case {
    let mut fpu = [0; layout::FPU_BYTES];
    fpu[..2].copy_from_slice(&[0x7F, 0x03]);
    fpu[8..10].copy_from_slice(&[0xFF, 0xFF]);
    Case {
        number: 0,
        bytes: bytes.to_vec(),
        prelude: Prelude::default(),
        general: [0, 0, 0, 0, layout::SCRATCH + 0x80, 0, 0, 0],
        eflags: 0x202,
        es_is_gs: false,
        window_address: layout::SCRATCH,
        window: [0; layout::WINDOW_BYTES],
        fpu,
        kind: Kind::Common,
    }
}

/// What the core makes of it; the host must make the same, where there is one.
fn outcome(case: Case) -> Outcome {
    let cases = [case];
    let ours = Bench::new().run(&cases).remove(0);
    if host_can_run() {
        let host = run_on_host(&cases).expect("the host runs i386 programs").remove(0);
        assert_eq!(differences(&cases[0], &host, &ours), Vec::<String>::new());
    }
    ours
}

fn fault(outcome: &Outcome) -> (u32, u32, u32) {
    let fault = outcome.fault.expect("a fault");
    (fault.vector, fault.error, fault.cr2)
}

#[test]
fn fcompp_and_fucompp_compare_with_the_next_register() {
    for bytes in [[0xDE, 0xD9], [0xDA, 0xE9]] {
        let mut case = plain(&bytes);
        case.fpu[8..10].copy_from_slice(&[0xF0, 0xFF]);
        // ST(0) = 1.0, ST(1) = 2.0: less, which is C0.
        case.fpu[28..38].copy_from_slice(&[0, 0, 0, 0, 0, 0, 0, 0x80, 0xFF, 0x3F]);
        case.fpu[38..48].copy_from_slice(&[0, 0, 0, 0, 0, 0, 0, 0x80, 0x00, 0x40]);
        case.fpu[8] = 0xF0;
        assert_eq!(outcome(case).fpu[5] & 0x47, 1, "{bytes:02x?}");
    }
}

#[test]
fn a_store_across_two_missing_pages_names_the_first() {
    let mut case = plain(&[0x89, 0x03]); // mov [ebx], eax
    case.general[EBX] = layout::NOWHERE + 0xFFE;
    assert_eq!(fault(&outcome(case)), (PAGE_FAULT, WRITE_BY_USER, layout::NOWHERE + 0xFFE));
}

#[test]
fn a_push_of_all_registers_faults_as_a_write() {
    let mut case = plain(&[0x60]); // pushad
    case.general[ESP] = layout::SCRATCH;
    assert_eq!(fault(&outcome(case)), (PAGE_FAULT, WRITE_BY_USER, layout::SCRATCH - 4));
}

#[test]
fn vector_instructions_with_the_names_of_string_instructions_are_invalid() {
    // movsd xmm0, xmm1; movsd xmm0, [ebx]; cmpsd xmm0, xmm1, 0
    let encodings: [&[u8]; 3] =
        [&[0xF2, 0x0F, 0x10, 0xC1], &[0xF2, 0x0F, 0x10, 0x03], &[0xF2, 0x0F, 0xC2, 0xC1, 0x00]];
    for bytes in encodings {
        let case = Case { kind: Kind::Lacking, ..plain(bytes) };
        assert_eq!(fault(&outcome(case)).0, 6, "{bytes:02x?}");
    }
}

#[test]
fn enter_needs_a_writable_end_of_its_frame() {
    let case = plain(&[0xC8, 0x00, 0x02, 0x00]); // enter 200h, 0
    let expected = layout::SCRATCH + 0x80 - 4 - 0x200;
    assert_eq!(fault(&outcome(case)), (PAGE_FAULT, WRITE_BY_USER, expected));
}

#[test]
fn an_unmasked_store_checks_its_address_first() {
    let mut case = plain(&[0xD9, 0x13]); // fst dword ptr [ebx], of an empty register
    case.fpu[0] = 0x7E;
    case.general[EBX] = END - 2;
    let outcome = outcome(case);
    assert_eq!(fault(&outcome), (PAGE_FAULT, WRITE_BY_USER, END));
    assert_eq!(outcome.fpu[4] & 1, 0, "nothing is raised by an instruction that is restarted");
}

#[test]
fn ten_bytes_need_the_alignment_of_eight() {
    let mut case = plain(&[0xDF, 0x33]); // fbstp [ebx], of an empty register
    case.eflags |= ALIGNMENT_CHECK;
    case.fpu[0] = 0x7E;
    case.general[EBX] = layout::SCRATCH + 8;
    assert_eq!(outcome(case).fault, None);
}

#[test]
fn registers_of_an_image_need_no_alignment_of_their_own() {
    // fnsave, frstor [ebx] with 32-bit and with 16-bit operands
    let encodings: [&[u8]; 4] =
        [&[0xDD, 0x33], &[0xDD, 0x23], &[0x66, 0xDD, 0x33], &[0x66, 0xDD, 0x23]];
    for bytes in encodings {
        let mut case = plain(bytes);
        case.eflags |= ALIGNMENT_CHECK;
        case.general[EBX] = layout::SCRATCH + if bytes.len() == 2 { 4 } else { 2 };
        assert_eq!(outcome(case).fault, None, "{bytes:02x?}");
    }
}

#[test]
fn a_repeated_port_instruction_asks_for_the_port_even_for_no_element() {
    let mut case = plain(&[0xF3, 0x6E]); // rep outsb
    case.general[ECX] = 0;
    case.general[EDX] = 0x80;
    // Some hosts differ, so this one is not asked.
    assert_eq!(fault(&Bench::new().run(&[case])[0]).0, 13);
}

#[test]
fn salc_exists() {
    let mut case = plain(&[0xD6]);
    case.eflags |= 1;
    case.general[EAX] = 0x1234_5600;
    assert_eq!(outcome(case).general[EAX], 0x1234_56FF);
}

/// The smoke test: enough to notice a broken instruction. `make fuzz` runs more.
#[test]
fn random_cases_do_on_the_core_what_they_do_on_the_host() {
    const SEED: u64 = 0;
    if !host_can_run() {
        eprintln!("skipped: the host is not x86-64 Linux");
        return;
    }
    let mut bench = Bench::new();
    for batch in 0..4 {
        let numbers = batch * layout::BATCH..(batch + 1) * layout::BATCH;
        let cases: Vec<Case> = numbers.map(|number| case(SEED, number)).collect();
        let host = run_on_host(&cases).expect("the host runs i386 programs");
        let ours = bench.run(&cases);
        for ((case, host), ours) in cases.iter().zip(&host).zip(&ours) {
            let found = differences(case, host, ours);
            assert!(found.is_empty(), "make fuzz SEED={SEED} CASE={}: {found:#?}", case.number);
        }
    }
}

#[test]
fn a_case_is_a_function_of_its_seed_and_number() {
    assert_eq!(case(7, 12345), case(7, 12345));
    assert_ne!(case(7, 12345), case(8, 12345));
}
