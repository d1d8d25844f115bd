//! The chip: all blocks of the die and the board wired together, in one order of events.
//!
//! This is the only crate that depends on all the others, and its [`Description`] alone contains
//! the size of the chip. The chip is hardware: it has registers, packets and clocks, and no
//! knowledge of an operating system.
//!
//! The folders of the crate; each may import only those above it:
//!
//! | folder | contents |
//! | --- | --- |
//! | [`description`] | the chip as data: reads TOML, returns checked integers |
//! | [`uncore`] | everything outside the cores: wiring, routes, units, a request's way |
//! | [`processor`] | what the chip needs of a core, and the i586 core under that interface |
//! | [`slot`] | one core under the scheduler: its phase, clock, window and responses |
//! | `workers` | host threads, their work queues, the length of a window |
//! | `fast_forward` | cores that poll: loops and periodic streams passed without executing them |
//! | [`scheduler`] | the one order of events, and what each step of a core does |
//! | `power` | the energy that units take; steps of voltages |
//! | [`host_access`] | what the host does to a chip: load, read, change, save |

pub mod description;
mod fast_forward;
pub mod host_access;
mod power;
pub mod processor;
pub mod scheduler;
pub mod slot;
pub mod uncore;
mod workers;

pub use description::{Description, DescriptionError};
pub use host_access::outstanding::Outstanding;
pub use host_access::snapshot::{Companion, SnapshotError};
pub use processor::{Processor, Stop};
pub use rockcreek_check::{
    Allocator, BlockFinding, BlockKind, Contents, Edge, EdgeKind, Finding, Kind, Level, NamedBlock,
    ProgramRace, RaceSite, Site,
};
pub use rockcreek_mesh::Direction;
pub use scheduler::block_check::LiveBlock;
pub use scheduler::chip::{Chip, Restart, Stopped};
pub use slot::{Phase, Slot};
pub use uncore::faults::{CacheName, Fault, FaultRecord, LinkHealth};
pub use uncore::{Uncore, service, wiring};
