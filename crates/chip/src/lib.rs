//! The chip: all blocks of the die and the board wired together, in one order of events.
//!
//! The only crate that knows all the others, and whose [`Description`] knows how large the chip
//! is. It is hardware: it knows registers, packets and clocks, and no operating system.

mod alone;
mod alternatives;
mod answers;
mod base;
mod beside;
pub mod chip;
mod clocks;
mod course;
pub mod debugger;
pub mod description;
mod effects;
pub mod flight;
pub mod hash;
mod host_view;
pub mod i586;
mod lanes;
pub mod load;
mod log;
mod meeting;
mod memory_map;
mod piles;
mod places;
pub mod port;
pub mod processor;
mod progress;
mod reader;
mod reset;
mod sender;
pub mod service;
mod skipping;
pub mod slot;
pub mod snapshot;
mod standstill;
pub mod statistics;
mod survey;
mod timing;
mod train;
pub mod uncore;
mod usual;
mod variation;
mod waiting;
pub mod wiring;

pub use chip::{Chip, Restart, Stopped};
pub use description::{Description, DescriptionError};
pub use processor::{Processor, Stop};
pub use slot::{Phase, Slot};
pub use snapshot::{Companion, SnapshotError};
pub use uncore::Uncore;
