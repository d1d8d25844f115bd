//! Delay loops, which only let time pass: their rounds are skipped instead of executed.
//!
//! A delay loop counts a register down, or reads the time stamp until it reaches a value. The
//! interpreter executes two rounds. If both rounds cost and counted the same, and left all other
//! state (pipes, branch targets, x87) unchanged, later rounds do so too, as long as every branch
//! goes the same way. `trip_count.rs` computes for how many rounds the branches stay the same. The
//! last rounds are executed, because they produce the values that the loop computes anew in each
//! round, above all the flags.
//!
//! A core that polls a word in L1D (with PAUSE or without) is in a delay loop, too: if even the
//! registers and flags stay as they were, all rounds are alike until an event reaches the core, and
//! before the deadline none does.
//!
//! Not skipped: loops that change registers and access memory, or that contain other than simple
//! instructions on whole registers; loops that store, or that need more than L1D. Nothing is skipped
//! while an observer looks at single instructions.

use rockcreek_cache::CacheStats;

use crate::core::parts::Core;
use crate::fast_forward::induction::Value;
use crate::fast_forward::trip_count::Round;
use crate::frontend::decoded_code::DecodedCode;
use crate::registers::register_file::sreg;
use crate::state::core_state::State;
use crate::state::counters::Counters;
use crate::state::exception::{Done, Stop};
use crate::units::branch_target_buffer::Table;

/// How often `run` must reach an instruction before the loop there is tested for being a delay
/// loop. The number doubles after each failed test, up to a limit.
const PATIENCE: u32 = 3;
/// The largest number of pieces of a loop. A piece is what the interpreter executes at once: a
/// block ends with its line, and its first instruction may be executed alone.
const MOST_PIECES: usize = 12;
/// The number of rounds left to be executed: one for the values computed anew in each round, one
/// for the time stamp's uncertainty within a round, one for the deadline.
const LAST_ROUNDS: u64 = 3;
/// The fewest rounds of a delay loop that are worth fast-forwarding.
const LEAST_ROUNDS: u64 = 8;
/// The number of the guest's general registers.
const REGISTERS: usize = 8;

/// The core's values that a round of a delay loop may change, at the start of a round.
#[derive(Clone, Copy, PartialEq)]
struct Point {
    cycles: u64,
    counters: Counters,
    general: [u32; REGISTERS],
}

impl Point {
    fn of(state: &State) -> Point {
        let general = *state.general.first_chunk().expect("there are eight registers");
        Point { cycles: state.cycles, counters: state.counters, general }
    }

    /// The growth of each value from `before` to here.
    fn since(&self, before: &Point) -> Point {
        let less = |now: u64, then: u64| now - then;
        Point {
            cycles: self.cycles - before.cycles,
            counters: self.counters.combined(&before.counters, less),
            general: std::array::from_fn(|n| self.general[n].wrapping_sub(before.general[n])),
        }
    }

    /// True if a round that adds this leaves the registers unchanged, and does to memory no more
    /// than to load from L1D what the data TLB has. Every later round then repeats the round.
    fn is_still(&self) -> bool {
        let Counters { stores, clock_reads, port_accesses, bypassing_loads, .. } = self.counters;
        let Counters { dtlb_misses, itlb_misses, waiting_cycles, .. } = self.counters;
        let others = stores + clock_reads + port_accesses + bypassing_loads;
        self.general == [0; REGISTERS] && others + dtlb_misses + itlb_misses + waiting_cycles == 0
    }
}

/// The core's state that must be unchanged after a round, except for the values of a [`Point`].
struct Rest {
    state: State,
    branches: Table,
    caches: CacheStats,
}

impl Core {
    /// Turns the skipping of delay loops on or off: affects the host's speed only.
    pub fn set_delay_passing(&mut self, on: bool) {
        self.delays.on = on;
    }

    /// Counts that `run` has reached the instruction at EIP. Returns true if it is time to test for
    /// a delay loop: skipping is on, and the instruction is in a loop that was passed before, or the
    /// core has come here [`PATIENCE`] times (doubled after failed tests), each time within
    /// [`MOST_PIECES`] calls for other instructions.
    #[inline(always)]
    pub(crate) fn may_delay(&mut self) -> bool {
        let delays = &mut self.delays;
        if delays.was_passed(self.state.eip, self.deadline.saturating_sub(self.state.cycles)) {
            (delays.eip, delays.others) = (self.state.eip, 0);
            return delays.on;
        }
        if delays.eip != self.state.eip {
            delays.others += 1;
            if delays.others as usize > MOST_PIECES {
                (delays.eip, delays.seen, delays.others) = (self.state.eip, 0, 0);
            }
            return false;
        }
        delays.others = 0;
        delays.seen = delays.seen.saturating_add(1);
        delays.on && delays.seen >= PATIENCE << *delays.doublings()
    }

    /// Executes two rounds of a possible delay loop. If both are equal, skips as many further
    /// rounds as are equal to them. In either case the loop is tested again only after the core has
    /// reached the instruction often enough; until then the core runs translated code.
    #[cold]
    pub(crate) fn pass_delay(&mut self, code: &mut DecodedCode) -> Done {
        self.delays.seen = 0;
        let done = self.pass_rounds_alike(code);
        if done.is_err() {
            // The round waits for the bus or faults.
            self.delays.disappoint();
        }
        done
    }

    fn pass_rounds_alike(&mut self, code: &mut DecodedCode) -> Done {
        let first = Point::of(&self.state);
        if !self.execute_round(code)? {
            return Ok(());
        }
        let second = Point::of(&self.state);
        let rest = Rest {
            state: self.state.clone(),
            branches: self.branches.table().clone(),
            caches: *self.caches.stats(),
        };
        if !self.execute_round(code)? {
            return Ok(());
        }
        let third = Point::of(&self.state);
        let (each, again) = (second.since(&first), third.since(&second));
        let rounds = match each == again && self.rests_as(&rest) {
            true if each.is_still() && rest.state.flags == self.state.flags => {
                if self.accesses.is_some() { 0 } else { u64::MAX }
            }
            true => self.rounds_alike(code, &each),
            false => 0,
        };
        let room = self.deadline.saturating_sub(third.cycles) / each.cycles.max(1);
        if rounds == 0 && each == again && self.delays.moves < MOST_PIECES {
            // Test from the next instruction: this one may lie between the computation of a value
            // and its use.
            self.execute_block(code)?;
            let delays = &mut self.delays;
            (delays.eip, delays.seen) = (self.state.eip, u32::MAX);
            delays.moves += 1;
        } else if rounds < LAST_ROUNDS + LEAST_ROUNDS {
            self.delays.disappoint();
        } else if room >= LAST_ROUNDS + LEAST_ROUNDS {
            *self.delays.doublings() = 0;
            self.delays.moves = 0;
            self.delays.note_passed(each.cycles * (LAST_ROUNDS + LEAST_ROUNDS + 2));
            self.pass_rounds(rounds.min(room) - LAST_ROUNDS, &each);
        }
        Ok(())
    }

    /// Executes until EIP has its present value again, and returns true. Returns false if that does
    /// not happen within [`MOST_PIECES`] pieces, if a check for interrupts is due, or near a probe.
    fn execute_round(&mut self, code: &mut DecodedCode) -> Result<bool, Stop> {
        let start = self.state.eip;
        self.delays.pieces.clear();
        for _ in 0..MOST_PIECES {
            self.delays.pieces.push(self.state.eip);
            if self.probed_here() {
                return Ok(false);
            }
            self.execute_block(code)?;
            let state = &self.state;
            let plain = state.pending.is_none()
                && state.delivering.is_none()
                && state.task_load.is_none()
                && !state.flushing;
            if !plain || state.cycles >= self.deadline {
                if self.deadline == 0 {
                    // An instruction of the loop requests a check.
                    self.delays.disappoint();
                }
                return Ok(false);
            }
            if state.eip == start {
                return Ok(true);
            }
        }
        self.delays.disappoint();
        Ok(false)
    }

    /// True if all state equals `rest`, except for the values of a [`Point`] and the arithmetic
    /// flags, which may differ, and no x87 instruction is in progress.
    fn rests_as(&self, rest: &Rest) -> bool {
        let mut expected = rest.state.clone();
        let Point { cycles, counters, .. } = Point::of(&self.state);
        (expected.cycles, expected.counters) = (cycles, counters);
        expected.general = self.state.general;
        expected.flags = self.state.flags;
        expected == self.state
            && self.state.x87.is_idle(rest.state.cycles)
            && rest.branches == *self.branches.table()
            && rest.caches == *self.caches.stats()
    }

    /// In how many further rounds each branch of the loop goes the same way as in the last round; 0
    /// if unknown. `each`: what a round adds to the core's values.
    fn rounds_alike(&self, code: &DecodedCode, each: &Point) -> u64 {
        let state = &self.state;
        if state.segments[sreg::CS].base != 0 || !state.segments[sreg::CS].big() {
            return 0;
        }
        let value = |n: usize| Value::exact(state.general[n], each.general[n]);
        let registers = std::array::from_fn(value);
        let clock = (self.tsc(), each.cycles);
        let bytes = |eip: u32| self.code_bytes(code, eip);
        Round { start: state.eip, registers, clock }.rounds(bytes)
    }

    /// The bytes of code from address `eip` to the end of the next line, as far as the core has
    /// fetched them; empty if it has not.
    fn code_bytes(&self, code: &DecodedCode, eip: u32) -> Vec<u8> {
        const LINE: u32 = rockcreek_defs::LINE_BYTES as u32;
        let user = self.state.cpl == 3;
        let line = |linear: u32| self.fetched.version(linear, user).map(|id| code.bytes(id));
        let Some(here) = line(eip) else { return Vec::new() };
        let mut bytes = here[(eip % LINE) as usize..].to_vec();
        if let Some(next) = line((eip | (LINE - 1)).wrapping_add(1)) {
            bytes.extend(next);
        }
        bytes
    }

    fn pass_rounds(&mut self, rounds: u64, each: &Point) {
        self.unequal.skipped += rounds * each.counters.instructions;
        let state = &mut self.state;
        state.cycles += rounds * each.cycles;
        let add = |count: u64, each: u64| count + rounds * each;
        state.counters = state.counters.combined(&each.counters, add);
        for (register, step) in state.general.iter_mut().zip(each.general) {
            *register = register.wrapping_add(step.wrapping_mul(rounds as u32));
        }
    }
}
