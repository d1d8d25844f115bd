//! The next steps of the cores in the order of events.
//!
//! A core has at most one step ahead of it, and each step is followed by another of the same core.
//! So the steps stand in a fixed place each, eight in a line of the host's caches, beside which the
//! first of each eight stands, eight again in a line. A step that is performed is taken out, for
//! which two lines are looked through, or three with more than 64 cores: what is first then is what
//! the core may not overtake, and to enter its next step costs a few comparisons.
//!
//! A line's keys are compared one by one: one of them has just been written, which a host hands on
//! at once to a read of the same eight bytes, but to a wider one only when it and all before it is
//! in its caches.

use rockcreek_defs::Ps;

use crate::order::Key;

/// A key as one number: the time since `base`, then unit and source.
const SOURCE_BITS: u32 = 9;
const UNIT_BITS: u32 = 12;
const RANK_BITS: u32 = SOURCE_BITS + UNIT_BITS;
/// No step.
const NEVER: u64 = u64::MAX;
/// This time after `base`, 8.8 s, or a later one.
const FAR: u64 = (NEVER >> RANK_BITS) - 1;
/// The least key of a step that is far.
const FIRST_FAR: u64 = FAR << RANK_BITS;

/// The key of a step so long after `base`.
#[inline(always)]
fn key(since: u64, rank: u64) -> u64 {
    since << RANK_BITS | rank
}

/// How long after `base` a step is; `FAR`: at least so long.
#[inline(always)]
fn since(key: u64) -> u64 {
    key >> RANK_BITS
}

const SOURCES: usize = 1 << SOURCE_BITS;
const IN_GROUP: usize = 8;
const GROUPS: usize = SOURCES / IN_GROUP;

/// Keys in one line of the host's caches.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Group([u64; IN_GROUP]);

impl Group {
    const EMPTY: Group = Group([NEVER; IN_GROUP]);

    #[inline]
    fn first(&self) -> u64 {
        let [a, b, c, d, e, f, g, h] = self.0;
        a.min(b).min(c.min(d)).min(e.min(f).min(g.min(h)))
    }
}

/// The first key that is later than a limit, or far.
#[derive(Clone, Copy, Debug)]
pub struct Bound(u64);

/// At most one step for each of a number of sources, by source.
#[derive(Clone, Debug)]
pub struct Steps {
    first: u64,
    /// What times are counted from; no step is before it.
    base: u64,
    /// There are more sources than the first line of `firsts` tells of.
    wide: bool,
    /// The first of each line of `firsts`, if `wide`.
    top: Group,
    /// The first of each line of `keys`.
    firsts: [Group; GROUPS / IN_GROUP],
    /// By source.
    keys: [Group; GROUPS],
    /// The times of the steps that are far, by source.
    far: Vec<u64>,
}

impl Steps {
    pub fn new(sources: usize) -> Steps {
        assert!(sources <= SOURCES, "there are at most 512 sources");
        Steps {
            first: NEVER,
            base: 0,
            wide: sources > IN_GROUP * IN_GROUP,
            top: Group::EMPTY,
            firsts: [Group::EMPTY; GROUPS / IN_GROUP],
            keys: [Group::EMPTY; GROUPS],
            far: vec![0; sources],
        }
    }

    /// The step of `source` is then and there, in place of any earlier one.
    pub fn set(&mut self, source: u32, time: Ps, unit: u32) {
        if *self.key_mut(source) != NEVER {
            self.clear(source);
        }
        self.add(source, time, unit);
    }

    /// The same of a source that has none.
    #[inline(always)]
    pub fn add(&mut self, source: u32, time: Ps, unit: u32) {
        debug_assert!(unit < 1 << UNIT_BITS && *self.key_mut(source) == NEVER);
        let rank = u64::from(unit << SOURCE_BITS | source);
        // Huge if the time is before `base`.
        let since = time.0.wrapping_sub(self.base);
        if since < FAR {
            self.enter(source, key(since, rank));
        } else {
            self.set_far(source, time, rank);
        }
    }

    #[cold]
    fn set_far(&mut self, source: u32, time: Ps, rank: u64) {
        if time.0 < self.base {
            self.count_from(time.0);
        }
        self.far[source as usize] = time.0;
        self.enter(source, key((time.0 - self.base).min(FAR), rank));
    }

    /// A key in a place that is empty.
    #[inline(always)]
    fn enter(&mut self, source: u32, key: u64) {
        *self.key_mut(source) = key;
        let first = self.first_of_group(source);
        *first = key.min(*first);
        if self.wide {
            let first = self.first_of_groups(source);
            *first = key.min(*first);
        }
        self.first = key.min(self.first);
    }

    /// `source` has no step.
    #[inline(always)]
    pub fn clear(&mut self, source: u32) {
        let group = source as usize / IN_GROUP % GROUPS;
        *self.key_mut(source) = NEVER;
        *self.first_of_group(source) = self.keys[group].first();
        if self.wide {
            *self.first_of_groups(source) = self.firsts[group / IN_GROUP].first();
        }
        let last = if self.wide { &self.top } else { &self.firsts[0] };
        self.first = last.first();
    }

    #[inline]
    fn key_mut(&mut self, source: u32) -> &mut u64 {
        let place = source as usize;
        &mut self.keys[place / IN_GROUP % GROUPS].0[place % IN_GROUP]
    }

    /// The first of the line in which the key of `source` is.
    #[inline]
    fn first_of_group(&mut self, source: u32) -> &mut u64 {
        let group = source as usize / IN_GROUP % GROUPS;
        &mut self.firsts[group / IN_GROUP].0[group % IN_GROUP]
    }

    /// The first of the line in which that is.
    #[inline]
    fn first_of_groups(&mut self, source: u32) -> &mut u64 {
        &mut self.top.0[source as usize / (IN_GROUP * IN_GROUP) % IN_GROUP]
    }

    /// Counts times from `base` on, before which no step is.
    #[cold]
    fn count_from(&mut self, base: u64) {
        let steps = self.all().collect::<Vec<_>>();
        let was = std::mem::replace(self, Steps::new(self.far.len()));
        (self.base, self.far) = (base, was.far);
        for (time, rank) in steps {
            let source = rank as u32 % SOURCES as u32;
            self.far[source as usize] = time;
            self.enter(source, key((time - base).min(FAR), rank));
        }
    }

    /// Time and rank of each step.
    fn all(&self) -> impl Iterator<Item = (u64, u64)> {
        let keys = self.keys.iter().flat_map(|group| group.0).zip(&self.far);
        keys.filter(|(key, _)| *key != NEVER).map(|(key, far)| {
            let time = if key >= FIRST_FAR { *far } else { self.base + since(key) };
            (time, key & ((1 << RANK_BITS) - 1))
        })
    }

    /// The first step; its key tells whose it is.
    #[inline]
    pub fn first(&mut self) -> Option<Key> {
        if (FIRST_FAR..NEVER).contains(&self.first) {
            self.count_from_first();
        }
        self.likely_next().map(|(source, unit)| self.key(source, unit))
    }

    /// What [`Steps::first_before`] compares the first step with.
    pub fn bound(&self, limit: Ps) -> Bound {
        let since = limit.0.saturating_add(1).saturating_sub(self.base);
        Bound(if since < FAR { key(since, 0) } else { FIRST_FAR })
    }

    /// The first step, if it is neither far nor later than a limit. A bound of before holds still:
    /// what times are counted from only becomes earlier as steps are entered.
    #[inline]
    pub fn first_before(&self, bound: Bound) -> Option<Key> {
        if self.first >= bound.0 {
            return None;
        }
        self.likely_next().map(|(source, unit)| self.key(source, unit))
    }

    #[inline]
    fn key(&self, source: u32, unit: u32) -> Key {
        Key { time: self.earliest(), unit, source, sequence: 0 }
    }

    /// The first step is far: which it is, the keys do not tell.
    #[cold]
    fn count_from_first(&mut self) {
        let first = self.all().map(|(time, _)| time).min();
        self.count_from(first.expect("a step is far"));
    }

    /// Source and unit of the step that is likely to be the next.
    #[inline]
    pub fn likely_next(&self) -> Option<(u32, u32)> {
        let field = |shift: u32, bits: u32| (self.first >> shift) as u32 & ((1 << bits) - 1);
        (self.first != NEVER).then(|| (field(0, SOURCE_BITS), field(SOURCE_BITS, UNIT_BITS)))
    }

    /// No step is before this instant, which is that of the first one if that is not far.
    #[inline]
    pub fn earliest(&self) -> Ps {
        match self.first {
            NEVER => Ps::NEVER,
            first => Ps(self.base + since(first)),
        }
    }

    /// Whether one is certainly before this instant.
    #[inline]
    pub fn begin_before(&self, time: Ps) -> bool {
        let since = time.0.wrapping_sub(self.base);
        since < FAR && self.first < key(since, 0)
    }

    /// Whether a step that is none of these would certainly come before all of them.
    #[inline]
    pub fn are_behind(&self, step: &Key) -> bool {
        let rank = u64::from(step.unit << SOURCE_BITS | step.source);
        let since = step.time.0.wrapping_sub(self.base);
        since < FAR && key(since, rank) < self.first
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
    fn what_is_left_tells_how_far_the_one_taken_out_may_go() {
        let mut steps = Steps::new(65);
        let step = |time, unit, source| Key { time: Ps(time), unit, source, sequence: 0 };
        assert_eq!(steps.earliest(), Ps::NEVER);
        assert!(steps.are_behind(&step(7, 3, 2)));
        for (source, time) in [(64, 7), (2, 5), (1, u64::MAX / 2)] {
            steps.set(source, Ps(time), 3);
        }
        steps.clear(2);
        assert_eq!(steps.earliest(), Ps(7));
        let own = [step(6, 4, 2), step(7, 3, 2), step(7, 4, 2), step(8, 3, 2)];
        assert_eq!(own.map(|own| steps.are_behind(&own)), [true, true, false, false]);
        steps.clear(64);
        // The one that is left is so far that nobody looks when exactly it is.
        assert!(steps.earliest() < Ps(u64::MAX / 2) && steps.earliest() > Ps(1 << 39));
        assert!(steps.are_behind(&step(8, 3, 2)));
        assert_eq!(steps.first(), Some(step(u64::MAX / 2, 3, 1)));
        assert_eq!(steps.earliest(), Ps(u64::MAX / 2));
    }

    #[test]
    fn a_step_takes_the_place_of_the_one_before() {
        let mut steps = Steps::new(1);
        steps.set(0, Ps(3), 2);
        steps.set(0, Ps(9), 1);
        let key = Key { time: Ps(9), unit: 1, source: 0, sequence: 0 };
        assert_eq!(steps.first(), Some(key));
    }

    /// Against a list, for lines of every kind; in every other round some steps are far.
    #[test]
    fn any_number_of_sources_is_in_order() {
        for (sources, far) in [1, 2, 3, 8, 9, 48, 64, 65, 512].into_iter().zip([0, 41].repeat(5)) {
            let mut steps = Steps::new(sources);
            let mut list = vec![None; sources];
            let mut state = 1u64;
            for _ in 0..2000 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let source = (state >> 40) as usize % sources;
                let time = (state >> 30 & 0xFF) << (far * (state >> 38 & 1));
                let unit = (state >> 20) as u32 & 0xFFF;
                let set = state >> 60 > 2;
                list[source] = set.then_some((time, unit, source as u32));
                match set {
                    true => steps.set(source as u32, Ps(time), unit),
                    false => steps.clear(source as u32),
                }
                let step = |key: Key| (key.time.0, key.unit, key.source);
                assert_eq!(steps.first().map(step), list.iter().flatten().min().copied());
                let near = steps.first().filter(|key| key.time <= Ps(0x80));
                assert_eq!(steps.first_before(steps.bound(Ps(0x80))), near);
                let mut rest = steps.clone();
                rest.clear(source as u32);
                let others = list.iter().flatten().filter(|step| step.2 != source as u32);
                let first = others.min().copied();
                let own = Key { time: Ps(time), unit, source: source as u32, sequence: 0 };
                let comes_first = first.is_none_or(|first| step(own) < first);
                let earliest = first.map_or(Ps::NEVER, |first| Ps(first.0));
                match far {
                    0 => assert_eq!(
                        (rest.are_behind(&own), rest.earliest(), rest.begin_before(own.time)),
                        (comes_first, earliest, earliest < own.time)
                    ),
                    _ => {
                        assert!(rest.are_behind(&own) <= comes_first && rest.earliest() <= earliest)
                    }
                }
            }
        }
    }

    #[test]
    fn the_last_near_step_comes_before_the_first_far_one() {
        let mut steps = Steps::new(2);
        steps.set(0, Ps(FAR), 0);
        steps.set(1, Ps(FAR - 1), 0xFFF);
        let key = |time, unit, source| Some(Key { time: Ps(time), unit, source, sequence: 0 });
        assert_eq!(steps.first_before(steps.bound(Ps(FAR))), key(FAR - 1, 0xFFF, 1));
        steps.clear(1);
        assert_eq!(steps.first_before(steps.bound(Ps(FAR))), None, "the keys do not tell when");
        assert_eq!(steps.first(), key(FAR, 0, 0));
        assert_eq!(steps.first_before(steps.bound(Ps(FAR))), key(FAR, 0, 0));
    }

    #[test]
    fn times_may_lie_hours_apart() {
        const HOUR: u64 = 3_600_000_000_000_000;
        let mut steps = Steps::new(3);
        steps.set(0, Ps(9 * HOUR), 4);
        steps.set(1, Ps(2 * HOUR), 0);
        steps.set(2, Ps(9 * HOUR), 3);
        let first = |steps: &mut Steps| steps.first().map(|key| (key.time.0 / HOUR, key.source));
        assert_eq!(first(&mut steps), Some((2, 1)));
        steps.clear(1);
        assert_eq!(first(&mut steps), Some((9, 2)));
        steps.set(1, Ps(HOUR), 4095);
        assert_eq!(first(&mut steps), Some((1, 1)));
        steps.clear(1);
        steps.clear(2);
        assert_eq!(first(&mut steps), Some((9, 0)));
    }
}
