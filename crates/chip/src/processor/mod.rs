//! The interface between the chip and a core: one trait, which [`i586`] implements. Tests implement
//! it with scripted requesters. Nothing here depends on the scheduler, the mesh or another core.

pub mod i586;

use std::sync::Arc;

use rockcreek_boot::EntryState;
use rockcreek_cpu::{Bus, Charge, Taken, Transfer};
use rockcreek_defs::{
    Access, BusRequest, BusResponse, CoreAddr, OutputPins, Pins, ProgramMemory, Retired,
};
use rockcreek_observe::{Instruction, Statistic};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The reason why a core's `run` returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The core is at an instruction boundary at or after the cycle up to which it was to run.
    Limit,
    /// The core needs a transaction; `cycles()` is the core cycle at which its request leaves the
    /// core.
    Bus,
    /// The core waits for an interrupt (HLT), or its STPCLK pin holds it.
    Halted,
    /// The core has stopped until a reset, after a triple fault.
    Shutdown,
    /// The core has reached a place at which a debugger wants the chip to stop.
    Break,
}

/// The counts of a core since power-on from which its energy is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreActivity {
    /// Integer instructions; x87 instructions are counted separately.
    pub instructions: u64,
    pub x87_instructions: u64,
    /// Data reads and writes in L1D.
    pub l1_accesses: u64,
    /// Lines read from L2 or written to it.
    pub l2_accesses: u64,
    pub halted_cycles: u64,
}

/// A core under the chip's scheduler.
///
/// A window begins at a committed point. No other core sees what the core does in the window, so
/// `rollback` may undo it. `run` stops at the first instruction boundary at or after its limit, and
/// does nothing if the core is already there.
pub trait Processor: Send {
    /// State that the cores on one host thread share, such as decoded code. It never affects a
    /// result.
    type Shared: Default + Clone + Send;
    /// The core's whole state as plain data, as a snapshot stores it.
    type State: Serialize + DeserializeOwned;
    /// The counts (of instructions, cycles and so on) that one round of a polling loop adds.
    type Round: Clone + Copy + Send + std::fmt::Debug;

    /// Performs the RESET pin's effect; `level2`: true if L2 is reset too. The cycle count restarts
    /// at 0.
    fn reset(&mut self, level2: bool);
    /// Sets the state in which a boot loader starts a kernel.
    fn enter(&mut self, entry: &EntryState);
    /// The core's cycle count since it last left reset.
    fn cycles(&self) -> u64;
    /// The first cycle at which the core's next request may leave: later than `cycles()` while the
    /// bus unit is busy with a posted store.
    fn sends_from(&self) -> u64 {
        self.cycles()
    }
    /// Lets the core's time pass, idle, up to the cycle that `sends_from` returns.
    fn await_bus(&mut self) {}
    /// Lets a halted core's time pass up to `cycle`; does nothing if the core has reached it.
    fn advance_to(&mut self, cycle: u64);
    /// Runs to the first instruction boundary at or after the cycle `limit`, or to an earlier stop.
    fn run(&mut self, shared: &mut Self::Shared, limit: u64) -> Stop;
    /// Like [`Processor::run`], but `bus` may perform transactions at once, and the core then
    /// continues with the response. Stops for the other transactions.
    fn run_with(&mut self, shared: &mut Self::Shared, limit: u64, _bus: &mut dyn Bus) -> Stop {
        self.run(shared, limit)
    }
    /// The request of the transaction that the core waits for; `None` if it waits for none.
    fn waiting_for(&self) -> Option<&BusRequest>;
    /// Delivers the response to the request that the core waits for; the core continues at `cycle`.
    fn complete(&mut self, cycle: u64, response: &BusResponse);
    /// After `complete`: if the core is in the state of the window's start except for time and
    /// counters, returns one loop round's counters; otherwise `None`.
    fn recurs(&mut self) -> Option<Self::Round>;
    /// Adds the counts of `rounds` skipped rounds of the polling loop. The last one ended at
    /// `cycle`; together they waited `waited` core cycles for responses.
    fn repeat(&mut self, round: &Self::Round, rounds: u64, cycle: u64, waited: u64);
    /// Turns the skipping of delay loops on or off; affects the host's speed only.
    fn set_delay_passing(&mut self, _on: bool) {}
    /// Continues after a [`Stop::Break`]: the next run does not stop at that place again at once.
    fn pass_break(&mut self) {}
    /// Sets the levels of the core's input pins, at its present cycle.
    fn set_pins(&mut self, pins: Pins);
    /// The levels of the core's output pins.
    fn output_pins(&self) -> OutputPins {
        OutputPins::default()
    }
    /// After [`Stop::Shutdown`]: the vector and the EIP of the exception that could not be handled.
    fn last_fault(&self) -> (u8, u32) {
        (0, 0)
    }
    /// Switches the core's L2 on or off, as L2CFG asks; its lines are kept.
    fn set_level2(&mut self, enabled: bool);
    /// The cycle at which the core's timer next interrupts; `None` if the timer is not armed, or
    /// cannot wake the core.
    fn next_timer_cycle(&self) -> Option<u64>;
    /// Begins a window at the present state; nothing before it can be undone from now on.
    fn begin_window(&mut self);
    /// Returns to the state at the window's start; the window stays open.
    fn rollback(&mut self);
    fn state(&self) -> Self::State;
    /// Sets the state from a core with the same configuration, and begins a window there.
    fn restore(&mut self, state: &Self::State);
    fn statistics(&self) -> Statistic;
    fn activity(&self) -> CoreActivity {
        CoreActivity::default()
    }
    /// Called before the core's next transaction leaves: reads the memory that observers need.
    /// `_memory` returns the byte at a core address, `None` if no memory is there.
    fn before_transaction(&mut self, _memory: impl Fn(CoreAddr) -> Option<u8>) {}
    /// Prefetches, into the host's caches, the data that the core's next step will use; `enters`:
    /// true if that step is the entry of its request into the mesh, false if it is another.
    fn fetch_ahead(&self, _enters: bool) {}
    /// Injects a fault: flips bit `bit` of the `nth` valid line, counted modulo their number, of L2
    /// (`level2` true) or L1D. Returns the line's address, and the byte before and after; `None` if
    /// no line is valid.
    fn flip_cached(&mut self, _level2: bool, _nth: u32, _bit: u8) -> Option<(u64, u32, u32)> {
        None
    }
    /// Injects a fault: flips a bit of a register (0 to 7 a general register, 8 EIP, 9 EFLAGS).
    /// Returns 0 (no address), and the register before and after; `None` if the core has no such
    /// register.
    fn flip_register(&mut self, _register: u8, _bit: u8) -> Option<(u64, u32, u32)> {
        None
    }
    /// Starts recording the core's data accesses to memory in the LUT segments that are true in the
    /// list; the second value is a segment's size in bytes. `None` stops recording.
    fn watch_accesses(&mut self, _segments: Option<(&[bool], u64)>) {}
    /// From now on also records the accesses of the program's own code to memory that the program's
    /// threads share.
    fn watch_program(&mut self, _memory: &Arc<ProgramMemory>) {}
    /// Moves the recorded accesses into `into`; called only when no rollback can undo them.
    fn take_accesses(&mut self, into: &mut Vec<Access>) {
        into.clear();
    }
    /// The number of recorded accesses that have not been taken.
    fn noted_accesses(&self) -> usize {
        0
    }
    /// The number of recorded instructions that nobody has taken yet.
    fn recorded_instructions(&self) -> usize {
        0
    }
    /// Moves the recorded instructions into `_into`, as the check of values uses them; called only
    /// when no rollback can undo them.
    fn take_retired(&mut self, _into: &mut Vec<Retired>) {}
    /// True if the core's L1D has a dirty copy of this address's line.
    fn holds_dirty(&self, _addr: CoreAddr) -> bool {
        false
    }
    /// Sets the time of each recorded snapshot of counters that has none; `_time_of` gives that of a
    /// cycle in picoseconds. Called before the core's clock changes.
    fn date_snapshots(&mut self, _time_of: &dyn Fn(u64) -> u64) {}
    /// Moves the recorded control transfers that `_what` selects into `_into`.
    fn take_transfers(&mut self, _what: Taken, _into: &mut Vec<Transfer>) {}
    /// Turns the charging of cycles to instructions on or off.
    fn record_cycles(&mut self, _on: bool) {}
    /// Charges all cycles up to now to instructions, so that the charges can be taken.
    fn charge_all(&mut self) {}
    /// Passes the charges to `_sink` and removes them; called only when no rollback can undo them.
    fn take_charges(&mut self, _sink: &mut dyn FnMut(&Charge)) {}
    /// Turns the recording of retired instructions on or off.
    fn record(&mut self, on: bool);
    /// Passes the recorded instructions to `sink` and removes them; called only when no rollback
    /// can undo them.
    fn drain(&mut self, sink: &mut dyn FnMut(&Instruction));
}
