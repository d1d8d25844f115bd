//! The core of the SCC: a P54C (i586) with the message-passing extensions.
//!
//! Manuals: `intel-pentium-manual` volume 3 (architecture), `partheymueller-2011` and
//! `barrelfish-tn005` (what the SCC added). Modelled: the integer and x87 instruction sets in
//! 16- and 32-bit code, segmentation, rings, paging with the SCC's memory types, exceptions,
//! the local APIC and its timer, caches that hold their own data (crate `rockcreek-cache`), the
//! timing of the two pipes, the x87 and the branch target buffer. Left out: SMM.
//!
//! Invariants:
//! * an instruction changes registers only after its last memory access has been done;
//! * an instruction that waits is executed again from its start with a log of its completed
//!   accesses, so nothing is done, charged or counted twice;
//! * everything that a core can be asked later is in [`CoreSnapshot`]; the code cache, the
//!   filter in front of L1I and the checkpoint only make it faster or can be made again;
//! * the core sees its bus, never the mesh.

mod access;
mod access_log;
mod affine;
mod answer;
mod apic;
mod boundary;
mod branch_target;
mod breakpoint;
mod bus;
mod code_cache;
mod commit;
mod config;
mod core;
mod counters;
mod debug;
mod decode;
mod delay;
mod descriptor;
mod event;
mod exception;
mod far;
mod fetch;
mod fetch_ahead;
mod flags;
mod interrupt;
mod isa;
mod msr;
mod op;
mod paging;
mod pairing;
mod pipeline;
mod probe;
mod profile;
mod recurrence;
pub mod registers;
mod retire;
mod rounds;
mod run;
pub mod segment;
mod shape;
mod state;
mod stops;
mod task;
pub mod timing;
mod tlb;
#[cfg(target_arch = "x86_64")]
mod translator;
mod virtual_8086;
mod watch;
mod window;
mod x87_timing;

pub use apic::Apic;
pub use bus::{Bus, NoBus};
pub use code_cache::CodeCache;
pub use commit::CommitRecord;
pub use config::CpuConfig;
pub use core::{Core, CoreSnapshot, Exit, Tlbs};
pub use counters::Counters;
pub use debug::{HeldPage, MappedPage, ReadMemory};
pub use exception::{ShutdownCause, vector};
pub use probe::{CALL_WORDS, Call, ProbeKind};
pub use profile::{Executions, Profile, ProfileReport};
pub use recurrence::Round;
pub use registers::{Registers, TableRegister, cr0, cr4, gpr, sreg};
pub use segment::Segment;
pub use state::{Activity, State};
pub use tlb::MOST_WAYS as MOST_TLB_WAYS;
pub use watch::{WatchHit, WatchKind, Watchpoint};
