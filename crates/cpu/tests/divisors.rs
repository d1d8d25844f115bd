//! Divisions by memory in translated code, which leaves those to the interpreter that may raise #DE.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::ends::End;
use common::{Bench, CODE, STACK};
use rockcreek_cpu::{CodeCache, gpr};

/// The address of a divisor that crosses a multiple of four bytes.
const DIVISOR: u32 = 0x2_0101;
const DIV: u8 = 6;
const IDIV: u8 = 7;
const CDQ: u8 = 0x99;
const NOP: u8 = 0x90;

/// Twenty divisions by `divisor`; translated after `heat` executions (`None`: never).
fn divisions(before: u8, how: u8, divisor: u32, heat: Option<u8>) -> Bench {
    let mut code = vec![before, 0xF7, 0x05 | how << 3]; // cdq or nop; div or idiv [DIVISOR]
    code.extend(DIVISOR.to_le_bytes());
    code.extend([0xBA, 1, 0, 0, 0, 0xE2, 0xF2, 0xF4]); // mov edx, 1; loop; hlt
    let mut bench = Bench::paged(&code);
    bench.code = CodeCache::new();
    bench.code.set_translation(heat);
    bench.put_word(DIVISOR & !3, divisor << 8);
    bench.put_word((DIVISOR & !3) + 4, divisor >> 24);
    bench.set(|all| {
        all.general[gpr::EAX] = 1;
        all.general[gpr::ECX] = 20;
        all.general[gpr::EDX] = 0;
        all.general[gpr::ESP] = STACK;
        all.eip = CODE;
    });
    bench
}

/// Translated code reads the divisor; if the interpreter then divides, it reads the divisor again.
#[test]
fn the_penalty_of_a_misaligned_divisor_is_charged_once() {
    for (before, how, divisor) in
        [(CDQ, IDIV, 0), (CDQ, IDIV, !0), (NOP, DIV, 9), (NOP, DIV, 1), (NOP, DIV, 0)]
    {
        let ends = [None, Some(1)]
            .map(|heat| End::after(divisions(before, how, divisor, heat), &[1_000_000]));
        assert_eq!(ends[0].seen, ends[1].seen, "divisor {divisor}");
        assert!(ends[0].snapshot == ends[1].snapshot, "divisor {divisor}");
    }
}
