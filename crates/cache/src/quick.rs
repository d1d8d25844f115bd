//! The lines of L1D that may be used without asking the cache.
//!
//! A line is *known* while it is there: who finds it here has looked L1D up, and owes it a touch of
//! the set's replacement state. Per set, one known line may be *open*: looking it up again would
//! change nothing, neither here nor in the TLB, for its page is the one used last in its TLB set.
//! Its bytes may be used in place. The cache drops an entry with the first change that ends this,
//! so that no entry is ever out of date. The tags are linear pages, which the cache does not know:
//! they are given with the entry, and whoever gave them forgets them when a translation changes.
//! Pages take turns in the TLB: a page whose turn ends is closed, which costs something only if it
//! was opened.
//!
//! A store needs more: the line is dirty already (so it is in no L1I), its bytes are saved for the
//! open window, and its page is write-back. A new window therefore forgets the stores.
//!
//! L2 has such a table too, for stores that go around L1D: their lines are in neither first-level
//! cache, so that a fill of those drops the entry, and are settled in the replacement of L2. One is
//! known for each set of L1D.
//!
//! Not chip state: neither saved nor compared, and empty in a copy.

/// Sets covered; an L1 way is at most one page, so a first-level cache has no more.
pub const QUICK_SETS: usize = 128;
/// Ways covered.
pub const QUICK_WAYS: usize = 4;
/// Matches no page: its low bits are not zero.
const NO_PAGE: u32 = u32::MAX;
/// Groups of pages that are forgotten together.
const GROUPS: usize = 16;

/// How an access finds its page in the TLB, and whether that changes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The linear address of the page.
    pub linear: u32,
    /// The way of the TLB that holds it.
    pub way: u8,
    /// It is its set's most recent one, and was before this access.
    pub settled: bool,
    /// It may be written.
    pub writable: bool,
}

/// By set: the linear pages for which a load and a store may be done in place, and where.
/// Generated code reads it, so its layout is fixed.
#[repr(C)]
#[derive(Debug)]
pub struct QuickLines {
    pub open_loads: [u32; QUICK_SETS],
    pub open_stores: [u32; QUICK_SETS],
    /// Host address of the byte with linear address zero, were it in the open line (L2: in the
    /// known line).
    pub origins: [u64; QUICK_SETS],
    /// By set and way; L2 has way 0 only.
    pub known_loads: [[u32; QUICK_WAYS]; QUICK_SETS],
    pub known_stores: [[u32; QUICK_WAYS]; QUICK_SETS],
    /// The way of the TLB that holds the page.
    pub ways: [[u8; QUICK_WAYS]; QUICK_SETS],
    /// Host addresses of the lines, of the sets' replacement states and of what a hit makes of
    /// them; of the windows in which the sets were saved last.
    pub bytes: u64,
    pub replacement: u64,
    pub after_hit: u64,
    pub saved_in: u64,
    /// The open window; 0: none.
    pub window: u32,
    /// Lines are known, not only open: there are four ways, or it is L2's.
    knows: bool,
    /// The L1D's sets less one: a larger cache has several sets for one entry.
    set_mask: usize,
    /// Sets that may have an entry for stores.
    stores: u128,
    /// By group, sets that may have an entry of one of its pages.
    sets_of_pages: [u128; GROUPS],
}

/// Entries point into one cache's own lines: a copy has none.
impl Clone for QuickLines {
    fn clone(&self) -> QuickLines {
        QuickLines::new(self.set_mask + 1, self.knows)
    }
}

#[inline]
fn group(page: u32) -> usize {
    (page >> 12) as usize % GROUPS
}

impl QuickLines {
    pub(crate) fn new(sets: usize, knows: bool) -> QuickLines {
        QuickLines {
            open_loads: [NO_PAGE; QUICK_SETS],
            open_stores: [NO_PAGE; QUICK_SETS],
            origins: [0; QUICK_SETS],
            known_loads: [[NO_PAGE; QUICK_WAYS]; QUICK_SETS],
            known_stores: [[NO_PAGE; QUICK_WAYS]; QUICK_SETS],
            ways: [[0; QUICK_WAYS]; QUICK_SETS],
            bytes: 0,
            replacement: 0,
            after_hit: 0,
            saved_in: 0,
            window: 0,
            knows,
            set_mask: sets - 1,
            stores: 0,
            sets_of_pages: [0; GROUPS],
        }
    }

    /// A line is there; `store`: for stores too. `settled`: a touch would change nothing.
    #[inline]
    pub(crate) fn admit(
        &mut self,
        (set, way): (usize, usize),
        page: &Page,
        origin: u64,
        store: bool,
        settled: bool,
    ) {
        let (set, way) = (set & self.set_mask, way % QUICK_WAYS);
        let (load, stored) = (page.linear, if store { page.linear } else { NO_PAGE });
        if self.knows {
            self.known_loads[set][way] = load;
            self.known_stores[set][way] = stored;
            self.ways[set][way] = page.way;
        }
        if settled {
            self.open_loads[set] = if page.settled { load } else { NO_PAGE };
            self.open_stores[set] = if page.settled { stored } else { NO_PAGE };
            self.origins[set] = origin;
        }
        self.stores |= u128::from(store) << set;
        self.sets_of_pages[group(page.linear)] |= 1 << set;
    }

    /// Another line of the set is the one used last.
    #[inline(always)]
    pub(crate) fn close_set(&mut self, set: usize) {
        let set = set & self.set_mask;
        self.open_loads[set] = NO_PAGE;
        self.open_stores[set] = NO_PAGE;
    }

    /// A line is no longer there, or no longer dirty.
    #[inline(always)]
    pub(crate) fn drop_line(&mut self, set: usize, way: usize) {
        self.close_set(set);
        let (set, way) = (set & self.set_mask, way % QUICK_WAYS);
        self.known_loads[set][way] = NO_PAGE;
        self.known_stores[set][way] = NO_PAGE;
    }

    pub(crate) fn forget_stores(&mut self) {
        let mut left = std::mem::take(&mut self.stores);
        while left != 0 {
            let set = left.trailing_zeros() as usize;
            self.open_stores[set] = NO_PAGE;
            self.known_stores[set] = [NO_PAGE; QUICK_WAYS];
            left &= left - 1;
        }
    }

    /// A linear page is no longer its TLB set's most recent.
    #[inline]
    pub fn close_page(&mut self, page: u32) {
        let mut left = self.sets_of_pages[group(page)];
        while left != 0 {
            let set = left.trailing_zeros() as usize;
            left &= left - 1;
            if self.open_loads[set] == page {
                self.close_set(set);
            }
        }
    }

    /// A linear page means something else now.
    #[inline]
    pub fn forget_page(&mut self, page: u32) {
        let mut left = self.sets_of_pages[group(page)];
        let mut kept = 0;
        while left != 0 {
            let set = left.trailing_zeros() as usize;
            left &= left - 1;
            let open = self.open_loads[set];
            if open == page {
                self.close_set(set);
            } else if open != NO_PAGE && group(open) == group(page) {
                kept |= 1 << set;
            }
            for way in 0..QUICK_WAYS {
                let held = self.known_loads[set][way];
                if held == page {
                    self.drop_line(set, way);
                } else if held != NO_PAGE && group(held) == group(page) {
                    kept |= 1 << set;
                }
            }
        }
        self.sets_of_pages[group(page)] = kept;
    }

    pub fn forget(&mut self) {
        self.open_loads.fill(NO_PAGE);
        self.open_stores.fill(NO_PAGE);
        self.known_loads.fill([NO_PAGE; QUICK_WAYS]);
        self.known_stores.fill([NO_PAGE; QUICK_WAYS]);
        self.stores = 0;
        self.sets_of_pages = [0; GROUPS];
    }
}
