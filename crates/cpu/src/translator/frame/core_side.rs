//! The core's functions on its host frame while translated code runs or waits.

use crate::core::bus::Bus;
use crate::core::parts::Core;
use crate::registers::flags;
use crate::translator_frame::host_frame::{FETCHES, HostFrame, RAW_VALID, SENT};

impl HostFrame {
    /// True if this run has a bus that may perform transactions at once.
    pub(crate) fn has_bus(&self) -> bool {
        self.bus != 0
    }

    /// The bus for the transactions of translated code.
    pub(crate) fn bus<'a>(&self) -> &'a mut dyn Bus {
        // SAFETY: the caller that enters translated code, or resumes an instruction of it, has
        // stored the address of a bus that it borrows until it returns, and one function at a time
        // uses the bus from there.
        unsafe { &mut **(self.bus as *mut &mut dyn Bus) }
    }
}

impl Core {
    /// Moves the flags from the host frame into the state, if the frame holds them.
    pub(crate) fn settle_flags(&mut self) {
        if self.host.raw_flags & RAW_VALID != 0 {
            self.state.flags.load(HostFrame::image(self.host.raw_flags));
        }
        self.host.raw_flags = 0;
    }

    /// True if translated code can continue the waiting instruction as soon as the response is
    /// there, without the interpreter.
    #[inline]
    pub(crate) fn goes_on_at_once(&self) -> bool {
        self.host.resume != 0 && self.host.resume_op & (SENT | FETCHES) != 0
    }

    /// The flags in the form in which LAHF and SETO return them.
    pub(crate) fn raw_flags(&self) -> u32 {
        if self.host.raw_flags & RAW_VALID != 0 {
            return self.host.raw_flags;
        }
        let image = self.state.flags.image();
        let low = image & (flags::CF | flags::PF | flags::AF | flags::ZF | flags::SF);
        (low | flags::ALWAYS_ONE) << 8 | u32::from(image & flags::OF != 0)
    }
}
