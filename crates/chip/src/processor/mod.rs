//! What the chip needs of a core: one trait, which [`i586`] implements and tests implement with
//! scripted requesters. Nothing here knows the scheduler, the mesh or another core.

pub mod i586;

use rockcreek_boot::EntryState;
use rockcreek_cpu::{Bus, Charge, Taken, Transfer};
use rockcreek_defs::{Access, BusRequest, BusResponse, CoreAddr, OutputPins, Pins};
use rockcreek_observe::{Instruction, Statistic};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why a core stopped running ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It reached the limit, at an instruction boundary.
    Limit,
    /// It needs a transaction; `cycles()` is when the request leaves it.
    Bus,
    /// It waits for an interrupt, or is held.
    Halted,
    /// It stopped until a reset.
    Shutdown,
    /// A debugger wants the chip to stop when this core has got here.
    Break,
}

/// What a core has done since power-on, as far as it costs energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreActivity {
    /// Without those of the x87.
    pub instructions: u64,
    pub x87_instructions: u64,
    /// Data reads and writes.
    pub l1_accesses: u64,
    /// Lines that L2 has read or written.
    pub l2_accesses: u64,
    pub halted_cycles: u64,
}

/// A core under the chip's scheduler.
///
/// A window begins at a committed point; everything the core does in it is private, so
/// `rollback` may undo it. `run` stops at the first instruction boundary at or after its limit
/// and does nothing if it is there already.
pub trait Processor: Send {
    /// What the cores that run on one host thread share, such as decoded code. It never affects a
    /// result.
    type Shared: Default + Clone + Send;
    /// The core's state as plain data.
    type State: Serialize + DeserializeOwned;
    /// What one round of a loop adds to the counts.
    type Round: Clone + Copy + Send + std::fmt::Debug;

    /// The RESET pin; `level2` tells whether the L2 is reset too. Cycles count from 0 again.
    fn reset(&mut self, level2: bool);
    /// The state in which a boot loader starts a kernel.
    fn enter(&mut self, entry: &EntryState);
    fn cycles(&self) -> u64;
    /// The first cycle at which its next request may leave it.
    fn sends_from(&self) -> u64 {
        self.cycles()
    }
    /// Waits until then.
    fn await_bus(&mut self) {}
    fn advance_to(&mut self, cycle: u64);
    fn run(&mut self, shared: &mut Self::Shared, limit: u64) -> Stop;
    /// The same, but transactions that `bus` performs at once need not end it.
    fn run_with(&mut self, shared: &mut Self::Shared, limit: u64, _bus: &mut dyn Bus) -> Stop {
        self.run(shared, limit)
    }
    /// The request of the transaction that it waits for, if it does.
    fn waiting_for(&self) -> Option<&BusRequest>;
    fn complete(&mut self, cycle: u64, response: &BusResponse);
    /// Asked right after `complete`: if all but time and counts is as it was when the window
    /// began, so that the core will now do the same again, what a round counts.
    fn recurs(&mut self) -> Option<Self::Round>;
    /// Passes `rounds` such rounds, the last of which ended at `cycle`, and which went by before
    /// answers for `waited` cycles.
    fn repeat(&mut self, round: &Self::Round, rounds: u64, cycle: u64, waited: u64);
    /// Whether loops that only let time pass are passed instead of executed: host speed only.
    fn set_delay_passing(&mut self, _on: bool) {}
    /// The [`Stop::Break`] here has been reported; the core goes on from it.
    fn pass_break(&mut self) {}
    fn set_pins(&mut self, pins: Pins);
    /// The levels of its output pins.
    fn output_pins(&self) -> OutputPins {
        OutputPins::default()
    }
    /// After [`Stop::Shutdown`]: the last vector and the EIP of what could not be handled.
    fn last_fault(&self) -> (u8, u32) {
        (0, 0)
    }
    /// L2CFG switches the core's L2 on or off; its lines stay.
    fn set_level2(&mut self, enabled: bool);
    fn next_timer_cycle(&self) -> Option<u64>;
    fn begin_window(&mut self);
    fn rollback(&mut self);
    fn state(&self) -> Self::State;
    /// Continues from a state of a core like this one; a window begins there.
    fn restore(&mut self, state: &Self::State);
    fn statistics(&self) -> Statistic;
    fn activity(&self) -> CoreActivity {
        CoreActivity::default()
    }
    /// Its next transaction leaves it: what observers want of memory is read now.
    fn before_transaction(&mut self, _memory: impl Fn(CoreAddr) -> Option<u8>) {}
    /// Its next step is due soon, at which its request enters the mesh, or it goes on: what it then
    /// looks at is fetched into the host's first cache.
    fn fetch_ahead(&self, _enters: bool) {}
    /// A bit of the `nth` valid line of L1D or L2 flips, counted around: its address, and the byte
    /// before and after. None if there is no line.
    fn flip_cached(&mut self, _level2: bool, _nth: u32, _bit: u8) -> Option<(u64, u32, u32)> {
        None
    }
    /// A bit of a register flips: 0, and the register before and after.
    fn flip_register(&mut self, _register: u8, _bit: u8) -> Option<(u64, u32, u32)> {
        None
    }
    /// Notes from now on accesses to these segments of its LUT, each of so many bytes.
    fn watch_accesses(&mut self, _segments: Option<(&[bool], u64)>) {}
    /// Takes the accesses noted; called only when none can be taken back.
    fn take_accesses(&mut self, into: &mut Vec<Access>) {
        into.clear();
    }
    /// How many there are.
    fn noted_accesses(&self) -> usize {
        0
    }
    /// Whether its L1D has the line of this address, and dirty.
    fn holds_dirty(&self, _addr: CoreAddr) -> bool {
        false
    }
    /// Takes the control transfers noted.
    fn take_transfers(&mut self, _what: Taken, _into: &mut Vec<Transfer>) {}
    /// Starts or ends the charging of cycles to instructions.
    fn record_cycles(&mut self, _on: bool) {}
    /// Charges all cycles up to now.
    fn charge_all(&mut self) {}
    /// Takes the charges; called only when none can be taken back.
    fn take_charges(&mut self, _sink: &mut dyn FnMut(&Charge)) {}
    /// Starts or ends the recording of retired instructions.
    fn record(&mut self, on: bool);
    /// Hands out the recorded instructions; called only when none can be taken back.
    fn drain(&mut self, sink: &mut dyn FnMut(&Instruction));
}
