//! Skipping of waiting loops with scripted cores: pollers of MPBs and locks, near and far, beside
//! cores that write what they poll, use the same links and ports, and reach them with pins and
//! clocks.

use crate::common;

use common::given;
use common::scripted::{Script, Step, chip, read, write};
use rockcreek_chip::{Chip, Companion, Stopped};
use rockcreek_defs::bus::FillKind;
use rockcreek_defs::{BusRequest, CoreAddr, CoreId, Ps};

/// A small generator of random numbers, equal on all hosts.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn mpb(tile: u64, word: u64) -> u32 {
    0xC000_0000 + ((tile as u32) << 24) + 4 * word as u32
}

fn lock(tile: u64, z: u64) -> u32 {
    0xE000_0200 + ((tile as u32) << 24) + 0x200 * z as u32
}

fn line(addr: u32) -> BusRequest {
    BusRequest::ReadLine { addr: CoreAddr(addr & !31), kind: FillKind::Mpbt }
}

fn word(addr: u32) -> BusRequest {
    BusRequest::Read { addr: CoreAddr(addr), size: 4 }
}

/// A core that waits for its flag to change, changes the other core's flag, and repeats this.
fn poller(core: u64, numbers: &mut Numbers) -> Vec<Step> {
    let tile = if numbers.below(2) == 0 { core / 2 } else { numbers.below(24) };
    let flag = mpb(tile, 64 * core);
    let work = Step::Work(3 + numbers.below(20));
    let request = if numbers.below(2) == 0 { word(flag) } else { line(flag) };
    vec![work, Step::Await(request, numbers.below(2)), write(flag, 2), Step::Goto(0)]
}

/// A core that spins on a lock and keeps it for a while.
fn contender(numbers: &mut Numbers, tile: u64) -> Vec<Step> {
    let lock = lock(tile, 0);
    let keep = Step::Work(100 + numbers.below(3000));
    let apart = Step::Work(1 + numbers.below(40));
    vec![Step::Await(word(lock), 1), keep, write(lock, 0), apart, Step::Goto(0)]
}

/// A core that sets flags of others, and uses links and ports.
fn worker(numbers: &mut Numbers) -> Vec<Step> {
    const GCBCFG: [u64; 2] = [0x00A8_E200, 0x0150_E500];
    const GLCFG: [u64; 2] = [0xDF8, 0xDFA];
    let mut steps = vec![];
    for _ in 0..12 {
        let other = numbers.below(48);
        let value = numbers.below(3);
        let tile = if numbers.below(2) == 0 { other / 2 } else { numbers.below(24) };
        let crb = 0xE000_0000 + ((numbers.below(24) as u32) << 24);
        steps.push(Step::Work(1 + numbers.below(4000)));
        steps.push(match numbers.below(8) {
            0 => read(0x8000_0000 + 4 * other as u32),
            1 => read(mpb(tile, 7)),
            2 => write(crb + 0x80, GCBCFG[numbers.below(2) as usize]),
            3 => write(crb + 0x10, GLCFG[numbers.below(2) as usize]),
            4 => read(0xF900_8224),
            _ => write(mpb(tile, 64 * other), value),
        });
    }
    steps.push(Step::Goto(0));
    steps
}

fn scripts(seed: u64) -> Vec<Vec<Step>> {
    let numbers = &mut Numbers(seed);
    (0..48)
        .map(|core| match numbers.below(4) {
            0 => worker(numbers),
            1 => contender(numbers, 5 * (seed % 4)),
            _ => poller(core, numbers),
        })
        .collect()
}

/// Pollers whose flags nobody sets, most of them in one tile, and cores that store to memory and
/// go on at the instant at which a store is accepted.
fn quiet_scripts(seed: u64) -> Vec<Vec<Step>> {
    let numbers = &mut Numbers(seed);
    let hub = numbers.below(24);
    (0..48)
        .map(|core| {
            let tile = [core / 2, numbers.below(24), hub, hub][numbers.below(4) as usize];
            let flag = mpb(tile, 64 * (core % 16));
            let request = if numbers.below(2) == 0 { word(flag) } else { line(flag) };
            let work = Step::Work(1 + numbers.below(300));
            match numbers.below(3) {
                0 => {
                    let mut steps = storing(numbers, core);
                    steps.extend([work, Step::Goto(0)]);
                    steps
                }
                _ => vec![work, Step::Await(request, 1), Step::Halt],
            }
        })
        .collect()
}

/// Stores to private memory, each followed at once by another request.
fn storing(numbers: &mut Numbers, core: u64) -> Vec<Step> {
    let steps = (0..4).flat_map(|n| {
        let addr = CoreAddr(0x1000 * core as u32 + 4 * n);
        let store = BusRequest::Write { addr, size: 4, data: 1, posted: true };
        let next = [store, line(0x20_0000), word(mpb(numbers.below(24), 7))];
        [Step::Bus(store), Step::AtOnce(next[numbers.below(3) as usize])]
    });
    steps.collect()
}

fn run(seed: u64, skip: bool, looks: &[u64]) -> Chip<Script> {
    run_scripts(&scripts(seed), skip, looks)
}

fn run_scripts(scripts: &[Vec<Step>], skip: bool, looks: &[u64]) -> Chip<Script> {
    let mut chip = chip(scripts);
    chip.set_skipping(skip);
    for at in looks {
        assert_eq!(chip.run(Some(Ps(*at)), || true), Stopped::Until);
    }
    chip
}

fn runs(chip: &Chip<Script>) -> u64 {
    chip.slots().iter().map(|slot| slot.processor.runs).sum()
}

#[test]
fn skipping_changes_no_result() {
    const END: u64 = 60_000_000;
    let (mut passed, mut executed) = (0, 0);
    for seed in 0..30 {
        let look = Numbers(seed + 1000).below(END);
        let mut skipped = run(seed, true, &[look, END]);
        let mut plain = run(seed, false, &[END]);
        assert_eq!(skipped.now(), plain.now());
        for core in (0..48).map(CoreId) {
            let of = |chip: &Chip<Script>| {
                let slot = chip.slot(core);
                (
                    slot.phase,
                    slot.request().copied(),
                    slot.clock,
                    slot.processor.clone().without_runs(),
                )
            };
            assert_eq!(of(&skipped), of(&plain), "seed {seed}, core {core}");
        }
        assert_eq!(skipped.statistics(), plain.statistics(), "seed {seed}");
        assert_eq!(skipped.state_hash(), plain.state_hash(), "seed {seed}");
        assert_eq!(skipped.events, plain.events);
        passed += runs(&skipped);
        executed += runs(&plain);
    }
    assert!(3 * passed < executed, "{passed} runs instead of {executed}");
}

/// A request that leaves its core at the instant at which the request before was accepted enters
/// the mesh after all that has happened before at that instant: a poller's read that reached its
/// buffer then, too, does not wait for it.
#[test]
fn a_request_at_the_instant_of_a_store_delays_no_poller_of_before() {
    const END: u64 = 20_000_000;
    let (first, cases) = (given("FIRST").unwrap_or(0), given("CASES").unwrap_or(30));
    for seed in (first..first + cases).map(u64::from) {
        let look = Numbers(seed + 1000).below(END);
        let scripts = quiet_scripts(seed);
        let mut skipped = run_scripts(&scripts, true, &[look, END]);
        let mut plain = run_scripts(&scripts, false, &[END]);
        assert!(skipped.statistics() == plain.statistics(), "seed {seed}");
        assert_eq!(skipped.state_hash(), plain.state_hash(), "seed {seed}");
        assert!(runs(&skipped) < runs(&plain), "seed {seed}: nothing was skipped");
    }
}

/// A run that stops within waits, and one that goes on from a snapshot taken there, are in the
/// state of a run that executes every round.
#[test]
fn a_stop_or_a_snapshot_within_waits_changes_nothing() {
    const END: u64 = 12_000_000;
    for seed in 0..12 {
        let numbers = &mut Numbers(seed + 5000);
        let mut looks = [(); 4].map(|()| numbers.below(END));
        looks.sort_unstable();
        for scripts in [scripts(seed), quiet_scripts(seed)] {
            let mut chips = [chip(&scripts), chip(&scripts), chip(&scripts)];
            chips[1].set_skipping(false);
            for at in looks.into_iter().chain([END]) {
                let ends = chips.each_mut().map(|chip| {
                    assert_eq!(chip.run(Some(Ps(at)), || true), Stopped::Until);
                    (chip.state_hash(), chip.statistics())
                });
                assert!(ends.iter().all(|end| *end == ends[0]), "seed {seed} at {at}");
                let description = common::SCC.into();
                let saved = chips[2].save(Companion { description, ..Companion::default() });
                chips[2] = Chip::restore(&saved, |_, _| Script::default()).unwrap().0;
            }
        }
    }
}

/// 47 cores poll their own buffers, and one computes: the pollers cost next to no host time.
#[test]
fn waiting_is_free() {
    let mut scripts: Vec<Vec<Step>> = (0..48)
        .map(|core| vec![Step::Await(word(mpb(core / 2, 64 * core)), 1), Step::Work(5), Step::Halt])
        .collect();
    let wake = (0..47).map(|core| write(mpb(core / 2, 64 * core), 1));
    scripts[47] = [Step::Work(5_000_000)].into_iter().chain(wake).chain([Step::Halt]).collect();
    let mut chip = chip(&scripts);
    assert_eq!(chip.run(None, || true), Stopped::Idle);
    assert!(runs(&chip) < 48 * 100, "{} runs", runs(&chip));
    let reads = chip.events / 2;
    assert!(reads > 47 * 90_000, "{reads} reads took effect");
}

/// All cores wait for one another, some for a lock that a core has taken and keeps: the chip
/// reports the deadlock, at a time that does not depend on the windows.
#[test]
fn waiting_for_ever_is_noticed() {
    let scripts: Vec<Vec<Step>> = (0..48)
        .map(|core| match core {
            0 => vec![read(lock(9, 0)), Step::Halt],
            1..=9 => vec![Step::Work(900), Step::Await(word(lock(9, 0)), 1), Step::Halt],
            _ => vec![Step::Await(line(mpb(core / 2, 64 * core)), 1), Step::Halt],
        })
        .collect();
    let ends = [1, 2_000, 1_000_000].map(|cycles| {
        let mut chip = chip(&scripts);
        chip.set_window(cycles);
        assert_eq!(chip.run(None, || true), Stopped::Idle);
        (chip.now(), chip.state_hash())
    });
    assert_eq!(ends[0].0, Ps(100_000_000_000));
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
}
