//! Virtual-8086 mode: leaving and entering it, INT n, the virtual interrupt flag.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 22, and the SDM's chapter
//! on 8086 emulation for the extensions (VME, PVI). Modelled: IOPL-sensitive instructions, the
//! interrupt redirection bitmap of the TSS, VIF and VIP, entry by IRET and by task switch.

use crate::core::parts::Core;
use crate::memory::access_path::Intent;
use crate::registers::flags;
use crate::registers::register_file::{cr4, sreg};
use crate::registers::segment::Segment;
use crate::state::exception::{Done, Stop};
use crate::system::interrupt_delivery::{StackCursor, clocks};

/// The offset in a 32-bit TSS of the word that holds the offset of the I/O bitmap.
pub(crate) const BITMAP_POINTER: u32 = 102;
/// The size in bytes of the interrupt redirection bitmap, which lies directly below the I/O bitmap.
const REDIRECTION_BYTES: u32 = 32;

/// The order in which an interrupt pushes the data segments; IRET pops them in reverse.
const PUSHED: [usize; 4] = [sreg::GS, sreg::FS, sreg::DS, sreg::ES];

/// The flag that CLI, STI, PUSHF and POPF use: IF (`Real`) or VIF (`Virtual`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InterruptFlag {
    Real,
    Virtual,
}

impl Core {
    /// The flag that CLI and STI change: IF, or with VME or PVI the virtual flag VIF. Raises #GP(0)
    /// if the program may change neither.
    pub(crate) fn interrupt_flag(&mut self) -> Result<InterruptFlag, Stop> {
        let state = &self.state;
        if !state.protected() || state.cpl <= state.iopl() {
            return Ok(InterruptFlag::Real);
        }
        let enable = if state.virtual_8086() { cr4::VME } else { cr4::PVI };
        if state.cpl == 3 && state.cr4 & enable != 0 {
            Ok(InterruptFlag::Virtual)
        } else {
            Err(self.protection())
        }
    }

    /// The flag that PUSHF, POPF and IRET of `size` bytes (2 or 4) use: IF, or in virtual-8086 mode
    /// below IOPL 3, with VME and `size` 2, the virtual flag VIF. Raises #GP(0) if the program may
    /// use neither.
    pub(crate) fn image_flag(&mut self, size: u32) -> Result<InterruptFlag, Stop> {
        if !self.state.virtual_8086() || self.state.iopl() == 3 {
            return Ok(InterruptFlag::Real);
        }
        if size == 2 && self.state.cr4 & cr4::VME != 0 {
            Ok(InterruptFlag::Virtual)
        } else {
            Err(self.protection())
        }
    }

    /// The flags as a program with a virtual interrupt flag reads them: VIF in the place of IF, and
    /// IOPL 3.
    pub(crate) fn virtual_image(&self) -> u32 {
        let image = self.state.eflags();
        let enabled = if image & flags::VIF != 0 { flags::IF } else { 0 };
        image & !flags::IF | enabled | flags::IOPL
    }

    /// For POPF and IRET with the virtual interrupt flag: raises #GP(0) if `image` asks for a
    /// change that the monitor must handle.
    pub(crate) fn check_virtual_image(&mut self, image: u32) -> Done {
        let pending = self.state.system_flags & flags::VIP != 0 && image & flags::IF != 0;
        if pending || image & flags::TF != 0 { Err(self.protection()) } else { Ok(()) }
    }

    /// Loads a 16-bit image of the flags that has been checked: its IF is stored in VIF; IF and
    /// IOPL keep their values.
    pub(crate) fn load_virtual_image(&mut self, image: u32) {
        self.load_flags(image, 2, 0);
        self.set_virtual_flag(image & flags::IF != 0);
    }

    pub(crate) fn set_virtual_flag(&mut self, on: bool) {
        self.state.system_flags &= !flags::VIF;
        if on {
            self.state.system_flags |= flags::VIF;
        }
    }

    /// INT n in virtual-8086 mode. Returns true if the interrupt was redirected to the program's
    /// own vector table, false if it must be delivered through the IDT; raises #GP(0) if the
    /// monitor must emulate it.
    pub(crate) fn redirect_interrupt(&mut self, number: u8) -> Result<bool, Stop> {
        if self.state.cr4 & cr4::VME != 0 && !self.intercepted(number)? {
            self.enter_own_handler(number)?;
            return Ok(true);
        }
        if self.state.iopl() < 3 { Err(self.protection()) } else { Ok(false) }
    }

    /// Reads the interrupt's bit of the redirection bitmap: true if the monitor handles the
    /// interrupt.
    fn intercepted(&mut self, number: u8) -> Result<bool, Stop> {
        let task = self.state.tr;
        let wide = task.attributes & 8 != 0;
        if !task.present() || !wide || task.limit < BITMAP_POINTER + 1 {
            return Err(self.protection());
        }
        let pointer = task.base.wrapping_add(BITMAP_POINTER);
        let ports = self.read_linear(pointer, 2, Intent::SYSTEM)? as u32;
        let Some(start) = ports.checked_sub(REDIRECTION_BYTES) else {
            return Err(self.protection());
        };
        let offset = start + u32::from(number) / 8;
        if offset > task.limit {
            return Err(self.protection());
        }
        let bits = self.read_linear(task.base.wrapping_add(offset), 1, Intent::SYSTEM)?;
        Ok(bits >> (number % 8) & 1 != 0)
    }

    /// Enters a handler as an 8086 does: through the vector table at linear address 0.
    fn enter_own_handler(&mut self, number: u8) -> Done {
        self.state.step_trap = false;
        let far = self.read_linear(u32::from(number) * 4, 4, Intent::READ)? as u32;
        let real = self.state.iopl() == 3;
        let image = if real { self.state.eflags() } else { self.virtual_image() };
        let mut stack = self.stack();
        stack.push(self, 2, image)?;
        stack.push(self, 2, u32::from(self.state.segments[sreg::CS].selector))?;
        stack.push(self, 2, self.state.next_eip)?;
        self.far_real((far >> 16) as u16, far & 0xFFFF)?;
        self.commit_stack(&stack);
        let disabled = if real { flags::IF } else { flags::VIF };
        self.state.system_flags &= !(flags::TF | flags::NT | flags::RF | disabled);
        self.charge(clocks::HANDLER_REAL);
        Ok(())
    }

    /// IRET while in virtual-8086 mode.
    pub(crate) fn virtual_return(&mut self, size: u32) -> Done {
        let flag = self.image_flag(size)?;
        let mut stack = self.stack();
        let eip = stack.pop(self, size)?;
        let selector = stack.pop(self, size)? as u16;
        let image = stack.pop(self, size)?;
        if flag == InterruptFlag::Virtual {
            self.check_virtual_image(image)?;
        }
        self.far_real(selector, eip)?;
        self.commit_stack(&stack);
        match flag {
            InterruptFlag::Real => self.load_flags(image, size, flags::IF),
            InterruptFlag::Virtual => self.load_virtual_image(image),
        }
        Ok(())
    }

    /// IRET of ring 0 to virtual-8086 mode; EIP, CS and the flags have been popped.
    pub(crate) fn enter_virtual_8086(
        &mut self,
        mut stack: StackCursor,
        selector: u16,
        eip: u32,
        image: u32,
    ) -> Done {
        let esp = stack.pop(self, 4)?;
        let ss = stack.pop(self, 4)? as u16;
        let mut selectors = [0; 4];
        for selector in selectors.iter_mut().rev() {
            *selector = stack.pop(self, 4)? as u16;
        }
        let code = Segment::virtual_8086(selector);
        self.check_code_offset(&code, eip)?;
        self.state.set_eflags(image);
        stack.segment = Segment::virtual_8086(ss);
        stack.pointer = esp;
        self.commit_stack(&stack);
        for (number, selector) in PUSHED.into_iter().zip(selectors) {
            self.state.segments[number] = Segment::virtual_8086(selector);
        }
        self.state.segments[sreg::CS] = code;
        self.state.next_eip = eip;
        self.state.resumed = false;
        self.state.counters.segment_loads += PUSHED.len() as u64 + 2;
        self.set_level(3);
        self.look_up();
        Ok(())
    }

    /// Pushes the data segments of a virtual-8086 program that is interrupted.
    pub(crate) fn push_virtual_segments(&mut self, stack: &mut StackCursor, size: u32) -> Done {
        for number in PUSHED {
            stack.push(self, size, u32::from(self.state.segments[number].selector))?;
        }
        Ok(())
    }

    /// Makes the data segments null. Called when the core leaves virtual-8086 mode.
    pub(crate) fn drop_virtual_segments(&mut self) {
        for number in PUSHED {
            self.state.segments[number] = Segment::null(0);
        }
    }
}
