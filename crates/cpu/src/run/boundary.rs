//! Instruction boundaries: the checks of a core between two instructions.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 14. Modelled, in this order:
//! shutdown; HLT, STPCLK# and R/S#; the limit of the run; FLUSH#; INIT, traps, NMI, INTR. A check
//! also computes the cycle of the next event; until then (`deadline`) the loop in `run` need not
//! check again.

use crate::core::parts::Core;
use crate::registers::debug::armed;
use crate::registers::flags;
use crate::registers::register_file::cr0;
use crate::run::exit::Exit;
use crate::state::core_state::{Activity, State};
use crate::state::exception::{Done, Event, vector};
use crate::state::transaction::Target;

/// Bit of DR6: set if the debug exception came from single-stepping (TF).
const DR6_SINGLE_STEP: u32 = 1 << 14;

impl Core {
    /// Handles an instruction boundary at which a check is due. Returns why the run ends; `None` if
    /// the core goes on. `limit`: the core cycle at which the run ends at the latest.
    pub(crate) fn boundary(&mut self, limit: u64) -> Option<Exit> {
        if let Some(cause) = self.shutdown {
            return Some(Exit::Shutdown(cause));
        }
        self.state.apic.advance(self.state.cycles);
        if self.state.stack_loaded {
            self.state.step_trap = false;
        }
        let event = self.due_event();
        let idle = self.state.activity == Activity::Halted && event.is_none();
        if idle && !self.state.flush_pending || self.state.pins.stpclk || self.state.pins.stop {
            return Some(Exit::Halted);
        }
        if self.state.cycles >= limit {
            return Some(Exit::Limit);
        }
        if std::mem::take(&mut self.state.flush_pending) {
            self.state.flushing = true;
            return None;
        }
        let shadow = std::mem::take(&mut self.state.shadow);
        let stack_loaded = std::mem::take(&mut self.state.stack_loaded);
        let repeating = std::mem::take(&mut self.state.repeating);
        self.end_instruction(repeating);
        if let Some(due) = event {
            if repeating {
                // RF keeps the instruction's breakpoint from matching again when the instruction
                // resumes.
                self.state.system_flags |= flags::RF;
            }
            self.accept(due);
        } else if self.state.armed & armed::CODE != 0 && !repeating && !stack_loaded {
            self.meet_code_breakpoint();
        }
        let stepping = self.state.system_flags & flags::TF != 0;
        self.state.step_trap = stepping && event.is_none();
        let timer = self.next_timer_cycle().unwrap_or(u64::MAX);
        let resuming = self.state.system_flags & flags::RF != 0;
        let each = stepping || shadow || resuming || self.state.armed != 0;
        self.quiet_until = if each { 0 } else { timer };
        self.deadline = limit.min(self.quiet_until);
        None
    }

    /// Makes the core check for events at the next instruction boundary.
    pub(crate) fn look_up(&mut self) {
        (self.deadline, self.quiet_until) = (0, 0);
    }

    /// Call when an instruction that waited continues. Returns the core cycle up to which execution
    /// may go on without a check; `None` if a check is due after the instruction.
    #[inline]
    pub(crate) fn deadline_within(&mut self, limit: u64) -> Option<u64> {
        if self.state.cycles >= limit.min(self.quiet_until) {
            self.quiet_until = self.quiet_from_here();
        }
        let deadline = limit.min(self.quiet_until);
        (self.state.cycles < deadline).then_some(deadline)
    }

    #[inline(never)]
    fn quiet_from_here(&self) -> u64 {
        let state = &self.state;
        let pins = state.pins.stpclk || state.pins.stop || state.flush_pending || state.flushing;
        let half_done = state.delivering.is_some() || state.task_load.is_some() || state.repeating;
        let each = state.system_flags & (flags::TF | flags::RF) != 0
            || state.shadow
            || state.stack_loaded
            || state.armed != 0
            || state.matched != 0;
        let running = state.activity == Activity::Running && self.shutdown.is_none();
        let quiet = running && !(pins || half_done || each || self.observed);
        if quiet && self.due_event().is_none() {
            self.next_timer_cycle().unwrap_or(u64::MAX)
        } else {
            0
        }
    }

    /// Performs FLUSH#, like WBINVD, between two instructions or while the core waits. Called again
    /// after each write-back until L1D is clean; both L1 caches are then empty.
    pub(crate) fn flush_caches(&mut self) -> Done {
        let step = self.caches.wbinvd();
        self.finish(step, Target::Walk)?;
        self.fetched.forget();
        self.state.flushing = false;
        self.state.in_progress = false;
        self.log.clear();
        self.look_up();
        Ok(())
    }

    /// The most urgent event that interrupts the program at this boundary; `None` if there is none.
    fn due_event(&self) -> Option<Due> {
        let state = &self.state;
        if state.init_pending {
            Some(Due::Init)
        } else if state.step_trap || state.trap_bits != 0 && !state.stack_loaded {
            Some(Due::Trap)
        } else if state.shadow {
            None
        } else if state.nmi_pending && !state.nmi_blocked {
            Some(Due::NonMaskable)
        } else if state.system_flags & flags::IF != 0 {
            state.apic.deliverable().map(Due::Maskable)
        } else {
            None
        }
    }

    fn accept(&mut self, due: Due) {
        self.await_bus();
        let state = &mut self.state;
        state.activity = Activity::Running;
        state.frozen = false;
        let stepped = std::mem::take(&mut state.step_trap);
        let (number, external) = match due {
            Due::Init => {
                state.init_pending = false;
                self.initialise();
                return;
            }
            Due::Trap => {
                state.counters.exceptions += 1;
                let step = if stepped { DR6_SINGLE_STEP } else { 0 };
                let bits = std::mem::take(&mut state.trap_bits) | step;
                self.begin_debug(bits);
                return;
            }
            Due::NonMaskable => {
                state.nmi_pending = false;
                state.nmi_blocked = true;
                state.counters.interrupts += 1;
                (vector::NMI, true)
            }
            Due::Maskable(number) => {
                state.apic.acknowledge(number);
                state.counters.interrupts += 1;
                self.note_interrupt();
                (number, true)
            }
        };
        self.state.delivering = Some(Event { vector: number, error: None, external });
    }

    /// Performs the INIT pin's effect: like RESET, but CR0.CD and CR0.NW, caches, branch target buffer, x87,
    /// model-specific registers, pins, counters and the cycle count keep their state.
    fn initialise(&mut self) {
        let reset = State::at_reset(self.id.0 as u8, self.signature());
        let old = std::mem::replace(&mut self.state, reset);
        let kept = cr0::CD | cr0::NW;
        self.state.cr0 = self.state.cr0 & !kept | old.cr0 & kept;
        self.state.cycles = old.cycles;
        self.state.counters = old.counters;
        self.state.pins = old.pins;
        self.state.fpu = old.fpu;
        self.state.msr = old.msr;
        self.rearm();
        self.note_observers();
        self.tlbs.flush();
        self.fetched.forget();
        self.look_up();
    }
}

/// The kinds of events that can interrupt the program between two instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    Init,
    /// A debug trap: single step, data or I/O breakpoint, or task switch.
    Trap,
    NonMaskable,
    Maskable(u8),
}
