//! Rules that a chip description may choose, on the caches of one core.

use crate::common;

use common::{Core, L1_ONLY, Memory, WB, kinds, scc};
use rockcreek_cache::{CacheConfig, Replacement, StoreMiss};
use rockcreek_defs::CoreAddr;

const A: u32 = 0x0010_0040;

/// Uses all lines of one L2 set, one after another, then the first again, and one further line,
/// with locked accesses, which only L2 serves. Returns for each line whether L2 still has it.
fn left_in_l2(config: &CacheConfig) -> Vec<bool> {
    let (mut core, mut memory) = (Core::new(config), Memory::default());
    let (way, ways) = (config.l2.size_bytes / config.l2.ways, config.l2.ways);
    for n in (0..ways).chain([0, ways]) {
        core.exchange(&mut memory, A + n * way, 4, 1, WB);
    }
    (0..=ways).map(|n| core.caches.l2_line(CoreAddr(A + n * way)).is_some()).collect()
}

#[test]
fn true_lru_gives_up_the_line_whose_use_is_longest_ago() {
    assert_eq!(left_in_l2(&scc()), [true, true, false, true, true], "the tree knows halves");
    let lru = CacheConfig { l2_replacement: Some(Replacement::TrueLru), ..scc() };
    assert_eq!(left_in_l2(&lru), [true, false, true, true, true]);
    let mut wide = lru;
    wide.l2.ways = 16;
    let gone: Vec<_> = left_in_l2(&wide).iter().map(|there| !there).collect();
    assert_eq!(gone.iter().filter(|gone| **gone).count(), 1);
    assert!(gone[1], "the second, as the first was used again");
}

#[test]
fn l2_fetches_the_line_of_a_store_if_it_allocates() {
    let config = CacheConfig { l2_store_miss: StoreMiss::Allocate, ..scc() };
    let (mut core, mut memory) = (Core::new(&config), Memory::default());
    for byte in 0..4 {
        core.write(&mut memory, A + byte, 1, 0x11, WB);
    }
    assert_eq!(kinds(&mut core), ["fill"], "one line instead of four stores");
    assert!(core.caches.l1d_line(CoreAddr(A)).is_none(), "L1D still allocates nothing");
    assert!(core.caches.l2_line(CoreAddr(A)).unwrap().dirty);
    assert_eq!(core.cycles(), 0, "L2 takes a store at once, whether it had the line or fetched it");
    core.caches.set_l2_enabled(false);
    core.write(&mut memory, A, 1, 0x22, WB);
    assert_eq!(kinds(&mut core), ["write"], "an L2 that is switched off allocates nothing");
}

#[test]
fn lines_of_the_l1_only_type_pass_l2() {
    let (mut core, mut memory) = (Core::new(&scc()), Memory::default());
    core.read(&mut memory, A, 4, L1_ONLY);
    core.write(&mut memory, A, 4, 0x99, L1_ONLY);
    core.write(&mut memory, A + 0x20, 4, 0x88, L1_ONLY);
    assert_eq!(kinds(&mut core), ["fill", "write"], "a store that misses goes to memory");
    assert!(core.caches.l1d_line(CoreAddr(A)).unwrap().dirty);
    assert!(core.caches.l2_line(CoreAddr(A)).is_none());
    for way in 1..=4 {
        core.read(&mut memory, A + way * 0x1000, 4, L1_ONLY);
    }
    assert_eq!(kinds(&mut core), ["fill", "fill", "fill", "l1 victim", "fill"]);
    assert_eq!(memory.value(A, 4), 0x99);
}
