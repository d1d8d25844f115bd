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
//! Not chip state: neither saved nor compared, and empty in a copy.

/// Sets covered; an L1 way is at most one page, so a first-level cache has no more.
pub const QUICK_SETS: usize = 128;
/// Matches no page: its low bits are not zero.
const NO_PAGE: u32 = u32::MAX;

/// By set: the linear pages for which a load and a store may be done in place, and where.
/// Generated code reads it, so its layout is fixed.
#[repr(C)]
#[derive(Debug)]
pub struct QuickLines {
    pub load_pages: [u32; QUICK_SETS],
    pub store_pages: [u32; QUICK_SETS],
    /// Host address of the byte with linear address zero, were it in the line.
    pub origins: [u64; QUICK_SETS],
    /// Sets whose `store_pages` may be set.
    stores: Vec<u8>,
}

impl Default for QuickLines {
    fn default() -> QuickLines {
        QuickLines {
            load_pages: [NO_PAGE; QUICK_SETS],
            store_pages: [NO_PAGE; QUICK_SETS],
            origins: [0; QUICK_SETS],
            stores: Vec::new(),
        }
    }
}

/// Entries point into one cache's own lines: a copy has none.
impl Clone for QuickLines {
    fn clone(&self) -> QuickLines {
        QuickLines::default()
    }
}

impl QuickLines {
    pub(crate) fn admit(&mut self, set: usize, page: u32, origin: u64, store: bool) {
        self.load_pages[set] = page;
        self.origins[set] = origin;
        if store {
            if self.store_pages[set] == NO_PAGE {
                self.stores.push(set as u8);
            }
            self.store_pages[set] = page;
        } else {
            self.store_pages[set] = NO_PAGE;
        }
    }

    /// The set has changed.
    #[inline(always)]
    pub(crate) fn drop_set(&mut self, set: usize) {
        self.load_pages[set] = NO_PAGE;
        self.store_pages[set] = NO_PAGE;
    }

    pub(crate) fn forget_stores(&mut self) {
        for set in self.stores.drain(..) {
            self.store_pages[usize::from(set)] = NO_PAGE;
        }
    }

    /// A linear page means something else now, or is no longer its TLB set's most recent.
    pub fn forget_page(&mut self, page: u32) {
        for tags in [&mut self.load_pages, &mut self.store_pages] {
            for tag in tags {
                *tag = if *tag == page { NO_PAGE } else { *tag };
            }
        }
    }

    pub fn forget(&mut self) {
        self.load_pages.fill(NO_PAGE);
        self.store_pages.fill(NO_PAGE);
        self.stores.clear();
    }
}
