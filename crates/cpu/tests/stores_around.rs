//! Stores to lines that no cache has, one after another, until a line comes into a cache: compares
//! translated code with the interpreter.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::ends::End;
use common::{ACCESSED, Bench, DIRTY, PRESENT, TABLE, WRITABLE};
use rockcreek_cpu::{CodeCache, gpr};

/// Stores in turn to two pages of one TLB set, whose lines share the sets of L1D.
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

/// The address of a page whose frame changes in each round, while the TLB does not have it.
const REMAPPED: u32 = 0x10_0000;

const REMAPPING: [u8; 76] = [
    0x89, 0x83, 0x20, 0x00, 0x10, 0x00, // l: mov [ebx + 100020h], eax
    0x89, 0x83, 0x00, 0x00, 0x10, 0x00, // mov [ebx + 100000h], eax
    0x89, 0x8B, 0x04, 0x00, 0x10, 0x00, // mov [ebx + 100004h], ecx
    0x8B, 0xB3, 0x40, 0x00, 0x11, 0x00, // mov esi, [ebx + 110040h]: the TLB set is filled
    0x8B, 0xB3, 0x40, 0x00, 0x12, 0x00, // mov esi, [ebx + 120040h]
    0x8B, 0xB3, 0x40, 0x00, 0x13, 0x00, // mov esi, [ebx + 130040h]
    0x8B, 0xB3, 0x40, 0x00, 0x14, 0x00, // mov esi, [ebx + 140040h]
    0x8B, 0xB3, 0x40, 0x00, 0x15, 0x00, // mov esi, [ebx + 150040h]
    0x8B, 0xB3, 0x40, 0x00, 0x16, 0x00, // mov esi, [ebx + 160040h]
    0x81, 0x32, 0x00, 0x10, 0x00, 0x00, // xor dword [edx], 1000h: the entry of its table
    0x40, // inc eax
    0x49, // dec ecx
    0x75, 0xC0, // jnz l
    0x8B, 0xB3, 0x04, 0x00, 0x10, 0x00, // mov esi, [ebx + 100004h]
    0x8B, 0xBB, 0x04, 0x10, 0x10, 0x00, // mov edi, [ebx + 101004h]: the other frame
];

/// Stores that are not aligned: of a register, of a constant, of two bytes, and in two lines.
const MISALIGNED: [u8; 64] = [
    0x89, 0x83, 0x01, 0x00, 0x10, 0x00, // l: mov [ebx + 100001h], eax
    0x89, 0x8B, 0x06, 0x00, 0x10, 0x00, // mov [ebx + 100006h], ecx
    0xC7, 0x83, 0x0B, 0x00, 0x10, 0x00, // mov dword [ebx + 10000Bh], 11223344h
    0x44, 0x33, 0x22, 0x11, // its number
    0x66, 0x89, 0x83, 0x11, 0x00, 0x10, 0x00, // mov [ebx + 100011h], ax: within its boundary
    0x66, 0x89, 0x8B, 0x13, 0x00, 0x10, 0x00, // mov [ebx + 100013h], cx
    0x89, 0x83, 0x1E, 0x00, 0x10, 0x00, // mov [ebx + 10001Eh], eax: in two lines
    0x83, 0xC3, 0x20, // add ebx, 32
    0x03, 0x83, 0xF1, 0xFF, 0x0F, 0x00, // add eax, [ebx + 0FFFF1h]: the line comes
    0x89, 0x83, 0xE9, 0xFF, 0x0F, 0x00, // mov [ebx + 0FFFE9h], eax
    0x49, // dec ecx
    0x75, 0xC4, // jnz l
    0x90, 0x90, 0x90, 0x90,
];

/// Repeated stores of elements of 4 bytes and of 1 byte to lines that no cache has, from lines that
/// caches have or do not have.
const REPEATED: [u8; 75] = [
    0xBF, 0x00, 0x00, 0x10, 0x00, // l: mov edi, 100000h
    0xB9, 0x2B, 0x00, 0x00, 0x00, // mov ecx, 43
    0xF3, 0xAB, // rep stosd
    0xBE, 0x00, 0x00, 0x02, 0x00, // mov esi, 20000h
    0x03, 0xFB, // add edi, ebx
    0xB9, 0x55, 0x00, 0x00, 0x00, // mov ecx, 85
    0xF3, 0xA5, // rep movsd
    0xBE, 0x00, 0x00, 0x10, 0x00, // mov esi, 100000h
    0xB9, 0x19, 0x00, 0x00, 0x00, // mov ecx, 25
    0xF3, 0xA4, // rep movsb
    0xF3, 0xAA, // rep stosb: nothing
    0x83, 0xC0, 0x07, // add eax, 7
    0x81, 0xC3, 0x24, 0x01, 0x00, 0x00, // add ebx, 124h
    0x81, 0xFB, 0x00, 0x80, 0x00, 0x00, // cmp ebx, 8000h
    0x72, 0xC7, // jb l
    0xBE, 0x00, 0x00, 0x10, 0x00, // mov esi, 100000h
    0xB9, 0x00, 0x30, 0x00, 0x00, // mov ecx, 3000h
    0x03, 0x16, // s: add edx, [esi]
    0x83, 0xC6, 0x04, // add esi, 4
    0x49, // dec ecx
    0x75, 0xF8, // jnz s
];

/// Checks that the states at the end are equal: interpreted and translated, and whether
/// transactions end the run or not. Returns the state as text.
fn all_alike(code: &[u8], prepare: impl Fn(&mut Bench), cuts: &[u64]) -> String {
    let to = |heat, at_once| {
        let mut bench = Bench::paged(&[code, &[0xF4]].concat());
        bench.code = CodeCache::new();
        bench.code.set_translation(heat);
        bench.at_once = at_once;
        prepare(&mut bench);
        End::after(bench, cuts)
    };
    let plain = to(None, None);
    for at_once in [None, Some(1), Some(2)] {
        let translated = to(Some(1), at_once);
        assert_eq!(plain.seen, translated.seen);
        assert!(plain.snapshot == translated.snapshot, "TLBs, caches or flags differ");
    }
    plain.seen
}

#[test]
fn a_store_to_no_cache_is_one_until_its_line_comes() {
    let begin = |bench: &mut Bench| {
        bench.set(|all| (all.general[gpr::EBX], all.general[gpr::ECX]) = (0, 3000));
    };
    let seen = all_alike(&CODE, begin, &[20_000, 300_000, u64::MAX]);
    assert!(seen.starts_with("Halted"), "{seen}");
}

#[test]
fn a_misaligned_store_to_no_cache_is_sent_and_paid_for() {
    let begin = |bench: &mut Bench| {
        bench.set(|all| (all.general[gpr::EBX], all.general[gpr::ECX]) = (0, 2000));
    };
    let cuts: Vec<u64> = (1..200).map(|n| n * 997).chain([u64::MAX]).collect();
    let seen = all_alike(&MISALIGNED, begin, &cuts);
    assert!(seen.starts_with("Halted"), "{seen}");
}

#[test]
fn a_store_to_no_cache_goes_where_its_page_is_mapped() {
    let begin = |bench: &mut Bench| {
        bench.map(REMAPPED, PRESENT | WRITABLE | ACCESSED | DIRTY);
        bench.set(|all| {
            (all.general[gpr::ECX], all.general[gpr::EDX]) = (1000, TABLE + (REMAPPED >> 12) * 4);
        });
    };
    let seen = all_alike(&REMAPPING, begin, &[u64::MAX]);
    assert!(seen.starts_with("Halted"), "{seen}");
}

#[test]
fn elements_that_no_cache_takes_are_sent_one_by_one() {
    let cuts: Vec<u64> = (1..400).map(|n| n * 997).chain([u64::MAX]).collect();
    let seen = all_alike(&REPEATED, |_| (), &cuts);
    assert!(seen.starts_with("Halted"), "{seen}");
    // A run ends after the element at which its limit is reached.
    for cut in &cuts[20..60] {
        all_alike(&REPEATED, |_| (), &[*cut]);
    }
}
