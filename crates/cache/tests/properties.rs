//! Random programs: two cores compared with the plain reference, and windows that are rolled back.

use crate::common;
#[path = "common/reference.rs"]
mod reference;

use common::{Core, L1_ONLY, MPBT, MPBT_WB, Memory, UC, UC_MPBT, WB, WT, tiny};
use proptest::prelude::*;
use reference::Reference;
use rockcreek_cache::{CacheConfig, Caches, Geometry, MemoryType, Replacement, Step, StoreMiss};
use rockcreek_defs::CoreAddr;

#[derive(Clone, Copy, Debug)]
enum Op {
    Read(u32, u8, MemoryType),
    Write(u32, u8, u64, MemoryType),
    Exchange(u32, u8, u64, MemoryType),
    Fetch(u32, MemoryType),
    Cl1invmb,
    Invd,
    Wbinvd,
    L2(bool),
}

fn memory_type() -> impl Strategy<Value = MemoryType> {
    prop_oneof![
        4 => Just(WB), 2 => Just(WT), 2 => Just(MPBT), 2 => Just(MPBT_WB),
        1 => Just(UC), 1 => Just(UC_MPBT), 1 => Just(L1_ONLY),
    ]
}

/// The tiny caches with these choices of a chip description.
fn chosen(allocates: bool, lru_of_eight: bool) -> CacheConfig {
    let mut config = tiny();
    if allocates {
        config.l2_store_miss = StoreMiss::Allocate;
    }
    if lru_of_eight {
        config.l2 = Geometry { size_bytes: 256, ways: 8 };
        config.l2_replacement = Some(Replacement::TrueLru);
    }
    config
}

/// An access of any size inside one of 16 lines, which compete for two sets.
fn place() -> impl Strategy<Value = (u32, u8)> {
    (0..16u32, 0..32u32, prop_oneof![Just(1u8), Just(2), Just(4), Just(8), 1..=8u8]).prop_map(
        |(line, offset, size)| (0x8000_0000 + 32 * line + offset.min(32 - u32::from(size)), size),
    )
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        8 => (place(), memory_type()).prop_map(|((a, s), ty)| Op::Read(a, s, ty)),
        8 => (place(), any::<u64>(), memory_type()).prop_map(|((a, s), v, ty)| Op::Write(a, s, v, ty)),
        2 => (place(), any::<u64>(), memory_type())
            .prop_map(|((a, s), v, ty)| Op::Exchange(a, s, v, ty)),
        3 => (place(), memory_type()).prop_map(|((a, _), ty)| Op::Fetch(a, ty)),
        1 => Just(Op::Cl1invmb),
        1 => Just(Op::Wbinvd),
        1 => prop_oneof![Just(Op::Invd), any::<bool>().prop_map(Op::L2)],
    ]
}

/// Performs an operation; returns the bytes that the core reads.
fn perform(core: &mut Core, memory: &mut Memory, op: Op) -> Vec<u8> {
    let none = Vec::new();
    match op {
        Op::Read(a, s, ty) => core.read(memory, a, s, ty).to_le_bytes()[..s.into()].to_vec(),
        Op::Write(a, s, v, ty) => {
            core.write(memory, a, s, v, ty);
            none
        }
        Op::Exchange(a, s, v, ty) => {
            core.exchange(memory, a, s, v, ty).to_le_bytes()[..s.into()].to_vec()
        }
        Op::Fetch(a, ty) => {
            core.caches.forget_prefetch();
            core.fetch(memory, a, ty).to_vec()
        }
        Op::Cl1invmb => {
            core.caches.cl1invmb();
            none
        }
        Op::Invd => {
            core.caches.invd();
            none
        }
        Op::Wbinvd => {
            core.wbinvd(memory);
            none
        }
        Op::L2(on) => {
            core.caches.set_l2_enabled(on);
            none
        }
    }
}

fn expect(core: &mut Reference, memory: &mut Memory, op: Op) -> Vec<u8> {
    let none = Vec::new();
    match op {
        Op::Read(a, s, ty) => core.read(memory, a, s, ty).to_le_bytes()[..s.into()].to_vec(),
        Op::Write(a, s, v, ty) => {
            core.write(memory, a, s, v, ty);
            none
        }
        Op::Exchange(a, s, v, ty) => {
            core.exchange(memory, a, s, v, ty).to_le_bytes()[..s.into()].to_vec()
        }
        Op::Fetch(a, ty) => core.fetch(memory, a, ty),
        Op::Cl1invmb => {
            core.cl1invmb();
            none
        }
        Op::Invd => {
            core.invd();
            none
        }
        Op::Wbinvd => {
            core.wbinvd(memory);
            none
        }
        Op::L2(on) => {
            core.set_l2_enabled(on);
            none
        }
    }
}

/// Performs the private part of an operation: what a core does before it leaves for a transaction.
fn begin(caches: &mut Caches, op: Op) {
    fn ignore<T>(_: Step<T>) {}
    match op {
        Op::Read(a, s, ty) => ignore(caches.read(CoreAddr(a), s, ty)),
        Op::Write(a, s, v, ty) => ignore(caches.write(CoreAddr(a), s, v, ty)),
        Op::Exchange(a, s, v, ty) => ignore(caches.locked_write(CoreAddr(a), s, v, ty)),
        Op::Fetch(a, ty) => ignore(caches.fetch(CoreAddr(a), ty)),
        Op::Cl1invmb => caches.cl1invmb(),
        Op::Invd => caches.invd(),
        Op::Wbinvd => ignore(caches.wbinvd()),
        Op::L2(on) => caches.set_l2_enabled(on),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(400)
    })]

    #[test]
    fn each_core_sees_the_bytes_that_the_rules_give_it(
        ops in prop::collection::vec((0..2usize, op()), 1..120),
        (allocates, lru) in any::<(bool, bool)>(),
    ) {
        let config = chosen(allocates, lru);
        let (mut memory, mut expected_memory) = (Memory::default(), Memory::default());
        let mut cores = [(); 2].map(|()| Core::new(&config));
        let mut references = [(); 2].map(|()| Reference::new(allocates, lru));
        for (step, (core, op)) in ops.into_iter().enumerate() {
            let seen = perform(&mut cores[core], &mut memory, op);
            let expected = expect(&mut references[core], &mut expected_memory, op);
            prop_assert_eq!(seen, expected, "step {}, core {}: {:?}", step, core, op);
            prop_assert_eq!(&memory, &expected_memory, "step {}: {:?}", step, op);
        }
    }

    #[test]
    fn one_core_alone_sees_flat_memory(ops in prop::collection::vec(op(), 1..120)) {
        let (mut memory, mut flat) = (Memory::default(), Memory::default());
        let mut core = Core::new(&tiny());
        for op in ops {
            // One memory type for all operations, and no operation that loses data.
            let op = match op {
                Op::Read(a, s, _) => Op::Read(a, s, WB),
                Op::Write(a, s, v, _) => Op::Write(a, s, v, WB),
                Op::Exchange(a, s, v, _) => Op::Exchange(a, s, v, WB),
                Op::Fetch(a, _) => Op::Fetch(a, WB),
                _ => Op::Wbinvd,
            };
            let seen = perform(&mut core, &mut memory, op);
            match op {
                Op::Read(a, s, _) | Op::Exchange(a, s, ..) => {
                    prop_assert_eq!(seen, &flat.value(a, s).to_le_bytes()[..s.into()]);
                }
                Op::Fetch(a, _) => prop_assert_eq!(u64::from(seen[(a % 32) as usize]), flat.value(a, 1)),
                _ => {}
            }
            if let Op::Write(a, s, v, _) | Op::Exchange(a, s, v, _) = op {
                for i in 0..u32::from(s) {
                    flat.set(a + i, (v >> (8 * i)) as u8);
                }
            }
        }
    }

    #[test]
    fn a_rollback_leaves_no_trace(
        before in prop::collection::vec(op(), 0..60),
        windows in prop::collection::vec(prop::collection::vec(op(), 0..20), 1..6),
        after in prop::collection::vec(op(), 1..30),
        (allocates, lru) in any::<(bool, bool)>(),
    ) {
        let mut memory = Memory::default();
        let mut core = Core::new(&chosen(allocates, lru));
        for op in before {
            perform(&mut core, &mut memory, op);
        }
        let start = core.caches.clone();
        core.caches.begin_window();
        for window in windows {
            for op in window {
                begin(&mut core.caches, op);
            }
            core.caches.rollback();
            prop_assert!(core.caches == start, "a rollback restores everything");
        }
        // State that is not compared (bit sets, undo logs) must have no later effect either.
        let mut fresh = Core { caches: start, sent: Vec::new(), cycles: 0 };
        let mut fresh_memory = memory.clone();
        for op in after {
            let seen = perform(&mut core, &mut memory, op);
            prop_assert_eq!(seen, perform(&mut fresh, &mut fresh_memory, op), "{:?}", op);
            prop_assert!(core.caches == fresh.caches, "{:?}", op);
        }
    }
}
