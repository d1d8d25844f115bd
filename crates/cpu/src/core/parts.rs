//! One core: the parts wired together, and what the chip calls.
//!
//! The core runs ahead privately until it needs a transaction; `run` then returns
//! [`Exit::Bus`], the chip performs it in the chip-wide order and calls [`Core::complete`].

use std::sync::Arc;

use rockcreek_cache::Caches;
use rockcreek_defs::{BusRequest, CoreId, OutputPins, Pins};
use rockcreek_x87::Fpu;
use serde::{Deserialize, Serialize};

use crate::fast_forward::delay_loop::Delays;
use crate::frontend::decoded_code::Fetched;
use crate::observe::commit_record::CommitLog;
use crate::observe::debugger_breakpoints::Breaks;
use crate::observe::probes::Probes;
use crate::registers::flags;
use crate::registers::register_file::{Registers, cr0};
use crate::run_ahead::checkpoint::Saved;
use crate::state::access_log::AccessLog;
use crate::state::config::CpuConfig;
use crate::state::core_state::{Activity, State};
use crate::state::counters::{Counters, Stall};
use crate::state::exception::ShutdownCause;
use crate::units::branch_target_buffer::{BranchTargets, Table};
use crate::units::tlb::Tlb;

/// Accesses of the longest common instructions; more make the log grow once.
const LOG_CAPACITY: usize = 128;

/// Why [`Core::run`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// An instruction boundary at or after the limit.
    Limit,
    /// The core waits for this transaction, injected at `cycles()`.
    Bus(BusRequest),
    /// HLT, or STPCLK# or R/S# asserted, and nothing wakes it now.
    Halted,
    /// Stopped until RESET.
    Shutdown(ShutdownCause),
    /// A debugger wants a stop before the next instruction.
    Break,
}

/// The translation look-aside buffers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tlbs {
    /// Data, 4 KB pages.
    pub(crate) data: Tlb,
    /// Data, 4 MB pages.
    pub(crate) data_large: Tlb,
    pub(crate) code: Tlb,
}

impl Tlbs {
    pub(crate) fn new(config: &CpuConfig) -> Tlbs {
        let large_ways = config.dtlb_ways.min(config.dtlb_large_entries);
        Tlbs {
            data: Tlb::new(config.dtlb_entries, config.dtlb_ways),
            data_large: Tlb::new(config.dtlb_large_entries, large_ways),
            code: Tlb::new(config.itlb_entries, config.itlb_ways),
        }
    }

    pub(crate) fn flush(&mut self) {
        self.data.flush();
        self.data_large.flush();
        self.code.flush();
    }

    /// Whether anything changed since the last call.
    pub(crate) fn take_changed(&mut self) -> bool {
        // All three must be asked: each forgets its own mark.
        let data = self.data.take_changed();
        let large = self.data_large.take_changed();
        let code = self.code.take_changed();
        data || large || code
    }

    pub(crate) fn holds_the_same(&self, other: &Tlbs) -> bool {
        self.data.holds_the_same(&other.data)
            && self.data_large.holds_the_same(&other.data_large)
            && self.code.holds_the_same(&other.code)
    }

    pub(crate) fn copy_from(&mut self, other: &Tlbs) {
        self.data.copy_from(&other.data);
        self.data_large.copy_from(&other.data_large);
        self.code.copy_from(&other.code);
    }
}

/// One i586 core with its caches, TLBs, local APIC and x87. What each transaction looks at comes
/// first in it, in `state` and in `host`.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Core {
    /// Cycle at which the loop next looks up from executing; 0 asks for it at once.
    pub(crate) deadline: u64,
    /// Up to this cycle nothing but the limit of a run asks for attention, as far as is known:
    /// whatever may change that sets it to 0 (`look_up`).
    pub(crate) quiet_until: u64,
    pub(crate) log: AccessLog,
    pub(crate) probes: Option<Box<Probes>>,
    /// The run must end for the transaction that is waited for.
    pub(crate) refused: bool,
    /// What the last answer was waited for.
    pub(crate) stalled: Stall,
    /// Nothing has been noted in `State::x87` since all of that was "long ago".
    pub(crate) x87_is_clear: bool,
    /// Within a block, bits 4 to 2 of the address that the instruction in U accessed.
    pub(crate) bank: u8,
    /// Each instruction is looked at: commit log, counting of code reads, a debugger. Probes have
    /// it only in their own lines.
    pub(crate) observed: bool,
    pub(crate) id: CoreId,
    pub(crate) state: State,
    /// What translated code uses.
    #[cfg(target_arch = "x86_64")]
    pub(crate) host: crate::translator::HostFrame,
    pub(crate) config: Arc<CpuConfig>,
    pub(crate) caches: Caches,
    pub(crate) tlbs: Tlbs,
    pub(crate) branches: BranchTargets,
    pub(crate) fetched: Fetched,
    /// L1I lines that stores had snooped out when the current block was entered.
    pub(crate) code_invalidations: u64,
    /// Generation of the code cache that the version ids in L1I belong to.
    pub(crate) code_generation: u64,
    pub(crate) walk_log: AccessLog,
    pub(crate) saved: Box<Saved>,
    pub(crate) commits: Option<CommitLog>,
    pub(crate) breaks: Option<Box<Breaks>>,
    pub(crate) shutdown: Option<ShutdownCause>,
    pub(crate) delays: Delays,
}

/// What is saved and hashed of a core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoreSnapshot {
    state: State,
    log: AccessLog,
    walk_log: AccessLog,
    tlbs: Tlbs,
    branches: Table,
    caches: Caches,
    shutdown: Option<ShutdownCause>,
}

impl Core {
    /// A core that has just been reset, with cold caches.
    pub fn new(id: CoreId, config: &CpuConfig) -> Core {
        let config = Arc::new(config.clone());
        let tlbs = Tlbs::new(&config);
        let state = State::at_reset(id.0 as u8, 0);
        let l1i_sets = config.cache.l1i.sets();
        let saved = Box::new(Saved::of(&state, &tlbs));
        let mut core = Core {
            id,
            state,
            deadline: 0,
            quiet_until: 0,
            refused: false,
            stalled: Stall::Other,
            x87_is_clear: false,
            bank: 0,
            log: AccessLog::with_capacity(LOG_CAPACITY),
            walk_log: AccessLog::with_capacity(LOG_CAPACITY),
            branches: BranchTargets::for_core(id),
            fetched: Fetched::new(l1i_sets),
            code_invalidations: 0,
            code_generation: 0,
            caches: Caches::new(&config.cache),
            saved,
            tlbs,
            commits: None,
            probes: None,
            breaks: None,
            observed: false,
            shutdown: None,
            delays: Delays::default(),
            #[cfg(target_arch = "x86_64")]
            host: crate::translator::HostFrame::default(),
            config,
        };
        core.reset();
        core
    }

    /// The RESET pin: registers, L1, write-combine buffer and TLBs; the L2 has its own reset.
    /// The cycle counter starts again at zero; counters of observers run on.
    pub fn reset(&mut self) {
        self.forget_resumption();
        let counters = self.state.counters;
        let pins = self.state.pins;
        self.state = State::at_reset(self.id.0 as u8, self.signature());
        self.state.counters = counters;
        self.state.pins = Pins { reset: false, ..pins };
        self.log.clear();
        self.walk_log.clear();
        self.tlbs.flush();
        self.branches.replace(BranchTargets::default());
        self.caches.reset_l1();
        self.fetched.forget();
        self.code_invalidations = self.caches.stats().l1i_snoop_invalidations;
        self.shutdown = None;
        self.note_observers();
        self.look_up();
    }

    /// An instruction that waits goes on by the interpreter.
    pub(crate) fn forget_resumption(&mut self) {
        self.settle();
        #[cfg(target_arch = "x86_64")]
        {
            self.host.resume = 0;
            self.host.raw_flags = 0;
        }
    }

    /// Puts into the state what translated code has left in its frame, to go on with: whoever looks
    /// at the counts or the flags, or lets the interpreter go on, does this first, or looks at
    /// `settled_state`.
    #[inline]
    pub(crate) fn settle(&mut self) {
        #[cfg(target_arch = "x86_64")]
        self.host.settle(&mut self.state);
    }

    /// The state as it would be then.
    pub(crate) fn settled_state(&self) -> State {
        let state = self.state.clone();
        #[cfg(target_arch = "x86_64")]
        let state = self.host.settled(state);
        state
    }

    pub fn id(&self) -> CoreId {
        self.id
    }

    /// This core's cycle count since its reset.
    #[inline]
    pub fn cycles(&self) -> u64 {
        self.state.cycles
    }

    /// Time passes while the core is halted or held; does nothing when it is already there.
    pub fn advance_to(&mut self, cycle: u64) {
        let passed = cycle.saturating_sub(self.state.cycles);
        self.state.cycles += passed;
        self.state.counters.halted_cycles += passed;
    }

    /// The transaction that the core waits for, if any.
    pub fn waiting_for(&self) -> Option<&BusRequest> {
        self.state.pending.as_ref().map(|pending| &pending.request)
    }

    /// New levels of the pins; recognised at the next instruction boundary. RESET itself is the
    /// chip's call of `reset`.
    pub fn set_pins(&mut self, pins: Pins) {
        let was = self.state.pins;
        self.state.pins = pins;
        let apic = &mut self.state.apic;
        let nmi0 = apic.pin(0, was.lint0, pins.lint0);
        let nmi1 = apic.pin(1, was.lint1, pins.lint1);
        self.state.nmi_pending |= nmi0 || nmi1;
        self.state.init_pending |= pins.init && !was.init;
        self.state.flush_pending |= pins.flush && !was.flush;
        if was.a20m != pins.a20m {
            self.tlbs.flush();
            self.fetched.forget();
        }
        if self.state.frozen && pins.ignne {
            self.state.frozen = false;
            self.state.activity = Activity::Running;
        }
        self.look_up();
    }

    /// The FERR# pin: an unmasked x87 exception waits, and CR0.NE = 0 leaves it to the system.
    pub fn ferr(&self) -> bool {
        self.state.cr0 & cr0::NE == 0 && self.state.fpu.pending()
    }

    /// The levels of the output pins.
    pub fn output_pins(&self) -> OutputPins {
        OutputPins {
            halt: self.state.activity == Activity::Halted && !self.state.frozen,
            shutdown: self.shutdown.is_some(),
            probe_ready: self.state.pins.stop,
            ferr: self.ferr(),
        }
    }

    /// The cycle at which the local APIC timer would interrupt, if it is armed. A core that has
    /// halted with interrupts off is past being woken by it.
    pub fn next_timer_cycle(&self) -> Option<u64> {
        let deaf =
            self.state.activity == Activity::Halted && self.state.system_flags & flags::IF == 0;
        if deaf { None } else { self.state.apic.next_timer_cycle() }
    }

    /// Why the core has shut down, if it has.
    pub fn shutdown_cause(&self) -> Option<ShutdownCause> {
        self.shutdown
    }

    /// Whether the core executes, is halted or has shut down.
    pub fn activity(&self) -> Activity {
        self.state.activity
    }

    pub fn registers(&self) -> Registers {
        self.settled_state().registers()
    }

    /// Sets the registers, as a boot loader or a debugger does.
    pub fn set_registers(&mut self, registers: &Registers) {
        self.forget_resumption();
        self.state.set_registers(registers);
        self.tlbs.flush();
        self.fetched.forget();
        self.look_up();
    }

    /// The floating-point unit.
    pub fn fpu(&self) -> &Fpu {
        &self.state.fpu
    }

    /// Sets the floating-point unit, as a debugger does.
    pub fn set_fpu(&mut self, fpu: &Fpu) {
        self.forget_resumption();
        self.state.fpu = *fpu;
    }

    /// Current privilege level.
    pub fn privilege_level(&self) -> u8 {
        self.state.cpl
    }

    pub fn counters(&self) -> Counters {
        self.settled_state().counters
    }

    pub fn caches(&self) -> &Caches {
        &self.caches
    }

    /// For the tile's reset and L2CFG lines.
    pub fn caches_mut(&mut self) -> &mut Caches {
        self.forget_resumption();
        &mut self.caches
    }

    /// Everything that a saved chip must hold of this core.
    pub fn snapshot(&self) -> CoreSnapshot {
        let mut state = self.settled_state();
        state.set_watched(false);
        CoreSnapshot {
            state,
            log: self.log.clone(),
            walk_log: self.walk_log.clone(),
            tlbs: self.tlbs.clone(),
            branches: self.branches.table().clone(),
            caches: self.caches.clone(),
            shutdown: self.shutdown,
        }
    }

    /// Continues from a snapshot of a core of the same configuration.
    pub fn restore(&mut self, snapshot: &CoreSnapshot) {
        self.state = snapshot.state.clone();
        self.log = snapshot.log.clone();
        self.walk_log = snapshot.walk_log.clone();
        self.tlbs = snapshot.tlbs.clone();
        self.branches.replace(BranchTargets::of(&snapshot.branches));
        self.caches = snapshot.caches.clone();
        self.shutdown = snapshot.shutdown;
        self.x87_is_clear = false;
        self.fetched.forget();
        #[cfg(target_arch = "x86_64")]
        {
            self.host = crate::translator::HostFrame::default();
        }
        self.code_invalidations = self.caches.stats().l1i_snoop_invalidations;
        *self.saved = Saved::of(&self.state, &self.tlbs);
        self.look_up();
        self.note_observers();
        self.begin_window();
    }

    pub(crate) fn note_observers(&mut self) {
        self.observed = self.commits.is_some()
            || self.breaks.is_some()
            || self.state.msr.performance.counts_code_reads();
        self.state.set_watched(self.breaks.as_ref().is_some_and(|breaks| breaks.watches.any()));
        self.look_up();
    }
}
