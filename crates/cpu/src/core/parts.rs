//! One core: its parts wired together, and the functions that the chip calls.
//!
//! The core runs ahead privately until it needs a transaction. `run` then returns [`Exit::Bus`],
//! the chip performs the transaction in the chip-wide order and calls [`Core::complete`].

use std::sync::Arc;

use rockcreek_cache::Caches;
use rockcreek_defs::{CoreId, Pins};

use crate::state::access_log::AccessLog;
use crate::state::checkpoint_data::Saved;
use crate::state::config::CpuConfig;
use crate::state::core_state::State;
use crate::state::counters::{Stall, Unequal};
use crate::state::delay_detector::Delays;
use crate::state::exception::ShutdownCause;
use crate::state::fetched_lines::Fetched;
use crate::state::observers::accesses::Accesses;
use crate::state::observers::breakpoints::Breaks;
use crate::state::observers::commit_log::CommitLog;
use crate::state::observers::cycle_charges::Charges;
use crate::state::observers::probes::Probes;
use crate::state::observers::transfers::Transfers;
use crate::state::tlbs::Tlbs;
use crate::translator_frame::Frame;
use crate::translator_frame::interface::TranslatorFrame;
use crate::units::branch_target_buffer::BranchTargets;

/// The number of accesses for which the log has room at first: enough for the longest common
/// instructions. A longer instruction makes the log grow.
const LOG_CAPACITY: usize = 128;

/// One i586 core with its caches, TLBs, local APIC and x87. The fields that each transaction uses
/// come first, in `state` and in `host`.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Core {
    /// The core cycle at which the loop next checks for interrupts and limits; 0: at the next
    /// instruction boundary.
    pub(crate) deadline: u64,
    /// Until this core cycle, the loop needs to check nothing but the limit of a run. `look_up`,
    /// called by each action that may make a check necessary, sets the field to 0.
    pub(crate) quiet_until: u64,
    pub(crate) log: AccessLog,
    pub(crate) probes: Option<Box<Probes>>,
    /// True if the bus did not perform the pending transaction at once, so that the core's run must
    /// end.
    pub(crate) refused: bool,
    /// The counter to which the core's last wait for a bus response was added.
    pub(crate) stalled: Stall,
    /// True if no x87 instruction has to wait for an earlier one: all times in `State::x87` have
    /// passed.
    pub(crate) x87_is_clear: bool,
    /// The bank (bits 4 to 2 of the address) that the pair's first instruction, in pipe U,
    /// accessed. By it the second instruction finds a bank conflict.
    pub(crate) bank: u8,
    /// True if an observer looks at every instruction: a commit log, a profile of cycles, a count
    /// of code reads or a debugger. Probes do not set it; they are checked only in the lines that
    /// contain one.
    pub(crate) observed: bool,
    pub(crate) id: CoreId,
    pub(crate) state: State,
    /// The data that the core shares with its translated (host) code.
    pub(crate) host: Frame,
    pub(crate) config: Arc<CpuConfig>,
    pub(crate) caches: Caches,
    pub(crate) tlbs: Tlbs,
    pub(crate) branches: BranchTargets,
    pub(crate) fetched: Fetched,
    /// L1I's count of lines dropped by stores, as last seen. If the count has changed, the code
    /// that is being executed may have changed.
    pub(crate) code_invalidations: u64,
    /// The generation of the code cache that made the version ids in L1I.
    pub(crate) code_generation: u64,
    pub(crate) walk_log: AccessLog,
    pub(crate) saved: Box<Saved>,
    pub(crate) commits: Option<CommitLog>,
    pub(crate) charges: Option<Box<Charges>>,
    pub(crate) accesses: Option<Box<Accesses>>,
    pub(crate) breaks: Option<Box<Breaks>>,
    pub(crate) transfers: Option<Box<Transfers>>,
    pub(crate) shutdown: Option<ShutdownCause>,
    pub(crate) delays: Delays,
    pub(crate) unequal: Unequal,
}

impl Core {
    /// Makes core `id` in the state after reset, with empty caches and TLBs.
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
            branches: BranchTargets::default(),
            fetched: Fetched::new(l1i_sets),
            code_invalidations: 0,
            code_generation: 0,
            caches: Caches::new(&config.cache),
            saved,
            tlbs,
            commits: None,
            charges: None,
            probes: None,
            accesses: None,
            breaks: None,
            transfers: None,
            observed: false,
            shutdown: None,
            delays: Delays::default(),
            unequal: Unequal::default(),
            host: Frame::default(),
            config,
        };
        core.reset();
        core
    }

    /// Performs the RESET pin's effect: resets registers, local APIC, L1, write-combine buffer,
    /// TLBs and branch target buffer; L2 has its own reset. The cycle counter restarts at 0;
    /// `Counters` and observers continue.
    pub fn reset(&mut self) {
        self.forget_resumption();
        self.charge_all();
        let counters = self.state.counters;
        let pins = self.state.pins;
        self.state = State::at_reset(self.id.0 as u8, self.signature());
        self.state.counters = counters;
        self.state.pins = Pins { reset: false, ..pins };
        self.log.clear();
        self.walk_log.clear();
        self.tlbs.flush();
        self.branches = BranchTargets::default();
        self.caches.reset_l1();
        self.fetched.forget();
        self.code_invalidations = self.caches.stats().l1i_snoop_invalidations;
        self.shutdown = None;
        self.charge_from_reset();
        self.note_observers();
        self.look_up();
    }

    /// Lets the interpreter, instead of translated code, resume the instruction that waits. Flushes
    /// the host frame first ([`Core::flush_frame`]).
    pub(crate) fn forget_resumption(&mut self) {
        self.flush_frame();
        self.host.forget_resumption();
    }

    /// Adds the counts that translated code keeps in the host frame to the state's, and copies the
    /// flags there. Call before the counters or flags are read, and before the interpreter
    /// continues; `flushed_state` returns the result without changing the core.
    #[inline]
    pub(crate) fn flush_frame(&mut self) {
        self.host.flush(&mut self.state);
    }

    /// A copy of the state that includes the values which translated code keeps in the host frame.
    /// The core does not change.
    pub(crate) fn flushed_state(&self) -> State {
        self.host.flushed(self.state.clone())
    }

    pub(crate) fn note_observers(&mut self) {
        self.observed = self.commits.is_some()
            || self.charges.is_some()
            || self.breaks.is_some()
            || self.state.msr.performance.counts_code_reads();
        self.state.set_watched(self.breaks.as_ref().is_some_and(|breaks| breaks.watches.any()));
        self.look_up();
    }
}
