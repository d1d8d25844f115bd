//! The property engine: a target's examples, mutated, and plain random bytes. The sequence of
//! random numbers is fixed by the seed; an input that fails is shrunk.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};

use crate::Target;

/// Longest plain random input, and longest run of bytes that one edit makes.
const MOST_RANDOM: usize = 512;
const MOST_EDITED: usize = 16;
const MOST_EDITS: usize = 8;
/// Values at which fields of all widths break.
const EDGES: [u64; 10] =
    [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, u64::MAX];

/// A change of some bytes; positions are fractions of the input's length.
#[derive(Clone, Debug)]
enum Edit {
    Flip { at: u16, bit: u8 },
    Overwrite { at: u16, bytes: Vec<u8> },
    Edge { at: u16, edge: usize, width: usize },
    Insert { at: u16, bytes: Vec<u8> },
    Delete { at: u16, count: usize },
    Repeat { at: u16, count: usize },
    Cut { at: u16 },
}

impl Edit {
    fn apply(&self, data: &mut Vec<u8>) {
        let place = |at: u16| (usize::from(at) * (data.len() + 1)) >> 16;
        match self {
            Edit::Flip { at, bit } => {
                let at = place(*at);
                data.get_mut(at).into_iter().for_each(|byte| *byte ^= 1 << bit);
            }
            Edit::Overwrite { at, bytes } => {
                let at = place(*at);
                data.iter_mut().skip(at).zip(bytes).for_each(|(old, new)| *old = *new);
            }
            Edit::Edge { at, edge, width } => {
                let at = place(*at);
                let bytes = EDGES[*edge].to_le_bytes();
                data.iter_mut().skip(at).zip(&bytes[..*width]).for_each(|(old, new)| *old = *new);
            }
            Edit::Insert { at, bytes } => {
                let at = place(*at);
                data.splice(at..at, bytes.iter().copied());
            }
            Edit::Delete { at, count } => {
                let at = place(*at);
                data.drain(at..(at + count).min(data.len()));
            }
            Edit::Repeat { at, count } => {
                let at = place(*at);
                let part = data[at..(at + count).min(data.len())].to_vec();
                data.splice(at..at, part);
            }
            Edit::Cut { at } => data.truncate(place(*at)),
        }
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    let bytes = || vec(any::<u8>(), 1..=MOST_EDITED);
    let at = any::<u16>;
    prop_oneof![
        (at(), 0..8u8).prop_map(|(at, bit)| Edit::Flip { at, bit }),
        (at(), bytes()).prop_map(|(at, bytes)| Edit::Overwrite { at, bytes }),
        (at(), 0..EDGES.len(), 1..=8usize).prop_map(|(at, edge, width)| Edit::Edge {
            at,
            edge,
            width
        }),
        (at(), bytes()).prop_map(|(at, bytes)| Edit::Insert { at, bytes }),
        (at(), 1..=64usize).prop_map(|(at, count)| Edit::Delete { at, count }),
        (at(), 1..=64usize).prop_map(|(at, count)| Edit::Repeat { at, count }),
        at().prop_map(|at| Edit::Cut { at }),
    ]
}

/// Inputs for a target: one in eight is plain random bytes.
fn inputs(examples: Vec<Vec<u8>>) -> BoxedStrategy<Vec<u8>> {
    let random = vec(any::<u8>(), 0..MOST_RANDOM);
    if examples.is_empty() {
        return random.boxed();
    }
    let edits = vec(edit(), 0..=MOST_EDITS);
    let changed = (proptest::sample::select(examples), edits).prop_map(|(mut data, edits)| {
        edits.iter().for_each(|edit| edit.apply(&mut data));
        data
    });
    prop_oneof![7 => changed, 1 => random].boxed()
}

/// Tries `cases` inputs; the first that fails comes back, shrunk, with what it broke.
pub fn run(target: &Target, seed: u64, cases: u32) -> Result<(), (Vec<u8>, String)> {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &key);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&inputs((target.examples)()), |data| {
        (target.run)(&data);
        Ok(())
    });
    match outcome {
        Ok(()) => Ok(()),
        Err(TestError::Fail(reason, data)) => Err((data, reason.to_string())),
        Err(TestError::Abort(reason)) => Err((Vec::new(), reason.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that a repaired field breaks; the engine must find it and make it small.
    fn brittle(data: &[u8]) {
        assert!(!(data.starts_with(b"GOOD") && data.get(4) == Some(&0xFF)), "broken");
    }

    #[test]
    fn what_is_broken_is_found_and_shrunk() {
        let examples = || vec![b"GOOD123456789".to_vec()];
        let target = Target { name: "brittle", run: brittle, examples, cases: 0 };
        let (data, reason) = run(&target, 1, 100_000).unwrap_err();
        assert!(data.starts_with(b"GOOD\xFF") && data.len() <= 13, "{data:?}");
        assert!(reason.contains("broken"), "{reason}");
        assert_eq!(run(&target, 1, 100_000).unwrap_err().0, data, "a seed is a sequence");
    }
}
