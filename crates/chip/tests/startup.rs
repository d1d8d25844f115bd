//! Start-up settings and the variation between two starts; voltage commands on the whole chip.

use crate::common;

use rockcreek_chip::{Chip, Description, Stopped};
use rockcreek_defs::{BusRequest, CoreAddr, CoreId, Ps};

use common::scripted::{Script, Step, chip_of, read, write};

const SCC: &str = include_str!("../../../machine/presets/scc.toml");
const VRC: u32 = 0xFB00_0000;
const OWN_GCBCFG: u32 = 0xF800_0080;
/// The FPGA's first VCC register.
const VCC0: u32 = 0xF900_8400;
/// A command for domain 0: 0.9 V.
const LOWER: u64 = 0x1_0090;

fn described(lines: &str) -> Description {
    Description::parse(&format!("{SCC}\n[setup]\n{lines}\n")).unwrap()
}

fn starts(chip: &Chip<Script>) -> Vec<u64> {
    chip.slots().iter().map(|slot| slot.clock.epoch_time.0).collect()
}

fn run(lines: &str, scripts: &[Vec<Step>]) -> Chip<Script> {
    let mut chip = chip_of(&described(lines), scripts);
    assert_eq!(chip.run(None, || true), Stopped::Idle);
    chip
}

#[test]
fn a_seed_is_one_start_of_the_chip() {
    let scripts = vec![vec![Step::Work(5), Step::Halt]; 48];
    let straight = run("", &scripts);
    assert!(starts(&straight).iter().all(|time| *time == 0));
    let mut one = run("jitter = 1", &scripts);
    let spread = described("").release_spread_ps;
    assert!(starts(&one).iter().all(|time| *time <= spread && time % 625 == 0));
    let late = starts(&one).iter().filter(|time| **time > spread / 2).count();
    assert!((8..40).contains(&late), "{late} of 48 in the later half");
    assert_ne!(starts(&one), starts(&run("jitter = 2", &scripts)));
    assert_eq!(one.state_hash(), run("jitter = 1", &scripts).state_hash());
}

/// A restored chip still releases the cores that were to be released.
#[test]
fn a_release_to_come_is_saved() {
    let scripts = vec![vec![Step::Work(5), Step::Halt]; 2];
    let text = format!("{SCC}\n[setup]\njitter = 1\n");
    let mut chip = chip_of(&Description::parse(&text).unwrap(), &scripts);
    assert_eq!(chip.run(Some(Ps(10)), || true), Stopped::Until);
    let companion = rockcreek_chip::Companion { description: text, ..Default::default() };
    let file = chip.save(companion);
    let (mut again, _) = Chip::<Script>::restore(&file, |_, _| Script::default()).unwrap();
    assert_eq!(chip.run(None, || true), Stopped::Idle);
    assert_eq!(again.run(None, || true), Stopped::Idle);
    assert_eq!(again.state_hash(), chip.state_hash());
}

#[test]
fn the_registers_tell_the_start_up_clocks() {
    for (clocks, gcbcfg) in [("533/800/800", 0x00A8_E2FF), ("800/1600/1066", 0x0070_71FF)] {
        let chip = chip_of(&described(&format!("clocks = \"{clocks}\"")), &[]);
        let requester = rockcreek_tile::Requester { sub: 0 };
        let registers = &chip.uncore.tiles[0].registers;
        assert_eq!(registers.peek_register(requester, 0x080), gcbcfg, "{clocks}");
    }
}

/// The second command is acknowledged only after the first is done, although the writer's clock
/// changes meanwhile; the guest can watch the voltage of the rail.
#[test]
fn a_second_voltage_command_waits() {
    let twice = vec![write(VRC, LOWER), write(VRC, LOWER), Step::Work(1), Step::Halt];
    let watch = vec![
        read(VCC0),
        Step::Work(5_000_000),
        read(VCC0),
        Step::Work(90_000_000),
        read(VCC0),
        Step::Halt,
    ];
    let slow = Step::Bus(BusRequest::Write {
        addr: CoreAddr(OWN_GCBCFG),
        size: 4,
        data: 0x0150_E500,
        posted: false,
    });
    let chip = run("", &[twice.clone(), vec![Step::Halt], watch]);
    let done = chip.slot(CoreId(0)).local_time().0;
    let transition = described("").voltage.transition_ps;
    assert!((transition..transition + 1_000_000).contains(&done), "accepted at {done} ps");
    let rail = |volts: u64| volts * 10_000_000 / 25_177;
    let [before, between, after] = chip.slot(CoreId(2)).processor.values[..] else { panic!() };
    assert_eq!((before, after), (rail(110), rail(90)));
    assert!(rail(90) < between && between < rail(110), "{between}");
    let slowed = vec![Step::Work(1000), slow, Step::Halt];
    let chip = run("", &[twice, slowed]);
    let late = chip.slot(CoreId(0)).local_time().0;
    assert!(late.abs_diff(done) < 100_000, "a slower clock does not prolong the wait: {late}");
    assert_eq!(chip.slot(CoreId(0)).clock.period_ps, 3750);
}
