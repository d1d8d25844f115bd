//! The line that a core has looked up last in each set of L1I.
//!
//! Another lookup of that line would change nothing in ITLB and L1I, so its fetch needs none.

use rockcreek_defs::LINE_BYTES;

const LINE: u32 = LINE_BYTES as u32;

/// The id of a version; 0 is none.
pub(crate) type VersionId = u32;

/// The most sets of an L1I: its way is at most one page.
pub(crate) const CODE_SETS: usize = 128;

/// The line looked up last in each L1I set, for the privilege level of that lookup.
#[derive(Clone, Debug)]
pub(crate) struct Fetched {
    lines: [FetchedVersion; CODE_SETS],
    set_mask: u32,
}

/// A line's tag and its version; generated code compares both at once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct FetchedVersion {
    tag: u32,
    version: VersionId,
}

/// The bit set in tags for ring 3; linear line numbers have the 27 bits below it.
pub(crate) const USER_TAG: u32 = 1 << 27;
/// An entry without a line.
const NOTHING: FetchedVersion = FetchedVersion { tag: u32::MAX, version: 0 };

impl Fetched {
    pub fn new(sets: u32) -> Fetched {
        assert!(sets as usize <= CODE_SETS, "an L1 way is at most one page");
        Fetched { lines: [NOTHING; CODE_SETS], set_mask: sets - 1 }
    }

    /// The tag of `linear`, and its set.
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

    /// Forgets all lines, after a change that may affect fetches.
    pub fn forget(&mut self) {
        self.lines.fill(NOTHING);
    }
}
