//! The next steps of the cores in the order of events.
//!
//! A core has at most one step ahead of it, and each step is followed by another of the same core:
//! so the steps stand in a fixed place each and play a tournament. To change a step costs the
//! matches on its way to the final, of which 64 cores have six.

use rockcreek_defs::Ps;

use crate::order::Key;

/// A key as one number: the time since `base`, then unit and source.
const SOURCE_BITS: u32 = 9;
const UNIT_BITS: u32 = 12;
const RANK_BITS: u32 = SOURCE_BITS + UNIT_BITS;
/// No step.
const NEVER: u64 = u64::MAX;
const NONE: (u64, u64) = (NEVER, NEVER);
/// This time after `base`, 8.8 s, or a later one.
const FAR: u64 = (NEVER >> RANK_BITS) - 1;

/// At most one step for each of a number of sources, by source.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The final is number 1. On the two sides of match `n` play the winners of the matches `2 * n`
    /// and `2 * n + 1`; where such a number is beyond the last match, the step of a source does.
    matches: Vec<[u64; 2]>,
    first: u64,
    /// What times are counted from; no step is before it.
    base: u64,
    /// Time and rank of each step.
    steps: Vec<(u64, u64)>,
}

impl Steps {
    pub fn new(sources: usize) -> Steps {
        assert!(sources <= 1 << SOURCE_BITS, "there are at most 512 sources");
        Steps {
            matches: vec![[NEVER; 2]; sources.next_power_of_two()],
            first: NEVER,
            base: 0,
            steps: vec![NONE; sources],
        }
    }

    /// The step of `source` is then and there, in place of any earlier one.
    #[inline]
    pub fn set(&mut self, source: u32, time: Ps, unit: u32) {
        debug_assert!(unit < 1 << UNIT_BITS);
        let rank = u64::from(unit << SOURCE_BITS | source);
        self.steps[source as usize] = (time.0, rank);
        self.put(source, time.0.wrapping_sub(self.base).min(FAR) << RANK_BITS | rank);
        if time.0 < self.base || self.first >> RANK_BITS == FAR {
            self.count_from_first();
        }
    }

    /// `source` has no step.
    pub fn clear(&mut self, source: u32) {
        self.steps[source as usize] = NONE;
        self.put(source, NEVER);
        if self.first >> RANK_BITS == FAR {
            self.count_from_first();
        }
    }

    #[inline]
    fn put(&mut self, source: u32, mut first: u64) {
        let mut place = self.matches.len() + source as usize;
        while place > 1 {
            let players = &mut self.matches[place / 2];
            players[place % 2] = first;
            first = first.min(players[1 - place % 2]);
            place /= 2;
        }
        self.first = first;
    }

    /// Counts times from the first step on.
    #[cold]
    fn count_from_first(&mut self) {
        let first = self.steps.iter().min().expect("a step is far");
        self.base = first.0;
        for source in 0..self.steps.len() {
            let step = self.steps[source];
            if step != NONE {
                self.put(source as u32, (step.0 - self.base).min(FAR) << RANK_BITS | step.1);
            }
        }
    }

    /// The first step; its key tells whose it is.
    #[inline]
    pub fn first(&self) -> Option<Key> {
        self.key(self.first)
    }

    /// Whether a step before `time` is not of `source`; does not always tell if that is far.
    #[inline]
    pub fn another_is_before(&self, source: u32, time: Ps) -> bool {
        let since = time.0.saturating_sub(self.base).min(FAR) << RANK_BITS;
        self.winner_besides(source) < since
    }

    /// Who would be in the place of `first` without this source.
    #[inline]
    fn winner_besides(&self, source: u32) -> u64 {
        let mut place = self.matches.len() + source as usize;
        let mut first = NEVER;
        while place > 1 {
            first = first.min(self.matches[place / 2][1 - place % 2]);
            place /= 2;
        }
        first
    }

    /// The first step that is not of `source`.
    #[inline]
    pub fn first_besides(&self, source: u32) -> Option<Key> {
        let first = self.winner_besides(source);
        if first >> RANK_BITS == FAR {
            // Which of those that are far is the first, the matches do not tell.
            let others = self.steps.iter().enumerate().filter(|(n, _)| *n != source as usize);
            let (time, rank) = *others.map(|(_, step)| step).min().filter(|step| **step != NONE)?;
            return self.key(rank).map(|key| Key { time: Ps(time), ..key });
        }
        self.key(first)
    }

    #[inline]
    fn key(&self, first: u64) -> Option<Key> {
        let field = |shift: u32, bits: u32| (first >> shift) as u32 & ((1 << bits) - 1);
        (first != NEVER).then_some(Key {
            time: Ps(self.base + (first >> RANK_BITS)),
            unit: field(SOURCE_BITS, UNIT_BITS),
            source: field(0, SOURCE_BITS),
            sequence: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_that_of_the_smallest_key() {
        let mut steps = Steps::new(5);
        assert_eq!(steps.first(), None);
        let set = [(4, 7, 0), (0, 5, 1), (1, 4, 9), (2, 5, 0), (3, 5, 1)];
        for (source, time, unit) in set {
            steps.set(source, Ps(time), unit);
        }
        let mut order = Vec::new();
        while let Some(key) = steps.first() {
            order.push(key.source);
            steps.clear(key.source);
        }
        assert_eq!(order, [1, 2, 0, 3, 4]);
    }

    #[test]
    fn the_first_besides_one_is_the_second_or_the_first() {
        let mut steps = Steps::new(5);
        assert_eq!(steps.first_besides(2), None);
        for (source, time) in [(4, 7), (0, 5), (1, 4), (2, u64::MAX / 2)] {
            steps.set(source, Ps(time), 3);
        }
        let besides = |source| steps.first_besides(source).map(|key| (key.time.0, key.source));
        assert_eq!([1, 0, 3].map(besides), [Some((5, 0)), Some((4, 1)), Some((4, 1))]);
        [0, 1, 4].iter().for_each(|source| steps.clear(*source));
        steps.set(3, Ps(7), 3);
        let besides = |source| steps.first_besides(source).map(|key| (key.time.0, key.source));
        assert_eq!([2, 3].map(besides), [Some((7, 3)), Some((u64::MAX / 2, 2))]);
    }

    #[test]
    fn a_step_takes_the_place_of_the_one_before() {
        let mut steps = Steps::new(1);
        steps.set(0, Ps(3), 2);
        steps.set(0, Ps(9), 1);
        let key = Key { time: Ps(9), unit: 1, source: 0, sequence: 0 };
        assert_eq!(steps.first(), Some(key));
    }

    /// Against a list, for tournaments of none to nine rounds.
    #[test]
    fn any_number_of_sources_is_in_order() {
        for sources in [1, 2, 3, 48, 64, 65, 512] {
            let mut steps = Steps::new(sources);
            let mut list = vec![None; sources];
            let mut state = 1u64;
            for _ in 0..2000 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let (source, time) = ((state >> 40) as usize % sources, state >> 30 & 0xFF);
                let unit = (state >> 20) as u32 & 0xFFF;
                let set = state >> 60 > 2;
                list[source] = set.then_some((time, unit, source as u32));
                match set {
                    true => steps.set(source as u32, Ps(time), unit),
                    false => steps.clear(source as u32),
                }
                let step = |key: Key| (key.time.0, key.unit, key.source);
                assert_eq!(steps.first().map(step), list.iter().flatten().min().copied());
                let others = list.iter().flatten().filter(|step| step.2 != source as u32);
                let first = others.min().copied();
                assert_eq!(steps.first_besides(source as u32).map(step), first);
                let before = first.is_some_and(|first| first.0 < time);
                assert_eq!(steps.another_is_before(source as u32, Ps(time)), before);
            }
        }
    }

    #[test]
    fn times_may_lie_hours_apart() {
        const HOUR: u64 = 3_600_000_000_000_000;
        let mut steps = Steps::new(3);
        steps.set(0, Ps(9 * HOUR), 4);
        steps.set(1, Ps(2 * HOUR), 0);
        steps.set(2, Ps(9 * HOUR), 3);
        let first = |steps: &Steps| steps.first().map(|key| (key.time.0 / HOUR, key.source));
        assert_eq!(first(&steps), Some((2, 1)));
        steps.clear(1);
        assert_eq!(first(&steps), Some((9, 2)));
        steps.set(1, Ps(HOUR), 4095);
        assert_eq!(first(&steps), Some((1, 1)));
        steps.clear(1);
        steps.clear(2);
        assert_eq!(first(&steps), Some((9, 0)));
    }
}
