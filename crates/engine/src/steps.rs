//! The next steps of the cores in the order of events: when each core continues, and at which unit.
//!
//! A core has at most one step pending, and each step is followed by another one of its core. Each
//! core's step therefore has a fixed place in a table of lines of eight keys, each line a cache
//! line of the host. A second table holds the first key of each line, again eight to a cache line.
//! Removing a step takes a search of two lines, or of three with more than 64 cores. The new first
//! key is the limit that the core may not overtake; entering the core's next step takes a few
//! comparisons.
//!
//! The keys of a line are compared one by one, because one of them has just been written. A host
//! forwards a recent write at once to a read of the same eight bytes, but to a wider read only
//! after the write has reached its caches.

use rockcreek_defs::Ps;

use crate::order::Key;

/// The numbers of bits in a key for the source and, above it, the unit; the bits above both are the
/// time since `base`.
const SOURCE_BITS: u32 = 9;
const UNIT_BITS: u32 = 12;
const RANK_BITS: u32 = SOURCE_BITS + UNIT_BITS;
/// The key of a source that has no step; it is larger than every other key.
const NEVER: u64 = u64::MAX;
/// The largest time since `base` that a key holds, in picoseconds (8.8 s). A key with this time
/// means this time or any later one; `far` then has the exact time.
const FAR: u64 = (NEVER >> RANK_BITS) - 1;
/// The smallest key of a far step: one that is due at `base` + `FAR` or later.
const FIRST_FAR: u64 = FAR << RANK_BITS;

/// The key of a step `since` picoseconds after `base`; `rank`: its unit and, below it, its source.
#[inline(always)]
fn key(since: u64, rank: u64) -> u64 {
    since << RANK_BITS | rank
}

/// The time of a step in picoseconds after `base`; `FAR` means `FAR` or later.
#[inline(always)]
fn since(key: u64) -> u64 {
    key >> RANK_BITS
}

const SOURCES: usize = 1 << SOURCE_BITS;
const IN_GROUP: usize = 8;
const GROUPS: usize = SOURCES / IN_GROUP;

/// The keys of eight sources, in one cache line of the host.
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

/// A limit for [`Steps::first_before`]: every smaller key is a step that is due in time and not
/// far.
#[derive(Clone, Copy, Debug)]
pub struct Bound(u64);

/// The pending steps of all sources (the chip's cores), at most one for each source.
#[derive(Clone, Debug)]
pub struct Steps {
    first: u64,
    /// The time, in picoseconds, to which the times in keys are relative; no step is earlier.
    base: u64,
    /// True if `firsts` has more than one line (with more than 64 sources); `top` is then in use.
    wide: bool,
    /// If `wide`: for each line of `firsts`, its smallest key.
    top: Group,
    /// For each line of `keys`, its smallest key.
    firsts: [Group; GROUPS / IN_GROUP],
    /// For each source, the key of its step, or `NEVER` if it has none.
    keys: [Group; GROUPS],
    /// For each source, the time of its step since power-on, in picoseconds, if the step is far.
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

    /// Replaces the step of `source`, if it has one, by a step at `time` at `unit`.
    pub fn set(&mut self, source: u32, time: Ps, unit: u32) {
        if *self.key_mut(source) != NEVER {
            self.clear(source);
        }
        self.add(source, time, unit);
    }

    /// Enters a step of `source`, which must have none.
    #[inline(always)]
    pub fn add(&mut self, source: u32, time: Ps, unit: u32) {
        debug_assert!(unit < 1 << UNIT_BITS && *self.key_mut(source) == NEVER);
        let rank = u64::from(unit << SOURCE_BITS | source);
        // The difference wraps to a large number if the time is before `base`.
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

    /// Stores the key of `source`, which has no step, and updates the smallest keys of its lines.
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

    /// Removes the step of `source`; does nothing if it has none.
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

    /// Where the smallest key of the line that contains the key of `source` is kept: an entry of
    /// `firsts`.
    #[inline]
    fn first_of_group(&mut self, source: u32) -> &mut u64 {
        let group = source as usize / IN_GROUP % GROUPS;
        &mut self.firsts[group / IN_GROUP].0[group % IN_GROUP]
    }

    /// Where the smallest key of the line of `firsts` that belongs to `source` is kept: an entry of
    /// `top`.
    #[inline]
    fn first_of_groups(&mut self, source: u32) -> &mut u64 {
        &mut self.top.0[source as usize / (IN_GROUP * IN_GROUP) % IN_GROUP]
    }

    /// Replaces `base` and rewrites all keys relative to the new one. No step may be earlier than
    /// the new `base`.
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

    /// For each pending step, its time in picoseconds since power-on and its rank (unit and source
    /// in one number).
    fn all(&self) -> impl Iterator<Item = (u64, u64)> {
        let keys = self.keys.iter().flat_map(|group| group.0).zip(&self.far);
        keys.filter(|(key, _)| *key != NEVER).map(|(key, far)| {
            let time = if key >= FIRST_FAR { *far } else { self.base + since(key) };
            (time, key & ((1 << RANK_BITS) - 1))
        })
    }

    /// The key of the earliest step: `source` names its core, `sequence` is 0. `None` if no step is
    /// pending.
    #[inline]
    pub fn first(&mut self) -> Option<Key> {
        if (FIRST_FAR..NEVER).contains(&self.first) {
            self.count_from_first();
        }
        self.likely_next().map(|(source, unit)| self.key(source, unit))
    }

    /// The bound for [`Steps::first_before`] that selects steps at `limit` or earlier.
    pub fn bound(&self, limit: Ps) -> Bound {
        let since = limit.0.saturating_add(1).saturating_sub(self.base);
        Bound(if since < FAR { key(since, 0) } else { FIRST_FAR })
    }

    /// The earliest step, if it is within the bound. `None` if the step is later, if the step is
    /// far (8.8 s or more after `base`), or if there is no step. A bound counts from `base`. A
    /// bound stays valid until the next call of [`Steps::first`], because entering a step can only
    /// make `base` earlier, and the bound then selects fewer steps, never wrong ones.
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

    /// Sets `base` to the time of the earliest step. Call if that step is far, because the keys of
    /// far steps have no order.
    #[cold]
    fn count_from_first(&mut self) {
        let first = self.all().map(|(time, _)| time).min();
        self.count_from(first.expect("a step is far"));
    }

    /// The source and the unit of the step with the smallest key; `None` without a step. If that
    /// step is far, another far step may be earlier.
    #[inline]
    pub fn likely_next(&self) -> Option<(u32, u32)> {
        let field = |shift: u32, bits: u32| (self.first >> shift) as u32 & ((1 << bits) - 1);
        (self.first != NEVER).then(|| (field(0, SOURCE_BITS), field(SOURCE_BITS, UNIT_BITS)))
    }

    /// An instant before which no step is due: the time of the first step or, if that step is far,
    /// `base` + `FAR`. `Ps::NEVER` without a step.
    #[inline]
    pub fn earliest(&self) -> Ps {
        match self.first {
            NEVER => Ps::NEVER,
            first => Ps(self.base + since(first)),
        }
    }

    /// True if some step is certainly earlier than `time`; false also if all are too far to decide.
    #[inline]
    pub fn begin_before(&self, time: Ps) -> bool {
        let since = time.0.wrapping_sub(self.base);
        since < FAR && self.first < key(since, 0)
    }

    /// True if `step`, which is not in the table, certainly comes before all steps in the table.
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
        // The remaining step is so far that its exact time does not matter.
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

    /// Compares the table with a plain list of steps, for each number of sources that changes the
    /// table's shape. In every other round some steps are far (8.8 s or more after `base`).
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
