//! What a core asks of the frame that it keeps for the translator.

use crate::state::core_state::State;

/// The frame of one core. Nothing of it is saved or hashed: what belongs to the state is flushed
/// into a copy of that first.
pub(crate) trait TranslatorFrame: Clone + std::fmt::Debug + Default {
    /// Moves the counts and the flags that translated code has left here into the state.
    fn flush(&mut self, state: &mut State);

    /// The state as it would be after [`TranslatorFrame::flush`].
    fn flushed(&self, state: State) -> State;

    /// Whether a flush would change nothing.
    fn is_flushed(&self) -> bool;

    /// The interpreter executes the instruction that waits, not translated code.
    fn forget_resumption(&mut self);

    /// Nothing is known of pages any more: what they permit has changed.
    fn forget_pages(&mut self);

    /// The line of an MPBT page for which a load waits has come into this line of L1D.
    fn record_message_line(&mut self, line: usize);

    /// Where the next control transfer is noted; 0: nowhere.
    fn next_transfer(&self) -> u64;

    fn set_next_transfer(&mut self, next: u64);

    /// A checkpoint begins. Host speed only.
    fn begin_checkpoint(&mut self);

    /// Brings what a run looks at first into the host's first cache. Host speed only.
    fn prefetch(&self);
}
