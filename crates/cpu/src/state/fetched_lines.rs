//! The line that a core has looked up last in each set of L1I.
//!
//! A second lookup of that line would change nothing in ITLB and L1I, so the next fetch from it
//! needs no lookup.

use rockcreek_defs::LINE_BYTES;

const LINE: u32 = LINE_BYTES as u32;

/// The id of a version of a line's code; 0: none.
pub(crate) type VersionId = u32;

/// The largest number of sets of an L1I, because one way is at most a page of 4 KB.
pub(crate) const CODE_SETS: usize = 128;

/// For each set of L1I, the line that the core looked up last, and the privilege level of that
/// lookup (in the tag).
#[derive(Clone, Debug)]
pub(crate) struct Fetched {
    lines: [FetchedVersion; CODE_SETS],
    set_mask: u32,
}

/// A line's tag and its version. Translated code compares both at once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct FetchedVersion {
    tag: u32,
    version: VersionId,
}

/// The bit set in tags for ring 3; linear line numbers have the 27 bits below it.
pub(crate) const USER_TAG: u32 = 1 << 27;
/// An entry that holds no line: its tag equals that of no address.
const NOTHING: FetchedVersion = FetchedVersion { tag: u32::MAX, version: 0 };

impl Fetched {
    pub fn new(sets: u32) -> Fetched {
        assert!(sets as usize <= CODE_SETS, "an L1 way is at most one page");
        Fetched { lines: [NOTHING; CODE_SETS], set_mask: sets - 1 }
    }

    /// The tag of the line that holds linear address `linear`, and the number of its set. `user`:
    /// true in ring 3.
    #[inline(always)]
    pub fn place(&self, linear: u32, user: bool) -> (u32, usize) {
        let line = linear / LINE;
        let tag = if user { line | USER_TAG } else { line };
        (tag, (line & self.set_mask) as usize % CODE_SETS)
    }

    #[inline(always)]
    pub fn version(&self, linear: u32, user: bool) -> Option<VersionId> {
        let (tag, set) = self.place(linear, user);
        let held = self.lines[set];
        (held.tag == tag).then_some(held.version)
    }

    pub fn set(&mut self, linear: u32, user: bool, version: VersionId) {
        let (tag, set) = self.place(linear, user);
        self.lines[set] = FetchedVersion { tag, version };
    }

    /// Removes all lines. Call after a change that may affect fetches (rights, paging, code).
    pub fn forget(&mut self) {
        self.lines.fill(NOTHING);
    }
}
