//! The core of the SCC: a P54C (i586) with the message-passing extensions.
//!
//! Manuals: `intel-pentium-manual` volume 3 (architecture), `partheymueller-2011` and
//! `barrelfish-tn005` (what the SCC added). Modelled: the integer and x87 instruction sets in 16-
//! and 32-bit code, segmentation, rings, paging with the SCC's memory types, exceptions, the local
//! APIC and its timer, caches that hold their own data (crate `rockcreek-cache`), the timing of the
//! two pipes, the x87 and the branch target buffer. Left out: SMM.
//!
//! Invariants:
//! * an instruction changes registers only after its last memory access has been done;
//! * an instruction that waits is executed again from its start with a log of its completed
//!   accesses, so nothing is done, charged or counted twice;
//! * all state that can matter later is in [`CoreSnapshot`]; the code cache, the filter in front of
//!   L1I and the checkpoint only save the host's time or can be rebuilt;
//! * the core sees its bus, never the mesh.

// Without a translator for the host, some functions of other modules have no caller.
#![cfg_attr(not(translator), allow(dead_code))]

mod code_cache;
mod core;
mod execute;
mod fast_forward;
mod frontend;
mod instruction;
mod memory;
mod observe;
mod registers;
mod run;
mod run_ahead;
mod state;
mod system;
pub mod timing;
#[cfg(translator)]
mod translator;
mod translator_frame;
mod units;

pub use crate::code_cache::interface::is_host_code_denied;
pub use crate::core::bus::{Accepted, Bus, NoBus};
pub use crate::core::parts::Core;
pub use crate::core::snapshot::CoreSnapshot;
pub use crate::fast_forward::poll_loop::Round;
pub use crate::observe::debug_memory::{HeldPage, MappedPage, ReadMemory};
pub use crate::observe::host_profile::{Executions, Profile, ProfileReport};
pub use crate::registers::register_file::{Registers, TableRegister, cr0, cr4, gpr, sreg};
pub use crate::registers::segment::{self, Segment};
pub use crate::run::engine::CodeCache;
pub use crate::run::exit::Exit;
pub use crate::state::config::CpuConfig;
pub use crate::state::core_state::{Activity, State};
pub use crate::state::counters::{Counters, Unequal};
pub use crate::state::exception::{ShutdownCause, vector};
pub use crate::state::observers::commit_log::CommitRecord;
pub use crate::state::observers::cycle_charges::{Charge, Spent};
pub use crate::state::observers::probes::{CALL_WORDS, Call, ProbeKind, ProbeNote};
pub use crate::state::observers::snapshots::Snapshot;
pub use crate::state::observers::transfers::{Taken, Transfer, TransferKind};
pub use crate::state::observers::watchpoints::{WatchHit, WatchKind, Watchpoint};
pub use crate::state::tlbs::Tlbs;
pub use crate::units::local_apic::Apic;
pub use crate::units::tlb::MOST_WAYS as MOST_TLB_WAYS;
