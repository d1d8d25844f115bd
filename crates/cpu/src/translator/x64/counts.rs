//! The counts of one stay in translated code, packed into one register.

use crate::counters::Counters;

/// What one block or a part of it adds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub instructions: u64,
    pub loads: u64,
    pub stores: u64,
    pub branches: u64,
    pub taken: u64,
}

const LOADS: u32 = 14;
const STORES: u32 = 27;
const BRANCHES: u32 = 40;
const TAKEN: u32 = 52;

impl Counts {
    /// The fields side by side; a stay is too short to overflow one.
    pub fn packed(self) -> u64 {
        self.instructions
            | self.loads << LOADS
            | self.stores << STORES
            | self.branches << BRANCHES
            | self.taken << TAKEN
    }
}

/// Adds what a stay has counted.
#[inline]
pub(super) fn settle(counters: &mut Counters, packed: u64, user: bool) {
    let field = |from: u32, to: u32| packed << (64 - to) >> (64 - to + from);
    let instructions = field(0, LOADS);
    counters.instructions += instructions;
    counters.user_instructions += if user { instructions } else { 0 };
    counters.loads += field(LOADS, STORES);
    counters.stores += field(STORES, BRANCHES);
    counters.branches += field(BRANCHES, TAKEN);
    let taken = field(TAKEN, 64);
    counters.taken_branches += taken;
    // Those that were no hits have been subtracted.
    counters.branch_target_hits = counters.branch_target_hits.wrapping_add(taken);
}

/// Second instructions of pairs and address stalls, packed.
pub(super) fn packed_pairs(seconds: u32, stalls: u32) -> u32 {
    seconds | stalls << 16
}

pub(super) fn settle_pairs(counters: &mut Counters, packed: u32) {
    counters.paired_instructions += u64::from(packed & 0xFFFF);
    counters.address_stalls += u64::from(packed >> 16);
}

/// x87 instructions and the operations among them, packed.
pub(super) fn packed_x87s(instructions: u32, operations: u32) -> u32 {
    instructions | operations << 16
}

pub(super) fn settle_x87s(counters: &mut Counters, packed: u32) {
    counters.x87_instructions += u64::from(packed & 0xFFFF);
    counters.floating_point_operations += u64::from(packed >> 16);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_counted() {
        let counts =
            Counts { instructions: 4001, loads: 4000, stores: 3, branches: 2000, taken: 1999 };
        let mut counters = Counters::default();
        settle(&mut counters, counts.packed(), true);
        assert_eq!((counters.instructions, counters.user_instructions), (4001, 4001));
        assert_eq!((counters.loads, counters.stores), (4000, 3));
        assert_eq!((counters.branches, counters.taken_branches), (2000, 1999));
        assert_eq!(counters.branch_target_hits, 1999);
    }
}
