//! The counts of one stay in translated code, packed into one register.

use crate::state::counters::Counters;

/// The counts that the execution of a block, or of a part of one, adds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub instructions: u64,
    pub loads: u64,
    pub stores: u64,
    pub branches: u64,
    pub taken: u64,
    /// Instructions executed in V.
    pub seconds: u64,
    /// Instructions that waited for a register of their address (AGI).
    pub stalls: u64,
    pub x87s: u64,
    /// x87 instructions that the performance counters count as floating-point operations.
    pub operations: u64,
}

/// Counts packed side by side into two numbers. A stay is too short for a count to overflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Packed(pub [u64; 2]);

/// The lowest bit of each count: LOADS to TAKEN in the first number, whose bits below are the
/// instructions; STALLS and later in the second, whose bits below are the instructions in V.
const LOADS: u32 = 14;
const STORES: u32 = 27;
const BRANCHES: u32 = 40;
const TAKEN: u32 = 52;
const STALLS: u32 = 16;
const X87S: u32 = 32;
const OPERATIONS: u32 = 48;

impl Counts {
    pub fn add(&mut self, other: Counts) {
        self.instructions += other.instructions;
        self.loads += other.loads;
        self.stores += other.stores;
        self.branches += other.branches;
        self.taken += other.taken;
        self.seconds += other.seconds;
        self.stalls += other.stalls;
        self.x87s += other.x87s;
        self.operations += other.operations;
    }

    /// The part of these counts that translated code must add for an instruction that the
    /// interpreter executes; the interpreter adds the others.
    pub fn stepped(self) -> Counts {
        let Counts { instructions, seconds, stalls, .. } = self;
        Counts { instructions, seconds, stalls, ..Counts::default() }
    }

    pub fn packed(self) -> Packed {
        let Counts { instructions, loads, stores, branches, taken, .. } = self;
        let Counts { seconds, stalls, x87s, operations, .. } = self;
        Packed([
            instructions
                | loads << LOADS
                | stores << STORES
                | branches << BRANCHES
                | taken << TAKEN,
            seconds | stalls << STALLS | x87s << X87S | operations << OPERATIONS,
        ])
    }
}

impl Packed {
    pub fn plus(self, other: Packed) -> Packed {
        Packed([0, 1].map(|i| self.0[i].wrapping_add(other.0[i])))
    }

    pub fn negative(self) -> Packed {
        Packed(self.0.map(u64::wrapping_neg))
    }
}

/// Adds the packed counts of a stay to `counters`; `user`: true if the instructions were executed
/// at ring 3. Taken branches also count as hits of the branch target buffer.
#[inline]
pub(crate) fn settle(counters: &mut Counters, [first, second]: [u64; 2], user: bool) {
    let field = |packed: u64, from: u32, to: u32| packed << (64 - to) >> (64 - to + from);
    let instructions = field(first, 0, LOADS);
    counters.instructions += instructions;
    counters.user_instructions += if user { instructions } else { 0 };
    counters.loads += field(first, LOADS, STORES);
    counters.stores += field(first, STORES, BRANCHES);
    counters.branches += field(first, BRANCHES, TAKEN);
    let taken = field(first, TAKEN, 64);
    counters.taken_branches += taken;
    // Translated code has subtracted the taken branches that had no entry in the buffer.
    counters.branch_target_hits = counters.branch_target_hits.wrapping_add(taken);
    counters.paired_instructions += field(second, 0, STALLS);
    counters.address_stalls += field(second, STALLS, X87S);
    counters.x87_instructions += field(second, X87S, OPERATIONS);
    counters.floating_point_operations += field(second, OPERATIONS, 64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_counted() {
        let counts = Counts {
            instructions: 4001,
            loads: 4000,
            stores: 3,
            branches: 2000,
            taken: 1999,
            seconds: 1500,
            stalls: 1200,
            x87s: 1001,
            operations: 900,
        };
        let mut counters = Counters::default();
        let twice = counts.packed().plus(counts.packed());
        let once = twice.plus(counts.packed().negative());
        settle(&mut counters, once.0, true);
        assert_eq!((counters.instructions, counters.user_instructions), (4001, 4001));
        assert_eq!((counters.loads, counters.stores), (4000, 3));
        assert_eq!((counters.branches, counters.taken_branches), (2000, 1999));
        assert_eq!(counters.branch_target_hits, 1999);
        assert_eq!((counters.paired_instructions, counters.address_stalls), (1500, 1200));
        assert_eq!((counters.x87_instructions, counters.floating_point_operations), (1001, 900));
    }
}
