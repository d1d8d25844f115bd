//! The lines of L1D that may be used without asking the cache.
//!
//! Per set, one line of which looking it up again would change nothing: it is there, and touching
//! it leaves the replacement state as it is. Who has its address may use its bytes in place. The
//! cache drops an entry with the first change to its set, so that no entry is ever out of date.
//! The tags are linear pages, which the cache does not know: they are given with the entry, and
//! whoever gave them forgets them when a translation changes.
//!
//! A store needs more: the line is dirty already (so it is in no L1I), its bytes are saved for the
//! open window, and its page is write-back. A new window therefore forgets the stores.
//!
//! L2 has such a table too, for stores that go around L1D: their lines are in neither first-level
//! cache, so that a fill of those drops the entry as a change in L2 does.
//!
//! Not chip state: neither saved nor compared, and empty in a copy.

/// Sets covered; an L1 way is at most one page, so a first-level cache has no more.
pub const QUICK_SETS: usize = 128;
/// Matches no page: its low bits are not zero.
const NO_PAGE: u32 = u32::MAX;
/// Groups of pages that are forgotten together.
const GROUPS: usize = 16;

/// By set: the linear pages for which a load and a store may be done in place, and where.
/// Generated code reads it, so its layout is fixed.
#[repr(C)]
#[derive(Debug)]
pub struct QuickLines {
    pub load_pages: [u32; QUICK_SETS],
    pub store_pages: [u32; QUICK_SETS],
    /// Host address of the byte with linear address zero, were it in the line.
    pub origins: [u64; QUICK_SETS],
    /// The L1D's sets less one: a larger cache has several sets for one entry.
    set_mask: usize,
    /// Sets whose `store_pages` may be set.
    stores: u128,
    /// By group, sets that may have an entry of one of its pages.
    sets_of_pages: [u128; GROUPS],
}

/// Entries point into one cache's own lines: a copy has none.
impl Clone for QuickLines {
    fn clone(&self) -> QuickLines {
        QuickLines::new(self.set_mask + 1)
    }
}

fn group(page: u32) -> usize {
    (page >> 12) as usize % GROUPS
}

impl QuickLines {
    pub(crate) fn new(sets: usize) -> QuickLines {
        QuickLines {
            load_pages: [NO_PAGE; QUICK_SETS],
            store_pages: [NO_PAGE; QUICK_SETS],
            origins: [0; QUICK_SETS],
            set_mask: sets - 1,
            stores: 0,
            sets_of_pages: [0; GROUPS],
        }
    }

    #[inline]
    pub(crate) fn admit(&mut self, set: usize, page: u32, origin: u64, store: bool) {
        let set = set & self.set_mask;
        self.load_pages[set] = page;
        self.origins[set] = origin;
        self.store_pages[set] = if store { page } else { NO_PAGE };
        self.stores |= u128::from(store) << set;
        self.sets_of_pages[group(page)] |= 1 << set;
    }

    /// The set has changed.
    #[inline(always)]
    pub(crate) fn drop_set(&mut self, set: usize) {
        let set = set & self.set_mask;
        self.load_pages[set] = NO_PAGE;
        self.store_pages[set] = NO_PAGE;
    }

    pub(crate) fn forget_stores(&mut self) {
        let mut left = std::mem::take(&mut self.stores);
        while left != 0 {
            self.store_pages[left.trailing_zeros() as usize] = NO_PAGE;
            left &= left - 1;
        }
    }

    /// A linear page means something else now, or is no longer its TLB set's most recent.
    #[inline]
    pub fn forget_page(&mut self, page: u32) {
        let sets = &mut self.sets_of_pages[group(page)];
        let mut left = *sets;
        while left != 0 {
            let set = left.trailing_zeros() as usize;
            left &= left - 1;
            let held = self.load_pages[set];
            if held == page {
                self.load_pages[set] = NO_PAGE;
                self.store_pages[set] = NO_PAGE;
            }
            if held == page || held == NO_PAGE || group(held) != group(page) {
                *sets &= !(1 << set);
            }
        }
    }

    pub fn forget(&mut self) {
        self.load_pages.fill(NO_PAGE);
        self.store_pages.fill(NO_PAGE);
        self.stores = 0;
        self.sets_of_pages = [0; GROUPS];
    }
}
