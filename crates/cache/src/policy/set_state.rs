//! The state of a set in one byte, which translated code reads and writes too: the replacement
//! state, and a mark that the set is saved for the open window (`journal.rs`).

/// The bit of the state byte that is set if the set is saved in the undo log for the open window.
pub const SAVED: u8 = 1;

#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SetState(u8);

impl SetState {
    /// Makes the state byte of a set that is not saved in the undo log.
    pub(crate) fn of(replacement: u8) -> SetState {
        SetState(replacement << 1)
    }

    /// The replacement state, which selects the victim.
    #[inline(always)]
    pub(crate) fn replacement(self) -> u8 {
        self.0 >> 1
    }

    /// The state byte with another replacement state; the mark that the set is saved stays.
    #[inline(always)]
    pub(crate) fn with(self, replacement: u8) -> SetState {
        SetState(replacement << 1 | self.0 & SAVED)
    }

    #[inline(always)]
    pub(crate) fn is_saved(self) -> bool {
        self.0 & SAVED != 0
    }

    #[inline(always)]
    pub(crate) fn mark_saved(&mut self) {
        self.0 |= SAVED;
    }

    #[inline(always)]
    pub(crate) fn forget_saved(&mut self) {
        self.0 &= !SAVED;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_and_the_state_do_not_touch_each_other() {
        for replacement in 0..=127 {
            let mut state = SetState::of(replacement);
            assert!(!state.is_saved() && !state.with(3).is_saved());
            state.mark_saved();
            assert!(state.is_saved() && state.with(3).is_saved());
            assert_eq!((state.replacement(), state.with(3).replacement()), (replacement, 3));
            state.forget_saved();
            assert!(!state.is_saved() && state.replacement() == replacement);
        }
    }
}
