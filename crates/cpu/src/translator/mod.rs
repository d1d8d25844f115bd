//! The translator: hot guest code as host code.
//!
//! A *region* is up to a few dozen blocks of one page that branch to each other, translated
//! together, without blocks of other regions. Each of its blocks is an entry. Execution leaves a
//! region for another region, or for the interpreter when a condition does not hold: a line of its
//! code is no longer what L1I or L2 would give, a deadline is near, an instruction faults or waits,
//! or execution leaves the page. The interpreter then continues at the instruction reached. For
//! instructions that translated code does not do itself (system instructions, rarer x87 ones,
//! uncached accesses), translated code calls the interpreter, one instruction at a time. All but
//! the most frequent instructions thus have one definition; for the frequent ones, tests compare
//! both definitions. Translated code itself sends stores that no cache takes
//! (`x64/memory/transactions.rs`). An instruction whose transaction ends the run resumes in its
//! code when the response has come (`resume.rs`).
//!
//! Exact by construction: L1I and ITLB are looked up in program order (each line is compared with
//! the line that `Fetched` has). A load or store is done in place only where a lookup of TLB and
//! L1D would change nothing (`quick.rs` of the cache), or after the caches have changed as they
//! must (`in_place.rs` there, `fast_access.rs` here). A block is translated for the state of the
//! x87 before it (`x87_state.rs`) and for what matters to it of that of the pipes
//! (`Carried::simplified`); its clocks are added at its end, and it begins
//! only if it ends before the next deadline.

pub(crate) mod access;
pub(crate) mod frame;
pub(crate) mod interpreter_step;
pub(crate) mod regions;

mod run;
mod x64;

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use crate::code_cache::interface::Translator;
use crate::core::bus::Bus;
use crate::core::parts::Core;
use crate::observe::host_profile::Profile;
use crate::state::exception::{Done, Stop};
use crate::state::fetched_lines::VersionId;
use crate::translator::regions::indirect_targets::Targets;
use crate::translator::regions::pipeline_state::Carries;
use x64::{CodeMemory, Compiled, Stubs};

/// The number of counters of interpreted executions. A block's address selects its counter.
const HEAT: usize = 1 << 14;
/// From this many bytes of host code on, all code is dropped, to be translated anew.
const MAX_CODE_BYTES: usize = 128 << 20;

/// The next value of `Translations::number`; each set of translations takes one.
static NUMBERS: AtomicU64 = AtomicU64::new(1);

/// A place at which execution can enter translated code: a guest address, the bytes there (a
/// version), the ring, and the state of pipes and x87.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// Linear address of the instruction; the code segment's base is zero.
    pub eip: u32,
    pub user: bool,
    pub version: VersionId,
    /// The state of pipes and x87 before the place, as its number in `Carries`.
    pub carried: u32,
}

/// The code cache (decoded and translated code) that the cores on one host thread share.
pub(crate) type CodeCache = crate::code_cache::cache::CodeCache<Translations>;

/// All translated code that the cores on one host thread share.
pub struct Translations {
    /// A number that identifies this set of translations; unique in the process.
    number: u64,
    memory: CodeMemory,
    tally: Option<x64::Tally>,
    /// The code that all regions share; emitted before the first translation.
    stubs: Option<Stubs>,
    hot: u8,
    /// For each place at which code was executed often: whether it was translated, and where the
    /// host code is. A place that is not in the map can still be translated.
    places: FxHashMap<Place, Known>,
    compiled: Vec<Compiled>,
    targets: Targets,
    carries: Carries,
    heat: Box<[u8]>,
    /// For each counter in `heat`, the state of pipes and x87 (its number in `Carries`) with which
    /// code at one of its addresses was last looked up.
    carried_last: Box<[u32]>,
    code_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
enum Known {
    /// Translated; the value is the address of the host code.
    Translated(u64),
    /// Not translated, and not tried again: the place has no instruction that a block could begin
    /// with, translated code may not look lines up, or there was no memory for host code.
    Refused,
}

impl std::fmt::Debug for Translations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let regions = self.compiled.len();
        write!(f, "Translations {{ regions: {regions}, code_bytes: {} }}", self.code_bytes)
    }
}

impl Translations {
    #[inline]
    fn stubs(&self) -> &Stubs {
        self.stubs.as_ref().expect("code was translated")
    }
}

impl Translator for Translations {
    fn new(hot: u8, profile: Option<&mut Profile>) -> Option<Translations> {
        Some(Translations {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            memory: CodeMemory::default(),
            tally: profile.map(x64::Tally::of),
            stubs: None,
            hot,
            places: FxHashMap::default(),
            compiled: Vec::new(),
            targets: Targets::default(),
            carries: Carries::default(),
            heat: vec![0; HEAT].into_boxed_slice(),
            carried_last: vec![0; HEAT].into_boxed_slice(),
            code_bytes: 0,
        })
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.code_bytes >= MAX_CODE_BYTES
    }

    #[inline]
    fn enter(core: &mut Core, code: &mut CodeCache, bus: &mut dyn Bus) -> Result<bool, Stop> {
        core.run_translated(code, bus)
    }

    #[inline]
    fn resume(
        core: &mut Core,
        code: &mut CodeCache,
        limit: u64,
        bus: &mut dyn Bus,
    ) -> Option<Done> {
        core.resume_translated(code, limit, bus)
    }
}
