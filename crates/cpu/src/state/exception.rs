//! Exceptions: their vectors, and the reasons why an instruction may stop.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 14.

use serde::{Deserialize, Serialize};

/// Vector numbers.
pub mod vector {
    pub const DIVIDE: u8 = 0;
    pub const DEBUG: u8 = 1;
    pub const NMI: u8 = 2;
    pub const BREAKPOINT: u8 = 3;
    pub const OVERFLOW: u8 = 4;
    pub const BOUND: u8 = 5;
    pub const INVALID_OPCODE: u8 = 6;
    pub const NO_COPROCESSOR: u8 = 7;
    pub const DOUBLE_FAULT: u8 = 8;
    pub const INVALID_TSS: u8 = 10;
    pub const NOT_PRESENT: u8 = 11;
    pub const STACK: u8 = 12;
    pub const PROTECTION: u8 = 13;
    pub const PAGE_FAULT: u8 = 14;
    pub const FLOATING_POINT: u8 = 16;
    pub const ALIGNMENT: u8 = 17;
}

/// The reason why an instruction's handler did not finish. The instruction has committed nothing,
/// except the iterations before a `Yield`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The instruction cannot finish yet. If `State::pending` holds a request, the core waits for
    /// the response. If `State::pending` is `None`, the core must fetch the instruction again
    /// before the instruction continues.
    Wait,
    /// The instruction raised an exception; `State::fault` holds it.
    Fault,
    /// The instruction stopped to let an event in: a repeated string instruction between two
    /// iterations, or an x87 instruction before which the core waits (`State::frozen`).
    Yield,
}

/// What an instruction's handler returns: `Err` if the instruction did not complete.
pub type Done = Result<(), Stop>;

/// An exception that the current instruction raised, with its error code (`None` if the exception
/// has none).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub vector: u8,
    pub error: Option<u32>,
}

/// The reason why a core shut down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShutdownCause {
    /// A fault during the delivery of a double fault. `vector`: the vector of the last fault.
    /// `eip`: the address of the instruction at which the first fault occurred.
    TripleFault { vector: u8, eip: u32 },
}

/// An exception or interrupt that is being delivered through the IDT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    pub vector: u8,
    pub error: Option<u32>,
    /// True if the event came from a pin or the local APIC.
    pub external: bool,
}

impl Event {
    /// True for a fault, whose handler returns to the instruction that raised it. False for
    /// interrupts, traps, debug exceptions (their handlers set RF themselves) and the double fault,
    /// which is an abort.
    pub fn is_fault(&self) -> bool {
        const OTHERS: [u8; 4] =
            [vector::NMI, vector::BREAKPOINT, vector::OVERFLOW, vector::DOUBLE_FAULT];
        !self.external
            && self.vector <= vector::ALIGNMENT
            && self.vector != vector::DEBUG
            && !OTHERS.contains(&self.vector)
    }
}
