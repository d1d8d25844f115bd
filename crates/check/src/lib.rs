//! The coherence checker: a shadow of all memory that several cores reach. It only observes.
//!
//! For each byte the shadow knows who wrote it and when, which copies of it the cores hold and how
//! old these copies are, and which writes are still in a cache or a write-combine buffer. "Happens
//! before" is derived from what programs use to wait for each other: a value that one core wrote
//! and another read, test-and-set registers, atomic counters, interrupts. A finding is an access
//! that saw or left something that this order forbids.
//!
//! The chip calls in its own order: [`Shadow::access`] for a core's accesses to its own caches,
//! before the core's next transaction takes effect; then [`Shadow::effect`] for that transaction.
//! The checker knows no library and changes nothing of the chip.
//!
//! Left out: memory that only one core reaches; order by plain reads of registers.

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
mod shadow;
mod signals;
mod writes;

pub use clocks::{Edge, EdgeKind};
pub use finding::{Finding, Findings, Kind, Level, Site};
pub use program::{Program, ProgramRace, RaceBlock, RaceSite};
pub use shadow::{Object, Shadow};
