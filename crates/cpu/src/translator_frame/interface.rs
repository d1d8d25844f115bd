//! The core's interface to the host frame.

use crate::state::core_state::State;

/// The host frame of one core. The frame is neither saved nor hashed: its parts of the core's state
/// are first written to a copy of the state.
pub(crate) trait TranslatorFrame: Clone + std::fmt::Debug + Default {
    /// Adds the counts that translated code keeps to those of `state` and clears them here, and
    /// copies the flags to `state`.
    fn flush(&mut self, state: &mut State);

    /// A copy of `state` as [`TranslatorFrame::flush`] would leave it.
    fn flushed(&self, state: State) -> State;

    /// True if the frame holds neither counts nor flags.
    fn is_flushed(&self) -> bool;

    /// Lets the interpreter, instead of translated code, resume the instruction that waits. Drops
    /// the frame's flags; flush the frame before.
    fn forget_resumption(&mut self);

    /// Makes the next `refresh_quick` remove all known pages (pages that translated code uses
    /// without a TLB lookup). Call after a change of what pages permit.
    fn forget_pages(&mut self);

    /// Records the index of the L1D line that has received the MPBT line for which a load waits.
    fn record_message_line(&mut self, line: usize);

    /// The host address of the next record of a control transfer; 0 if none are recorded.
    fn next_transfer(&self) -> u64;

    fn set_next_transfer(&mut self, next: u64);

    /// Adapts, at a checkpoint, how many uses of a page make it open (usable without a lookup).
    /// Affects the host's speed only.
    fn begin_checkpoint(&mut self);

    /// Prefetches, into the host's L1 cache, the fields that a run uses first. Affects the host's
    /// speed only.
    fn prefetch(&self);
}
