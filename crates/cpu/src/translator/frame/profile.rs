//! What is counted of translated code.

use crate::translator::CodeCache;

impl CodeCache {
    /// Translated code was left; unless it is `unfinished`, every instruction it began was
    /// executed.
    #[inline(always)]
    pub(crate) fn note_stay(&mut self, unfinished: bool) {
        let Some(profile) = &mut self.decoded.profile else { return };
        profile.stays += 1;
        profile.unfinished += u64::from(unfinished);
    }

    /// An instruction that waited within translated code has been executed there.
    #[inline(always)]
    pub(crate) fn note_resumption(&mut self) {
        if let Some(profile) = &mut self.decoded.profile {
            profile.unfinished -= 1;
        }
    }

    /// A region has become so many bytes of host code, or was not worth it.
    pub(crate) fn note_translation(&mut self, bytes: Option<usize>) {
        let Some(profile) = &mut self.decoded.profile else { return };
        profile.regions += u64::from(bytes.is_some());
        profile.refused += u64::from(bytes.is_none());
        profile.code_bytes += bytes.unwrap_or(0) as u64;
    }
}
