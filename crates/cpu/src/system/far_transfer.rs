//! Far transfers: JMP, CALL, RET and IRET between segments and privilege levels.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapters 12 and 14. Modelled:
//! direct transfers, call gates, returns to the same and to an outer level, real mode. Tasks are
//! in `task_switch.rs`, virtual-8086 mode in `virtual_8086.rs`.
//!
//! Invariant: registers change only after the last memory access has been done.

use crate::core::parts::Core;
use crate::memory::descriptor::{Descriptor, SELECTOR_MASK, is_null, system};
use crate::registers::flags;
use crate::registers::register_file::sreg;
use crate::registers::segment::{Segment, attribute};
use crate::state::exception::{Done, Stop, vector};
use crate::system::interrupt_delivery::clocks;
use crate::system::task_switch::{Entry, is_available};

/// True for a task gate or an available TSS. A busy TSS is refused like any other wrong type.
fn is_task(descriptor: &Descriptor) -> bool {
    descriptor.kind() == system::TASK_GATE || is_available(descriptor.kind())
}

impl Core {
    /// JMP to another segment, directly or through a call gate, or to a task.
    pub(crate) fn far_jump(&mut self, selector: u16, offset: u32) -> Done {
        if self.state.real_segments() {
            return self.far_real(selector, offset);
        }
        let descriptor = self.code_descriptor(selector)?;
        if is_task(&descriptor) {
            return self.transfer_to_task(selector, &descriptor, Entry::Jump);
        }
        if descriptor.kind() & attribute::NOT_SYSTEM == 0 {
            let (target, eip, _) = self.through_gate(selector, &descriptor)?;
            if !target.is_conforming() && target.dpl() != self.state.cpl {
                return Err(self.bad_selector(vector::PROTECTION, target.selector));
            }
            self.check_code_offset(&target, eip)?;
            self.commit_code(target, self.state.cpl, eip);
            self.charge(clocks::JUMP_GATE);
            return Ok(());
        }
        let target = self.direct_target(selector, &descriptor)?;
        self.check_code_offset(&target, offset)?;
        self.mark_accessed(&descriptor)?;
        self.commit_code(target, self.state.cpl, offset);
        Ok(())
    }

    /// CALL to another segment, directly or through a call gate, or to a task. A direct CALL pushes
    /// CS and the return address, `size` bytes each.
    pub(crate) fn far_call(&mut self, selector: u16, offset: u32, size: u32) -> Done {
        let return_selector = u32::from(self.state.segments[sreg::CS].selector);
        let return_eip = self.state.next_eip;
        let mut stack = self.stack();
        if self.state.real_segments() {
            stack.push(self, size, return_selector)?;
            stack.push(self, size, return_eip)?;
            self.far_real(selector, offset)?;
            self.commit_stack(&stack);
            return Ok(());
        }
        let descriptor = self.code_descriptor(selector)?;
        if is_task(&descriptor) {
            return self.transfer_to_task(selector, &descriptor, Entry::Call);
        }
        if descriptor.kind() & attribute::NOT_SYSTEM == 0 {
            return self.call_gate(selector, &descriptor);
        }
        let target = self.direct_target(selector, &descriptor)?;
        self.check_code_offset(&target, offset)?;
        self.mark_accessed(&descriptor)?;
        stack.push(self, size, return_selector)?;
        stack.push(self, size, return_eip)?;
        self.commit_stack(&stack);
        self.commit_code(target, self.state.cpl, offset);
        Ok(())
    }

    fn call_gate(&mut self, selector: u16, gate: &Descriptor) -> Done {
        let (target, eip, parameters) = self.through_gate(selector, gate)?;
        self.check_code_offset(&target, eip)?;
        let size = if gate.kind() & 8 != 0 { 4 } else { 2 };
        let (return_eip, cs) = (self.state.next_eip, self.state.segments[sreg::CS].selector);
        let inner = !target.is_conforming() && target.dpl() < self.state.cpl;
        let level = if inner { target.dpl() } else { self.state.cpl };
        let mut stack = self.stack();
        if inner {
            let mut outer = stack;
            outer.skip(size * (parameters.max(1) - 1));
            let ss = self.state.segments[sreg::SS].selector;
            let esp = stack.pointer;
            stack = self.inner_stack(level, 0)?;
            stack.push(self, size, u32::from(ss))?;
            stack.push(self, size, esp)?;
            for _ in 0..parameters {
                // Parameters are copied highest address first.
                let mut at = outer;
                let value = at.pop(self, size)?;
                stack.push(self, size, value)?;
                outer.skip(size.wrapping_neg());
            }
        }
        stack.push(self, size, u32::from(cs))?;
        stack.push(self, size, return_eip)?;
        self.commit_stack(&stack);
        self.state.counters.segment_loads += u64::from(inner);
        self.commit_code(target, level, eip);
        self.charge(if inner {
            clocks::CALL_GATE_INNER + clocks::CALL_PARAMETER * parameters as u16
        } else {
            clocks::CALL_GATE
        });
        Ok(())
    }

    /// RET between segments. Takes `release` further bytes from the stack.
    pub(crate) fn far_return(&mut self, size: u32, release: u32) -> Done {
        let mut stack = self.stack();
        let eip = stack.pop(self, size)?;
        let selector = stack.pop(self, size)? as u16;
        stack.skip(release);
        if self.state.real_segments() {
            self.far_real(selector, eip)?;
            self.commit_stack(&stack);
            return Ok(());
        }
        self.return_to(stack, selector, eip, size, release, None)
    }

    /// IRET, with an operand size of `size` bytes.
    pub(crate) fn interrupt_return(&mut self, size: u32) -> Done {
        if self.state.protected() {
            if self.state.virtual_8086() {
                self.virtual_return(size)?;
                self.end_interrupt();
                return Ok(());
            }
            if self.state.system_flags & flags::NT != 0 {
                self.return_from_task()?;
                self.end_interrupt();
                return Ok(());
            }
        }
        let mut stack = self.stack();
        let eip = stack.pop(self, size)?;
        let selector = stack.pop(self, size)? as u16;
        let image = stack.pop(self, size)?;
        if !self.state.protected() {
            self.far_real(selector, eip)?;
            self.commit_stack(&stack);
            self.load_flags(image, size, flags::IOPL | flags::IF);
            self.end_interrupt();
            return Ok(());
        }
        if size == 4 && image & flags::VM != 0 && self.state.cpl == 0 {
            self.enter_virtual_8086(stack, selector, eip, image)?;
            self.charge(clocks::RETURN_OUTER);
            self.end_interrupt();
            return Ok(());
        }
        self.return_to(stack, selector, eip, size, 0, Some(image))?;
        self.end_interrupt();
        Ok(())
    }

    fn end_interrupt(&mut self) {
        self.note_interrupt_return();
        self.state.nmi_blocked = false;
        self.state.counters.interrupt_returns += 1;
        self.look_up();
    }

    /// The common end of RETF and IRET in protected mode: continues at `selector`:`eip`, with a
    /// change of stack if the privilege level changes. `release`: bytes that RETF takes from the
    /// stack; `image`: the flags that IRET loads.
    fn return_to(
        &mut self,
        mut stack: crate::system::interrupt_delivery::StackCursor,
        selector: u16,
        eip: u32,
        size: u32,
        release: u32,
        image: Option<u32>,
    ) -> Done {
        let cpl = self.state.cpl;
        if is_null(selector) {
            return Err(self.protection());
        }
        let descriptor = self.descriptor(selector, vector::PROTECTION)?;
        let target = descriptor.segment(selector);
        let level = target.rpl();
        let reachable =
            if target.is_conforming() { target.dpl() <= level } else { target.dpl() == level };
        if !target.is_code() || level < cpl || !reachable {
            return Err(self.bad_selector(vector::PROTECTION, selector));
        }
        if !target.present() {
            return Err(self.bad_selector(vector::NOT_PRESENT, selector));
        }
        self.check_code_offset(&target, eip)?;
        self.mark_accessed(&descriptor)?;
        if level > cpl {
            let pointer = stack.pop(self, size)?;
            let ss = stack.pop(self, size)? as u16;
            stack.segment = self.checked_stack(ss, level, vector::PROTECTION, 0)?;
            stack.pointer = pointer;
            stack.skip(release);
        }
        // The flags that may change depend on the level before the return.
        if let Some(image) = image {
            self.load_flags_as(image, size, cpl);
            if cpl == 0 && size == 4 {
                let virtual_flags = flags::VIF | flags::VIP;
                self.state.system_flags &= !virtual_flags;
                self.state.system_flags |= image & virtual_flags;
            }
        }
        self.commit_stack(&stack);
        self.commit_code(target, level, eip);
        if level > cpl {
            self.state.counters.segment_loads += 1;
            self.drop_inner_segments();
            self.charge(clocks::RETURN_OUTER);
        } else if image.is_some() {
            self.charge(clocks::RETURN_SAME);
        }
        Ok(())
    }

    /// Makes those data segments null that the outer level of a return may not use.
    fn drop_inner_segments(&mut self) {
        let cpl = self.state.cpl;
        for number in [sreg::ES, sreg::DS, sreg::FS, sreg::GS] {
            let segment = &mut self.state.segments[number];
            if segment.dpl() < cpl && !segment.is_conforming() {
                *segment = Segment::null(0);
            }
        }
    }

    /// Loads the flags as POPF and IRET do at privilege level `cpl`.
    pub(crate) fn load_flags_as(&mut self, image: u32, size: u32, cpl: u8) {
        let mut privileged = 0;
        if cpl == 0 {
            privileged |= flags::IOPL;
        }
        if cpl <= self.state.iopl() {
            privileged |= flags::IF;
        }
        self.load_flags(image, size, privileged);
    }

    /// Loads flags from `image`; with `size` 2, only those in its low 16 bits. The privileged flags
    /// (IOPL, IF) are loaded only if they are in `privileged`.
    pub(crate) fn load_flags(&mut self, image: u32, size: u32, privileged: u32) {
        let high = flags::RF | flags::AC | flags::ID;
        let low = flags::ARITHMETIC | flags::TF | flags::DF | flags::NT;
        let changeable = privileged | low | if size == 4 { high } else { 0 };
        let image = self.state.eflags() & !changeable | image & changeable;
        let before = self.state.system_flags;
        self.state.set_eflags(image);
        self.state.resumed = false;
        if self.state.system_flags != before {
            self.look_up();
        }
    }

    /// A far jump in real and virtual-8086 mode.
    pub(crate) fn far_real(&mut self, selector: u16, offset: u32) -> Done {
        let target = self.checked_segment(sreg::CS, selector)?;
        self.check_code_offset(&target, offset)?;
        self.state.segments[sreg::CS] = target;
        self.state.next_eip = offset;
        self.state.counters.segment_loads += 1;
        Ok(())
    }

    /// Raises #GP(0) if `eip` lies beyond the limit of the segment `target`.
    pub(crate) fn check_code_offset(&mut self, target: &Segment, eip: u32) -> Done {
        if target.contains(eip, 1) { Ok(()) } else { Err(self.protection()) }
    }

    fn code_descriptor(&mut self, selector: u16) -> Result<Descriptor, Stop> {
        if is_null(selector) {
            return Err(self.protection());
        }
        self.descriptor(selector, vector::PROTECTION)
    }

    /// Checks the code segment of a transfer without a gate, and returns it. The privilege level
    /// does not change.
    fn direct_target(&mut self, selector: u16, descriptor: &Descriptor) -> Result<Segment, Stop> {
        let target = descriptor.segment(selector);
        let cpl = self.state.cpl;
        let reachable = if target.is_conforming() {
            target.dpl() <= cpl
        } else {
            target.rpl() <= cpl && target.dpl() == cpl
        };
        if !target.is_code() || !reachable {
            return Err(self.bad_selector(vector::PROTECTION, selector));
        }
        if !target.present() {
            return Err(self.bad_selector(vector::NOT_PRESENT, selector));
        }
        Ok(target)
    }

    /// The target of a far call or jump through a call gate: the code segment, the offset in it,
    /// and the gate's count of parameters to copy.
    fn through_gate(
        &mut self,
        selector: u16,
        gate: &Descriptor,
    ) -> Result<(Segment, u32, u32), Stop> {
        let is_gate = matches!(gate.kind(), system::CALL_GATE16 | system::CALL_GATE32);
        let privilege = self.state.cpl.max((selector & 3) as u8);
        if !is_gate || gate.dpl() < privilege {
            return Err(self.bad_selector(vector::PROTECTION, selector));
        }
        if !gate.present() {
            return Err(self.bad_selector(vector::NOT_PRESENT, selector));
        }
        let inner = gate.gate_selector();
        let descriptor = self.code_descriptor(inner)?;
        let target = descriptor.segment(inner);
        if !target.is_code() || target.dpl() > self.state.cpl {
            return Err(self.bad_selector(vector::PROTECTION, inner));
        }
        if !target.present() {
            return Err(self.bad_selector(vector::NOT_PRESENT, inner));
        }
        self.mark_accessed(&descriptor)?;
        let wide = gate.kind() == system::CALL_GATE32;
        Ok((target, gate.gate_offset(wide), gate.high & 0x1F))
    }

    fn bad_selector(&mut self, vector: u8, selector: u16) -> Stop {
        self.raise_with(vector, u32::from(selector & SELECTOR_MASK))
    }
}
