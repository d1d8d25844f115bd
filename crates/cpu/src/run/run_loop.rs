//! The loop of a core: blocks of instructions, boundaries, and instructions that do not finish.
//!
//! At an instruction boundary whose cycle is at or after `deadline`, the loop checks limit, timer,
//! pins and traps. An action that makes an interrupt possible sets `deadline` to zero, so that the
//! common path has only one comparison.

use crate::code_cache::interface::Translator;
use crate::core::bus::{Bus, NoBus};
use crate::core::parts::Core;
use crate::registers::debug::DR7_GENERAL_DETECT;
use crate::run::engine::{CodeCache, Engine};
use crate::run::exit::Exit;
use crate::state::core_state::Activity;
use crate::state::exception::{Done, Event, ShutdownCause, Stop, vector};
use crate::system::exceptions::combine;

impl Core {
    /// Executes until an instruction boundary at or after core cycle `limit`, or until a
    /// transaction or another event is needed ([`Exit`]). An instruction that has begun before the
    /// limit is finished, unless it waits. At a boundary the access log is empty, so that the state
    /// there does not depend on what stopped the core.
    pub fn run(&mut self, code: &mut CodeCache, limit: u64) -> Exit {
        self.run_with(code, limit, &mut NoBus)
    }

    /// Like [`Core::run`], but continues after a transaction that `bus` performs at once.
    pub fn run_with(&mut self, code: &mut CodeCache, limit: u64, bus: &mut dyn Bus) -> Exit {
        self.run_to_stop(code, limit, bus).unwrap_or_else(|| {
            Exit::Bus(*self.waiting_for().expect("the run has ended for a transaction"))
        })
    }

    /// Like [`Core::run_with`], but returns `None` if the run ends for the transaction of
    /// [`Core::waiting_for`].
    #[inline]
    pub fn run_to_stop(
        &mut self,
        code: &mut CodeCache,
        limit: u64,
        bus: &mut dyn Bus,
    ) -> Option<Exit> {
        self.refused = false;
        let exit = match self.resume(code, limit, bus) {
            true => None,
            false => self.run_until(code, limit, bus),
        };
        if !self.x87_is_clear {
            self.state.x87.forget_past(self.state.cycles);
            self.x87_is_clear = self.state.x87.is_clear();
        }
        debug_assert!(!self.x87_is_clear || self.state.x87.is_clear());
        exit
    }

    /// If an instruction of translated code waits, resumes it. Returns true if execution then
    /// reaches a transaction for which the run must end (the most frequent kind of run); false if
    /// the caller must go on.
    #[inline]
    fn resume(&mut self, code: &mut CodeCache, limit: u64, bus: &mut dyn Bus) -> bool {
        let Some(done) = Engine::resume(self, code, limit, bus) else { return false };
        self.after(done);
        let ends = self.refused && self.state.pending.is_some();
        if ends {
            self.await_bus();
        }
        ends
    }

    fn run_until(&mut self, code: &mut CodeCache, limit: u64, bus: &mut dyn Bus) -> Option<Exit> {
        if code.is_full() {
            code.clear();
        }
        if self.code_generation != code.decoded.generation() {
            self.code_generation = code.decoded.generation();
            self.caches.forget_code_versions();
            self.fetched.forget();
        }
        self.deadline = 0;
        self.x87_is_clear = false;
        loop {
            if self.state.pending.is_some() {
                if !self.ask(bus) {
                    return None;
                }
                // A check is due, as after a run that ends here, so that the code after the
                // instruction is fetched anew.
                self.deadline = 0;
            }
            if let Some(done) = Engine::resume(self, code, limit, bus) {
                self.after(done);
                continue;
            }
            let between = self.state.delivering.is_none() && self.state.task_load.is_none();
            let at_boundary = !self.state.in_progress && between && !self.state.flushing;
            if at_boundary
                && self.state.cycles >= self.deadline
                && let Some(exit) = self.boundary(limit)
            {
                self.log.clear();
                return Some(exit);
            }
            let done = if self.state.flushing {
                self.flush_caches()
            } else if self.state.task_load.is_some() {
                self.finish_task_switch()
            } else if self.state.delivering.is_some() {
                self.deliver()
            } else if self.observed || self.probed_here() {
                if at_boundary && !self.state.repeating && self.breaks_here() {
                    self.log.clear();
                    return Some(Exit::Break);
                }
                self.execute::<true>(code, bus)
            } else if at_boundary && self.may_delay() {
                self.pass_delay(&mut code.decoded)
            } else {
                self.execute::<false>(code, bus)
            };
            self.after(done);
        }
    }

    /// Handles the result `done` of an instruction; if it waits, faults or stopped between two
    /// iterations, prepares what follows.
    #[inline]
    fn after(&mut self, done: Done) {
        match done {
            Ok(()) => {}
            Err(Stop::Yield) => self.state.repeating = !self.state.frozen,
            Err(Stop::Wait) => {
                self.state.in_progress = true;
                self.forget_extra();
            }
            Err(Stop::Fault) => self.take_fault(),
        }
    }

    /// Executes at least one instruction of the block at EIP, and the whole block if nothing stops
    /// it.
    fn execute<const OBSERVED: bool>(&mut self, code: &mut CodeCache, bus: &mut dyn Bus) -> Done {
        let resumed = std::mem::take(&mut self.state.in_progress);
        if resumed {
            self.log.restart();
        } else {
            self.log.clear();
            self.caches.forget_prefetch();
        }
        let block = self.enter_block(&mut code.decoded)?;
        let block = if !OBSERVED && !resumed && Engine::enter(self, code, bus)? {
            if self.state.cycles >= self.deadline || self.probed_here() {
                return Ok(());
            }
            self.enter_block(&mut code.decoded)?
        } else {
            block
        };
        self.execute_ops::<OBSERVED>(&mut code.decoded, block)
    }

    /// Starts the delivery of an exception that the current instruction, or a delivery in progress,
    /// has raised; shuts the core down if the delivery of a double fault has raised it.
    #[cold]
    fn take_fault(&mut self) {
        let fault = self.state.fault;
        self.log.clear();
        self.walk_log.clear();
        let state = &mut self.state;
        state.pipeline.drain();
        state.walk_page = u32::MAX;
        state.in_progress = false;
        state.extra_cycles = 0;
        state.misaligned = 0;
        state.step_trap = false;
        state.trap_bits = 0;
        state.matched = 0;
        if fault.vector == vector::DEBUG {
            state.debug[7] &= !DR7_GENERAL_DETECT;
        }
        state.task_load = None;
        state.counters.exceptions += 1;
        state.delivering = match state.delivering {
            None => Some(Event { vector: fault.vector, error: fault.error, external: false }),
            Some(first) => combine(&first, fault),
        };
        if state.delivering.is_none() {
            state.activity = Activity::Shutdown;
            let cause = ShutdownCause::TripleFault { vector: fault.vector, eip: state.eip };
            self.shutdown = Some(cause);
            self.look_up();
        }
    }
}
