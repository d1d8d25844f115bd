//! The pages of the data TLB that translated code may use without a TLB lookup.
//!
//! A page is in the table only while its entry is in the TLB, has a memory type that L1D caches
//! (MPBT or write-back), and permits at least loads at the current privilege level. Code that
//! evicts an entry or changes the privilege level must have the page removed from the table
//! (`refresh_quick`). Only pages in the table have known lines.

use rockcreek_cache::{HostLookup, VALID};

use crate::units::tlb::{Entry, Turn};

/// The number of places in the table. Translated code computes [`place`] too.
pub(crate) const PLACES: usize = 256;
/// The shift that mixes higher bits into the number of a page's place, because arrays are often a
/// large power of two apart.
pub(crate) const PLACE_SHIFT: i8 = 7;
/// A tag that matches no page: its low bits are not zero.
const NO_PAGE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(crate) struct HostPages(pub [HostPage; PLACES]);

/// One page, in half a cache line of the host. Translated code reads and writes it, so its layout
/// is fixed.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostPage {
    /// One field for each kind of access: loads; stores as a write-back page; stores as an MPBT
    /// page. Each holds the page's linear address if the page permits that access, else `NO_PAGE`.
    pub loads: u32,
    pub stores: u32,
    pub combines: u32,
    /// The page's physical address with the mark of a valid line. With a line's offset added, it is
    /// the value that the line's tag must equal.
    pub frame: u32,
    /// The effect of a use of the page on its TLB set: the fields of [`Turn`].
    pub page: u32,
    pub index: u32,
    pub offset: u32,
    pub kept: u8,
    pub turned: u8,
    /// The eighths (512 bytes) of the page in which L1D may have known lines (`QuickLines`): bit i
    /// for eighth i.
    pub known: u8,
    /// Not zero for an MPBT page, whose lines bypass L2.
    pub past_l2: u8,
}

/// An unused place.
const NOTHING: HostPage = HostPage {
    loads: NO_PAGE,
    stores: NO_PAGE,
    combines: NO_PAGE,
    frame: 0,
    page: 0,
    index: 0,
    offset: 0,
    kept: 0,
    turned: 0,
    known: 0,
    past_l2: 0,
};

fn place(linear: u32) -> usize {
    let page = linear >> 12;
    (page ^ page >> PLACE_SHIFT) as usize % PLACES
}

impl Default for HostPages {
    fn default() -> HostPages {
        HostPages([NOTHING; PLACES])
    }
}

impl HostPages {
    /// Inserts a readable page; `writable`: true if it may be written, too. If it takes the place
    /// of another page that may have known lines, returns that page's linear address, with a mask
    /// of its eighths that may have them (bit i: eighth i); otherwise `None`.
    #[must_use]
    pub fn put(
        &mut self,
        linear: u32,
        entry: &Entry,
        turn: Turn,
        writable: bool,
    ) -> Option<(u32, u8)> {
        let (held, page) = (&mut self.0[place(linear)], linear & !0xFFF);
        let before = *held;
        let mpbt = entry.memory_type.rules().host_lookup == HostLookup::MessageLines;
        let Turn { page: number, index, offset, kept, turned } = turn;
        *held = HostPage {
            loads: page,
            stores: if writable && !mpbt { page } else { NO_PAGE },
            combines: if writable && mpbt { page } else { NO_PAGE },
            frame: entry.frame | VALID,
            page: number,
            index,
            offset,
            kept,
            turned,
            known: if before.loads == page { before.known } else { 0 },
            past_l2: u8::from(mpbt),
        };
        (before.loads != page && before.known != 0).then_some((before.loads, before.known))
    }

    /// True if the page of `linear` is in the table and is an MPBT page, whose lines bypass L2.
    #[inline]
    pub fn is_past_l2(&self, linear: u32) -> bool {
        let held = &self.0[place(linear)];
        held.loads == linear & !0xFFF && held.past_l2 != 0
    }

    /// Removes the page at linear address `page`. Returns a mask of its eighths that may have known
    /// lines (bit i: eighth i); 0 if there are none, or if the page was not in the table.
    #[must_use]
    pub fn forget(&mut self, page: u32) -> u8 {
        let held = &mut self.0[place(page)];
        if held.loads != page {
            return 0;
        }
        std::mem::replace(held, NOTHING).known
    }

    pub fn forget_all(&mut self) {
        self.0.fill(NOTHING);
    }
}
