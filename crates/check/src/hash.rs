//! Hash tables keyed by small integers: one multiplication, and an equal order in every run.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;
pub(crate) type Set<K> = HashSet<K, BuildHasherDefault<Mix>>;

/// 2^64 divided by the golden ratio, so that neighbouring numbers get distant hashes.
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
