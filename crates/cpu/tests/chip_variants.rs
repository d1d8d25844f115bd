//! Rules that a chip description may choose: each has an effect, and translated code follows it as
//! the interpreter does.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::ends::End;
use common::{ACCESSED, Bench, CACHE_DISABLE, DIRTY, PMB, PRESENT, WRITABLE, config};
use rockcreek_cache::{CacheStats, MemoryType, Replacement, StoreMiss};
use rockcreek_cpu::{CodeCache, Core, CpuConfig, gpr};
use rockcreek_defs::CoreId;

/// Stores to lines that have not been read, loads of some of them later, and lines that evict each
/// other: several walks through 64 KB.
const CODE: [u8; 60] = [
    0x89, 0x83, 0x00, 0x00, 0x10, 0x00, // l: mov [ebx + 100000h], eax
    0x89, 0x8B, 0x04, 0x00, 0x10, 0x00, // mov [ebx + 100004h], ecx
    0x03, 0x83, 0x00, 0x00, 0x10, 0x00, // add eax, [ebx + 100000h]
    0x89, 0x83, 0x08, 0x00, 0x10, 0x00, // mov [ebx + 100008h], eax
    0x89, 0x83, 0x00, 0x10, 0x11, 0x00, // mov [ebx + 111000h], eax
    0x33, 0x83, 0x00, 0x00, 0x12, 0x00, // xor eax, [ebx + 120000h]
    0x01, 0x83, 0x10, 0x10, 0x11, 0x00, // add [ebx + 111010h], eax
    0x83, 0xC3, 0x20, // add ebx, 32
    0x81, 0xE3, 0xFF, 0x7F, 0x00, 0x00, // and ebx, 7FFFh
    0x83, 0xE9, 0x01, // sub ecx, 1
    0x0F, 0x85, 0xC4, 0xFF, 0xFF, 0xFF, // jnz l
];
const PAGES: std::ops::Range<u32> = 0x100..0x12A;

fn bench(config: &CpuConfig, bits: u32, heat: Option<u8>, at_once: Option<u64>) -> Bench {
    let mut bench = Bench::paged(&[&CODE[..], &[0xF4]].concat());
    for page in PAGES {
        bench.map(page << 12, PRESENT | WRITABLE | ACCESSED | DIRTY | bits);
    }
    bench.set(|all| (all.general[gpr::EBX], all.general[gpr::ECX]) = (0, 5000));
    let registers = bench.core.registers();
    bench.core = Core::new(CoreId(0), config);
    bench.core.set_registers(&registers);
    bench.code = CodeCache::new();
    bench.code.set_translation(heat);
    bench.at_once = at_once;
    bench
}

/// The counts of the caches and the clocks of a run, after a check that every way of executing it
/// gives equal ones.
fn alike(config: &CpuConfig, bits: u32) -> (CacheStats, u64) {
    let cuts = [20_000, 100_001, 300_000, u64::MAX];
    let plain = End::after(bench(config, bits, None, None), &cuts);
    assert!(plain.seen.starts_with("Halted"), "{}", plain.seen);
    for at_once in [None, Some(1), Some(2)] {
        let translated = End::after(bench(config, bits, Some(1), at_once), &cuts);
        assert_eq!(plain.seen, translated.seen);
        assert!(plain.snapshot == translated.snapshot, "TLBs, caches or flags differ");
    }
    let mut last = bench(config, bits, Some(1), None);
    last.run_to_halt();
    (*last.core.caches().stats(), last.core.cycles())
}

#[test]
fn l2_fetches_the_line_of_a_store_if_it_allocates() {
    let (scc, _) = alike(&config(), 0);
    let mut allocating = config();
    allocating.cache.l2_store_miss = StoreMiss::Allocate;
    let (stats, _) = alike(&allocating, 0);
    assert!(scc.writes_to_bus > 1000, "the SCC's stores go around");
    assert_eq!(stats.writes_to_bus, 0, "no store goes around");
    assert!(stats.writes_to_l2 > scc.writes_to_l2 + 1000);
    assert!(stats.l1d_fills_from_l2 > scc.l1d_fills_from_l2 + 1000, "where loads find the lines");
}

#[test]
fn an_l2_of_sixteen_ways_gives_up_the_line_used_longest_ago() {
    let mut small = config();
    (small.cache.l2.size_bytes, small.cache.l2.ways) = (64 << 10, 8);
    let (tree, _) = alike(&small, 0);
    (small.cache.l2.ways, small.cache.l2_replacement) = (16, Some(Replacement::TrueLru));
    let (lru, _) = alike(&small, 0);
    assert_ne!(tree.l2_fills, lru.l2_fills, "another policy keeps other lines");
    // With twice the size, L2 holds all lines that the walk reads, whatever the policy.
    small.cache.l2.size_bytes = 128 << 10;
    let (large, _) = alike(&small, 0);
    assert!(large.l2_fills < lru.l2_fills);
}

#[test]
fn true_lru_may_be_the_policy_of_all_caches() {
    let mut all = config();
    all.cache.replacement = Replacement::TrueLru;
    // Which line is the victim: see crates/cache/tests/chosen_rules.rs.
    alike(&all, 0);
}

#[test]
fn a_page_with_pcd_and_pmb_may_be_of_a_type_that_l1d_alone_keeps() {
    let bits = PMB | CACHE_DISABLE;
    let (broken, _) = alike(&config(), bits);
    let mut chosen = config();
    chosen.pcd_pmb_type = MemoryType::L1Only;
    let (stats, cycles) = alike(&chosen, bits);
    assert!(stats.l1d_fills_from_memory > broken.l1d_fills_from_memory + 1000, "L1D fills");
    assert!(stats.l1d_writebacks_to_memory > 100, "and writes back");
    assert_eq!((stats.writes_to_l2, stats.l1d_writebacks_to_l2), (0, 0), "past L2");
    let (cached, faster) = alike(&chosen, 0);
    assert!(cached.l1d_fills_from_l2 > stats.l1d_fills_from_l2 && faster < cycles);
}
