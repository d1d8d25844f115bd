//! What generated code knows of L1D and L2, and where it finds the rest.
//!
//! Per set of L1D, one line may be *open*: looking it up again would change nothing, neither here
//! nor in the TLB, for its page is the one used last in its TLB set. Its bytes may be used in
//! place. The cache drops an entry with the first change that ends this, so that no entry is ever
//! out of date. The tags are linear pages, which the cache does not know: they are given with the
//! entry, and whoever gave them forgets them when a translation changes. Pages take turns in the
//! TLB: a page whose turn ends is closed, which costs something only if it was opened.
//!
//! A store needs more: the line is dirty already (so it is in no L1I), its bytes are saved for the
//! open window, and its page is write-back. A new window therefore closes the stores.
//!
//! L2 has such a table too, for stores that go around L1D: their lines are in neither first-level
//! cache, so that a fill of those drops the entry, and are settled in the replacement of L2. One is
//! open for each set of L1D. Its page may have taken its turn since: then the line needs no more
//! than the page's next one. In its place may be a line that is in no cache, as long as none has
//! come into the set: that is so wherever its page is, so whoever finds it compares the frames.
//!
//! Where pages take turns, a line may be *ajar* instead, which is open but for its page: looking it
//! up changes nothing here, but whether it does in the TLB is still to be seen.
//!
//! What is not open generated code looks up itself, in the tags at `arrays`. `hints` say where a
//! line of L2 was last; the tag there decides. Of L1D, a *known* line is one whose page is in the
//! TLB, with the tag that it had: if that is still there, line and page have only to be touched.
//!
//! Not chip state: neither saved nor compared, and empty in a copy.

use std::ops::Range;

use crate::journal::JournalAddresses;
use crate::replacement::FourWays;

/// Sets covered; an L1 way is at most one page, so a first-level cache has no more.
pub const QUICK_SETS: usize = 128;
/// Ways that generated code can look up.
pub const QUICK_WAYS: usize = 4;
/// Hints for L2, by the lower bits of a linear line's number.
pub const QUICK_HINTS: usize = 4096;
/// Known lines of L1D, by the lower bits of a linear line's number.
pub const KNOWN_LINES: usize = 512;
/// Lines of a page, and of an eighth of it.
const PAGE_LINES: usize = 128;
const EIGHTH_LINES: usize = PAGE_LINES / 8;
/// Matches no page: its low bits are not zero.
const NO_PAGE: u32 = u32::MAX;

/// With a page: its line is ajar. Not a bit of a page, nor one that is clear in an aligned address.
pub const AJAR: u32 = 0x800;

/// How an access finds its page in the TLB, and whether that changes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The linear address of the page.
    pub linear: u32,
    /// It is its set's most recent one, and was before this access.
    pub settled: bool,
    /// It may be written.
    pub writable: bool,
}

/// Host addresses of what a cache consists of.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct ArrayAddresses {
    pub tags: u64,
    pub bytes: u64,
    /// A byte for each set: `set_state.rs`.
    pub sets: u64,
    pub journal: JournalAddresses,
    /// Sets less one.
    pub set_mask: u32,
    /// A window is open.
    pub window: bool,
}

/// The line of a set that may be used in place. Generated code closes it with one store of eight
/// bytes, and finds it in one line of the host's.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub struct OpenLine {
    /// Host address of the byte with linear address zero, were it in the line. Of L2, with the
    /// highest bit: the physical address of a line that is in no cache.
    pub origin: u64,
    /// The linear page for which a load may be done in place; of L2, that for which a store may be
    /// when the page has taken its turn.
    pub loads: u32,
    /// The same for a store.
    pub stores: u32,
}

const CLOSED: OpenLine = OpenLine { origin: 0, loads: NO_PAGE, stores: NO_PAGE };

/// What is known of a line, in one line of the host's.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub struct KnownLine {
    /// The linear page for which a load may find it.
    pub loads: u32,
    /// The same for a store.
    pub stores: u32,
    pub tag: u32,
    pub number: u32,
}

const UNKNOWN: KnownLine = KnownLine { loads: NO_PAGE, stores: NO_PAGE, tag: 0, number: 0 };

/// What may be used in place. Generated code reads and writes it, so its layout is fixed.
#[repr(C)]
#[derive(Debug)]
pub struct QuickLines {
    pub open: [OpenLine; QUICK_SETS],
    pub arrays: ArrayAddresses,
    pub policy: FourWays,
    /// Stores may be open.
    pub stores: u32,
    /// Not zero: generated code may look this cache up.
    pub usable: u32,
    /// Not zero: this L2 fetches the line of a store that it does not have.
    pub allocates: u32,
    pub known: [KnownLine; KNOWN_LINES],
    /// Line numbers, of L2.
    pub hints: [u16; QUICK_HINTS],
    /// The L1D's sets less one: a larger cache has several sets for one entry.
    set_mask: usize,
    /// It is the table of L2.
    around: bool,
}

/// Entries point into one cache's own lines: a copy has none.
impl Clone for QuickLines {
    fn clone(&self) -> QuickLines {
        QuickLines::new(self.set_mask + 1, self.around)
    }
}

impl QuickLines {
    pub(crate) fn new(sets: usize, around: bool) -> QuickLines {
        QuickLines {
            open: [CLOSED; QUICK_SETS],
            arrays: ArrayAddresses::default(),
            policy: FourWays::default(),
            stores: 0,
            usable: 0,
            allocates: 0,
            known: [UNKNOWN; KNOWN_LINES],
            hints: [0; QUICK_HINTS],
            set_mask: sets - 1,
            around,
        }
    }

    /// A line is there, and a touch of it would change nothing; `store`: for stores too.
    #[inline]
    pub(crate) fn admit(&mut self, set: usize, page: &Page, origin: u64, store: bool) {
        let set = set & self.set_mask;
        let page = if page.settled { page.linear } else { NO_PAGE };
        let loads = if self.around { NO_PAGE } else { page };
        self.open[set] = OpenLine { origin, loads, stores: if store { page } else { NO_PAGE } };
        self.stores |= u32::from(store);
    }

    /// Another line of the set is the one used last, or the open one is no longer there or no
    /// longer dirty.
    #[inline(always)]
    pub(crate) fn close_set(&mut self, set: usize) {
        let line = &mut self.open[set & self.set_mask];
        (line.loads, line.stores) = (NO_PAGE, NO_PAGE);
    }

    pub(crate) fn close_stores(&mut self) {
        if std::mem::take(&mut self.stores) != 0 {
            for line in &mut self.open {
                line.stores = NO_PAGE;
                line.loads |= if self.around { NO_PAGE } else { 0 };
            }
        }
    }

    /// A linear page is no longer its TLB set's most recent.
    pub(crate) fn close_page(&mut self, page: u32) {
        match self.around {
            false => self.close_lines(0..QUICK_SETS, page),
            true if self.stores == 0 => {}
            true => self.open.iter_mut().for_each(|line| forget(&mut line.stores, page)),
        }
    }

    /// Closes lines by what they are open for. What is open for stores is open for loads, of the
    /// same page.
    fn close_lines(&mut self, sets: Range<usize>, loads: u32) {
        let around = self.around;
        for line in &mut self.open[sets] {
            debug_assert!(around || [NO_PAGE, line.loads].contains(&line.stores));
            if line.loads == loads {
                (line.loads, line.stores) = (NO_PAGE, NO_PAGE);
            }
        }
    }

    /// A linear page, which is closed, may mean something else from now on; only in these eighths
    /// of it there are known lines.
    #[inline]
    pub(crate) fn forget_page(&mut self, page: u32, eighths: u8) {
        let mut left = eighths;
        while left != 0 {
            self.forget_eighth(page, left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }

    #[inline]
    fn forget_eighth(&mut self, page: u32, eighth: usize) {
        let first = eighth * EIGHTH_LINES;
        let sets = first..first + EIGHTH_LINES;
        if self.around {
            if self.stores != 0 {
                self.close_lines(sets, page);
            }
            return;
        }
        self.close_lines(sets, page | AJAR);
        // The numbers of its lines, as generated code makes them of their addresses, differ in their
        // lower bits only.
        let first = (page >> 5 ^ page >> 14) as usize ^ first;
        let first = first % KNOWN_LINES / EIGHTH_LINES * EIGHTH_LINES;
        for line in &mut self.known[first..first + EIGHTH_LINES] {
            forget(&mut line.loads, page);
            forget(&mut line.stores, page);
        }
    }

    pub(crate) fn close_all(&mut self) {
        self.open.fill(CLOSED);
        self.known.fill(UNKNOWN);
        self.stores = 0;
    }
}

/// Without a branch.
#[inline(always)]
fn forget(entry: &mut u32, page: u32) {
    *entry |= if *entry == page { NO_PAGE } else { 0 };
}
