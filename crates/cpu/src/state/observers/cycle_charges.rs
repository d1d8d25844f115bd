//! The charges of a core's cycles to instructions, until they are taken.

use rockcreek_defs::{BusRequest, CoreAddr};

/// The cause of cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spent {
    /// The pipes: instructions, page walks that L1D answers, the x87.
    Pipes,
    /// L2: L1 missed, and L2 had the line.
    Level2,
    /// The bus unit, while it was busy with posted stores.
    #[default]
    Stores,
    /// A transaction with the unit at this address.
    Bus(CoreAddr),
    /// A port access.
    Port,
    /// HLT, or held by a pin.
    Halted,
}

impl Spent {
    pub(crate) fn on(request: &BusRequest) -> Spent {
        request.addr().map_or(Spent::Port, Spent::Bus)
    }
}

/// Some cycles of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Linear address of the instruction.
    pub address: u32,
    /// True in ring 3.
    pub user: bool,
    pub spent: Spent,
    pub cycles: u64,
}

/// The clocks and counts up to which all cycles have been charged.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Charged {
    pub cycles: u64,
    pub waiting: u64,
    pub halted: u64,
    /// Cycles in which L2 served the core.
    pub level2: u64,
    /// The cause of the wait in progress.
    pub open: Spent,
    /// The instruction that retired last, and true if in ring 3.
    pub last: (u32, bool),
}

/// The charges of one core.
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

    /// Takes the charges; no rollback may undo them afterwards.
    pub fn take(&mut self) -> Vec<Charge> {
        self.kept = 0;
        std::mem::take(&mut self.records)
    }

    pub fn add(&mut self, (address, user): (u32, bool), spent: Spent, cycles: u64) {
        if cycles != 0 {
            self.records.push(Charge { address, user, spent, cycles });
        }
    }
}
