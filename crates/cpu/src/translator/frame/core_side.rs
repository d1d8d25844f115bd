//! What a core does with its frame while translated code runs or waits.

use crate::core::bus::Bus;
use crate::core::parts::Core;
use crate::registers::flags;
use crate::translator_frame::host_frame::{FETCHES, HostFrame, RAW_VALID, SENT};

impl HostFrame {
    /// Whether somebody can be asked for transactions.
    pub(crate) fn has_bus(&self) -> bool {
        self.bus != 0
    }

    /// Whom translated code asks for transactions.
    pub(crate) fn bus<'a>(&self) -> &'a mut dyn Bus {
        // SAFETY: who enters translated code, or executes an instruction of it that has waited, has
        // put the address there, of what it borrows until that returns; only one call from there at
        // a time uses it.
        unsafe { &mut **(self.bus as *mut &mut dyn Bus) }
    }
}

impl Core {
    /// Puts the flags where the interpreter has them.
    pub(crate) fn settle_flags(&mut self) {
        if self.host.raw_flags & RAW_VALID != 0 {
            self.state.flags.load(HostFrame::image(self.host.raw_flags));
        }
        self.host.raw_flags = 0;
    }

    /// Whether the instruction that waits goes on in translated code without the interpreter.
    #[inline]
    pub(crate) fn goes_on_at_once(&self) -> bool {
        self.host.resume != 0 && self.host.resume_op & (SENT | FETCHES) != 0
    }

    /// The flags in the form of LAHF and SETO.
    pub(crate) fn raw_flags(&self) -> u32 {
        if self.host.raw_flags & RAW_VALID != 0 {
            return self.host.raw_flags;
        }
        let image = self.state.flags.image();
        let low = image & (flags::CF | flags::PF | flags::AF | flags::ZF | flags::SF);
        (low | flags::ALWAYS_ONE) << 8 | u32::from(image & flags::OF != 0)
    }
}
