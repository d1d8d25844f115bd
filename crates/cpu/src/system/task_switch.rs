//! Task switches: far JMP and CALL to a TSS or task gate, IRET with NT, task gates in the IDT.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 13. Modelled: 16- and 32-bit
//! task state segments, busy bits, the back link, NT, CR0.TS, CR3 and LDT, the local breakpoints of
//! DR7, the debug trap of the T bit. The register image of a 16-bit TSS leaves ones in the upper
//! halves. Nothing is left out.
//!
//! A switch has two halves. The first half reads the new TSS, saves the old one and commits: from
//! then on the new task is current. The second half loads LDT and segments; its faults belong to
//! the new task, before its first instruction. Each half may wait and is then executed again with
//! its own access log, so `TaskLoad` is core state.

use crate::core::parts::Core;
use crate::memory::access_path::Intent;
use crate::memory::descriptor::{Descriptor, SELECTOR_MASK, is_null, system};
use crate::registers::flags;
use crate::registers::register_file::{cr0, sreg};
use crate::registers::segment::{Segment, attribute};
use crate::state::exception::{Done, Stop, vector};
use crate::state::task_load::TaskLoad;
use crate::system::interrupt_delivery::clocks;

/// The selector bit that chooses the LDT, which cannot hold a TSS.
const LOCAL: u16 = 1 << 2;
/// The local enable bits of DR7 (L0 to L3, LE). A task switch clears them.
const DR7_LOCAL: u32 = 0x155;
/// DR6: the trap came from the T bit of a TSS.
const DR6_TASK_SWITCH: u32 = 1 << 15;

/// What causes a task switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Jump,
    /// CALL, an interrupt or an exception: the new task's back link is set to the old task.
    Call,
    /// IRET with NT set: a return to the task of the back link.
    Return,
}

/// Byte offsets of the fields of a task state segment, in its 16- or 32-bit form.
struct Layout {
    width: u32,
    eip: u32,
    flags: u32,
    general: u32,
    selectors: u32,
    selector_count: usize,
    local_table: u32,
    /// The smallest limit that a task state segment of this form may have, in bytes less one.
    limit: u32,
}

const WIDE: Layout = Layout {
    width: 4,
    eip: 0x20,
    flags: 0x24,
    general: 0x28,
    selectors: 0x48,
    selector_count: 6,
    local_table: 0x60,
    limit: 0x67,
};
const NARROW: Layout = Layout {
    width: 2,
    eip: 0x0E,
    flags: 0x10,
    general: 0x12,
    selectors: 0x22,
    selector_count: 4,
    local_table: 0x2A,
    limit: 0x2B,
};
/// Byte offsets of CR3 and of the T bit's word in a 32-bit TSS.
const DIRECTORY: u32 = 0x1C;
const TRAP: u32 = 0x64;

/// The new task's registers, as its TSS holds them.
#[derive(Default)]
struct Image {
    cr3: u32,
    eip: u32,
    flags: u32,
    general: [u32; 8],
    selectors: [u16; 6],
    local_table: u16,
    trap: bool,
}

fn layout(wide: bool) -> &'static Layout {
    if wide { &WIDE } else { &NARROW }
}

pub(crate) fn is_available(kind: u16) -> bool {
    matches!(kind, system::TSS16 | system::TSS32)
}

impl Core {
    /// Performs JMP or CALL to a task state segment or a task gate: checks `descriptor`, then
    /// switches tasks.
    pub(crate) fn transfer_to_task(
        &mut self,
        selector: u16,
        descriptor: &Descriptor,
        entry: Entry,
    ) -> Done {
        let privilege = self.state.cpl.max((selector & 3) as u8);
        let error = u32::from(selector & SELECTOR_MASK);
        if descriptor.dpl() < privilege {
            return Err(self.raise_with(vector::PROTECTION, error));
        }
        let return_eip = self.state.next_eip;
        if descriptor.kind() == system::TASK_GATE {
            if !descriptor.present() {
                return Err(self.raise_with(vector::NOT_PRESENT, error));
            }
            let task = descriptor.gate_selector();
            return self.enter_task(task, entry, return_eip, None, 0);
        }
        if selector & LOCAL != 0 {
            return Err(self.raise_with(vector::PROTECTION, error));
        }
        self.switch_task(selector, descriptor, entry, return_eip, None, 0)
    }

    /// Enters a task through a task gate. The gate's selector must point to an available TSS in the
    /// GDT. `error`: the error code to push on the new task's stack. `external`: the EXT bit of
    /// error codes.
    pub(crate) fn enter_task(
        &mut self,
        selector: u16,
        entry: Entry,
        return_eip: u32,
        error: Option<u32>,
        external: u32,
    ) -> Done {
        let found = if selector & LOCAL == 0 { self.find_descriptor(selector)? } else { None };
        let usable = found.filter(|found| is_available(found.kind()));
        let Some(descriptor) = usable.filter(|_| !is_null(selector)) else {
            let code = u32::from(selector & SELECTOR_MASK) | external;
            return Err(self.raise_with(vector::PROTECTION, code));
        };
        self.switch_task(selector, &descriptor, entry, return_eip, error, external)
    }

    /// IRET with NT set: returns to the task that the back link points to.
    pub(crate) fn return_from_task(&mut self) -> Done {
        let link = self.read_linear(self.state.tr.base, 2, Intent::SYSTEM)? as u16;
        let found = if link & LOCAL == 0 { self.find_descriptor(link)? } else { None };
        let busy = |found: &Descriptor| {
            found.kind() & system::BUSY != 0 && is_available(found.kind() & !system::BUSY)
        };
        let Some(descriptor) = found.filter(busy).filter(|_| !is_null(link)) else {
            let code = u32::from(link & SELECTOR_MASK);
            return Err(self.raise_with(vector::INVALID_TSS, code));
        };
        self.switch_task(link, &descriptor, Entry::Return, self.state.next_eip, None, 0)
    }

    /// The first half of a task switch: reads the new TSS and saves the old task. Faults in this
    /// half belong to the old task.
    fn switch_task(
        &mut self,
        selector: u16,
        descriptor: &Descriptor,
        entry: Entry,
        return_eip: u32,
        error: Option<u32>,
        external: u32,
    ) -> Done {
        let mut task = descriptor.segment(selector);
        let wide = descriptor.kind() & 8 != 0;
        let code = u32::from(selector & SELECTOR_MASK) | external;
        if !descriptor.present() {
            return Err(self.raise_with(vector::NOT_PRESENT, code));
        }
        if task.limit < layout(wide).limit {
            return Err(self.raise_with(vector::INVALID_TSS, code));
        }
        let image = self.read_task(task.base, wide)?;
        self.save_task(return_eip, entry)?;
        let old = self.state.tr.selector;
        if entry != Entry::Call
            && let Some(left) = self.find_descriptor(old)?
        {
            self.write_attributes(&left, left.high & !(u32::from(system::BUSY) << 8))?;
        }
        if entry != Entry::Return {
            self.write_attributes(descriptor, descriptor.high | u32::from(system::BUSY) << 8)?;
        }
        if entry == Entry::Call {
            let intent = Intent::SYSTEM.with(Intent::WRITE);
            self.write_linear(task.base, 2, u64::from(old), intent)?;
        }
        task.attributes |= system::BUSY;
        self.commit_task(task, &image, wide, entry);
        self.state.task_load = Some(TaskLoad {
            selectors: image.selectors,
            local_table: image.local_table,
            error,
            external,
            event: self.state.delivering,
            trap: image.trap,
            wide,
        });
        Ok(())
    }

    fn read_task(&mut self, base: u32, wide: bool) -> Result<Image, Stop> {
        let at = layout(wide);
        let width = at.width;
        let mut image = Image::default();
        let mut read = |offset: u32, size: u32| {
            self.read_linear(base.wrapping_add(offset), size, Intent::SYSTEM).map(|v| v as u32)
        };
        if wide {
            image.cr3 = read(DIRECTORY, 4)?;
            image.trap = read(TRAP, 2)? & 1 != 0;
        }
        image.eip = read(at.eip, width)?;
        image.flags = read(at.flags, width)?;
        let upper = if wide { 0 } else { 0xFFFF_0000 };
        for (offset, value) in (at.general..).step_by(width as usize).zip(&mut image.general) {
            *value = read(offset, width)? | upper;
        }
        let selectors = &mut image.selectors[..at.selector_count];
        for (offset, value) in (at.selectors..).step_by(width as usize).zip(selectors) {
            *value = read(offset, 2)? as u16;
        }
        image.local_table = read(at.local_table, 2)? as u16;
        Ok(image)
    }

    /// Writes the current task's registers to its TSS.
    fn save_task(&mut self, return_eip: u32, entry: Entry) -> Done {
        let task = self.state.tr;
        let at = layout(task.attributes & 8 != 0);
        let width = at.width;
        let mut image = self.pushed_flags();
        if entry == Entry::Return {
            image &= !flags::NT;
        }
        let intent = Intent::SYSTEM.with(Intent::WRITE);
        let write = |core: &mut Core, offset: u32, value: u32| {
            core.write_linear(task.base.wrapping_add(offset), width, u64::from(value), intent)
        };
        write(self, at.eip, return_eip)?;
        write(self, at.flags, image)?;
        for number in 0..8 {
            let value = self.state.general[number as usize];
            write(self, at.general + number * width, value)?;
        }
        for number in 0..at.selector_count {
            let selector = self.state.segments[number].selector;
            write(self, at.selectors + number as u32 * width, u32::from(selector))?;
        }
        Ok(())
    }

    /// Makes the new task the current one. The task's segments are loaded in the second half.
    fn commit_task(&mut self, task: Segment, image: &Image, wide: bool, entry: Entry) {
        self.state.tr = task;
        self.state.cr0 |= cr0::TS;
        self.state.debug[7] &= !DR7_LOCAL;
        if wide && self.state.cr0 & cr0::PG != 0 {
            self.load_cr3(image.cr3);
        }
        let nested = if entry == Entry::Call { flags::NT } else { 0 };
        self.state.set_eflags(image.flags | nested);
        self.state.general[..8].copy_from_slice(&image.general);
        self.state.ldtr = Segment::null(image.local_table);
        for (number, &selector) in image.selectors.iter().enumerate() {
            self.state.segments[number] = Segment::null(selector);
        }
        self.state.eip = image.eip;
        self.state.next_eip = image.eip;
        let level = (image.selectors[sreg::CS] & 3) as u8;
        let level = if self.state.virtual_8086() { 3 } else { level };
        self.state.resumed = false;
        self.state.counters.segment_loads += 1;
        self.set_level(level);
        self.rearm();
        self.look_up();
    }

    /// The second half of a switch: loads LDT and segments, pushes the error code, raises the debug
    /// trap.
    pub(crate) fn finish_task_switch(&mut self) -> Done {
        if std::mem::take(&mut self.state.in_progress) {
            self.log.restart();
        } else {
            self.log.clear();
        }
        let load = self.state.task_load.clone().expect("the loop asks only when there is one");
        self.load_task_table(&load)?;
        if self.state.virtual_8086() {
            for (number, &selector) in load.selectors.iter().enumerate() {
                self.state.segments[number] = Segment::virtual_8086(selector);
            }
        } else {
            self.load_task_segments(&load)?;
        }
        if !self.state.segments[sreg::CS].contains(self.state.eip, 1) {
            return Err(self.raise_with(vector::PROTECTION, load.external));
        }
        if let Some(error) = load.error {
            let mut stack = self.stack();
            stack.push(self, if load.wide { 4 } else { 2 }, error)?;
            self.commit_stack(&stack);
        }
        self.state.task_load = None;
        self.state.cycles += u64::from(clocks::TASK_SWITCH);
        self.state.counters.segment_loads += load.selectors.len() as u64 + 1;
        if load.event.is_some() {
            self.end_delivery();
        }
        if load.trap {
            self.state.trap_bits |= DR6_TASK_SWITCH;
        }
        self.log.clear();
        self.look_up();
        Ok(())
    }

    fn load_task_table(&mut self, load: &TaskLoad) -> Done {
        let selector = load.local_table;
        if is_null(selector) {
            return Ok(());
        }
        let found = if selector & LOCAL == 0 { self.find_descriptor(selector)? } else { None };
        let usable = found.filter(|found| found.kind() == system::LDT && found.present());
        let Some(descriptor) = usable else {
            let code = u32::from(selector & SELECTOR_MASK) | load.external;
            return Err(self.raise_with(vector::INVALID_TSS, code));
        };
        self.state.ldtr = descriptor.segment(selector);
        Ok(())
    }

    fn load_task_segments(&mut self, load: &TaskLoad) -> Done {
        let code = self.task_code(load.selectors[sreg::CS], load.external)?;
        self.state.segments[sreg::CS] = code;
        let (stack, level) = (load.selectors[sreg::SS], self.state.cpl);
        self.state.segments[sreg::SS] =
            self.checked_stack(stack, level, vector::INVALID_TSS, load.external)?;
        for number in [sreg::ES, sreg::DS, sreg::FS, sreg::GS] {
            let selector = load.selectors[number];
            self.state.segments[number] =
                self.checked_data(selector, vector::INVALID_TSS, load.external)?;
        }
        Ok(())
    }

    /// Checks CS of the new task and returns its segment. The RPL of `selector` becomes the
    /// privilege level. `external`: the EXT bit of error codes.
    fn task_code(&mut self, selector: u16, external: u32) -> Result<Segment, Stop> {
        let error = u32::from(selector & SELECTOR_MASK) | external;
        let found = if is_null(selector) { None } else { self.find_descriptor(selector)? };
        let Some(descriptor) = found else {
            return Err(self.raise_with(vector::INVALID_TSS, error));
        };
        let mut target = descriptor.segment(selector);
        let level = target.rpl();
        let right_level =
            if target.is_conforming() { target.dpl() <= level } else { target.dpl() == level };
        if !target.is_code() || !right_level {
            return Err(self.raise_with(vector::INVALID_TSS, error));
        }
        if !target.present() {
            return Err(self.raise_with(vector::NOT_PRESENT, error));
        }
        self.mark_accessed(&descriptor)?;
        target.attributes |= attribute::ACCESSED;
        Ok(target)
    }
}
