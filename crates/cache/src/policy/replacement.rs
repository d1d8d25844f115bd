//! Replacement policies, as tables.
//!
//! No known source documents the SCC's policy; Linux for the SCC speaks of LRU state in L2
//! (`scc-linux-2011`), so tree pseudo-LRU is the default for all three caches. A policy is three
//! small tables, indexed by a state byte per set: the state after a hit, the state after a fill,
//! and the victim. A new policy fills these tables differently. True LRU has too many states for a
//! byte: its state byte is only the way used last, and `true_lru.rs` has the rest.

use serde::{Deserialize, Serialize};

use crate::policy::set_state::SAVED;
use crate::policy::true_lru;

/// The largest number of ways of a set, under any replacement policy.
pub(crate) const MAX_WAYS: usize = true_lru::MAX_WAYS;
/// The largest number of ways of a set under tree pseudo-LRU and FIFO, whose states are one byte:
/// tree pseudo-LRU of 8 ways needs 7 state bits.
pub(crate) const MAX_TABLE_WAYS: usize = 8;

/// `FOUR`: the number of ways of the sets in which translated code looks lines up. `MARKED_STATES`:
/// the number of values of the state byte of such a set: 8 replacement states, each with and
/// without the mark that the undo log has the contents of the set (`set_state.rs`).
const FOUR: usize = 4;
const MARKED_STATES: usize = 2 << (FOUR - 1);

/// The replacement policy of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Replacement {
    /// A binary tree of bits, each of which points away from the half used last.
    #[default]
    TreePlru,
    /// The victim is the way that was filled first.
    Fifo,
    /// The victim is the way whose last use is longest ago.
    TrueLru,
}

impl Replacement {
    /// The largest number of ways of a set under this policy.
    pub fn most_ways(self) -> usize {
        match self {
            Replacement::TreePlru | Replacement::Fifo => MAX_TABLE_WAYS,
            Replacement::TrueLru => MAX_WAYS,
        }
    }
}

/// The tables of a policy for one number of ways. The state after power-on is 0.
#[derive(Clone, Debug)]
pub(crate) struct ReplacementTable {
    policy: Replacement,
    way_bits: u32,
    /// The next state when `way` is hit, indexed by `state << way_bits | way`.
    after_hit: Box<[u8]>,
    /// The next state when `way` is filled, indexed by `state << way_bits | way`.
    after_fill: Box<[u8]>,
    /// The way that is replaced next, indexed by state.
    victim: Box<[u8]>,
}

/// A policy's tables for sets of four valid lines. Translated code reads it, so its layout is
/// fixed. States are the bytes of `set_state.rs`, which include the mark that the set is saved; the
/// mark stays as it is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FourWays {
    /// The state byte after a hit, indexed by `state * 4 + way`.
    pub after_hit: [u8; FOUR * MARKED_STATES],
    /// `victim`: the way that is replaced next, indexed by state byte. `after_fill`: the state byte
    /// after that way has been filled.
    pub victim: [u8; MARKED_STATES],
    pub after_fill: [u8; MARKED_STATES],
}

impl Default for FourWays {
    fn default() -> FourWays {
        FourWays {
            after_hit: [0; FOUR * MARKED_STATES],
            victim: [0; MARKED_STATES],
            after_fill: [0; MARKED_STATES],
        }
    }
}

impl ReplacementTable {
    pub(crate) fn new(policy: Replacement, ways: usize) -> ReplacementTable {
        assert!(ways.is_power_of_two() && ways <= policy.most_ways(), "{ways} ways");
        let states = match policy {
            Replacement::TreePlru => 1 << (ways - 1),
            Replacement::Fifo | Replacement::TrueLru => ways,
        };
        let (mut after_hit, mut after_fill) = (Vec::new(), Vec::new());
        for state in 0..states {
            for way in 0..ways {
                let (hit, fill) = match policy {
                    Replacement::TreePlru => {
                        let next = tree_touch(state, way, ways);
                        (next, next)
                    }
                    Replacement::Fifo => (state, (way + 1) % ways),
                    Replacement::TrueLru => (way, way),
                };
                after_hit.push(hit as u8);
                after_fill.push(fill as u8);
            }
        }
        let victim = (0..states).map(|state| match policy {
            Replacement::TreePlru => tree_victim(state, ways) as u8,
            Replacement::Fifo => state as u8,
            // Any way except the one used last; the set's order of use determines the real victim.
            Replacement::TrueLru => ((state + 1) % ways) as u8,
        });
        ReplacementTable {
            policy,
            way_bits: ways.trailing_zeros(),
            after_hit: after_hit.into(),
            after_fill: after_fill.into(),
            victim: victim.collect(),
        }
    }

    /// The tables for translated code; `None` unless sets have four ways and the policy keeps no
    /// order of use.
    pub(crate) fn of_four(&self) -> Option<FourWays> {
        let mut four = FourWays::default();
        if 1 << self.way_bits != FOUR || self.keeps_order() {
            return None;
        }
        for marked in 0..2 * self.states() {
            let (state, mark) = ((marked / 2) as u8, marked as u8 & SAVED);
            let put = |next: u8| next << 1 | mark;
            for way in 0..FOUR {
                four.after_hit[marked * FOUR + way] = put(self.hit(state, way));
            }
            let victim = self.victim(state);
            four.victim[marked] = victim as u8;
            four.after_fill[marked] = put(self.fill(state, victim));
        }
        Some(four)
    }

    /// True if a set has an order of use in addition to its state; the order determines the victim.
    pub(crate) fn keeps_order(&self) -> bool {
        self.policy == Replacement::TrueLru
    }

    /// True if a way that was just hit or filled is never the one that is replaced next.
    pub(crate) fn keeps_latest(&self) -> bool {
        let ways = 1 << self.way_bits;
        [&self.after_hit, &self.after_fill]
            .into_iter()
            .all(|next| next.iter().enumerate().all(|(at, &state)| self.victim(state) != at % ways))
    }

    /// The number of values that a set's state byte can have.
    pub(crate) fn states(&self) -> usize {
        self.victim.len()
    }

    #[inline(always)]
    pub(crate) fn hit(&self, state: u8, way: usize) -> u8 {
        self.after_hit[usize::from(state) << self.way_bits | way]
    }

    #[inline]
    pub(crate) fn fill(&self, state: u8, way: usize) -> u8 {
        self.after_fill[usize::from(state) << self.way_bits | way]
    }

    #[inline]
    pub(crate) fn victim(&self, state: u8) -> usize {
        usize::from(self.victim[usize::from(state)])
    }
}

/// Updates the tree. Node 1 is the root, node `n` has the children `2n` and `2n + 1`; bit `n - 1`
/// of the state is set if the victim is in the right half.
fn tree_touch(mut state: usize, way: usize, ways: usize) -> usize {
    let mut node = 1;
    let mut half = ways / 2;
    while half > 0 {
        let right = usize::from(way & half != 0);
        let bit = 1 << (node - 1);
        state = if right == 1 { state & !bit } else { state | bit };
        node = 2 * node + right;
        half /= 2;
    }
    state
}

fn tree_victim(state: usize, ways: usize) -> usize {
    let mut node = 1;
    while node < ways {
        node = 2 * node + (state >> (node - 1) & 1);
    }
    node - ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tree_plru_gives_up_the_way_not_used_of_late() {
        let table = ReplacementTable::new(Replacement::TreePlru, 4);
        let state = [0, 1, 2, 3].iter().fold(0, |state, &way| table.fill(state, way));
        assert_eq!(table.victim(state), 0);
        let state = table.hit(state, 0);
        // The tree contains only that the left half was used last, and way 3 after way 2.
        assert_eq!(table.victim(state), 2);
        assert_eq!(table.victim(table.hit(state, 2)), 1);
    }

    #[test]
    fn a_way_just_used_is_never_the_victim() {
        for ways in [2, 4, 8] {
            let table = ReplacementTable::new(Replacement::TreePlru, ways);
            assert!(table.keeps_latest());
            for state in 0..1u16 << (ways - 1) {
                for way in 0..ways {
                    let next = table.hit(state as u8, way);
                    assert_ne!(table.victim(next), way);
                    assert_eq!(table.hit(next, way), next, "a second touch changes nothing");
                }
            }
        }
    }

    #[test]
    fn fifo_ignores_hits() {
        let table = ReplacementTable::new(Replacement::Fifo, 4);
        let state = table.fill(table.fill(0, 0), 1);
        assert_eq!(table.victim(table.hit(state, 2)), 2);
        assert!(!table.keeps_latest());
    }

    #[test]
    fn true_lru_never_gives_up_the_way_used_last() {
        let table = ReplacementTable::new(Replacement::TrueLru, 16);
        assert!(table.keeps_latest() && table.keeps_order());
        let state = table.hit(0, 9);
        assert_eq!((state, table.hit(state, 9), table.fill(state, 3)), (9, 9, 3));
        assert_eq!(ReplacementTable::new(Replacement::TrueLru, 4).of_four(), None);
    }

    #[test]
    fn the_tables_of_four_ways_say_the_same() {
        for policy in [Replacement::TreePlru, Replacement::Fifo] {
            let table = ReplacementTable::new(policy, 4);
            let four = table.of_four().expect("four ways");
            for marked in 0..2 * table.states() {
                let (state, mark) = ((marked >> 1) as u8, marked as u8 & 1);
                let victim = table.victim(state);
                assert_eq!(usize::from(four.victim[marked]), victim);
                assert_eq!(four.after_fill[marked], table.fill(state, victim) << 1 | mark);
                for way in 0..4 {
                    let after = table.hit(state, way) << 1 | mark;
                    assert_eq!(four.after_hit[marked << 2 | way], after);
                }
            }
            assert_eq!(ReplacementTable::new(policy, 8).of_four(), None);
        }
    }

    #[test]
    fn one_way_has_one_victim() {
        for policy in [Replacement::TreePlru, Replacement::Fifo] {
            let table = ReplacementTable::new(policy, 1);
            assert_eq!((table.victim(0), table.keeps_latest()), (0, false));
        }
    }
}
