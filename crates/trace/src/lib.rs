//! Traces in Perfetto's format: what a chip's observer has seen, as tracks that people look at.
//!
//! Here calls and returns become slices that nest ([`core_track`], [`call_stack`], [`core_writer`]), counts become
//! rates ([`counters`]), and all of it packets ([`packets`], [`format`]). What addresses and counts
//! mean, the caller knows: nothing here knows a chip or a program. Each core's packets are a
//! sequence of their own and are kept until the end, so that the file does not depend on when the
//! caller looks.
//!
//! Invariants: the slices of a track nest, whatever the program does to its stack; the times of a
//! sequence never go back.

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
