//! The scheduler with scripted cores: order, run-ahead, pins that reach a core in its past, resets.

use crate::common;

use common::scripted::{Step, chip, read, write};
use rockcreek_chip::{Phase, Stopped};
use rockcreek_defs::{BusRequest, CoreId};

const LOCK0: u32 = 0xE000_0200;
const OWN_GLCFG0: u32 = 0xF800_0010;

/// The address of GLCFG0 of tile 1, whose core 0 is core 2; and its value with INTR set.
const GLCFG_OF_CORE_2: u32 = 0xE100_0010;
const INTR_SET: u64 = 0xDFA;

#[test]
fn a_lock_goes_to_the_request_that_arrives_first() {
    // Core 47 sends its request a little earlier but is eight hops away.
    let far = vec![read(LOCK0), Step::Halt];
    let near = vec![Step::Work(2), read(LOCK0), Step::Halt];
    let mut scripts = vec![vec![Step::Halt]; 48];
    scripts[0] = near;
    scripts[47] = far;
    let mut chip = chip(&scripts);
    assert_eq!(chip.run(None, || true), Stopped::Idle);
    assert_eq!(chip.slot(CoreId(0)).processor.values, [1]);
    assert_eq!(chip.slot(CoreId(47)).processor.values, [0]);
}

/// Core 2 computes for long; core 0 sets its interrupt pin. Core 2 must notice the pin at its first
/// boundary after the packet arrived, however far it had run ahead.
#[test]
fn an_interrupt_hits_a_core_that_ran_ahead() {
    let mut noticed = Vec::new();
    for window in [1, 50, 1_000_000] {
        let work = vec![Step::Work(7), Step::Goto(0)];
        let setter = vec![Step::Work(100), write(GLCFG_OF_CORE_2, INTR_SET), Step::Halt];
        let mut chip = chip(&[setter, vec![Step::Halt], work]);
        chip.set_window(window);
        let until = rockcreek_defs::Ps(2_000_000);
        assert_eq!(chip.run(Some(until), || true), Stopped::Until);
        let core = &chip.slot(CoreId(2)).processor;
        noticed.push((core.interrupts.clone(), core.cycles));
        // 100 cycles of work, one to send, 20 outwards, one hop of 5 ns.
        let arrival = (121u64 * 1875 + 5000).div_ceil(1875);
        let [(at, _)] = core.interrupts[..] else { panic!("one interrupt") };
        assert!((arrival..arrival + 7).contains(&at), "noticed at {at}, arrived at {arrival}");
    }
    assert_eq!(noticed[0], noticed[1]);
    assert_eq!(noticed[0], noticed[2]);
}

#[test]
fn a_halted_core_wakes_and_an_idle_chip_is_idle() {
    let sleeper = vec![Step::Halt];
    let setter = vec![Step::Work(500), write(GLCFG_OF_CORE_2, INTR_SET), Step::Halt];
    let mut chip = chip(&[setter, sleeper.clone(), sleeper]);
    assert_eq!(chip.run(None, || true), Stopped::Idle);
    assert_eq!(chip.slot(CoreId(2)).processor.interrupts.len(), 1);
    assert_eq!(chip.slot(CoreId(1)).processor.interrupts.len(), 0);
    assert!(chip.events < 20, "halted cores cost nothing");
    // Time advances to the instant when the last core came to rest, and inspection changes nothing.
    assert_eq!(chip.now(), chip.slots().iter().map(|slot| slot.local_time()).max().unwrap());
    chip.settle();
    assert!([0, 1, 2].iter().all(|core| chip.slot(CoreId(*core)).phase == Phase::Halted));
}

#[test]
fn a_core_may_interrupt_itself() {
    let script = vec![write(OWN_GLCFG0, INTR_SET), Step::Work(1), Step::Halt];
    let mut chip = chip(&[script]);
    assert_eq!(chip.run(None, || true), Stopped::Idle);
    assert_eq!(chip.slot(CoreId(0)).processor.interrupts.len(), 1);
}

/// Cores that poll, lock and interrupt: the state's hash must depend neither on the window nor on
/// how often the host inspected the chip.
#[test]
fn run_ahead_changes_no_result() {
    let mut hashes = Vec::new();
    for (window, look) in [(1, false), (37, true), (5_000, false), (1_000_000, true)] {
        let mut chip = chip(&storm());
        chip.set_window(window);
        let until = rockcreek_defs::Ps(30_000_000);
        while chip.run(Some(until), || !look) != Stopped::Until {
            chip.state_hash();
        }
        hashes.push(chip.state_hash());
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

fn storm() -> Vec<Vec<Step>> {
    (0..48u64)
        .map(|core| {
            let tile = (core * 7 + 3) % 24;
            let crb = 0xE000_0000 + ((tile as u32) << 24);
            vec![
                Step::Work(3 + core % 5),
                read(LOCK0),
                write(0xC000_0000 + ((tile as u32) << 24), core),
                Step::Work(1 + core * 11 % 97),
                read(0x8000_0000 + 4 * core as u32),
                write(LOCK0, 0),
                write(crb + 0x10, if core % 3 == 0 { INTR_SET } else { 0xDF8 }),
                Step::Goto(0),
            ]
        })
        .collect()
}

/// A new divider in GCBCFG takes effect for both cores of the tile, at one instant.
#[test]
fn a_divider_change_slows_both_cores_of_a_tile() {
    const GCBCFG_DIV_6: u64 = 0x0150_E500;
    let mut cycles = Vec::new();
    for window in [1, 1_000_000] {
        let setter = vec![write(0xF800_0080, GCBCFG_DIV_6), Step::Work(1), Step::Goto(1)];
        let mate = vec![Step::Work(1), Step::Goto(0)];
        let mut chip = chip(&[setter, mate]);
        chip.set_window(window);
        let until = rockcreek_defs::Ps(10_000_000);
        assert_eq!(chip.run(Some(until), || true), Stopped::Until);
        let slots = [0, 1].map(|n| chip.slot(CoreId(n)));
        assert!(slots.iter().all(|slot| slot.clock.period_ps == 3750));
        assert!(slots.iter().all(|slot| slot.local_time().0 - until.0 < 3750));
        cycles.push(slots.map(|slot| slot.processor.cycles));
    }
    assert_eq!(cycles[0], cycles[1]);
    assert!(cycles[0][1] < 10_000_000 / 1875 - 1000, "it has slowed down");
}

/// GCBCFG also holds and releases cores: core 1 stops core 0 and starts it again.
#[test]
fn a_tile_mate_can_reset_a_core() {
    let victim = vec![Step::Work(5), Step::Goto(0)];
    let hold = write(0xF800_0080, 0x00A8_E2F5);
    let free = write(0xF800_0080, 0x00A8_E2F0);
    let other = vec![Step::Work(1000), hold, Step::Work(1000), free, Step::Halt];
    let mut chip = chip(&[victim, other]);
    let until = rockcreek_defs::Ps(1875 * 2500);
    assert_eq!(chip.run(Some(until), || true), Stopped::Until);
    let slot = chip.slot(CoreId(0));
    assert_eq!(slot.phase, Phase::Run);
    assert!(slot.processor.cycles < 1000, "its cycles count from its second release");
    assert!(slot.clock.epoch_time.0 > 1875 * 2000);
}

#[test]
fn output_and_input_go_through_the_serial_port() {
    let io_write = |data: u32| Step::Bus(BusRequest::IoWrite { port: 0x3F8, size: 1, data });
    let io_read = |port: u16| Step::Bus(BusRequest::IoRead { port, size: 1 });
    let script = vec![io_write(b'h'.into()), io_read(0x3FD), io_read(0x3F8), Step::Halt];
    let mut chip = chip(&[script]);
    assert_eq!(chip.run(None, || true), Stopped::Input);
    assert_eq!(chip.run(None, || true), Stopped::Input);
    assert_eq!(chip.input_core(), Some(CoreId(0)));
    chip.receive(CoreId(0), b"z", true);
    assert_eq!(chip.run(None, || true), Stopped::Idle);
    assert_eq!(chip.slot(CoreId(0)).processor.values, [0x61, u64::from(b'z')]);
    assert_eq!(chip.uncore.board.take_output()[0].bytes, b"h");
}

/// L2CFG of core 2, written by core 0, switches at one instant, however far core 2 had run.
#[test]
fn another_core_may_switch_an_l2_off() {
    let mut switched = Vec::new();
    for window in [1, 1_000_000] {
        let off = write(0xE100_0020, 0x6DF);
        let on = write(0xE100_0020, 0x6CF);
        let work = vec![Step::Work(3), Step::Goto(0)];
        let mut chip = chip(&[vec![off, on, Step::Halt], vec![Step::Halt], work]);
        chip.set_window(window);
        assert_eq!(chip.run(Some(rockcreek_defs::Ps(500_000)), || true), Stopped::Until);
        switched.push(chip.slot(CoreId(2)).processor.level2_switched.clone());
    }
    assert_eq!(switched[0], switched[1]);
    let states: Vec<bool> = switched[0].iter().map(|(_, enabled)| *enabled).collect();
    assert_eq!(states, [false, true]);
}
