//! Two instructions that begin at neighbouring bytes of one line and both end in the next line, as
//! where a jump skips a LOCK prefix: each is executed as itself.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::{Bench, STACK};
use rockcreek_cpu::{CodeCache, gpr};

const FIRST: u32 = 0x901E;
const ROUNDS: u32 = 400;
const CODE: [u8; 10] = [
    0xFF, 0xD7, // l: call edi
    0xFF, 0xD6, // call esi
    0x83, 0xE9, 0x01, // sub ecx, 1
    0x75, 0xF7, // jnz l
    0xF4, // hlt
];
const OVERLAPPING: [u8; 8] = [
    0x05, // FIRST: add eax, 105h
    0x05, 0x01, 0x00, 0x00, // FIRST + 1: add eax, 1
    0x00, 0xC3, // FIRST + 5: add bl, al; FIRST + 6: ret
    0xC3, // ret
];

#[test]
fn each_of_two_overlapping_instructions_is_itself() {
    for heat in [None, Some(1)] {
        let mut bench = Bench::paged(&CODE);
        bench.put(FIRST, &OVERLAPPING);
        bench.code = CodeCache::new();
        bench.code.set_translation(heat);
        bench.set(|all| {
            all.general[gpr::ESP] = STACK;
            all.general[gpr::ECX] = ROUNDS;
            all.general[gpr::EDI] = FIRST;
            all.general[gpr::ESI] = FIRST + 1;
        });
        bench.run_to_halt();
        assert_eq!(bench.general(gpr::EAX), ROUNDS * 0x106, "translation: {heat:?}");
    }
}
