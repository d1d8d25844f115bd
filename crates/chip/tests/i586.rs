//! Real cores on the real chip: kernels of a few instructions, assembled by hand.

use crate::common;

use common::{BASE, LOCKED_COUNT, exit, kernel, machine, store};
use rockcreek_chip::{Phase, Stopped};
use rockcreek_defs::{CoreAddr, CoreId, Ps};

#[test]
fn a_kernel_says_hi_and_exits() {
    let mut chip = machine();
    let mut code = vec![0xBA, 0xF8, 0x03, 0, 0, 0xB0, b'h', 0xEE, 0xB0, b'i', 0xEE];
    code.extend(exit(7, 42));
    chip.load(CoreId(7), &kernel(&code), "core=7", &[]).unwrap();
    chip.release(CoreId(7));
    assert_eq!(chip.run(None, || true), Stopped::Ended);
    assert_eq!(chip.uncore.board.take_output()[0].bytes, b"hi");
    let exit = chip.uncore.board.host.exit(CoreId(7)).unwrap();
    assert_eq!((exit.reason, exit.code), (1, 42));
    assert_eq!(chip.slot(CoreId(7)).processor.registers().general[0] >> 8, 0x2B_ADB0);
}

fn locked_count(window: u64) -> (u32, String, u64) {
    let mut chip = machine();
    chip.set_window(window);
    for core in 0..48 {
        let mut code = LOCKED_COUNT.to_vec();
        code.extend(exit(core, 0));
        chip.load(CoreId(core), &kernel(&code), "", &[]).unwrap();
    }
    (0..48).for_each(|core| chip.release(CoreId(core)));
    assert_eq!(chip.run(None, || true), Stopped::Ended);
    let mut word = [0; 4];
    assert!(chip.uncore.peek(CoreId(0), CoreAddr(0x8000_0000), &mut word));
    (u32::from_le_bytes(word), chip.state_hash().to_string(), chip.now().0)
}

#[test]
fn a_lock_protects_a_count_and_every_run_is_the_same() {
    let first = locked_count(20_000);
    assert_eq!(first.0, 48 * 20);
    assert_eq!(locked_count(20_000), first);
    assert_eq!(locked_count(1), first);
    assert_eq!(locked_count(10_000_000), first);
}

/// A kernel that only computes; a time limit may cut it anywhere.
#[test]
fn a_time_limit_cuts_exactly() {
    let mut hashes = Vec::new();
    for window in [1, 1_000, 1_000_000] {
        let mut chip = machine();
        chip.set_window(window);
        // inc eax; imul ecx, eax, 3; jmp
        chip.load(CoreId(0), &kernel(&[0x40, 0x6B, 0xC8, 0x03, 0xEB, 0xFA]), "", &[]).unwrap();
        chip.release(CoreId(0));
        for until in [1_000_001, 5_000_000, 77_777_777] {
            assert_eq!(chip.run(Some(Ps(until)), || true), Stopped::Until);
        }
        hashes.push(chip.state_hash());
    }
    assert_eq!(hashes[0], hashes[1]);
    assert_eq!(hashes[0], hashes[2]);
}

/// A core that has shut down ignores clocks and pins, and does not keep the run from continuing.
#[test]
fn the_clock_of_a_core_that_shut_down_changes() {
    let mut chip = machine();
    // ud2, without handlers.
    chip.load(CoreId(0), &kernel(&[0x0F, 0x0B]), "", &[]).unwrap();
    let mut mate = vec![0xB9, 0x00, 0x10, 0, 0, 0x49, 0x75, 0xFD]; // count 1000h down
    mate.extend([0xA1, 0x80, 0, 0, 0xF8, 0x35, 0, 1, 0, 0]); // eax = GCBCFG ^ 100h
    mate.extend([0xA3, 0x80, 0, 0, 0xF8]); // GCBCFG = eax
    mate.extend([0xB9, 0x00, 0x10, 0, 0, 0x49, 0x75, 0xFD]);
    mate.extend(store(0xF800_0010, 0xDF9)); // LINT1 of core 0
    mate.extend([0xFA, 0xF4]); // cli; hlt
    chip.load(CoreId(1), &kernel(&mate), "", &[]).unwrap();
    (0..2).for_each(|core| chip.release(CoreId(core)));
    let period_ps = chip.slot(CoreId(0)).clock.period_ps;
    assert_eq!(chip.run(None, || true), Stopped::Idle);
    assert_eq!(chip.slot(CoreId(0)).phase, Phase::Shutdown);
    assert_ne!(chip.slot(CoreId(0)).clock.period_ps, period_ps);
    assert_eq!(chip.now(), chip.slot(CoreId(1)).local_time());
}

#[test]
fn linear_addresses_are_read_without_time() {
    let mut chip = machine();
    chip.load(CoreId(3), &kernel(&exit(3, 0)), "", &[]).unwrap();
    chip.release(CoreId(3));
    let bytes = chip.read_linear(CoreId(3), BASE, 4).unwrap();
    assert_eq!(bytes, 0x1BAD_B002u32.to_le_bytes());
    assert_eq!(chip.read_linear(CoreId(3), 0xF900_0000, 4), None);
}
