//! The profile's counts for translated code.

use crate::translator::CodeCache;

impl CodeCache {
    /// Counts a stay in translated code that has ended. `unfinished`: true if its last instruction
    /// waits or faulted; false if each instruction that the stay began was executed.
    #[inline(always)]
    pub(crate) fn note_stay(&mut self, unfinished: bool) {
        let Some(profile) = &mut self.decoded.profile else { return };
        profile.stays += 1;
        profile.unfinished += u64::from(unfinished);
    }

    /// Counts an instruction that waited within translated code and has now been executed there:
    /// the stay that it ended is no longer unfinished.
    #[inline(always)]
    pub(crate) fn note_resumption(&mut self) {
        if let Some(profile) = &mut self.decoded.profile {
            profile.unfinished -= 1;
        }
    }

    /// Counts a region that was translated into `bytes` of host code, or (`None`) one that was
    /// refused (`Known::Refused`).
    pub(crate) fn note_translation(&mut self, bytes: Option<usize>) {
        let Some(profile) = &mut self.decoded.profile else { return };
        profile.regions += u64::from(bytes.is_some());
        profile.refused += u64::from(bytes.is_none());
        profile.code_bytes += bytes.unwrap_or(0) as u64;
    }
}
