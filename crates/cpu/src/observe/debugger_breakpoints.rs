//! Breakpoints and single steps of a debugger, in zero simulated time and without a change of the
//! guest. Breakpoints are linear addresses in every mode; watchpoints are in `watchpoints.rs`.
//!
//! Breakpoints are checked before an instruction begins, never within one, so a stop is an
//! instruction boundary like the stop at a limit. The core records the address and cycle of the
//! last stop. When it continues from there, also after a rollback to an earlier point, it does not
//! stop there again.

use rockcreek_defs::CoreAddr;

use crate::core::parts::Core;
use crate::registers::register_file::sreg;
use crate::state::observers::breakpoints::Progress;

impl Core {
    /// Linear address of the current instruction.
    pub fn code_address(&self) -> u32 {
        self.state.segments[sreg::CS].base.wrapping_add(self.state.eip)
    }

    fn progress(&mut self) -> Progress {
        self.flush_frame();
        let counters = &self.state.counters;
        Progress {
            instructions: counters.instructions,
            exceptions: counters.exceptions,
            interrupts: counters.interrupts,
        }
    }

    /// True if a breakpoint, a finished single step or a matched watchpoint stops the core for the
    /// debugger before the current instruction.
    pub(crate) fn breaks_here(&mut self) -> bool {
        let (here, progress) = (self.code_address(), self.progress());
        let Some(breaks) = &mut self.breaks else { return false };
        if breaks.passed == Some((self.state.cycles, here)) {
            breaks.watches.forget_hit();
            return false;
        }
        breaks.addresses.contains(&here)
            || breaks.step_from.is_some_and(|from| from != progress)
            || breaks.watches.hit()
    }

    /// Sets (`on`) or removes a stop before the instruction at this linear address.
    pub fn set_breakpoint(&mut self, linear: u32, on: bool) {
        let breaks = self.breaks.get_or_insert_default();
        if on {
            breaks.addresses.insert(linear);
        } else {
            breaks.addresses.remove(&linear);
        }
        self.note_observers();
    }

    /// True if there is a breakpoint at the core's EIP.
    pub fn at_breakpoint(&self) -> bool {
        let here = self.code_address();
        self.breaks.as_ref().is_some_and(|breaks| breaks.addresses.contains(&here))
    }

    /// Sets (`on`) or removes a stop after one more instruction, or after the start of an exception
    /// or interrupt.
    pub fn set_step(&mut self, on: bool) {
        let from = on.then(|| self.progress());
        if on || self.breaks.is_some() {
            self.breaks.get_or_insert_default().step_from = from;
            self.note_observers();
        }
    }

    /// Records that the debugger has been informed of the stop here, so that the core may continue
    /// from it.
    pub fn pass_break(&mut self) {
        let here = (self.state.cycles, self.code_address());
        if let Some(breaks) = &mut self.breaks {
            breaks.passed = Some(here);
            breaks.watches.report();
        }
    }

    /// Removes all breakpoints and watchpoints, after the debugger has disconnected.
    pub fn clear_breaks(&mut self) {
        self.breaks = None;
        self.note_observers();
    }

    /// Flips a bit of a line in L1D or (`level2`) L2; arguments and result are those of
    /// `Caches::flip`.
    pub fn flip_cached(&mut self, level2: bool, nth: u32, bit: u8) -> Option<(CoreAddr, u8, u8)> {
        self.caches.flip(level2, nth, bit)
    }

    /// Flips bit `bit` (modulo 32) of a general register (0 to 7), of EIP (8) or of EFLAGS (9).
    /// Returns the old and the new value, `None` for another number. An instruction that waits for
    /// memory is executed again with the new value.
    pub fn flip_register(&mut self, register: u8, bit: u8) -> Option<(u32, u32)> {
        let old = self.registers();
        let flip = 1 << (bit % 32);
        self.forget_resumption();
        let before = match register {
            0..8 => {
                self.state.general[usize::from(register)] ^= flip;
                old.general[usize::from(register)]
            }
            8 => {
                self.state.eip ^= flip;
                old.eip
            }
            9 => {
                self.state.set_eflags(old.eflags ^ flip);
                old.eflags
            }
            _ => return None,
        };
        self.fetched.forget();
        self.look_up();
        Some((before, before ^ flip))
    }

    /// Changes a byte in those of this core's caches that hold it; the caller changes memory. Lines
    /// stay clean or dirty as they were.
    pub fn poke_cached(&mut self, addr: CoreAddr, byte: u8) {
        self.caches.poke(addr, byte);
        self.fetched.forget();
    }
}
