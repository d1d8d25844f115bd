//! Breakpoints and steps: where they stop, and that they change nothing.

use crate::common;

use common::{BASE, LOCKED_COUNT, Machine, exit, kernel, machine};
use rockcreek_chip::Stopped;
use rockcreek_cpu::{WatchHit, WatchKind, Watchpoint};
use rockcreek_defs::{CoreId, Ps};

const CORES: u16 = 6;
const CODE: u32 = BASE + 12;
/// The address of `inc eax` in [`LOCKED_COUNT`], which each core executes 20 times.
const INC: u32 = CODE + 19;

fn contenders(window: u64) -> Machine {
    let mut chip = machine();
    chip.set_window(window);
    for core in 0..CORES {
        let mut code = LOCKED_COUNT.to_vec();
        code.extend(exit(core, 0));
        chip.load(CoreId(core), &kernel(&code), "", &[]).unwrap();
        chip.release(CoreId(core));
    }
    chip
}

fn eip(chip: &Machine, core: CoreId) -> u32 {
    chip.slot(core).processor.registers().eip
}

#[test]
fn breakpoints_stop_at_one_instant_and_change_nothing() {
    let mut straight = contenders(20_000);
    assert_eq!(straight.run(None, || true), Stopped::Ended);
    let mut stops = Vec::new();
    for window in [1, 20_000] {
        let mut chip = contenders(window);
        let mut seen = Vec::new();
        for core in [1, 4] {
            chip.set_breakpoint(CoreId(core), INC, true);
        }
        while let Stopped::Break(core) = chip.run(None, || true) {
            assert_eq!(eip(&chip, core), INC);
            // All cores are at this instant, however far they had run ahead.
            let hash = chip.state_hash().to_string();
            seen.push((chip.now(), core, hash));
        }
        assert_eq!(seen.len(), 2 * 20);
        assert!(seen.is_sorted());
        assert_eq!(chip.state_hash(), straight.state_hash());
        assert_eq!(chip.now(), straight.now());
        stops.push(seen);
    }
    assert_eq!(stops[0], stops[1]);
}

/// Twenty rounds: add one to a word in two lines, then read another word.
fn cached_count(window: u64) -> Machine {
    let mut code = vec![0x0F, 0x20, 0xC0, 0x25, 0xFF, 0xFF, 0xFF, 0x9F, 0x0F, 0x22, 0xC0];
    code.extend([0xB9, 20, 0, 0, 0, 0xFF, 0x05]);
    code.extend(SPLIT.to_le_bytes());
    code.push(0xA1);
    code.extend(PLAIN.to_le_bytes());
    code.extend([0x49, 0x75, 0xF2]);
    code.extend(exit(3, 0));
    let mut chip = machine();
    chip.set_window(window);
    chip.load(CoreId(3), &kernel(&code), "", &[]).unwrap();
    chip.release(CoreId(3));
    chip
}

const SPLIT: u32 = BASE + 0x801E;
const PLAIN: u32 = BASE + 0x9000;

#[test]
fn watchpoints_tell_the_address_and_change_nothing() {
    let mut straight = cached_count(20_000);
    assert_eq!(straight.run(None, || true), Stopped::Ended);
    let mut stops = Vec::new();
    for window in [1, 20_000] {
        let mut chip = cached_count(window);
        let write = Watchpoint { start: SPLIT + 3, length: 1, kind: WatchKind::Write };
        let read = Watchpoint { start: PLAIN - 2, length: 4, kind: WatchKind::Read };
        let never = Watchpoint { start: PLAIN, length: 4, kind: WatchKind::Write };
        for watchpoint in [write, read, never] {
            chip.set_watchpoint(CoreId(3), watchpoint, true);
        }
        let mut seen = Vec::new();
        while let Stopped::Break(core) = chip.run(None, || true) {
            let hit = chip.slot(core).processor.watch_hit().unwrap();
            seen.push((chip.now(), hit.address, eip(&chip, core), chip.state_hash().to_string()));
            if seen.len() == 30 {
                chip.set_watchpoint(core, read, false);
            }
            // If the second instruction of a pair takes no clock, the instant belongs to the first.
            if seen.len() == 21 {
                let mut other = cached_count(window);
                assert_eq!(other.run(Some(chip.now()), || true), Stopped::Until);
                assert_eq!(chip.state_hash(), other.state_hash());
            }
        }
        // Reads and writes 15 times, then the writes alone.
        assert_eq!(seen.len(), 30 + 5);
        let after = |stop: usize| (seen[stop].1, seen[stop].2 - CODE);
        assert_eq!(
            (after(0), after(1), after(34)),
            ((SPLIT + 3, 22), (PLAIN, 27), (SPLIT + 3, 22))
        );
        assert_eq!(chip.state_hash(), straight.state_hash());
        assert_eq!(chip.now(), straight.now());
        stops.push(seen);
    }
    assert_eq!(stops[0], stops[1]);
}

#[test]
fn watchpoints_work_on_memory_that_cores_share() {
    let mut straight = contenders(20_000);
    assert_eq!(straight.run(None, || true), Stopped::Ended);
    let mut chip = contenders(20_000);
    let shared = Watchpoint { start: 0x8000_0000, length: 4, kind: WatchKind::Access };
    chip.set_watchpoint(CoreId(1), shared, true);
    let mut kinds = Vec::new();
    while let Stopped::Break(core) = chip.run(None, || true) {
        let hit = WatchHit { address: shared.start, kind: WatchKind::Access };
        assert_eq!((core, chip.slot(core).processor.watch_hit()), (CoreId(1), Some(hit)));
        kinds.push(eip(&chip, core) - INC);
    }
    assert_eq!(kinds, [0, 6].repeat(20));
    assert_eq!(chip.state_hash(), straight.state_hash());
}

#[test]
fn a_step_is_one_instruction_and_the_others_come_along() {
    let mut straight = contenders(20_000);
    assert_eq!(straight.run(None, || true), Stopped::Ended);
    let mut chip = contenders(20_000);
    let core = CoreId(2);
    let mut places = vec![eip(&chip, core)];
    for _ in 0..4 {
        chip.set_step(core, true);
        assert_eq!(chip.run(None, || true), Stopped::Break(core));
        places.push(eip(&chip, core));
    }
    assert_eq!(places[..4], [CODE, CODE + 5, CODE + 10, CODE + 12]);
    let others = chip.slots()[..CORES.into()].iter().filter(|slot| slot.processor.cycles() > 0);
    assert_eq!(others.count(), usize::from(CORES));
    chip.set_step(core, false);
    assert_eq!(chip.run(None, || true), Stopped::Ended);
    assert_eq!(chip.state_hash(), straight.state_hash());
}

#[test]
fn what_a_debugger_writes_the_core_sees() {
    let mut chip = contenders(20_000);
    let core = CoreId(0);
    chip.set_breakpoint(core, INC, true);
    assert_eq!(chip.run(None, || true), Stopped::Break(core));
    // The code is cached: `inc eax` becomes `nop`, so the shared count does not change.
    assert!(chip.write_linear(core, INC, &[0x90]));
    assert_eq!(chip.read_linear(core, INC, 1).unwrap(), [0x90]);
    chip.change(core, |processor| {
        let mut registers = processor.registers();
        registers.general[1] = 1;
        processor.set_registers(&registers);
    });
    chip.clear_breaks();
    let now = chip.now();
    assert_eq!(chip.run(Some(Ps(now.0 + 1)), || true), Stopped::Until);
    assert_eq!(chip.run(None, || true), Stopped::Ended);
    let count = chip.read_linear(CoreId(40), 0x8000_0000, 4).unwrap();
    let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]);
    assert_eq!(count, u32::from(CORES - 1) * 20, "core 0 added nothing");
}
