//! Delivery of interrupts and exceptions through the IDT.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 14. Modelled: interrupt
//! and trap gates (16- and 32-bit), the same and inner privilege levels with the stack from
//! the TSS, leaving virtual-8086 mode, task gates (with `task_switch.rs`), and the vector table of
//! real mode.
//!
//! Invariant: registers change only after the last push has been done.

use crate::core::parts::Core;
use crate::memory::access_path::Intent;
use crate::memory::descriptor::{Descriptor, SELECTOR_MASK, is_null, system};
use crate::registers::flags;
use crate::registers::register_file::{gpr, sreg};
use crate::registers::segment::{Segment, attribute};
use crate::state::exception::{Done, Stop, vector};
use crate::system::task_switch::Entry;

/// The clocks of `machine/isa/gates.toml`.
pub(crate) mod clocks {
    include!(concat!(env!("OUT_DIR"), "/gates.rs"));
}

/// Error code bits of faults that are raised during a delivery.
const FROM_IDT: u32 = 1 << 1;
const EXTERNAL: u32 = 1 << 0;

/// A stack that is pushed to or popped from, before SS:ESP is set to the result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackCursor {
    pub segment: Segment,
    pub pointer: u32,
    /// The rights with which the accesses are checked: those of the new privilege level.
    pub intent: Intent,
    /// The error code of #SS: the selector, if the stack is not yet the current one, else 0.
    pub error: u32,
}

impl StackCursor {
    /// Pushes the low `size` (2 or 4) bytes of `value`. An error (#SS, #PF or #AC is raised, or the
    /// access waits) if the stack does not take them now.
    pub fn push(&mut self, core: &mut Core, size: u32, value: u32) -> Done {
        let mask = if self.segment.big() { u32::MAX } else { 0xFFFF };
        let below = self.pointer.wrapping_sub(size) & mask;
        if !self.segment.permits(below, size, true) {
            return Err(core.raise_with(vector::STACK, self.error));
        }
        let linear = self.segment.base.wrapping_add(below);
        core.write_linear(linear, size, u64::from(value), self.intent)?;
        self.pointer = self.pointer & !mask | below;
        Ok(())
    }

    /// Pops `size` (2 or 4) bytes and returns them. An error (an exception is raised, or the access
    /// waits) if they cannot be read now.
    pub fn pop(&mut self, core: &mut Core, size: u32) -> Result<u32, Stop> {
        let mask = if self.segment.big() { u32::MAX } else { 0xFFFF };
        let offset = self.pointer & mask;
        core.check_segment(&self.segment, true, offset, size, false)?;
        let linear = self.segment.base.wrapping_add(offset);
        let value = core.read_linear(linear, size, self.intent)? as u32;
        self.skip(size);
        Ok(value)
    }

    /// Increases the stack pointer by `bytes`, as a pop does that reads nothing.
    pub fn skip(&mut self, bytes: u32) {
        let mask = if self.segment.big() { u32::MAX } else { 0xFFFF };
        self.pointer = self.pointer & !mask | self.pointer.wrapping_add(bytes) & mask;
    }
}

impl Core {
    /// A cursor on the current stack, for instructions that push or pop more than once.
    pub(crate) fn stack(&self) -> StackCursor {
        let segment = self.state.segments[sreg::SS];
        let pointer = self.state.general[gpr::ESP];
        StackCursor { segment, pointer, intent: Intent::READ, error: 0 }
    }

    /// Delivers the event in `State::delivering`. Called again from the start after each wait.
    pub(crate) fn deliver(&mut self) -> Done {
        if std::mem::take(&mut self.state.in_progress) {
            self.log.restart();
        } else {
            self.log.clear();
        }
        let event = self.state.delivering.expect("the loop asks only when there is one");
        self.enter_handler(event.vector, event.error, false, self.state.eip)?;
        self.charge(match (event.external, event.vector) {
            (true, vector::NMI) => clocks::NON_MASKABLE,
            (true, _) => clocks::EXTERNAL,
            (false, vector::PAGE_FAULT) => clocks::PAGE_FAULT,
            (false, _) => 0,
        });
        if self.state.task_load.is_none() {
            self.end_delivery();
        }
        Ok(())
    }

    /// Ends the delivery, after the handler or its task has been entered.
    pub(crate) fn end_delivery(&mut self) {
        self.state.delivering = None;
        self.state.pipeline.drain();
        self.charge_extra();
        self.log.clear();
    }

    /// Adds the clocks of a gate. Call once the gate can no longer wait or fail.
    pub(crate) fn charge(&mut self, clocks: u16) {
        self.state.extra_cycles += u32::from(clocks);
    }

    /// The flags that a delivery pushes on the handler's stack, or saves in the old TSS. RF is set
    /// for a fault, so that the instruction can be restarted without matching its breakpoint again.
    pub(crate) fn pushed_flags(&self) -> u32 {
        let fault = self.state.delivering.is_some_and(|event| event.is_fault());
        self.state.eflags() | if fault { flags::RF } else { 0 }
    }

    /// Enters the handler of vector `number`; `software`: true if INT n, INT3 or INTO called it.
    /// `return_eip`: the offset to which the handler returns.
    #[expect(
        clippy::too_many_lines,
        reason = "the steps of one delivery, in the order of the manual"
    )]
    pub(crate) fn enter_handler(
        &mut self,
        number: u8,
        error: Option<u32>,
        software: bool,
        return_eip: u32,
    ) -> Done {
        let user = self.state.cpl == 3;
        // An instruction that enters a handler causes no single-step trap: the trap is dropped, and
        // TF is cleared.
        self.state.step_trap = false;
        if !self.state.protected() {
            return self.enter_real_handler(number, return_eip);
        }
        let external = if software { 0 } else { EXTERNAL };
        let gate = self.gate(number, software)?;
        if gate.kind() == system::TASK_GATE {
            let task = gate.gate_selector();
            self.enter_task(task, Entry::Call, return_eip, error, external)?;
            self.charge(clocks::HANDLER_TASK);
            return Ok(());
        }
        let wide = gate.kind() & 8 != 0;
        let selector = gate.gate_selector();
        if is_null(selector) {
            return Err(self.raise_with(vector::PROTECTION, external));
        }
        let code_error = u32::from(selector & SELECTOR_MASK) | external;
        let Some(descriptor) = self.find_descriptor(selector)? else {
            return Err(self.raise_with(vector::PROTECTION, code_error));
        };
        let target = descriptor.segment(selector);
        let from_virtual = self.state.virtual_8086();
        let wrong_level = target.is_conforming() || target.dpl() != 0;
        if !target.is_code() || target.dpl() > self.state.cpl || from_virtual && wrong_level {
            return Err(self.raise_with(vector::PROTECTION, code_error));
        }
        if !target.present() {
            return Err(self.raise_with(vector::NOT_PRESENT, code_error));
        }
        if !target.contains(gate.gate_offset(wide), 1) {
            return Err(self.raise_with(vector::PROTECTION, external));
        }
        self.mark_accessed(&descriptor)?;
        let inner = !target.is_conforming() && target.dpl() < self.state.cpl;
        let level = if inner { target.dpl() } else { self.state.cpl };
        let mut stack = if inner { self.inner_stack(level, external)? } else { self.stack() };
        stack.intent = self.intent_of(level);
        stack.error |= external;
        let size = if wide { 4 } else { 2 };
        if from_virtual {
            self.push_virtual_segments(&mut stack, size)?;
        }
        if inner {
            stack.push(self, size, u32::from(self.state.segments[sreg::SS].selector))?;
            stack.push(self, size, self.state.general[gpr::ESP])?;
        }
        stack.push(self, size, self.pushed_flags())?;
        stack.push(self, size, u32::from(self.state.segments[sreg::CS].selector))?;
        stack.push(self, size, return_eip)?;
        if let Some(error) = error {
            stack.push(self, size, error)?;
        }
        self.commit_stack(&stack);
        self.state.counters.segment_loads += u64::from(inner);
        self.commit_code(target, level, gate.gate_offset(wide));
        if from_virtual {
            self.drop_virtual_segments();
        }
        self.charge(match (from_virtual, inner) {
            (true, _) => clocks::HANDLER_FROM_VIRTUAL,
            (false, true) => clocks::HANDLER_INNER,
            (false, false) => clocks::HANDLER_SAME,
        });
        self.state.eip = self.state.next_eip;
        let mut cleared = flags::TF | flags::NT | flags::RF | flags::VM;
        if matches!(gate.kind(), system::INTERRUPT_GATE16 | system::INTERRUPT_GATE32) {
            cleared |= flags::IF;
        }
        self.state.system_flags &= !cleared;
        self.state.resumed = false;
        self.note_entry(number, user);
        Ok(())
    }

    /// Reads the IDT's gate of vector `number` and checks it. An error if it may not be used: an
    /// exception is raised, with an error code for the gate; or the read waits.
    fn gate(&mut self, number: u8, software: bool) -> Result<Descriptor, Stop> {
        let external = if software { 0 } else { EXTERNAL };
        let error = (u32::from(number) * 8) | FROM_IDT | external;
        let offset = u32::from(number) * 8;
        if offset + 7 > u32::from(self.state.idtr.limit) {
            return Err(self.raise_with(vector::PROTECTION, error));
        }
        let linear = self.state.idtr.base.wrapping_add(offset);
        let both = self.read_linear(linear, 8, Intent::SYSTEM)?;
        let gate = Descriptor::of(both as u32, (both >> 32) as u32);
        let usable = matches!(
            gate.kind(),
            system::TASK_GATE
                | system::INTERRUPT_GATE16
                | system::TRAP_GATE16
                | system::INTERRUPT_GATE32
                | system::TRAP_GATE32
        );
        if !usable || software && gate.dpl() < self.state.cpl {
            return Err(self.raise_with(vector::PROTECTION, error));
        }
        if !gate.present() {
            return Err(self.raise_with(vector::NOT_PRESENT, error));
        }
        Ok(gate)
    }

    /// Reads from the TSS the stack (SS:ESP) of an inner privilege level; raises #TS or #SS if it
    /// cannot be used. `external`: the EXT bit of error codes.
    pub(crate) fn inner_stack(&mut self, level: u8, external: u32) -> Result<StackCursor, Stop> {
        let task = self.state.tr;
        let wide = task.attributes & 8 != 0;
        let width = if wide { 4 } else { 2 };
        let offset = width + u32::from(level) * 2 * width;
        if !task.present() || offset + width + 1 > task.limit {
            let error = u32::from(task.selector & SELECTOR_MASK) | external;
            return Err(self.raise_with(vector::INVALID_TSS, error));
        }
        let linear = task.base.wrapping_add(offset);
        let pointer = self.read_linear(linear, width, Intent::SYSTEM)? as u32;
        let selector = self.read_linear(linear.wrapping_add(width), 2, Intent::SYSTEM)? as u16;
        let segment = self.checked_stack(selector, level, vector::INVALID_TSS, external)?;
        let error = u32::from(selector & SELECTOR_MASK) | external;
        Ok(StackCursor { segment, pointer, intent: self.intent_of(level), error })
    }

    /// The rights of accesses made for privilege level `level` before it is the current one.
    pub(crate) fn intent_of(&self, level: u8) -> Intent {
        if level < 3 { Intent::SYSTEM } else { Intent::READ }
    }

    pub(crate) fn commit_stack(&mut self, stack: &StackCursor) {
        self.state.segments[sreg::SS] = stack.segment;
        self.state.general[gpr::ESP] = stack.pointer;
    }

    /// Sets CS to `target` and EIP to `eip`, at privilege level `level`.
    pub(crate) fn commit_code(&mut self, mut target: Segment, level: u8, eip: u32) {
        target.selector = target.selector & SELECTOR_MASK | u16::from(level);
        target.attributes |= attribute::ACCESSED;
        self.state.segments[sreg::CS] = target;
        self.state.counters.segment_loads += 1;
        self.set_level(level);
        self.state.next_eip = eip;
    }

    /// Sets the current privilege level (CPL) to `level`, and updates what depends on it.
    pub(crate) fn set_level(&mut self, level: u8) {
        self.settle_performance();
        self.state.cpl = level;
        self.state.refresh_needs();
    }

    fn enter_real_handler(&mut self, number: u8, return_eip: u32) -> Done {
        let offset = u32::from(number) * 4;
        if offset + 3 > u32::from(self.state.idtr.limit) {
            return Err(self.raise(vector::DOUBLE_FAULT));
        }
        let linear = self.state.idtr.base.wrapping_add(offset);
        let far = self.read_linear(linear, 4, Intent::SYSTEM)? as u32;
        let mut stack = self.stack();
        stack.push(self, 2, self.state.eflags())?;
        stack.push(self, 2, u32::from(self.state.segments[sreg::CS].selector))?;
        stack.push(self, 2, return_eip)?;
        self.far_real((far >> 16) as u16, far & 0xFFFF)?;
        self.commit_stack(&stack);
        self.state.eip = self.state.next_eip;
        self.state.system_flags &= !(flags::TF | flags::IF | flags::AC | flags::RF);
        self.charge(clocks::HANDLER_REAL);
        self.note_entry(number, false);
        Ok(())
    }
}
