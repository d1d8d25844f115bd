//! The caches of one core: L1I, L1D, unified L2 and the write-combine buffer.
//!
//! Block: the first-level caches and the bus-side buffers of the modified P54C core and its private
//! second-level cache. Sources: `howard-jssc-2011` (sizes, ways), `partheymueller-2011`
//! (write-around, MPBT, CL1INVMB), `barrelfish-tn005` (write misses, WBINVD), `scc-linux-2011`.
//!
//! The lines hold real data: a load returns the value that this core would read, stale or not, and
//! no cache is coherent with another core's. Modelled: contents, tags, dirty and MB bits,
//! replacement, the order of victims and fills. Left out: ECC, sleep modes, the second pending read
//! that one paper mentions.
//!
//! Invariants:
//! * the caches never reach memory themselves; they return [`Step::Need`] with a bus request and
//!   continue in [`Caches::complete`];
//! * between a request and its completion nothing else changes, so the victim found when the
//!   request was made is the victim when the line arrives;
//! * everything changed since [`Caches::begin_window`] is undone exactly by [`Caches::rollback`].

mod array;
mod fast;
mod path;
mod policy;

pub use array::journal::{JournalAddresses, SavedLine, SavedSet};
pub use array::line::{COMPARED, DIRTY, MESSAGE_BUFFER, VALID};
pub use array::quick::{
    AJAR, ArrayAddresses, KNOWN_LINES, KnownLine, OpenLine, Page, QUICK_HINTS, QuickLines,
};
pub use fast::in_place::{Elements, InPlace, Load, Store};
pub use path::data_path::Room;
pub use path::hierarchy::{Caches, FetchedLine, PREFETCH_SLOT, Step, StoreEnd};
pub use path::inspect::CachedLine;
pub use path::l1::CodeLines;
pub use path::refused_store::Refusal;
pub use path::stats::CacheStats;
pub use path::write_combine;
pub use policy::config::{CacheConfig, ConfigError, Geometry};
pub use policy::replacement::Replacement;
pub use policy::set_state::SAVED;
pub use policy::{HostLookup, MemoryType, ReadMiss, StoreBeyond, StoreMiss, TypeRules};
