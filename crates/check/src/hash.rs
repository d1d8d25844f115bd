//! Hash tables whose keys are small integers: one multiplication for a hash, and the order of
//! entries is equal in every run.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};

pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;
pub(crate) type Set<K> = HashSet<K, BuildHasherDefault<Mix>>;

/// The largest number of members in a set that a guest fills.
const MOST: usize = 1 << 22;

/// A set with a largest size. When it is full, further members are not stored.
#[derive(Clone, Debug)]
pub(crate) struct Bounded<K> {
    set: Set<K>,
    /// The number of members that were not stored because the set was full.
    pub beyond: u64,
}

impl<K> Default for Bounded<K> {
    fn default() -> Bounded<K> {
        Bounded { set: Set::default(), beyond: 0 }
    }
}

impl<K: Eq + Hash> Bounded<K> {
    pub fn insert(&mut self, member: K) {
        if self.set.len() < MOST {
            self.set.insert(member);
        } else if !self.set.contains(&member) {
            self.beyond += 1;
        }
    }

    pub fn contains(&self, member: &K) -> bool {
        self.set.contains(member)
    }

    /// True if `member` is in the set, or if it may have been left out because the set was full;
    /// false if it was certainly never added.
    pub fn may_contain(&self, member: &K) -> bool {
        self.beyond > 0 || self.set.contains(member)
    }
}

/// 2^64 divided by the golden ratio: a multiplier that gives neighbouring numbers distant hashes.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// A hasher without protection against chosen keys: the keys are addresses of the user's own
/// program.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mix(u64);

impl Mix {
    fn take(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(SPREAD);
    }
}

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.take(u64::from(*byte)));
    }

    fn write_u16(&mut self, value: u16) {
        self.take(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.take(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.take(value);
    }

    fn finish(&self) -> u64 {
        // The upper bits are well mixed; the table uses the lower bits too.
        self.0 ^ self.0 >> 29
    }
}
