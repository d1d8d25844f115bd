//! The coherence checker: a shadow of all memory that several cores reach, which only watches.
//!
//! Of each byte it knows who wrote it and when, which copies of it the cores hold and how old these
//! are, and which writes still sit in a cache or a write-combine buffer. "Happens before" is built
//! from what programs use to wait for each other: a value that another core wrote and this one
//! has read, test-and-set registers, atomic counters, interrupts. A finding is an access that saw
//! or left something that this order forbids.
//!
//! The chip calls in its own order: [`Shadow::access`] for what a core does in its own caches, before
//! its next transaction takes effect, then [`Shadow::effect`] for that. Nothing here knows a library
//! or changes anything of the chip.
//!
//! Left out: memory that one core alone reaches; order by plain reads of registers.

mod clocks;
mod copies;
mod drains;
mod finding;
mod hash;
mod locks;
mod memory;
mod overruns;
mod races;
mod reads;
mod registers;
mod shadow;
mod signals;
mod writes;

pub use clocks::{Edge, EdgeKind};
pub use finding::{Finding, Findings, Kind, Level, Site};
pub use shadow::{Object, Shadow};
