//! One test for each rule of the caches that software on the SCC could notice.

use crate::common;

use common::{Core, L2_HIT, MPBT, MPBT_WB, Memory, UC, UC_MPBT, WB, WT, kinds, scc};
use rockcreek_cache::Step;
use rockcreek_defs::CoreAddr;

const A: u32 = 0x0010_0040;
const MPB: u32 = 0xC000_0100;

fn core() -> (Core, Memory) {
    (Core::new(&scc()), Memory::default())
}

#[test]
fn a_read_miss_fills_both_levels_and_hits_from_then_on() {
    let (mut core, mut memory) = core();
    assert_eq!(core.read(&mut memory, A + 5, 4, WB), memory.value(A + 5, 4));
    assert_eq!(kinds(&mut core), ["fill"]);
    assert!(core.caches.l1d_line(CoreAddr(A)).is_some());
    assert!(core.caches.l2_line(CoreAddr(A)).is_some());
    assert_eq!(core.read(&mut memory, A + 24, 8, WB), memory.value(A + 24, 8));
    assert_eq!((core.sent().len(), core.cycles()), (0, 0));
}

#[test]
fn l2_serves_what_l1_gave_up() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WB);
    // Other lines of this L1 set, in other L2 sets: a way of L1 is 4 KB.
    for way in 1..=4 {
        core.read(&mut memory, A + way * 0x1000, 4, WB);
    }
    assert!(core.caches.l1d_line(CoreAddr(A)).is_none(), "displaced from L1");
    core.sent();
    core.read(&mut memory, A, 4, WB);
    assert_eq!((core.sent().len(), core.cycles()), (0, L2_HIT));
    assert_eq!(core.caches.stats().l1d_fills_from_l2, 1);
}

#[test]
fn a_write_miss_allocates_nothing() {
    let (mut core, mut memory) = core();
    for byte in 0..4 {
        core.write(&mut memory, A + byte, 1, 0x11, WB);
    }
    assert_eq!(kinds(&mut core), ["write"; 4], "one transaction per store");
    assert!(core.caches.l1d_line(CoreAddr(A)).is_none());
    assert!(core.caches.l2_line(CoreAddr(A)).is_none());
    assert_eq!(memory.value(A, 4), 0x1111_1111);
}

#[test]
fn a_write_that_hits_only_l2_stays_there() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WB);
    core.caches.invd();
    core.sent();
    core.write(&mut memory, A, 4, 0xABCD, WB);
    assert_eq!((core.sent().len(), core.cycles()), (0, 0), "the core does not wait for L2");
    assert!(core.caches.l1d_line(CoreAddr(A)).is_none(), "no allocation in L1 either");
    assert!(core.caches.l2_line(CoreAddr(A)).unwrap().dirty);
    assert_ne!(memory.value(A, 4), 0xABCD);
    assert_eq!(core.read(&mut memory, A, 4, WB), 0xABCD);
}

#[test]
fn a_write_back_hit_is_private() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WB);
    core.sent();
    core.write(&mut memory, A, 4, 0x55, WB);
    assert_eq!((core.sent().len(), core.cycles()), (0, 0));
    assert!(core.caches.l1d_line(CoreAddr(A)).unwrap().dirty);
    assert!(!core.caches.l2_line(CoreAddr(A)).unwrap().dirty, "L2 does not hear of it");
    assert_ne!(memory.value(A, 4), 0x55);
}

#[test]
fn a_write_through_hit_goes_on_to_l2_and_no_further_if_that_has_the_line() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WT);
    core.sent();
    core.write(&mut memory, A, 4, 0x77, WT);
    assert_eq!((core.sent().len(), core.cycles()), (0, 0));
    assert!(!core.caches.l1d_line(CoreAddr(A)).unwrap().dirty);
    assert!(core.caches.l2_line(CoreAddr(A)).unwrap().dirty);
    assert_eq!(core.read(&mut memory, A, 4, WT), 0x77);
}

#[test]
fn a_write_through_store_reaches_memory_when_l2_has_lost_the_line() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WT);
    core.caches.reset_l2();
    core.sent();
    core.write(&mut memory, A, 4, 0x77, WT);
    assert_eq!(kinds(&mut core), ["write"]);
    assert_eq!(core.read(&mut memory, A, 4, WT), 0x77);
    assert_eq!(memory.value(A, 4), 0x77);
}

#[test]
fn a_dirty_l1_victim_goes_to_l2_if_that_has_it() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WB);
    core.write(&mut memory, A, 4, 0x99, WB);
    core.sent();
    for way in 1..=4 {
        core.read(&mut memory, A + way * 0x1000, 4, WB);
    }
    assert_eq!(kinds(&mut core), ["fill"; 4], "the victim needs no transaction");
    assert!(core.caches.l2_line(CoreAddr(A)).unwrap().dirty);
    assert_eq!(core.caches.stats().l1d_writebacks_to_l2, 1);
    assert_eq!(core.read(&mut memory, A, 4, WB), 0x99);
}

#[test]
fn a_dirty_l1_victim_goes_to_memory_if_l2_has_lost_it() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WB);
    core.write(&mut memory, A, 4, 0x99, WB);
    core.caches.reset_l2();
    core.sent();
    for way in 1..=4 {
        core.read(&mut memory, A + way * 0x1000, 4, WB);
    }
    assert_eq!(kinds(&mut core), ["fill", "fill", "fill", "l1 victim", "fill"]);
    assert_eq!(memory.value(A, 4), 0x99);
    assert!(core.caches.l2_line(CoreAddr(A)).is_none(), "a victim does not allocate in L2");
}

#[test]
fn a_dirty_l2_victim_is_written_back_and_l1_keeps_its_copy() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WB);
    core.caches.invd();
    core.write(&mut memory, A, 4, 0x42, WB);
    core.read(&mut memory, A, 4, WB);
    core.sent();
    // Four lines of one L2 set by locked accesses, which do not change L1.
    for way in 1..=4 {
        core.exchange(&mut memory, A + way * 0x1_0000, 4, 0, WB);
    }
    assert_eq!(kinds(&mut core), ["fill", "fill", "fill", "l2 victim", "fill"]);
    assert_eq!(memory.value(A, 4), 0x42);
    assert!(core.caches.l2_line(CoreAddr(A)).is_none());
    assert!(core.caches.l1d_line(CoreAddr(A)).is_some(), "no back-invalidation");
}

#[test]
fn nothing_is_coherent_between_two_cores() {
    let (mut a, mut memory) = core();
    let mut b = Core::new(&scc());
    let old = b.read(&mut memory, A, 4, WB);
    a.read(&mut memory, A, 4, WB);
    a.write(&mut memory, A, 4, 0x1234_5678, WB);
    a.wbinvd(&mut memory);
    a.displace(&mut memory, A);
    assert_eq!(memory.value(A, 4), 0x1234_5678);
    assert_eq!(b.read(&mut memory, A, 4, WB), old, "B's L1 is stale");
    b.wbinvd(&mut memory);
    assert_eq!(b.read(&mut memory, A, 4, WB), old, "B's L2 is stale");
    b.wbinvd(&mut memory);
    b.displace(&mut memory, A);
    b.wbinvd(&mut memory);
    assert_eq!(b.read(&mut memory, A, 4, WB), 0x1234_5678);
}

#[test]
fn two_dirty_copies_of_a_line_lose_one_store() {
    let (mut a, mut memory) = core();
    let mut b = Core::new(&scc());
    a.read(&mut memory, A, 4, WB);
    b.read(&mut memory, A, 4, WB);
    a.write(&mut memory, A, 4, 1, WB);
    b.write(&mut memory, A + 4, 4, 2, WB);
    let old = memory.value(A, 4);
    for core in [&mut a, &mut b] {
        core.wbinvd(&mut memory);
        core.displace(&mut memory, A);
    }
    assert_eq!((memory.value(A, 4), memory.value(A + 4, 4)), (old, 2));
}

#[test]
fn wbinvd_empties_l1_and_leaves_l2_alone() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WB);
    core.write(&mut memory, A, 4, 0x31, WB);
    core.fetch(&mut memory, 0x2000, WB);
    core.sent();
    core.wbinvd(&mut memory);
    assert_eq!((core.sent().len(), core.cycles()), (0, L2_HIT));
    assert!(core.caches.l1d_line(CoreAddr(A)).is_none());
    assert!(!core.caches.l1i_has(CoreAddr(0x2000)));
    assert!(core.caches.l2_line(CoreAddr(A)).unwrap().dirty, "still in L2, dirty");
    assert_ne!(memory.value(A, 4), 0x31);
}

#[test]
fn wbinvd_writes_to_memory_what_l2_has_lost() {
    let (mut core, mut memory) = core();
    for line in 0..3 {
        core.read(&mut memory, A + 32 * line, 4, WB);
        core.write(&mut memory, A + 32 * line, 4, u64::from(line), WB);
    }
    core.caches.reset_l2();
    core.sent();
    core.wbinvd(&mut memory);
    assert_eq!(kinds(&mut core), ["l1 victim"; 3]);
    assert_eq!(memory.value(A + 64, 4), 2);
}

#[test]
fn invd_loses_dirty_lines() {
    let (mut core, mut memory) = core();
    let old = core.read(&mut memory, A, 4, WB);
    core.write(&mut memory, A, 4, 0x31, WB);
    core.caches.invd();
    assert_eq!(core.read(&mut memory, A, 4, WB), old);
}

#[test]
fn mpbt_lines_are_tagged_and_never_in_l2() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, MPB, 4, MPBT);
    assert_eq!(kinds(&mut core), ["fill mpbt"]);
    assert!(core.caches.l1d_line(CoreAddr(MPB)).unwrap().message_buffer);
    assert!(core.caches.l2_line(CoreAddr(MPB)).is_none());
    core.read(&mut memory, MPB + 28, 4, MPBT);
    assert_eq!(core.sent().len(), 0, "the second read hits");
}

#[test]
fn an_mpbt_read_does_not_look_into_l2() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WB);
    core.caches.invd();
    core.write(&mut memory, A, 4, 0x61, WB);
    assert_ne!(core.read(&mut memory, A, 4, MPBT), 0x61, "L2 holds 0x61, memory does not");
}

#[test]
fn cl1invmb_drops_mb_lines_only() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, MPB, 4, MPBT);
    core.read(&mut memory, A, 4, WB);
    core.write(&mut memory, A, 4, 0x13, WB);
    memory.set(MPB, 0xAB);
    assert_ne!(core.read(&mut memory, MPB, 1, MPBT), 0xAB, "stale");
    core.caches.cl1invmb();
    assert!(core.caches.l1d_line(CoreAddr(A)).unwrap().dirty);
    assert_eq!(core.read(&mut memory, MPB, 1, MPBT), 0xAB);
    assert_eq!(core.caches.stats().mpbt_lines_invalidated, 1);
}

#[test]
fn cl1invmb_loses_dirty_mb_lines() {
    let (mut core, mut memory) = core();
    let old = core.read(&mut memory, MPB, 4, MPBT_WB);
    core.sent();
    core.write(&mut memory, MPB, 4, 0x77, MPBT_WB);
    assert_eq!(core.sent().len(), 0, "PMB without PWT: the line in L1 takes the store");
    assert_eq!(core.read(&mut memory, MPB, 4, MPBT_WB), 0x77);
    core.caches.cl1invmb();
    assert_eq!(core.read(&mut memory, MPB, 4, MPBT_WB), old);
    assert_eq!(core.caches.stats().mpbt_dirty_lines_lost, 1);
}

#[test]
fn a_dirty_mb_victim_passes_l2_by() {
    let (mut core, mut memory) = core();
    // L2 has the line too, from a write-back mapping.
    core.read(&mut memory, MPB, 4, WB);
    core.caches.invd();
    core.read(&mut memory, MPB, 4, MPBT_WB);
    core.write(&mut memory, MPB, 4, 0x77, MPBT_WB);
    core.sent();
    core.wbinvd(&mut memory);
    assert_eq!(kinds(&mut core), ["l1 victim"]);
    assert_eq!(memory.value(MPB, 4), 0x77);
    assert!(!core.caches.l2_line(CoreAddr(MPB)).unwrap().dirty);
}

#[test]
fn the_wcb_waits_for_a_full_line_or_another_line() {
    let (mut core, mut memory) = core();
    let old = memory.value(MPB, 4);
    core.write(&mut memory, MPB, 4, 0x1111, MPBT);
    // None of these accesses drains the buffer.
    core.caches.cl1invmb();
    core.read(&mut memory, MPB + 64, 4, MPBT);
    core.read(&mut memory, A, 4, UC);
    core.write(&mut memory, A, 4, 5, UC);
    core.write(&mut memory, A + 64, 4, 5, WB);
    core.exchange(&mut memory, A, 4, 1, WB);
    core.wbinvd(&mut memory);
    core.write(&mut memory, MPB + 4, 4, 0x2222, MPBT);
    assert!(!kinds(&mut core).contains(&"wcb"));
    assert_eq!(memory.value(MPB, 4), old);
    // A store to another line drains it.
    core.write(&mut memory, MPB + 32, 1, 0x33, MPBT);
    assert_eq!(kinds(&mut core), ["wcb"]);
    assert_eq!(memory.value(MPB, 8), 0x2222_0000_1111);
    assert_eq!(core.caches.stats().write_combine_partial_drains, 1);
    for byte in 1..32 {
        assert_ne!(memory.byte(MPB + 32), 0x33);
        core.write(&mut memory, MPB + 32 + byte, 1, 0x33, MPBT);
    }
    assert_eq!(kinds(&mut core), ["wcb"], "all 32 bytes were written");
    assert_eq!(memory.value(MPB + 56, 8), 0x3333_3333_3333_3333);
    assert!(core.caches.write_combine().is_empty());
    assert_eq!(core.caches.stats().write_combine_full_drains, 1);
}

#[test]
fn reads_do_not_look_into_the_wcb() {
    let (mut core, mut memory) = core();
    let old = memory.value(MPB, 4);
    core.write(&mut memory, MPB, 4, 0x1111, MPBT);
    assert_eq!(core.read(&mut memory, MPB, 4, MPBT), old);
    assert_eq!(core.read(&mut memory, MPB, 4, UC), old);
}

#[test]
fn an_mpbt_store_changes_a_line_in_l1_and_goes_out_as_well() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, MPB, 4, MPBT);
    core.write(&mut memory, MPB, 4, 0x1111, MPBT);
    assert_eq!(core.read(&mut memory, MPB, 4, MPBT), 0x1111);
    assert!(!core.caches.l1d_line(CoreAddr(MPB)).unwrap().dirty);
    core.write(&mut memory, MPB + 32, 4, 0, MPBT);
    assert_eq!(memory.value(MPB, 4), 0x1111);
}

#[test]
fn an_mpbt_store_without_a_line_allocates_nothing() {
    let (mut core, mut memory) = core();
    core.write(&mut memory, MPB, 4, 0x1111, MPBT_WB);
    assert!(core.caches.l1d_line(CoreAddr(MPB)).is_none());
    assert!(!core.caches.write_combine().is_empty());
    assert_eq!(core.sent().len(), 0);
}

#[test]
fn uncached_and_mpbt_together_repeat_the_first_eight_bytes() {
    let (mut core, mut memory) = core();
    let bytes: Vec<u64> = (0..8).map(|i| u64::from(memory.byte(MPB + i))).collect();
    for offset in 0..32u32 {
        let got = core.read(&mut memory, MPB + offset, 1, UC_MPBT);
        assert_eq!(got, bytes[offset as usize % 8], "byte {offset}");
    }
    let wrapped = core.read(&mut memory, MPB + 14, 4, UC_MPBT);
    let expected = bytes[6] | bytes[7] << 8 | bytes[0] << 16 | bytes[1] << 24;
    assert_eq!(wrapped, expected);
    assert!(core.caches.l1d_line(CoreAddr(MPB)).is_none());
}

#[test]
fn uncached_accesses_pass_the_caches_by() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WB);
    core.write(&mut memory, A, 4, 0x99, WB);
    let old = memory.value(A, 4);
    assert_eq!(core.read(&mut memory, A, 4, UC), old);
    core.write(&mut memory, A, 4, 0x55, UC);
    assert_eq!(core.read(&mut memory, A, 4, WB), 0x99);
    assert_eq!(memory.value(A, 4), 0x55);
}

#[test]
fn a_locked_access_takes_the_line_from_l1_and_is_served_by_l2() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WB);
    core.write(&mut memory, A, 4, 7, WB);
    core.exchange(&mut memory, A, 4, 8, WB);
    core.sent();
    core.cycles();
    assert_eq!(core.exchange(&mut memory, A, 4, 9, WB), 8);
    assert_eq!((core.sent().len(), core.cycles()), (0, 2 * L2_HIT));
    assert!(core.caches.l1d_line(CoreAddr(A)).is_none());
    assert!(core.caches.l2_line(CoreAddr(A)).unwrap().dirty);
    assert_eq!(core.caches.stats().locked_l2_accesses, 4);
}

#[test]
fn a_locked_access_is_not_atomic_between_cores() {
    let (mut a, mut memory) = core();
    let mut b = Core::new(&scc());
    memory.set(A, 0);
    assert_eq!(a.exchange(&mut memory, A, 1, 1, WB), 0);
    assert_eq!(b.exchange(&mut memory, A, 1, 1, WB), 0, "both cores get the lock");
}

#[test]
fn a_locked_access_to_an_uncached_page_is_a_read_and_a_write() {
    let (mut core, mut memory) = core();
    core.exchange(&mut memory, A, 4, 1, UC);
    assert_eq!(kinds(&mut core), ["read", "write"]);
    assert_eq!(memory.value(A, 4), 1);
}

#[test]
fn own_stores_drop_code_lines_and_fetches_see_dirty_data() {
    let (mut core, mut memory) = core();
    core.read(&mut memory, A, 4, WB);
    core.fetch(&mut memory, A, WB);
    core.write(&mut memory, A, 4, 0xCC90_C390, WB);
    assert!(!core.caches.l1i_has(CoreAddr(A)));
    let code = core.fetch(&mut memory, A, WB);
    assert_eq!(code[..4], [0x90, 0xC3, 0x90, 0xCC]);
    assert!(!core.caches.l1d_line(CoreAddr(A)).unwrap().dirty, "written back for the fetch");
    // With L2 off, the dirty line goes to memory.
    core.caches.set_l2_enabled(false);
    core.write(&mut memory, A, 1, 0xF4, WB);
    assert_eq!(core.fetch(&mut memory, A, WB)[0], 0xF4);
    assert_eq!(memory.byte(A), 0xF4);
}

#[test]
fn stores_of_every_type_drop_code_lines() {
    for ty in [WB, WT, UC, MPBT, MPBT_WB] {
        let (mut core, mut memory) = core();
        core.fetch(&mut memory, A, WB);
        core.write(&mut memory, A + 8, 2, 0, ty);
        assert!(!core.caches.l1i_has(CoreAddr(A)), "{ty:?}");
    }
}

#[test]
fn another_core_s_store_leaves_stale_code() {
    let (mut a, mut memory) = core();
    let mut b = Core::new(&scc());
    let old = b.fetch(&mut memory, A, WB);
    a.write(&mut memory, A, 1, 0xF4, UC);
    assert_eq!(b.fetch(&mut memory, A, WB), old);
}

#[test]
fn uncached_code_is_fetched_each_time() {
    let (mut core, mut memory) = core();
    for _ in 0..3 {
        core.caches.forget_prefetch();
        assert_eq!(core.fetch(&mut memory, A, UC)[0], memory.byte(A));
    }
    assert_eq!(core.sent().len(), 3);
    // An instruction that waits, or that spans two lines, finds both lines again.
    core.fetch(&mut memory, A + 32, UC);
    core.fetch(&mut memory, A, UC);
    core.fetch(&mut memory, A + 32, UC);
    assert_eq!(core.sent().len(), 1);
    assert!(!core.caches.l1i_has(CoreAddr(A)));
    assert!(core.caches.l2_line(CoreAddr(A)).is_none());
}

#[test]
fn a_code_line_keeps_its_version_until_its_bytes_change() {
    let (mut core, mut memory) = core();
    core.fetch(&mut memory, A, WB);
    let Step::Done { value: line, .. } = core.caches.fetch(CoreAddr(A), WB) else { panic!() };
    assert_eq!(line.version, 0);
    core.caches.set_code_version(line.slot, 17);
    let Step::Done { value: again, .. } = core.caches.fetch(CoreAddr(A + 31), WB) else { panic!() };
    assert_eq!((again.slot, again.version), (line.slot, 17));
    core.write(&mut memory, A, 1, 0xF4, WB);
    core.fetch(&mut memory, A, WB);
    let Step::Done { value: new, .. } = core.caches.fetch(CoreAddr(A), WB) else { panic!() };
    assert_eq!(new.version, 0);
}

#[test]
fn without_l2_every_miss_goes_to_memory() {
    let (mut core, mut memory) = core();
    core.caches.set_l2_enabled(false);
    core.read(&mut memory, A, 4, WB);
    core.caches.invd();
    core.read(&mut memory, A, 4, WB);
    core.exchange(&mut memory, A, 4, 1, WB);
    assert_eq!(kinds(&mut core), ["fill", "fill", "read", "write"]);
    assert!(core.caches.l2_line(CoreAddr(A)).is_none());
}

#[test]
fn caches_survive_being_saved() {
    let (mut core, mut memory) = core();
    for line in 0..40 {
        core.read(&mut memory, A + 0x1000 * line, 4, WB);
        core.write(&mut memory, A + 0x1000 * line, 4, 1, WB);
        core.read(&mut memory, MPB + 32 * line, 4, MPBT);
    }
    core.write(&mut memory, MPB, 4, 3, MPBT);
    let saved = postcard::to_allocvec(&core.caches).unwrap();
    let mut restored: rockcreek_cache::Caches = postcard::from_bytes(&saved).unwrap();
    assert!(restored == core.caches);
    restored.cl1invmb();
    core.caches.cl1invmb();
    assert!(restored == core.caches);
}
