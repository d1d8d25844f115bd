//! The coherence checker: a shadow of all memory that several cores can access. It only observes.
//!
//! For each byte the shadow records which core wrote it and when, which copies of it the cores hold
//! and how old these copies are, and which writes are still in a cache or a write-combine buffer.
//! The relation "happens before" is derived from the means by which programs wait for each other: a
//! value that one core wrote and another read, test-and-set registers, atomic counters, interrupts.
//! A finding is an access whose result, or effect, this order forbids.
//!
//! The chip calls in its own order of events: [`Shadow::access`] for a core's accesses to its own
//! caches, before the core's next transaction takes effect; then [`Shadow::effect`] for that
//! transaction. The checker has no knowledge of guest libraries and changes nothing of the chip.
//!
//! Two further checkers watch linear addresses of a program, whichever memory they lead to:
//! [`Program`] the order of its threads, [`Blocks`] what it allocates and frees and, by choice, what
//! it reads without ever having written it.
//!
//! Left out of the shadow: memory that only one core can access; order by plain reads of registers.

mod blocks;
mod clocks;
mod copies;
mod drains;
mod finding;
mod hash;
mod locks;
mod marks;
mod memory;
mod overruns;
mod program;
mod races;
mod reads;
mod registers;
#[cfg(test)]
mod tests {
    pub(crate) mod sample;
}
mod shadow;
mod signals;
mod values;
mod writes;

pub use blocks::{Allocator, BlockFinding, BlockKind, Blocks, Contents, NamedBlock};
pub use clocks::{Edge, EdgeKind};
pub use finding::{Finding, Findings, Kind, Level, Site};
pub use program::{Program, ProgramRace, RaceBlock, RaceSite};
pub use shadow::{Object, Shadow, Transaction};
pub use values::{CALLS, Code};
