//! The state of the pipes that one block passes to the next, by number.
//!
//! The clocks of a block depend on the state of the pipes before it. A block is therefore
//! translated for one such state, and the state after it is known too. Generated code knows a state
//! by its number only.

use rustc_hash::FxHashMap;

use super::x87_state::Floating;
use crate::state::core_state::State;
use crate::timing::pairing::Pipe;
use crate::timing::pipeline::{Issue, Pipeline, notes_bank};

/// A state of the pipes, without the bank that the instruction in U accessed, which is known at run
/// time only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Carried {
    pipeline: Pipeline,
    /// True if the core's recorded bank is that of the instruction in U.
    noted: bool,
    /// The x87's state; `None`: the interpreter does all x87 instructions.
    pub x87: Option<Floating>,
}

impl Carried {
    /// The state of a core that records the pipes' bank as its own.
    pub fn of(state: &State) -> Carried {
        let x87 = Floating::of(state);
        let noted = state.pipeline.is_open();
        Carried { pipeline: state.pipeline.with_bank(0), noted, x87 }
    }

    /// Empty pipes, `clocks` later.
    pub fn drained(&self, clocks: u64) -> Carried {
        let mut x87 = self.x87;
        if let Some(x87) = &mut x87 {
            x87.pass(clocks);
        }
        Carried { x87, ..Carried::default() }
    }

    /// Moves the pipes' state to where the interpreter has it; `bank`: the core's recorded bank.
    #[inline]
    pub fn put_pipes(&self, bank: u8, pipeline: &mut Pipeline) {
        *pipeline = self.pipeline;
        pipeline.bank = if self.noted { bank } else { 0 };
    }

    /// Issues the next instruction; `following` is the one after it in its block. Also returns
    /// whether both it and the one in U access memory, and whether its bank is recorded.
    pub fn issue(&mut self, pipe: &Pipe, following: Option<&Pipe>) -> (Issue, bool, bool) {
        let both = self.pipeline.both_access(pipe);
        let issue = self.pipeline.issue(pipe);
        let notes = !issue.second && notes_bank(pipe, following);
        self.noted = notes && self.pipeline.is_open();
        (issue, issue.second && both, notes)
    }
}

/// The number of states from which on the x87 is left to the interpreter: the program's states
/// never recur.
const MANY: usize = 1 << 15;

/// All states met so far.
#[derive(Debug, Default)]
pub(crate) struct Carries {
    list: Vec<Carried>,
    numbers: FxHashMap<Carried, u32>,
}

impl Carries {
    /// The number of a core's pipes and x87; `guess` is a number to try first.
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

    /// The number of these pipes with the core's x87, if that state has been met.
    pub fn find_with_x87(&self, pipes: u32, state: &State) -> Option<u32> {
        let carried = Carried { x87: Floating::of(state), ..*self.get(pipes) };
        self.numbers.get(&carried).copied()
    }

    /// The number of these pipes with the core's x87.
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
