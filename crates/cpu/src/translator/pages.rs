//! The pages of the data TLB that generated code may use.
//!
//! A page is here while its entry is in the TLB and of a type that L1D holds (MPBT or write-back),
//! and only what the current privilege may do with it. Who displaces an entry or changes the privilege has it
//! forgotten (`refresh_quick`). Lines are known only of pages that are here.

use rockcreek_cache::{MemoryType, VALID};

use crate::tlb::Entry;

/// Places; [`place`] is what generated code computes too.
const PLACES: usize = 256;
/// Arrays are often a large power of two apart.
pub(in crate::translator) const PLACE_SHIFT: i8 = 7;
/// Matches no page: its low bits are not zero.
const NO_PAGE: u32 = u32::MAX;

/// Generated code reads it, so its layout is fixed.
#[repr(C)]
#[derive(Clone, Debug)]
pub(crate) struct HostPages {
    /// Linear addresses of pages that may be read, and of those that may be written: write-back
    /// ones, MPBT ones.
    pub loads: [u32; PLACES],
    pub stores: [u32; PLACES],
    pub combines: [u32; PLACES],
    pub frames: [HostPage; PLACES],
    /// Not zero: L1D may have known lines of the page (`QuickLines`).
    pub known: [u8; PLACES],
    /// Not zero: it is an MPBT page, whose lines come past L2.
    pub past_l2: [u8; PLACES],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HostPage {
    /// Physical address of the page with the mark of a valid line: with the line's offset it is
    /// what a line's tag is compared with.
    pub frame: u32,
    /// Number of its entry in the TLB.
    pub index: u32,
}

fn place(linear: u32) -> usize {
    let page = linear >> 12;
    (page ^ page >> PLACE_SHIFT) as usize % PLACES
}

impl Default for HostPages {
    fn default() -> HostPages {
        HostPages {
            loads: [NO_PAGE; PLACES],
            stores: [NO_PAGE; PLACES],
            combines: [NO_PAGE; PLACES],
            frames: [HostPage::default(); PLACES],
            known: [0; PLACES],
            past_l2: [0; PLACES],
        }
    }
}

impl HostPages {
    /// A page that may be read. Returns another one, of which there may be known lines, if it is
    /// here no longer.
    #[must_use]
    pub fn put(&mut self, linear: u32, entry: &Entry, index: u32, writable: bool) -> Option<u32> {
        let (place, page) = (place(linear), linear & !0xFFF);
        let before = self.loads[place];
        let known = before != page && std::mem::take(&mut self.known[place]) != 0;
        let mpbt = entry.memory_type != MemoryType::WriteBack;
        self.loads[place] = page;
        self.stores[place] = if writable && !mpbt { page } else { NO_PAGE };
        self.combines[place] = if writable && mpbt { page } else { NO_PAGE };
        self.past_l2[place] = u8::from(mpbt);
        self.frames[place] = HostPage { frame: entry.frame | VALID, index };
        known.then_some(before)
    }

    /// An MPBT page, whose lines come past L2.
    #[inline]
    pub fn is_past_l2(&self, linear: u32) -> bool {
        let place = place(linear);
        self.loads[place] == linear & !0xFFF && self.past_l2[place] != 0
    }

    /// True if there may be known lines of the page.
    #[must_use]
    pub fn forget(&mut self, page: u32) -> bool {
        let place = place(page);
        if self.loads[place] != page {
            return false;
        }
        (self.loads[place], self.stores[place]) = (NO_PAGE, NO_PAGE);
        self.combines[place] = NO_PAGE;
        std::mem::take(&mut self.known[place]) != 0
    }

    pub fn forget_all(&mut self) {
        self.loads.fill(NO_PAGE);
        self.stores.fill(NO_PAGE);
        self.combines.fill(NO_PAGE);
        self.known.fill(0);
    }
}
