//! The next steps of the cores in the order of events.
//!
//! A core has at most one step ahead of it, and each step is followed by another of the same core:
//! so the steps stand in a fixed place each, and a binary tree over the places holds the smaller
//! of each two. To change a step costs one comparison for each level of the tree and moves nothing
//! else.

use rockcreek_defs::Ps;

use crate::order::Key;

/// After every step.
const NEVER: u128 = u128::MAX;

/// At most one step for each of a number of sources, by source.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The root is at 1, the children of n at 2n and 2n + 1; the second half are the places.
    tree: Vec<u128>,
}

impl Steps {
    pub fn new(sources: usize) -> Steps {
        Steps { tree: vec![NEVER; 2 * sources.next_power_of_two()] }
    }

    /// The step of `source` is then and there, in place of any earlier one.
    #[inline]
    pub fn set(&mut self, source: u32, time: Ps, unit: u32) {
        self.put(source, u128::from(time.0) << 64 | u128::from(unit) << 32 | u128::from(source));
    }

    /// `source` has no step.
    pub fn clear(&mut self, source: u32) {
        self.put(source, NEVER);
    }

    #[inline]
    fn put(&mut self, source: u32, mut first: u128) {
        let tree = &mut self.tree[..];
        let mut at = tree.len() / 2 + source as usize;
        tree[at] = first;
        while at > 1 {
            first = first.min(tree[at ^ 1]);
            at /= 2;
            tree[at] = first;
        }
    }

    /// The first step; its key tells whose it is.
    #[inline]
    pub fn first(&self) -> Option<Key> {
        let first = self.tree[1];
        (first != NEVER).then_some(Key {
            time: Ps((first >> 64) as u64),
            unit: (first >> 32) as u32,
            source: first as u32,
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
    fn a_step_takes_the_place_of_the_one_before() {
        let mut steps = Steps::new(1);
        steps.set(0, Ps(3), 2);
        steps.set(0, Ps(9), 1);
        let key = Key { time: Ps(9), unit: 1, source: 0, sequence: 0 };
        assert_eq!(steps.first(), Some(key));
    }
}
