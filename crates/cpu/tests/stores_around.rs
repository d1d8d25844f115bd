//! Stores to lines that no cache has, one after another, until a line comes: translated against
//! interpreted.
#![cfg(target_arch = "x86_64")]

mod common;

use common::Bench;
use common::ends::End;
use rockcreek_cpu::{CodeCache, gpr};

/// Two pages of one TLB set, whose lines share the sets of L1D, take turns.
const CODE: [u8; 66] = [
    0x89, 0x83, 0x00, 0x00, 0x10, 0x00, // l: mov [ebx + 100000h], eax
    0x89, 0x83, 0x00, 0x00, 0x20, 0x00, // mov [ebx + 200000h], eax
    0x89, 0x8B, 0x04, 0x00, 0x10, 0x00, // mov [ebx + 100004h], ecx
    0x89, 0x8B, 0x08, 0x00, 0x10, 0x00, // mov [ebx + 100008h], ecx
    0x03, 0x83, 0x04, 0x00, 0x10, 0x00, // add eax, [ebx + 100004h]: the line comes
    0x89, 0x83, 0x0C, 0x00, 0x10, 0x00, // mov [ebx + 10000Ch], eax
    0x89, 0x83, 0x04, 0x00, 0x20, 0x00, // mov [ebx + 200004h], eax
    0x33, 0x83, 0x0C, 0x00, 0x10, 0x00, // xor eax, [ebx + 10000Ch]
    0x83, 0xC3, 0x20, // add ebx, 32
    0x81, 0xE3, 0xFF, 0x7F, 0x00, 0x00, // and ebx, 7FFFh
    0x83, 0xE9, 0x01, // sub ecx, 1
    0x0F, 0x85, 0xBE, 0xFF, 0xFF, 0xFF, // jnz l
];

#[test]
fn a_store_to_no_cache_is_one_until_its_line_comes() {
    let code = [&CODE[..], &[0xF4]].concat();
    let to = |heat, at_once| {
        let mut bench = Bench::paged(&code);
        bench.code = CodeCache::new();
        bench.code.set_translation(heat);
        bench.set(|all| (all.general[gpr::EBX], all.general[gpr::ECX]) = (0, 3000));
        bench.at_once = at_once;
        End::after(bench, &[20_000, 300_000, u64::MAX])
    };
    let plain = to(None, None);
    for at_once in [None, Some(1)] {
        let translated = to(Some(1), at_once);
        assert_eq!(plain.seen, translated.seen);
        assert!(plain.snapshot == translated.snapshot, "TLBs, caches or flags differ");
    }
}
