//! The states of pipes and x87 that one block leaves to the next, each with a number.
//!
//! The clocks of a block depend on the state of the pipes before it. A block is therefore
//! translated for one state before it, and the state after it is then known too. Translated code
//! knows a state only by its number.
//!
//! A state also has the end of the segments, because code is translated for it too.

use rustc_hash::FxHashMap;

use super::x87_state::Floating;
use crate::state::core_state::State;
use crate::timing::pairing::Pipe;
use crate::timing::pipeline::{Issue, Pipeline, notes_bank};

/// A state of the pipes and the x87. The state does not contain the bank that the instruction in U
/// accessed, because the bank is known only at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Carried {
    pipeline: Pipeline,
    /// True if the bank that the core has recorded is the bank of the instruction in U.
    noted: bool,
    /// The x87's state; `None`: unknown, so the interpreter executes all x87 instructions.
    pub x87: Option<Floating>,
    /// The last address that code and data may use ([`State::segments_end`]).
    pub segments_end: u32,
}

impl Carried {
    /// The state of pipes and x87 of a core that the interpreter runs, where `State::pipeline`
    /// holds the bank.
    pub fn of(state: &State) -> Carried {
        let x87 = Floating::of(state);
        let noted = state.pipeline.is_open();
        let segments_end = state.segments_end().unwrap_or(u32::MAX);
        Carried { pipeline: state.pipeline.with_bank(0), noted, x87, segments_end }
    }

    /// The state after a gap of `clocks` clocks: the pipes are empty, and the x87 has advanced.
    pub fn drained(&self, clocks: u64) -> Carried {
        let mut x87 = self.x87;
        if let Some(x87) = &mut x87 {
            x87.pass(clocks);
        }
        let Carried { segments_end, .. } = *self;
        Carried { pipeline: Pipeline::default(), noted: false, x87, segments_end }
    }

    /// Stores the pipes of this state in `pipeline`, for the interpreter; `bank` is the bank
    /// recorded in the core.
    #[inline]
    pub fn put_pipes(&self, bank: u8, pipeline: &mut Pipeline) {
        *pipeline = self.pipeline;
        pipeline.bank = if self.noted { bank } else { 0 };
    }

    /// This state without what does not matter to the instructions `pipes`, which come next.
    pub fn simplified(self, pipes: &[Pipe]) -> Carried {
        let pipeline = self.pipeline.simplified(pipes);
        Carried { pipeline, noted: self.noted && pipeline.is_open(), ..self }
    }

    /// Issues the next instruction; `following` is the instruction after it in the block. Returns
    /// how it is issued; whether it is executed in V and both it and the instruction in U access
    /// memory; and whether the bank of its access must be recorded.
    pub fn issue(&mut self, pipe: &Pipe, following: Option<&Pipe>) -> (Issue, bool, bool) {
        let both = self.pipeline.both_access(pipe);
        let issue = self.pipeline.issue(pipe);
        let notes = !issue.second && notes_bank(pipe, following);
        self.noted = notes && self.pipeline.is_open();
        (issue, issue.second && both, notes)
    }
}

/// With more states than this, new states leave the x87 to the interpreter: the program's x87
/// states do not recur.
const MANY: usize = 1 << 15;

/// All states found so far. A state's number is its index in `list`.
#[derive(Debug, Default)]
pub(crate) struct Carries {
    list: Vec<Carried>,
    numbers: FxHashMap<Carried, u32>,
}

impl Carries {
    /// The number of the core's state of pipes and x87; a new state is added to the list. `guess`:
    /// the number with which the search begins.
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

    /// The number of the state that has the pipes of state number `pipes` and the x87 of `state`;
    /// `None` if there is no such state yet.
    pub fn find_with_x87(&self, pipes: u32, state: &State) -> Option<u32> {
        let carried = Carried { x87: Floating::of(state), ..*self.get(pipes) };
        self.numbers.get(&carried).copied()
    }

    /// The number of the state that has the pipes of state number `pipes` and the x87 of `state`; a
    /// new state is added to the list.
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

    /// The number of state number `reached` without what does not matter to the instructions
    /// `pipes`, which come next.
    pub fn simplified(&mut self, reached: u32, pipes: &[Pipe]) -> u32 {
        let simplified = self.get(reached).simplified(pipes);
        self.number(simplified)
    }

    #[inline]
    pub fn get(&self, number: u32) -> &Carried {
        &self.list[number as usize]
    }
}
