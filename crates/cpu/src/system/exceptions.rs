//! Raising exceptions, and exceptions raised during the delivery of another.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 14. The delivery itself is
//! in `interrupt_delivery.rs`.

use crate::core::parts::Core;
use crate::state::exception::{Done, Event, Fault, Stop, vector};

impl Core {
    /// Records an exception without an error code. The instruction's handler returns the result as
    /// its error.
    #[cold]
    pub(crate) fn raise(&mut self, vector: u8) -> Stop {
        self.state.fault = Fault { vector, error: None };
        Stop::Fault
    }

    /// Records an exception with an error code. The instruction's handler returns the result as its
    /// error.
    #[cold]
    pub(crate) fn raise_with(&mut self, vector: u8, error: u32) -> Stop {
        self.state.fault = Fault { vector, error: Some(error) };
        Stop::Fault
    }

    /// Raises #GP(0).
    #[cold]
    pub(crate) fn protection(&mut self) -> Stop {
        self.raise_with(vector::PROTECTION, 0)
    }

    /// Raises #GP(0) unless the current privilege level is 0.
    pub(crate) fn require_ring0(&mut self) -> Done {
        if self.state.cpl == 0 { Ok(()) } else { Err(self.protection()) }
    }
}

/// True for the exceptions that cause a double fault if one is raised while another is delivered.
fn contributory(vector: u8) -> bool {
    matches!(
        vector,
        vector::DIVIDE
            | vector::INVALID_TSS
            | vector::NOT_PRESENT
            | vector::STACK
            | vector::PROTECTION
    )
}

/// The event to deliver after `second` was raised during the delivery of `first`: `second`, or a
/// double fault. `None` if the core shuts down, because `first` was a double fault.
pub(crate) fn combine(first: &Event, second: Fault) -> Option<Event> {
    let deliver = |vector, error| Some(Event { vector, error, external: false });
    if first.vector == vector::DOUBLE_FAULT && !first.external {
        return None;
    }
    let page_first = first.vector == vector::PAGE_FAULT;
    let double = !first.external
        && (contributory(first.vector) && contributory(second.vector)
            || page_first && (contributory(second.vector) || second.vector == first.vector));
    if double {
        deliver(vector::DOUBLE_FAULT, Some(0))
    } else {
        deliver(second.vector, second.error)
    }
}
