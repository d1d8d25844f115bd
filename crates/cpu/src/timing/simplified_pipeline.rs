//! States of the pipes without what does not matter to the instructions that come next.
//!
//! Many states differ only in what the next instructions do not depend on, such as how many clocks
//! of prefixes could still be hidden where no prefix follows. Whenever execution stops within a
//! block, the interpreter leaves the simplified state, so that translated code, which exists for
//! simplified states alone, shows no other one. SQLite's speed test has 1.5 times as many
//! translated blocks without this (2026-11-30).

use crate::timing::pairing::Pipe;
use crate::timing::pipeline::{Pipeline, matter};

/// The largest number of instructions whose prefixes the last two groups can hide: two pairs, and
/// one that pairs with the instruction in U.
const HIDDEN_INSTRUCTIONS: usize = 5;

impl Pipeline {
    /// This state without all that does not matter to the instructions `pipes`, which come next: the
    /// pipes execute them as from this state, and are in an equal state afterwards.
    #[inline]
    pub fn simplified(self, pipes: &[Pipe]) -> Pipeline {
        match self == Pipeline::default() || pipes.is_empty() {
            true => self,
            false => self.simplified_for(pipes),
        }
    }

    #[inline(never)]
    fn simplified_for(self, pipes: &[Pipe]) -> Pipeline {
        if Pipeline::default().acts_as(self, pipes) {
            return Pipeline::default();
        }
        let mut least = self;
        let mut try_out = |simpler: Pipeline| {
            if simpler != least && simpler.acts_as(self, pipes) {
                least = simpler;
            }
            least
        };
        let left = try_out(self.closed());
        let mut left = try_out(Pipeline { present: left.present & !matter::EXCHANGED, ..left });
        for register in 0..u8::BITS {
            left = try_out(Pipeline { late: left.late & !(1 << register), ..left });
            let late_for_second = left.late_for_second & !(1 << register);
            left = try_out(Pipeline { late_for_second, ..left });
        }
        // To hide more than all prefixes is of no use.
        let prefixes = pipes.iter().take(HIDDEN_INSTRUCTIONS).map(|pipe| pipe.prefixes).sum::<u8>();
        for group in 0..least.hiding.len() {
            let amounts = 0..least.hiding[group].min(prefixes.saturating_add(1));
            let mut simpler = amounts.map(|amount| least.hiding_at(group, amount));
            least = simpler.find(|simpler| simpler.acts_as(self, pipes)).unwrap_or(least);
        }
        least
    }

    /// True if the pipes execute the instructions `pipes` as from the state `other`, and are in an
    /// equal state afterwards.
    fn acts_as(mut self, mut other: Pipeline, pipes: &[Pipe]) -> bool {
        for pipe in pipes {
            if self == other {
                return true;
            }
            if self.issue(pipe) != other.issue(pipe) {
                return false;
            }
        }
        self == other
    }

    /// This state without an instruction in U that another may pair with.
    fn closed(self) -> Pipeline {
        let Pipeline { present, late, hiding, .. } = self;
        Pipeline { present: present & !matter::OPEN, late, hiding, ..Pipeline::default() }
    }

    /// This state with another number of clocks for prefixes that group `group` can still hide.
    fn hiding_at(mut self, group: usize, clocks: u8) -> Pipeline {
        self.hiding[group] = clocks;
        self.present &= !matter::HIDING;
        self.note_hiding();
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::frontend::decode::{Decoded, decode};

    /// Instructions for both pipes, for U, for V, for none; with prefixes, many clocks, addresses
    /// that must be waited for, and x87 instructions before FXCH.
    const CODE: &[&[u8]] = &[
        &[0x43],                      // inc ebx
        &[0x8B, 0x03],                // mov eax, [ebx]
        &[0x89, 0x03],                // mov [ebx], eax
        &[0x8B, 0x18],                // mov ebx, [eax]
        &[0x50],                      // push eax
        &[0x5C],                      // pop esp
        &[0xD1, 0xE0],                // shl eax, 1
        &[0x75, 0x00],                // jnz
        &[0x0F, 0xB6, 0xC3],          // movzx eax, bl
        &[0x66, 0x89, 0xD8],          // mov ax, bx
        &[0x66, 0xF0, 0x01, 0x03],    // lock add [ebx], ax
        &[0xF7, 0xE3],                // mul ebx
        &[0x01, 0x03],                // add [ebx], eax
        &[0xC7, 0x43, 4, 1, 0, 0, 0], // mov dword [ebx+4], 1
        &[0xD8, 0xC1],                // fadd st0, st1
        &[0xD9, 0xC9],                // fxch st1
    ];

    fn pipe_of(bytes: &[u8]) -> Pipe {
        match decode(bytes, true) {
            Decoded::Op { pipe, .. } => pipe,
            Decoded::Incomplete => panic!("incomplete"),
        }
    }

    fn pipes() -> impl Strategy<Value = Vec<Pipe>> {
        let one = prop::sample::select(CODE).prop_map(pipe_of);
        prop::collection::vec(one, 1..8)
    }

    proptest! {
        #[test]
        fn what_comes_next_shows_no_difference(before in pipes(), next in pipes()) {
            let mut whole = Pipeline::default();
            for pipe in &before {
                whole.issue(pipe);
            }
            let mut simplified = whole.simplified(&next);
            for (number, pipe) in next.iter().enumerate() {
                // Wherever execution stops, both are in one state.
                prop_assert_eq!(whole.simplified(&next[number..]), simplified);
                prop_assert_eq!(whole.issue(pipe), simplified.issue(pipe));
                simplified = simplified.simplified(&next[number + 1..]);
            }
            prop_assert_eq!(whole, simplified);
        }
    }

    #[test]
    fn most_code_depends_on_little() {
        let after = |bytes: &[&[u8]]| {
            let mut pipeline = Pipeline::default();
            for bytes in bytes {
                pipeline.issue(&pipe_of(bytes));
            }
            pipeline
        };
        let (multiply, load, shift, extend) = (CODE[11], CODE[1], CODE[6], CODE[8]);
        let simple = [pipe_of(shift), pipe_of(shift), pipe_of(shift)];
        assert_ne!(after(&[multiply]), Pipeline::default());
        assert_eq!(after(&[multiply]).simplified(&simple), Pipeline::default());
        assert_eq!(after(&[load]).simplified(&simple), Pipeline::default());
        assert_ne!(after(&[multiply]).simplified(&[pipe_of(extend)]), Pipeline::default());
    }
}
