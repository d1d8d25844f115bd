//! What the pipes carry from one block into the next, by number.
//!
//! The clocks of a block depend on what was in the pipes before it, so a block is translated for
//! one such state; what it leaves behind is then known too. Generated code knows a state by its
//! number only.

use rustc_hash::FxHashMap;

use crate::pairing::Pipe;
use crate::pipeline::{Issue, Pipeline, notes_bank};

/// The pipes without the bank that the instruction in U accessed, which is known at run time only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Carried {
    pipeline: Pipeline,
    /// The core's note of the bank is that of the instruction in U.
    noted: bool,
}

impl Carried {
    /// The pipes of a core that notes their bank as its own.
    pub fn of(pipeline: &Pipeline) -> Carried {
        Carried { pipeline: pipeline.with_bank(0), noted: true }
    }

    /// The pipes, given the core's note of the bank.
    pub fn pipeline(&self, bank: u8) -> Pipeline {
        self.pipeline.with_bank(if self.noted { bank } else { 0 })
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

/// All that have been met.
#[derive(Debug, Default)]
pub(super) struct Carries {
    list: Vec<Carried>,
    numbers: FxHashMap<Carried, u32>,
}

impl Carries {
    /// The number of the pipes of a core that notes their bank as its own; `guess` is a number to
    /// try first.
    pub fn number_of(&mut self, pipeline: &Pipeline, guess: u32) -> u32 {
        let carried = Carried::of(pipeline);
        if self.list.get(guess as usize) == Some(&carried) {
            return guess;
        }
        self.number(carried)
    }

    pub fn number(&mut self, carried: Carried) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.numbers.entry(carried).or_insert(next);
        if number == next {
            self.list.push(carried);
        }
        number
    }

    pub fn get(&self, number: u32) -> &Carried {
        &self.list[number as usize]
    }
}
