//! The line that a core has looked up last in each set of L1I.
//!
//! Looking it up again would change nothing in ITLB and L1I, so a fetch of it needs no look.

use rockcreek_defs::LINE_BYTES;

const LINE: u32 = LINE_BYTES as u32;

/// The id of a version; 0 is none.
pub(crate) type VersionId = u32;

/// Sets of an L1I: its way is at most one page.
pub(crate) const CODE_SETS: usize = 128;

/// The line looked up last in each L1I set, for the privilege that looked.
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

/// Linear line numbers are 27 bits; the bit above them is set for ring 3.
pub(crate) const USER_TAG: u32 = 1 << 27;
/// No tag.
const NOTHING: FetchedVersion = FetchedVersion { tag: u32::MAX, version: 0 };

impl Fetched {
    pub fn new(sets: u32) -> Fetched {
        assert!(sets as usize <= CODE_SETS, "an L1 way is at most one page");
        Fetched { lines: [NOTHING; CODE_SETS], set_mask: sets - 1 }
    }

    /// What `linear` is known by, and the set it is in.
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

    /// After anything that may change what a fetch finds.
    pub fn forget(&mut self) {
        self.lines.fill(NOTHING);
    }
}
