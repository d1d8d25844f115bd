//! Host code for x86-64, assembled directly.
//!
//! While translated code runs, EAX to EDI of the guest are in R8D to R15D. RBP points into the core
//! (`offsets.rs`), RBX holds its cycle count, XMM15 the counts that have not been added to the
//! counters (packed, see `packed_counts.rs`), RSI the address of the table of lines that may be
//! used in place. RAX, RCX, RDX, RDI and XMM0 to XMM14 are free. The arithmetic flags are in the
//! host's flags or, wherever the code may be left, also in `HostFrame::raw_flags`. The x87's values
//! are in the core or, if `Floating::loaded` is true, in the host's x87 (see `x87_state.rs`).
//!
//! Two things are necessarily unsafe: jumping into memory that was filled at run time, and using
//! the core through a pointer in functions that this code calls. Invariants: code is entered
//! through `Stubs::enter` alone, with an exclusive reference to the core. The code stores only to
//! the core's fields, at offsets from the compiler, and, within their bounds, to the lines, tags,
//! replacement states and undo logs of L1D and L2 and the data TLB's trees and most recent entries,
//! at the addresses in `HostFrame` and `QuickLines::arrays`. Those addresses are stored anew
//! whenever code is entered (`Core::note_tables`), and nothing of a core moves or grows before the
//! code is left. Code and exits live as long as the `Translations` that hold them.

// The assembler's macro converts register numbers from any integer type.
#![allow(clippy::useless_conversion)]

pub(crate) mod control;
pub(crate) mod encoding;
pub(crate) mod integer;
pub(crate) mod memory;
pub(crate) mod paging;
pub(crate) mod region;
pub(crate) mod string;
pub(crate) mod stubs;
pub(crate) mod x87;

pub(super) use crate::translator::x64::encoding::code_memory::CodeMemory;
pub(super) use crate::translator::x64::integer::mov_push::is_moved;
pub(super) use crate::translator::x64::memory::l1d_lookup::SET_BYTES;
pub(super) use crate::translator::x64::paging::page_walk::LARGE_PAGES;
pub(super) use crate::translator::x64::region::coverage::{is_in_place, waits_for_multiplier};
pub(super) use crate::translator::x64::region::emit::{compile, join};
pub(super) use crate::translator::x64::stubs::enter_leave::{Departure, Stubs};
pub(super) use crate::translator::x64::stubs::profile_counts::Tally;
pub(super) use crate::translator::x64::x87::ops::can_float;

use crate::execute::op::Op;
use crate::translator::regions::indirect_targets::Target;

/// One translated region.
pub(super) struct Compiled {
    /// The host address of each block's entry.
    pub entries: Box<[u64]>,
    pub bytes: usize,
    /// For each exit, the host address to which it jumps: its own stub until it is joined to
    /// another region.
    _exits: Box<[Target]>,
    /// The instructions that translated code calls the interpreter to execute.
    _ops: Box<[Op]>,
}

/// The number of the host register that holds guest register `number` (0 to 7).
const fn host(number: u8) -> u8 {
    8 + number
}
