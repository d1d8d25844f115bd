//! Traces in Perfetto's format, made from the records of a chip's observers.
//!
//! Calls and returns become nested slices ([`core_track`], [`call_stack`], [`core_writer`]), counts
//! become rates ([`counters`]), and both become packets of the file ([`packets`], [`format`]). The
//! crate has no knowledge of a chip or a program: the caller supplies the names of addresses and
//! counters. The packets of each core are a sequence of their own and stay in memory until the end,
//! so the file does not depend on when the caller passes records.
//!
//! Invariants: the slices of a track nest, whatever the program does to its stack; the times of a
//! sequence never decrease.

pub mod call_stack;
pub mod core_track;
pub mod core_writer;
pub mod counters;
mod filter;
mod flame;
mod format;
mod names;
mod packets;

pub use call_stack::{Step, Way};
pub use core_track::{CoreTrack, Watched};
pub use core_writer::{Note, NoteKind};
pub use counters::Counters;
pub use filter::Filter;
pub use flame::Flame;
pub use names::{Name, Names};
pub use packets::{Extra, Packets};
