//! Resumes translated code after an instruction has waited for a bus response.
//!
//! At the stop, the code has recorded an address (`HostFrame::resume`). There the instruction is
//! executed, and the code continues after it as if it had never been left, under three conditions:
//! the address still belongs to translated code, no check for interrupts is due, and a second fetch
//! of the instruction would change nothing. A store that was sent (`bus_store.rs`) is not executed
//! again, and a load gets its line, or looks it up again. If nothing has accessed the core since
//! the stop (`Core::quiet_until`), a second fetch changes nothing.
//!
//! The most frequent stop settles nothing: counts and flags stay in the host frame, and the stay
//! continues with its remaining clocks. Code that reads the core's state before that must settle
//! first (`Core::flush_frame`).
//!
//! 8 cores at barriers (`benches/programs/barrier.c`) take 1.12 times the host's instructions
//! without this path (2026-11-29).

use rockcreek_cache::Page;
use rockcreek_defs::CoreAddr;

use crate::core::bus::Bus;
use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::state::exception::{Done, Stop};
use crate::translator::CodeCache;
use crate::translator::x64::Departure;
use crate::translator_frame::host_frame::{FETCHES, SENT};
use crate::translator_frame::interface::TranslatorFrame;

impl Core {
    /// Resumes the waiting instruction in translated code, and continues until `limit` (a core
    /// cycle) or a stop. `None` if that is not possible; the interpreter then executes the
    /// instruction again.
    #[inline]
    pub(crate) fn resume_translated(
        &mut self,
        code: &mut CodeCache,
        limit: u64,
        bus: &mut dyn Bus,
    ) -> Option<Done> {
        let at = self.host.resume;
        if at == 0 {
            if !self.host.is_flushed() {
                self.forget_resumption();
            }
            return None;
        }
        let answered = self.state.in_progress && self.state.pending.is_none();
        let untouched = self.state.cycles < limit.min(self.quiet_until);
        let done = match answered && code.is_number(self.host.resume_in) {
            true if self.goes_on_at_once() && untouched => {
                self.go_on_at_once::<true>(code, at, limit, bus)
            }
            true if self.goes_on_at_once() => self.go_on_touched(code, at, limit, bus),
            true => self.go_on_with_waiting(code, at, limit, bus),
            false => None,
        };
        if done.is_none() {
            self.forget_resumption();
        }
        done
    }

    #[inline(never)]
    fn go_on_touched(
        &mut self,
        code: &mut CodeCache,
        at: u64,
        limit: u64,
        bus: &mut dyn Bus,
    ) -> Option<Done> {
        self.go_on_at_once::<false>(code, at, limit, bus)
    }

    /// Continues at host address `at`, after a store that was sent or with a load that looks its
    /// line up again. `None` if the interpreter must continue. `UNTOUCHED`: true if nothing has
    /// accessed the core since the stop, and the run up to `limit` is not over.
    #[inline(always)]
    fn go_on_at_once<const UNTOUCHED: bool>(
        &mut self,
        code: &mut CodeCache,
        at: u64,
        limit: u64,
        bus: &mut dyn Bus,
    ) -> Option<Done> {
        if UNTOUCHED {
            self.deadline = limit.min(self.quiet_until);
        } else {
            self.deadline = self.deadline_within(limit)?;
            let op = (self.host.resume_op & !(SENT | FETCHES)) as *const Op;
            // SAFETY: the translations that contain the instruction still exist.
            if !self.is_fetched(u32::from(unsafe { (*op).length })) {
                return None;
            }
        }
        self.host.stay_end = self.host.stay_end.wrapping_add(self.state.cycles);
        self.set_limits();
        let fetches = self.host.resume_op & FETCHES != 0;
        if fetches && self.state.cycles >= self.host.reach_limit {
            return None;
        }
        self.host.resume = 0;
        self.state.in_progress = false;
        self.log.clear();
        if fetches {
            self.host.arrived = if UNTOUCHED { self.arrived_line() } else { 0 };
        } else {
            self.store_displacing();
        }
        code.note_resumption();
        // While cycles are still to be charged for a victim that went into L2, translated code must
        // not look lines up in L2.
        if !UNTOUCHED || fetches && !self.caches.l2_takes_part_as_noted() {
            self.note_tables();
            self.refresh_quick();
        }
        let departure = match UNTOUCHED {
            true => code.enter_again(self, at, None, bus),
            false => code.enter_at(self, at, None, bus),
        };
        Some(self.go_on_from(code, departure, bus))
    }

    /// The origin of the line (host address of its bytes minus their linear address) for which a
    /// load has waited; 0 if L1D does not have the line yet.
    #[inline(never)]
    fn arrived_line(&mut self) -> u64 {
        let linear = self.host.fetching as u32;
        let settled = self.tlbs.data.is_open(linear >> 12);
        match self.host.came.take() {
            Some(line) => self.caches.admit_message_line(line as usize, linear, settled),
            None => self.arrived_in_l1d(linear, settled),
        }
    }

    #[inline(never)]
    fn arrived_in_l1d(&mut self, linear: u32, settled: bool) -> u64 {
        let Some(entry) = self.tlbs.data.recent(linear >> 12) else { return 0 };
        let addr = CoreAddr(entry.frame | linear & 0xFFF);
        let page = Page { linear: linear & !0xFFF, settled, writable: false };
        self.caches.arrived(addr, &page).unwrap_or(0)
    }

    fn go_on_with_waiting(
        &mut self,
        code: &mut CodeCache,
        at: u64,
        limit: u64,
        mut bus: &mut dyn Bus,
    ) -> Option<Done> {
        // SAFETY: the translations that contain the instruction still exist.
        let op = unsafe { &*(self.host.resume_op as *const Op) };
        let deadline = self.deadline_within(limit)?;
        if !self.is_fetched(u32::from(op.length)) {
            return None;
        }
        self.deadline = deadline;
        self.state.in_progress = false;
        self.log.restart();
        self.settle_flags();
        self.x87_is_clear = false;
        let eip = self.state.eip;
        self.state.next_eip = eip.wrapping_add(u32::from(op.length));
        self.note_tables();
        let stack = self.stack_if_probed();
        self.host.bus = &raw mut bus as u64;
        let done = match self.has_stored(op) {
            true => self.finish_store(op),
            false => self.perform_with(op, self.host.bus()),
        };
        self.host.bus = 0;
        if let Err(stop) = done {
            if stop != Stop::Wait {
                self.forget_resumption();
            }
            return Some(Err(stop));
        }
        self.host.resume = 0;
        self.retire::<false>(eip, op, 0);
        self.retire_if_probed(eip, stack);
        self.refresh_quick();
        self.begin_stay(self.state.cycles);
        let stepped = self.expect_x87(code.translated_code());
        self.host.outcome = stepped.outcome();
        code.note_resumption();
        let departure = code.enter_at(self, at, None, bus);
        Some(self.go_on_from(code, departure, bus))
    }

    /// Handles why translated code was left (`departure`), and enters it again if there is code to
    /// continue with.
    #[inline(always)]
    fn go_on_from(
        &mut self,
        code: &mut CodeCache,
        departure: Departure,
        bus: &mut dyn Bus,
    ) -> Done {
        match self.depart(code, departure)? {
            Some(next) => self.enter_translated(code, next, bus),
            None => Ok(()),
        }
    }
}
