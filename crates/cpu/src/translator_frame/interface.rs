//! The core's interface to the host frame.

use crate::state::core_state::State;

/// The host frame of one core. It is neither saved nor hashed: its parts of the core's state are
/// first written to a copy of the state.
pub(crate) trait TranslatorFrame: Clone + std::fmt::Debug + Default {
    /// Moves the counts and the flags that translated code keeps into `state`.
    fn flush(&mut self, state: &mut State);

    /// `state` as [`TranslatorFrame::flush`] would leave it.
    fn flushed(&self, state: State) -> State;

    /// True if [`TranslatorFrame::flush`] would change nothing.
    fn is_flushed(&self) -> bool;

    /// Has the interpreter, not translated code, resume the waiting instruction.
    fn forget_resumption(&mut self);

    /// Removes all known pages. Call after a change of what pages permit.
    fn forget_pages(&mut self);

    /// Records the L1D line that has received the MPBT line of a waiting load.
    fn record_message_line(&mut self, line: usize);

    /// The host address of the next record of a control transfer; 0 if none are recorded.
    fn next_transfer(&self) -> u64;

    fn set_next_transfer(&mut self, next: u64);

    /// Adapts the promotion threshold at a checkpoint. Affects the host's speed only.
    fn begin_checkpoint(&mut self);

    /// Prefetches, into the host's L1 cache, the fields that a run uses first. Affects the host's
    /// speed only.
    fn prefetch(&self);
}
