//! What the pipes carry from one block into the next, by number.
//!
//! The clocks of a block depend on what was in the pipes before it, so a block is translated for
//! one such state; what it leaves behind is then known too. Generated code knows a state by its
//! number only.

use rustc_hash::FxHashMap;

use super::x87_state::Floating;
use crate::state::core_state::State;
use crate::timing::pairing::Pipe;
use crate::timing::pipeline::{Issue, Pipeline, notes_bank};

/// The pipes without the bank that the instruction in U accessed, which is known at run time only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Carried {
    pipeline: Pipeline,
    /// The core's note of the bank is that of the instruction in U.
    noted: bool,
    /// The x87; `None`: it is all the interpreter's business.
    pub x87: Option<Floating>,
}

impl Carried {
    /// The pipes of a core that notes their bank as its own.
    pub fn of(state: &State) -> Carried {
        let x87 = Floating::of(state);
        let noted = state.pipeline.is_open();
        Carried { pipeline: state.pipeline.with_bank(0), noted, x87 }
    }

    /// Empty pipes, this long after.
    pub fn drained(&self, clocks: u64) -> Carried {
        let mut x87 = self.x87;
        if let Some(x87) = &mut x87 {
            x87.pass(clocks);
        }
        Carried { x87, ..Carried::default() }
    }

    /// Puts the pipes where the interpreter has them, given the core's note of the bank.
    #[inline]
    pub fn put_pipes(&self, bank: u8, pipeline: &mut Pipeline) {
        *pipeline = self.pipeline;
        pipeline.bank = if self.noted { bank } else { 0 };
    }

    /// Issues the next instruction; `following` is the one behind it in its block. Tells whether
    /// both it and the one in U access memory, and whether its bank is noted.
    pub fn issue(&mut self, pipe: &Pipe, following: Option<&Pipe>) -> (Issue, bool, bool) {
        let both = self.pipeline.both_access(pipe);
        let issue = self.pipeline.issue(pipe);
        let notes = !issue.second && notes_bank(pipe, following);
        self.noted = notes && self.pipeline.is_open();
        (issue, issue.second && both, notes)
    }
}

/// Beyond so many the x87 is left to the interpreter: a program whose states never recur.
const MANY: usize = 1 << 15;

/// All that have been met.
#[derive(Debug, Default)]
pub(crate) struct Carries {
    list: Vec<Carried>,
    numbers: FxHashMap<Carried, u32>,
}

impl Carries {
    /// The number of what a core's pipes and x87 hold; `guess` is a number to try first.
    pub fn number_of(&mut self, state: &State, guess: u32) -> u32 {
        let mut carried = Carried::of(state);
        if self.list.get(guess as usize) == Some(&carried) {
            return guess;
        }
        if self.list.len() > MANY {
            carried.x87 = None;
        }
        self.number(carried)
    }

    /// The same, if it has been met.
    pub fn find_with_x87(&self, pipes: u32, state: &State) -> Option<u32> {
        let carried = Carried { x87: Floating::of(state), ..*self.get(pipes) };
        self.numbers.get(&carried).copied()
    }

    /// The number of these pipes with the x87 as it is.
    pub fn number_with_x87(&mut self, pipes: u32, state: &State) -> u32 {
        let x87 = if self.list.len() > MANY { None } else { Floating::of(state) };
        self.number(Carried { x87, ..*self.get(pipes) })
    }

    pub fn number(&mut self, carried: Carried) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.numbers.entry(carried).or_insert(next);
        if number == next {
            self.list.push(carried);
        }
        number
    }

    #[inline]
    pub fn get(&self, number: u32) -> &Carried {
        &self.list[number as usize]
    }
}
