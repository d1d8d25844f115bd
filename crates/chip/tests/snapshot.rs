//! Saving, restoring and running gives the same result as running without a stop.

use std::sync::LazyLock;

use crate::common;

use common::{LOCKED_COUNT, Machine, SCC, exit, kernel, machine};
use proptest::prelude::*;
use rockcreek_chip::{Companion, SnapshotError, Stopped};
use rockcreek_cpu::Core;
use rockcreek_defs::{CoreId, Ps};

const CORES: u16 = 12;

/// Cores that contend for a lock, then print a letter and exit.
fn contenders() -> Machine {
    let mut chip = machine();
    for core in 0..CORES {
        let mut code = LOCKED_COUNT.to_vec();
        code.extend([0xBA, 0xF8, 0x03, 0, 0, 0xB0, b'a' + core as u8, 0xEE]);
        code.extend(exit(core, core.into()));
        chip.load(CoreId(core), &kernel(&code), "", &[]).unwrap();
    }
    (0..CORES).for_each(|core| chip.release(CoreId(core)));
    chip
}

fn companion() -> Companion {
    Companion { description: SCC.into(), note: "a note".into(), ..Companion::default() }
}

fn restore(bytes: &[u8]) -> Result<(Machine, Companion), SnapshotError> {
    Machine::restore(bytes, |description, core| Core::new(core, &description.cpu))
}

type End = (String, String, u64, Vec<u8>);

/// Everything observable at the end of a run.
fn finish(mut chip: Machine) -> End {
    assert_eq!(chip.run(None, || true), Stopped::Ended);
    let hash = chip.state_hash().to_string();
    let output = chip.uncore.board.take_output().into_iter().flat_map(|part| part.bytes).collect();
    (hash, format!("{:?}", chip.statistics().flatten()), chip.now().0, output)
}

#[test]
fn a_restored_chip_goes_on_as_if_nothing_had_been() {
    let straight = finish(contenders());
    for percent in [0, 3, 20, 50, 77, 99] {
        for window in [1, 20_000] {
            let mut chip = contenders();
            chip.set_window(window);
            let until = Ps(straight.2 * percent / 100);
            assert_eq!(chip.run(Some(until), || true), Stopped::Until);
            let file = chip.save(companion());
            let hash = chip.state_hash();
            let (mut restored, with) = restore(&file).unwrap();
            assert_eq!(with, companion());
            assert_eq!(restored.state_hash(), hash);
            assert_eq!(restored.save(companion()), file, "a file says all of a chip");
            assert_eq!(finish(restored), straight);
            assert_eq!(finish(chip), straight, "saving changes nothing");
        }
    }
}

#[test]
fn how_far_cores_run_ahead_does_not_show_in_a_file() {
    let files = [1, 100, 1_000_000].map(|window| {
        let mut chip = contenders();
        chip.set_window(window);
        assert_eq!(chip.run(Some(Ps(3_333_333)), || true), Stopped::Until);
        chip.uncore.board.take_output();
        chip.events = 0;
        chip.save(companion())
    });
    assert!(files[0] == files[1] && files[0] == files[2]);
}

#[test]
fn files_that_are_no_snapshot_say_so() {
    let file = contenders().save(companion());
    assert_eq!(Companion::of(&file).unwrap(), companion());
    let text = |bytes: &[u8]| {
        let said = Companion::of(bytes).expect_err("no companion").to_string();
        assert_eq!(said, restore(bytes).err().expect("an error").to_string());
        said
    };
    assert!(text(b"\x7fELF").contains("no snapshot"));
    assert!(text(&file[..file.len() / 2]).contains("damaged"));
    let mut newer = file.clone();
    newer[8] = 99;
    assert!(text(&newer).contains("version 99"));
    let other = machine().save(Companion { description: "schema = 1".into(), ..companion() });
    assert!(restore(&other).err().expect("an error").to_string().contains("description"));
}

static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| machine().save(companion()));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn damage_anywhere_is_an_error(at in any::<prop::sample::Index>(), byte in 1u8..) {
        let mut file = FILE.clone();
        let at = at.index(file.len());
        prop_assert!(restore(&file[..at]).is_err());
        file[at] ^= byte;
        prop_assert!(restore(&file).is_err());
    }
}
