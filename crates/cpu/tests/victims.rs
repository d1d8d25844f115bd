//! Loads and stores across more memory than TLB, L1D and L2 hold, so that dirty pages and lines are
//! evicted again and again; many of them not aligned, in two lines or in two pages. Compares
//! translated code with the interpreter.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::ends::{cases, end_alike, end_alike_whoever_answers, wait_alike};
use common::{Bench, CACHE_DISABLE, PMB, PRESENT, USER, WRITABLE, WRITE_THROUGH};
use proptest::prelude::*;
use rockcreek_cpu::{CodeCache, gpr};

/// The address of the accessed memory.
const DATA: u32 = 0x10_0000;

/// One access of a round; EDX is a random number, EBX an address.
#[derive(Clone, Copy, Debug)]
enum Access {
    Load,
    Store,
    Modify,
    Byte,
    /// An access to the next line, or to the one after that.
    Beside(u8),
    /// An access (a number of `SKEWED`) at so many bytes behind the address.
    Skewed(usize, u8),
}

/// Accesses to [ebx + n]: MOV, XOR, CMP, ADD, MOVZX, TEST, SETZ.
const SKEWED: [&[u8]; 10] = [
    &[0x89, 0x4B],
    &[0x89, 0x53],
    &[0x33, 0x43],
    &[0x33, 0x43],
    &[0x3B, 0x43],
    &[0x01, 0x4B],
    &[0x66, 0x89, 0x53],
    &[0x0F, 0xB7, 0x73],
    &[0x85, 0x4B],
    &[0x0F, 0x94, 0x43],
];

impl Access {
    fn code(self) -> Vec<u8> {
        match self {
            Access::Load => vec![0x33, 0x03],       // xor eax, [ebx]
            Access::Store => vec![0x89, 0x0B],      // mov [ebx], ecx
            Access::Modify => vec![0x01, 0x0B],     // add [ebx], ecx
            Access::Byte => vec![0x88, 0x53, 0x01], // mov [ebx + 1], dl
            Access::Beside(lines) => vec![0x03, 0x43, 32 * lines], // add eax, [ebx + n]
            Access::Skewed(which, bytes) => [SKEWED[which], &[bytes]].concat(),
        }
    }
}

fn accesses() -> impl Strategy<Value = Vec<Access>> {
    let one = prop_oneof![
        4 => Just(Access::Load),
        4 => Just(Access::Store),
        3 => Just(Access::Modify),
        1 => Just(Access::Byte),
        1 => (1..3u8).prop_map(Access::Beside),
        6 => (0..SKEWED.len(), 0..64u8).prop_map(|(which, n)| Access::Skewed(which, n)),
    ];
    prop::collection::vec(one, 1..6)
}

/// A loop of these accesses to addresses whose bits in `mask` are random.
fn program(accesses: &[Access], mask: u32) -> Vec<u8> {
    // imul edx, edx, 41C64E6Dh; add edx, 3039h; mov ebx, edx; shr ebx, 8; and ebx, mask
    let mut code = vec![0x69, 0xD2, 0x6D, 0x4E, 0xC6, 0x41, 0x81, 0xC2, 0x39, 0x30, 0, 0];
    code.extend([0x89, 0xD3, 0xC1, 0xEB, 0x08, 0x81, 0xE3]);
    code.extend(mask.to_le_bytes());
    // add ebx, DATA
    code.extend([0x81, 0xC3]);
    code.extend(DATA.to_le_bytes());
    accesses.iter().for_each(|access| code.extend(access.code()));
    // dec ecx; jnz; hlt
    code.extend([0x49, 0x75, (-(code.len() as i32 + 3)) as u8, 0xF4]);
    code
}

/// `types`: bits of the table entries of one page in four.
fn bench(code: &[u8], types: u32, heat: Option<u8>) -> Bench {
    let mut bench = Bench::paged(code);
    for page in (1..256).step_by(4) {
        bench.map(DATA + 0x1000 * page, PRESENT | WRITABLE | USER | types);
    }
    bench.code = CodeCache::new();
    bench.code.set_translation(heat);
    bench.set(|all| (all.general[gpr::ECX], all.general[gpr::EDX]) = (6000, 1));
    bench
}

/// Address masks: more pages than the TLB has, with lines that share few sets of L1D and L2; all of
/// 1 MB; one page and parts of another one of its TLB set.
fn masks() -> impl Strategy<Value = u32> {
    prop_oneof![
        3 => Just(0xFF_F07C),
        3 => Just(0xF_FFFC),
        1 => Just(0x1_0FFC),
        2 => any::<u32>().prop_map(|bits| bits & 0xF_FFFC),
    ]
    .prop_map(|mask| mask & 0x1F_FFFC)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases() / 20 + 1))]

    #[test]
    fn dirty_lines_leave_as_they_do_interpreted(
        accesses in accesses(),
        mask in masks(),
        types in prop_oneof![
            5 => Just(0),
            1 => Just(PMB),
            1 => Just(WRITE_THROUGH),
            1 => Just(CACHE_DISABLE),
            1 => Just(PMB | WRITE_THROUGH),
        ],
        random in any::<u64>(),
        cut in 20_000..400_000u64,
        number in 500..20_000u32,
    ) {
        let code = program(&accesses, mask);
        end_alike(|heat| bench(&code, types, heat), cut, 5_000_000)?;
        end_alike_whoever_answers(|heat| bench(&code, types, heat), random)?;
        wait_alike(|heat| bench(&code, types, heat), number)?;
    }
}
