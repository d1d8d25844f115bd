//! The tables by which translated code accesses L1D and L2 without the ordinary path.
//!
//! For each set of L1D, one line may be *open*. A lookup of an open line would change nothing,
//! neither in the cache nor in the TLB, because its page is the most recently used one of its TLB
//! set. Its bytes may therefore be used in place. The cache closes an entry at the first change
//! that ends this, so no entry is ever out of date. The entries' tags are linear pages, which the
//! cache does not know: the caller of `admit` provides the page, and must remove it when its
//! translation changes. When another page of the TLB set is used, the old page is closed; this
//! costs time only if a line of it was opened.
//!
//! An entry for stores has further conditions: the line is already dirty (so it is not in L1I), its
//! bytes are saved for the open window, and its page is write-back. A new window therefore closes
//! all entries for stores.
//!
//! L2 has a table too, for stores that bypass L1D. A line in it is in neither L1D nor L1I (a fill
//! of these closes the entry), and a use of it changes nothing in L2's replacement state. There is
//! one entry for each set of L1D. If another page of the TLB set has been used since, only the page
//! must be touched. An entry may also stand for a line that is in no cache, as long as no line has
//! been filled into its set. Such an entry is valid for the physical line wherever its page is
//! mapped, so its user must compare page frames.
//!
//! If pages of a TLB set are used in turn, a line may be *ajar* instead: a lookup of the line
//! changes nothing in the cache, but may change the TLB.
//!
//! Translated code looks up all other lines itself, in the tags at `arrays`. `hints` records where
//! a line of L2 was last found; its tag there decides. For L1D, a *known* line is a line whose page
//! is in the TLB, recorded with the tag that it had. If the tag is unchanged, only line and page
//! must be touched.
//!
//! The tables are not chip state: they are neither saved nor compared, and are empty in a copy.

use std::ops::Range;

use crate::array::journal::JournalAddresses;
use crate::policy::replacement::FourWays;

/// The number of entries of the table, one for each set of L1D. A way of L1 is at most one page of
/// 4 KB, so L1D has at most this many sets.
pub const QUICK_SETS: usize = 128;
/// The number of ways (4) that the sets of a cache must have for translated code to look lines up
/// in it.
pub const QUICK_WAYS: usize = 4;
/// The number of hints: for a linear line, the place in L2 where it was last found. The low bits of
/// the linear line's number select the hint.
pub const QUICK_HINTS: usize = 4096;
/// The number of entries for known lines of L1D (lines recorded with their tag and page). The low
/// bits of a linear line's number select the entry.
pub const KNOWN_LINES: usize = 512;
/// The number of cache lines in a page of 4 KB, and in an eighth of a page.
const PAGE_LINES: usize = 128;
const EIGHTH_LINES: usize = PAGE_LINES / 8;
/// The value in an entry that is closed. No access matches it, because a page's address has zeros
/// in its low bits and this value has not.
const NO_PAGE: u32 = u32::MAX;

/// A flag in an entry's page: the line is ajar (see above). Translated code compares an entry with
/// a page number plus the low bits of a misaligned address; in that sum this bit is clear, so that
/// the comparison never matches an ajar line.
pub const AJAR: u32 = 0x800;

/// The page of an access, and how the page stands in the TLB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The linear address of the page.
    pub linear: u32,
    /// True if the page was the most recently used one of its TLB set before this access, too; the
    /// access then changes nothing in the TLB.
    pub settled: bool,
    /// True if the current code may write to the page.
    pub writable: bool,
}

/// Host addresses of a cache's parts, for translated code.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct ArrayAddresses {
    pub tags: u64,
    pub bytes: u64,
    /// Address of a byte for each set: its state (`set_state.rs`).
    pub sets: u64,
    pub journal: JournalAddresses,
    /// The number of sets less one: a mask for the set's number.
    pub set_mask: u32,
    /// True if a window is open, so that changes must be saved in the undo log.
    pub window: bool,
}

/// For one set, the line that may be used in place (without a lookup), and for which pages.
/// Translated code closes the entry with one store of eight bytes. An entry lies within one cache
/// line of the host.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub struct OpenLine {
    /// The host address of the line's bytes minus their linear address: an access at linear address
    /// A finds its bytes at origin + A. In L2's table, if the highest bit is set: the physical
    /// address of a line that is in no cache.
    pub origin: u64,
    /// In L1D's table: the linear page for which a load may use the line. In L2's table: the linear
    /// page for which a store may use the line once the TLB entry of its page has been touched. No
    /// page: `NO_PAGE`.
    pub loads: u32,
    /// The linear page for which a store may use the line, without any other step; `NO_PAGE` if no
    /// store may.
    pub stores: u32,
}

const CLOSED: OpenLine = OpenLine { origin: 0, loads: NO_PAGE, stores: NO_PAGE };

/// A line that L1D had when it was recorded. An entry lies within one cache line of the host.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub struct KnownLine {
    /// The linear page for which a load may use the line, if the line's tag in the cache is still
    /// `tag`.
    pub loads: u32,
    /// The linear page for which a store may use the line, if the line's tag in the cache is still
    /// `tag`; `NO_PAGE` if no store may.
    pub stores: u32,
    pub tag: u32,
    pub number: u32,
}

const UNKNOWN: KnownLine = KnownLine { loads: NO_PAGE, stores: NO_PAGE, tag: 0, number: 0 };

/// The table of one cache. Translated code reads and writes it, so its layout is fixed.
#[repr(C)]
#[derive(Debug)]
pub struct QuickLines {
    pub open: [OpenLine; QUICK_SETS],
    pub arrays: ArrayAddresses,
    pub policy: FourWays,
    /// Not zero if some entry may be open for stores; zero: none is.
    pub stores: u32,
    /// Not zero if translated code may look lines up in this cache's tags; zero: it may use open
    /// lines only.
    pub usable: u32,
    /// Not zero if a store that misses this L2 makes L2 fetch the line (write-allocate); zero if
    /// the store goes to memory.
    pub allocates: u32,
    pub known: [KnownLine; KNOWN_LINES],
    /// For each hint, the number of the line in L2 at which its linear line was last found. A user
    /// compares the line's tag, because the hint may be out of date.
    pub hints: [u16; QUICK_HINTS],
    /// The number of L1D's sets less one: a mask that selects an entry. If L2 has more sets than
    /// L1D, several of its sets share an entry.
    set_mask: usize,
    /// True for the table of L2, which serves stores that bypass L1D; false for the table of L1D.
    around: bool,
}

/// A clone is empty, because entries point into one cache's own lines.
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

    /// Opens a set's entry for a line of `page`, unless an access to the page would change the TLB
    /// (`settled` false). The caller has ensured that the next use of the line changes nothing in
    /// the cache. `store`: stores may use the line, too.
    #[inline]
    pub(crate) fn admit(&mut self, set: usize, page: &Page, origin: u64, store: bool) {
        let set = set & self.set_mask;
        let page = if page.settled { page.linear } else { NO_PAGE };
        let loads = if self.around { NO_PAGE } else { page };
        self.open[set] = OpenLine { origin, loads, stores: if store { page } else { NO_PAGE } };
        self.stores |= u32::from(store);
    }

    /// Closes a set's entry. Call when another line of the set was used, or when the open line has
    /// left the cache or become clean.
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

    /// Closes the entries of a linear page, because another page has become the most recent one of
    /// its TLB set.
    pub(crate) fn close_page(&mut self, page: u32) {
        match self.around {
            false => self.close_lines(0..QUICK_SETS, page),
            true if self.stores == 0 => {}
            true => self.open.iter_mut().for_each(|line| forget(&mut line.stores, page)),
        }
    }

    /// Closes the entries whose page for loads is `loads`. An entry that is open for stores is also
    /// open for loads of its page.
    fn close_lines(&mut self, sets: Range<usize>, loads: u32) {
        let around = self.around;
        for line in &mut self.open[sets] {
            debug_assert!(around || [NO_PAGE, line.loads].contains(&line.stores));
            if line.loads == loads {
                (line.loads, line.stores) = (NO_PAGE, NO_PAGE);
            }
        }
    }

    /// Removes what the table has of a linear page whose translation may change; the page's open
    /// entries are closed already. `eighths`: the eighths of the page that may have known lines, a
    /// bit each.
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
        // The lines of an eighth differ only in the low bits of their numbers, which translated
        // code computes from addresses in this way.
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

/// Replaces an entry that equals `page` by `NO_PAGE`, without a branch.
#[inline(always)]
fn forget(entry: &mut u32, page: u32) {
    *entry |= if *entry == page { NO_PAGE } else { 0 };
}
