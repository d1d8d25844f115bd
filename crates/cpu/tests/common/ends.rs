//! The end of a run on the bench, by which two ways of executing one program are compared.

use proptest::prelude::*;
use rockcreek_cpu::{CoreSnapshot, Exit};

use super::{BUS_CYCLES, Bench};

/// The state at the end of a run.
pub struct End {
    /// A text with the state, for the report of a difference.
    pub seen: String,
    pub snapshot: CoreSnapshot,
}

impl End {
    fn of(bench: &Bench, exit: Exit) -> End {
        let seen = format!(
            "{exit:?} {} cycles {:X?} {:X?} {:?} {:?}",
            bench.core.cycles(),
            bench.core.registers(),
            bench.core.fpu(),
            bench.core.counters(),
            bench.core.caches().stats(),
        );
        End { seen, snapshot: bench.core.snapshot() }
    }

    /// The end of a run in windows that end at these clocks.
    pub fn after(mut bench: Bench, cuts: &[u64]) -> End {
        let mut exit = Exit::Limit;
        for &cut in cuts {
            bench.core.begin_window();
            exit = bench.run(cut);
            if exit != Exit::Limit {
                break;
            }
        }
        End::of(&bench, exit)
    }

    /// The state in the wait for transaction `number`.
    pub fn at_transaction(mut bench: Bench, number: u32) -> End {
        let mut left = number;
        loop {
            match bench.core.run(&mut bench.code, 1_000_000) {
                Exit::Bus(request) if left > 0 => {
                    left -= 1;
                    let response = bench.perform(&request);
                    bench.core.complete(bench.core.cycles() + BUS_CYCLES, &response);
                    bench.core.begin_window();
                }
                exit => return End::of(&bench, exit),
            }
        }
    }
}

/// Like [`End::after`] with one more window, up to clock `last`; every other window is rolled back
/// once and run again.
pub fn twice(mut bench: Bench, cuts: &[u64], last: u64) -> Result<End, TestCaseError> {
    for &cut in cuts {
        bench.core.begin_window();
        let before = bench.core.snapshot();
        bench.core.run(&mut bench.code, cut);
        bench.core.rollback();
        prop_assert!(bench.core.snapshot() == before, "a window cannot be taken back");
        bench.run(cut);
    }
    Ok(End::after(bench, &[last]))
}

fn are_alike(one: &End, other: &End) -> Result<(), TestCaseError> {
    prop_assert_eq!(&one.seen, &other.seen);
    prop_assert!(one.snapshot == other.snapshot, "{}", differing(&one.snapshot, &other.snapshot));
    Ok(())
}

/// The first lines in which two snapshots differ.
fn differing(one: &CoreSnapshot, other: &CoreSnapshot) -> String {
    let (one, other) = (format!("{one:#?}"), format!("{other:#?}"));
    let differ =
        one.lines().zip(other.lines()).enumerate().filter(|(_, (one, other))| one != other);
    let text = |(number, (one, other)): (usize, (&str, &str))| {
        format!("line {number}: {} here, {} there", one.trim(), other.trim())
    };
    let lines: Vec<String> = differ.take(12).map(text).collect();
    format!("the cores' snapshots differ:\n{}", lines.join("\n"))
}

/// Checks that two runs end in equal states: interpreted in windows, and translated in windows each
/// of which is rolled back once. `bench` makes the bench; its argument is the number of executions
/// after which code is translated.
pub fn end_alike(
    bench: impl Fn(Option<u8>) -> Bench,
    cut: u64,
    last: u64,
) -> Result<(), TestCaseError> {
    let cuts = [cut / 3, cut / 2, cut];
    let interpreted = End::after(bench(None), &[&cuts[..], &[last]].concat());
    are_alike(&interpreted, &twice(bench(Some(1)), &cuts, last)?)
}

/// Checks that interpreted and translated code are in equal states in the wait for transaction
/// `number`.
pub fn wait_alike(bench: impl Fn(Option<u8>) -> Bench, number: u32) -> Result<(), TestCaseError> {
    let to = |heat| End::at_transaction(bench(heat), number);
    are_alike(&to(None), &to(Some(1)))
}

/// Checks that runs end in equal states whether transactions end a run or not.
pub fn end_alike_whoever_answers(
    bench: impl Fn(Option<u8>) -> Bench,
    random: u64,
) -> Result<(), TestCaseError> {
    let to = |heat, at_once| End::after(Bench { at_once, ..bench(heat) }, &[300_000]);
    let plain = to(None, None);
    for (heat, at_once) in [(None, Some(random)), (Some(1), None), (Some(1), Some(random))] {
        are_alike(&plain, &to(heat, at_once))?;
    }
    Ok(())
}

/// The number of random loops to try: the environment's `CASES`, or 300.
pub fn cases() -> u32 {
    std::env::var("CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}
