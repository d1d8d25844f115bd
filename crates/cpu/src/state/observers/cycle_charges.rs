//! The cycles of a core that have been charged to instructions, until an observer takes them.

use rockcreek_defs::{BusRequest, CoreAddr};

/// What a core did in some of its cycles, for the profile of cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spent {
    /// Execution in the pipes: instructions, page walks that L1D serves, the x87.
    Pipes,
    /// An access that L1 missed and L2 served.
    Level2,
    /// A wait for the bus unit, which was busy with posted stores.
    #[default]
    Stores,
    /// A wait for a transaction with the unit at this core address.
    Bus(CoreAddr),
    /// A wait for the read or write of an I/O port.
    Port,
    /// Halted by HLT, or held by a pin.
    Halted,
}

impl Spent {
    pub(crate) fn on(request: &BusRequest) -> Spent {
        request.addr().map_or(Spent::Port, Spent::Bus)
    }
}

/// Cycles charged to one instruction and one cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Linear address of the instruction.
    pub address: u32,
    /// True if the instruction was executed in ring 3.
    pub user: bool,
    pub spent: Spent,
    /// How many snapshots the core had taken when it began the cycles.
    pub part: u32,
    pub cycles: u64,
}

/// An instruction that has retired.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Retired {
    /// The linear address.
    pub address: u32,
    /// True if it was executed in ring 3.
    pub user: bool,
}

/// The counts at the last charge: everything up to them has been charged to instructions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Charged {
    pub cycles: u64,
    pub waiting: u64,
    pub halted: u64,
    /// Core cycles in which L2 served the core, up to the last charge.
    pub level2: u64,
    /// The cause to which the cycles of the wait in progress will be charged.
    pub open: Spent,
    /// The instruction that retired last.
    pub last: Retired,
    /// How many snapshots the core has taken.
    pub part: u32,
}

/// The cycles of one core by cause and by code address, as far as no caller has taken them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Charges {
    pub now: Charged,
    at_window: Charged,
    kept: usize,
    pub records: Vec<Charge>,
}

impl Charges {
    pub fn begin_window(&mut self) {
        self.at_window = self.now;
        self.kept = self.records.len();
    }

    pub fn rollback(&mut self) {
        self.now = self.at_window;
        self.records.truncate(self.kept);
    }

    /// Removes and returns the charges. The caller makes sure that no rollback can undo them
    /// afterwards.
    pub fn take(&mut self) -> Vec<Charge> {
        self.kept = 0;
        std::mem::take(&mut self.records)
    }

    pub fn add(&mut self, to: Retired, spent: Spent, cycles: u64) {
        if cycles != 0 {
            let Retired { address, user } = to;
            let part = self.now.part;
            self.records.push(Charge { address, user, spent, part, cycles });
        }
    }
}
