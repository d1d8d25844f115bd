//! Words that every block of the die shares: identifiers, addresses, times, and the messages
//! that cross between blocks. No behaviour lives here.
//!
//! Units are in the types: a core counts [`CoreCycles`], everything that two blocks can compare
//! is [`Ps`] (integer picoseconds); a 32-bit [`CoreAddr`] is what a core puts on its bus, a
//! [`SystemAddr`] is what a LUT makes of it.

pub mod access;
pub mod address;
pub mod bus;
pub mod host;
pub mod ids;
pub mod pins;
pub mod program_memory;
pub mod registers;
pub mod time;

pub use access::{Access, AccessKind, Retired, STACK_WORDS, ServedBy, TOP_WORDS};
pub use address::{CoreAddr, LINE_BYTES, SubDest, SystemAddr};
pub use bus::{BusRequest, BusResponse};
pub use host::{prefetch, prefetch_ends};
pub use ids::{Coord, CoreId, TileId};
pub use pins::{OutputPins, Pins};
pub use program_memory::{ProgramMemory, Span};
pub use time::{Clock, CoreCycles, Ps};
