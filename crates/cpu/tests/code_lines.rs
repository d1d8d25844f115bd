//! Calls of more functions than L1I has ways, whose lines share a set of L1I, on pages that share
//! sets of the ITLB: compares translated code with the interpreter, also when windows are rolled
//! back. Some functions are called while the x87 divides, some are changed between calls.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::ends::{End, cases, twice};
use common::{Bench, CODE, STACK};
use proptest::prelude::*;
use rockcreek_cpu::{CodeCache, gpr};

/// Where the functions are: the first address, the number of pages, their distance, and the lines
/// in a page.
const FUNCTIONS: u32 = 0x2_0000;
const PAGES: u32 = 12;
const PAGE_STRIDE: u32 = 0x4000;
const LINES: [u32; 2] = [0x40, 0x7A0];

/// The steps of a round.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Calls the function with this number.
    Call(u8),
    /// Changes the constant that a function adds.
    Change(u8, u8),
    Divide,
}

#[derive(Clone, Debug)]
struct Calls {
    order: Vec<Step>,
    rounds: u8,
    user: bool,
}

fn calls() -> impl Strategy<Value = Calls> {
    let function = 0..2 * PAGES as u8;
    let step = prop_oneof![
        12 => function.clone().prop_map(Step::Call),
        6 => (function, any::<u8>()).prop_map(|(function, number)| Step::Change(function, number)),
        1 => Just(Step::Divide),
    ];
    let order = prop::collection::vec(step, 1..40);
    (order, 3..40u8, any::<bool>()).prop_map(|(order, rounds, user)| Calls { order, rounds, user })
}

impl Step {
    fn put(self, code: &mut Vec<u8>) {
        match self {
            Step::Call(function) => {
                code.push(0xE8);
                let next = CODE + code.len() as u32 + 4;
                code.extend(place(function).wrapping_sub(next).to_le_bytes());
            }
            Step::Change(function, number) => {
                code.extend([0x80, 0x05]); // add byte [...], number
                code.extend((place(function) + 3).to_le_bytes());
                code.push(number);
            }
            Step::Divide => code.extend([0xD8, 0xF1]), // fdiv st0, st1
        }
    }
}

/// The address of a function; its second instruction may be in the next line.
fn place(function: u8) -> u32 {
    let line = LINES[usize::from(function) % 2];
    FUNCTIONS + PAGE_STRIDE * (u32::from(function) / 2) + line + u32::from(function) % 3 * 14
}

fn bench(of: &Calls, heat: Option<u8>) -> Bench {
    let mut code = vec![0xDB, 0xE3, 0xD9, 0xEB, 0xD9, 0xE8]; // fninit; fldpi; fld1
    code.push(0xBD); // mov ebp, rounds
    code.extend(u32::from(of.rounds).to_le_bytes());
    let begin = code.len();
    of.order.iter().for_each(|step| step.put(&mut code));
    code.extend([0x4D, 0x0F, 0x85]); // dec ebp; jnz
    let back = begin as i32 - (code.len() as i32 + 4);
    code.extend(back.to_le_bytes());
    // In ring 3, HLT raises an exception whose handler halts.
    code.push(0xF4);
    let mut bench = Bench::paged(&code);
    bench.code = CodeCache::new();
    bench.code.set_translation(heat);
    for function in 0..2 * PAGES as u8 {
        // lea eax, [eax + eax * 2 + number]; inc ebx; ret
        bench.put(place(function), &[0x8D, 0x44, 0x40, function, 0x43, 0xC3]);
    }
    if of.user {
        bench.enter_user();
    }
    bench.set(|all| {
        all.general[gpr::ESP] = STACK;
        all.eip = CODE;
    });
    bench
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]
    #[test]
    fn calls_end_in_the_same_state(of in calls(), cut in 1..30_000u64) {
        let cuts = [cut / 7, cut / 3, cut / 2, cut];
        let all = [&cuts[..], &[100_000]].concat();
        let interpreted = End::after(bench(&of, None), &all);
        let translated = twice(bench(&of, Some(1)), &cuts, 100_000)?;
        prop_assert_eq!(interpreted.seen, translated.seen);
        prop_assert!(interpreted.snapshot == translated.snapshot, "TLBs, caches or times differ");
    }
}
