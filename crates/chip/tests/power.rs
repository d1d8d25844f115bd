//! Energies: their sums, their independence of observers and of how far cores run ahead, the
//! guest's meter, and clocks without enough voltage.

use crate::common;

use proptest::prelude::*;
use rockcreek_chip::{Chip, Phase, Stopped};
use rockcreek_defs::{CoreId, Ps};
use rockcreek_observe::Statistic;

use common::scripted::{Script, Step, chip, read, write};

const VRC: u32 = 0xFB00_0000;
const OWN_GCBCFG: u32 = 0xF800_0080;
const ENERGY: u32 = 0xF900_8600;
const METER_TIME: u32 = 0xF900_8650;
const CURRENT: u32 = 0xF900_8424;
const MS: u64 = 1_000_000_000;
const KINDS: [&str; 6] = ["cores", "tiles", "routers", "memory", "system", "clocks"];

/// GCBCFG's value for a divider, with cores and L2s out of reset.
fn divided(by: u64) -> u64 {
    (7 * by) << 19 | 14 << 12 | (by - 1) << 8
}

fn sum(tree: &Statistic) -> u64 {
    tree.flatten().iter().map(|(_, count)| count).sum()
}

fn domains(tree: &Statistic) -> Vec<u64> {
    tree.get("domains_fj").unwrap().flatten().into_iter().map(|(_, count)| count).collect()
}

/// Runs to an instant, with regular stops, and inspects energies with a sample every so many ps.
fn run(scripts: &[Vec<Step>], until: u64, window: u64, every_ps: Option<u64>) -> Chip<Script> {
    let mut all = scripts.to_vec();
    // A write to GCBCFG takes both cores of a tile out of reset.
    all.resize(all.len().next_multiple_of(2), vec![Step::Halt]);
    let mut chip = chip(&all);
    chip.set_window(window);
    if let Some(every_ps) = every_ps {
        chip.observe_energy(every_ps);
    }
    while chip.run(Some(Ps(until)), || every_ps.is_none()) == Stopped::Asked {}
    chip
}

/// The energy of a domain is the sum of its units' energies, and intervals add up to the total.
fn adds_up(tree: &Statistic) {
    let units: u64 = KINDS.iter().map(|kind| sum(tree.get(kind).unwrap())).sum();
    let total: u64 = domains(tree).iter().sum();
    assert_eq!(units, total);
    let Some(samples) = tree.get("sample_fj") else { return };
    let Statistic::List(samples) = samples else { panic!("a list") };
    let sums = samples.iter().map(sum).collect::<Vec<_>>();
    let intervals: u64 = sums.windows(2).map(|pair| pair[1] - pair[0]).sum();
    assert_eq!(sums[0] + intervals + (total - sums[sums.len() - 1]), total);
    assert!(sums.is_sorted() && sums[sums.len() - 1] <= total);
}

fn workers() -> Vec<Vec<Step>> {
    let worker = |core: u64| {
        vec![
            Step::Work(50 + core),
            read(0x8000_0000 + 64 * core as u32),
            write(0xC000_0000 + ((core as u32 % 24) << 24), core),
            Step::Goto(0),
        ]
    };
    (0..48).map(worker).collect()
}

/// A millisecond without activity: leakage, clocks and standby.
#[test]
fn a_chip_in_reset_takes_what_its_description_says() {
    let mut chip = chip(&[vec![Step::Halt]]);
    chip.run(Some(Ps(MS)), || true);
    let tree = chip.energy();
    adds_up(&tree);
    let get = |path: &str| tree.get(path).and_then(Statistic::count).unwrap();
    let power = &chip.description().power;
    let costs = power.costs(rockcreek_power::Kind::Core);
    assert_eq!(get("cores.5.leakage"), costs[0] * MS / 1000);
    let cycles = MS.div_ceil(1875);
    assert_eq!(get("cores.5.clock_reset"), costs[1] * cycles);
    assert_eq!(get("cores.5.clock_active"), 0);
    let (halted, active) = (get("cores.0.clock_halted"), get("cores.0.clock_active"));
    assert_eq!(halted / costs[2] + active / costs[3], cycles, "no cycle is lost");
    assert!(active < 10 * costs[3]);
    assert_eq!(get("memory.0.standby"), power.costs(rockcreek_power::Kind::Memory)[0] * MS / 1000);
}

#[test]
fn who_looks_changes_nothing() {
    let mut scripts = workers();
    scripts[0] = vec![
        write(VRC, 0x1_0490),
        Step::Work(4000),
        write(OWN_GCBCFG, divided(6)),
        write(VRC, 0x1_04C0),
        read(METER_TIME),
        read(ENERGY + 72),
        Step::Work(200_000),
        Step::Goto(4),
    ];
    let until = 19 * MS;
    let mut plain = run(&scripts, until, 20_000, None);
    let (hash, energy) = (plain.state_hash(), domains(&plain.energy()));
    assert!(energy[4] < energy[7], "divider 6 and 0.9 V take less");
    for (window, every_ps) in [(1, None), (333, Some(MS)), (1_000_000, Some(777_777_777))] {
        let mut other = run(&scripts, until, window, every_ps);
        let tree = other.energy();
        adds_up(&tree);
        assert_eq!((other.state_hash(), domains(&tree)), (hash, energy.clone()), "{window}");
    }
}

#[test]
fn the_meter_tells_a_guest_the_same() {
    let mut scripts = workers();
    let mut reader = vec![Step::Work(200_000), read(METER_TIME), read(METER_TIME + 4)];
    reader.extend((0..20).map(|word| read(ENERGY + 4 * word)));
    reader.extend([read(CURRENT), Step::Halt]);
    scripts[7] = reader;
    let mut chip = run(&scripts, MS, 20_000, Some(MS / 3));
    let values = chip.slot(CoreId(7)).processor.values.clone();
    let pairs = values.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 32);
    let told: Vec<u64> = pairs.collect();
    let (time, energies, total, current) = (told[0], &told[1..10], told[10], told[11]);
    assert_eq!(energies.iter().sum::<u64>(), total);
    let meter = chip.energy();
    let get = |path: &str| meter.get(path).and_then(Statistic::count).unwrap();
    assert_eq!((get("meter.time_ps"), get("meter.conversions")), (time, 1), "the rest was held");
    assert_eq!(sum(meter.get("meter.domains_fj").unwrap()), total);
    let microwatts = total * 1000 / time;
    assert_eq!(get("meter.power_uw"), microwatts);
    let shown = current * 6_249_025 * 3_300 / 1_000_000;
    assert!(shown.abs_diff(microwatts) < 10_400, "{shown} uW, half a step off at most");
    // Equal to a run that ends there, except for events at that very instant.
    let mut there = run(&scripts, time, 1, None);
    let ends: u64 = domains(&there.energy()).iter().sum();
    assert!(ends.abs_diff(total) < 1_000_000_000, "{ends} {total}");
}

#[test]
fn a_clock_without_its_voltage_is_found() {
    // Domain 4 is lowered to 0.6 V while tile 0 continues at 533 MHz.
    let lower = vec![write(VRC, 0x1_0460), Step::Work(100), Step::Goto(1)];
    let mate = vec![Step::Work(100), Step::Goto(0)];
    let scripts = [lower, mate];
    let loose = run(&scripts, 20 * MS, 20_000, None);
    let found = loose.uncore.undervoltage.kept();
    assert_eq!((found.len(), found[0].tile.0, found[0].divider), (1, 0, 3));
    assert_eq!((found[0].level, found[0].needed), (124, Some(128)));
    let mut strict = chip(&scripts);
    strict.set_strict_voltage(true);
    assert_eq!(strict.run(Some(Ps(20 * MS)), || true), Stopped::Failed);
    let exit = strict.uncore.board.host.exit(CoreId(1)).unwrap();
    assert_eq!((exit.reason, exit.code, exit.time), (4, 3, found[0].time));
    assert!((0..2).all(|core| strict.slot(CoreId(core)).phase == Phase::Ended));
}

#[test]
fn a_divider_without_its_voltage_is_found() {
    let faster = vec![write(OWN_GCBCFG, divided(1)), Step::Work(5), Step::Goto(1)];
    let chip = run(&[faster], MS, 20_000, None);
    let found = chip.uncore.undervoltage.kept();
    assert_eq!((found.len(), found[0].divider, found[0].needed), (1, 1, None));
}

fn step() -> impl Strategy<Value = Step> {
    let command = (0u64..8, 0x50u64..0xE0);
    prop_oneof![
        (1u64..100_000).prop_map(Step::Work),
        command.prop_map(|(domain, level)| write(VRC, 1 << 16 | domain << 8 | level)),
        (1u64..=16).prop_map(|by| write(OWN_GCBCFG, divided(by))),
        (0u32..1 << 16).prop_map(|at| read(0x8000_0000 + 4 * at)),
        (0u32..20).prop_map(|word| read(ENERGY + 4 * word)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    /// Whatever cores do to voltages and clocks: the sums hold, with samples and with windows.
    #[test]
    fn sums_and_samples_agree(
        steps in proptest::collection::vec(proptest::collection::vec(step(), 1..8), 1..5),
        every_us in 100u64..5_000,
    ) {
        let looped = |mut steps: Vec<Step>| {
            steps.push(Step::Work(1_000));
            steps.push(Step::Goto(0));
            steps
        };
        let scripts = steps.into_iter().map(looped).collect::<Vec<_>>();
        let until = 6 * MS;
        let mut plain = run(&scripts, until, 50, None);
        let mut watched = run(&scripts, until, 100_000, Some(every_us * 1_000_000));
        let tree = watched.energy();
        adds_up(&tree);
        prop_assert_eq!(domains(&plain.energy()), domains(&tree));
        prop_assert_eq!(plain.state_hash(), watched.state_hash());
    }
}
