//! The core's interface to the frame that it keeps for the translator.

use crate::state::core_state::State;

/// The frame of one core. It is neither saved nor hashed: its parts of the state are flushed into a
/// copy of the state first.
pub(crate) trait TranslatorFrame: Clone + std::fmt::Debug + Default {
    /// Moves the counts and the flags of translated code into the state.
    fn flush(&mut self, state: &mut State);

    /// The state that [`TranslatorFrame::flush`] would leave.
    fn flushed(&self, state: State) -> State;

    /// True if a flush would change nothing.
    fn is_flushed(&self) -> bool;

    /// Makes the interpreter, not translated code, resume the instruction that waits.
    fn forget_resumption(&mut self);

    /// Forgets all known pages, after a change of what they permit.
    fn forget_pages(&mut self);

    /// Records the L1D line into which the MPBT line of a waiting load has come.
    fn record_message_line(&mut self, line: usize);

    /// The address of the next record of a control transfer; 0: none are recorded.
    fn next_transfer(&self) -> u64;

    fn set_next_transfer(&mut self, next: u64);

    /// Adapts the promotion threshold at a checkpoint. Affects the host's speed only.
    fn begin_checkpoint(&mut self);

    /// Prefetches, into the host's first cache, the fields that a run uses first. Affects the
    /// host's speed only.
    fn prefetch(&self);
}
