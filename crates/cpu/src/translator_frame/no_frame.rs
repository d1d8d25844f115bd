//! The frame of a core on a host without a translator: almost empty.

use crate::state::core_state::State;
use crate::translator_frame::interface::TranslatorFrame;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoFrame {
    /// The host address of the next record of a control transfer.
    transfers: u64,
}

impl TranslatorFrame for NoFrame {
    fn flush(&mut self, _: &mut State) {}

    fn flushed(&self, state: State) -> State {
        state
    }

    fn is_flushed(&self) -> bool {
        true
    }

    fn forget_resumption(&mut self) {}

    fn forget_pages(&mut self) {}

    fn record_message_line(&mut self, _: usize) {}

    fn next_transfer(&self) -> u64 {
        self.transfers
    }

    fn set_next_transfer(&mut self, next: u64) {
        self.transfers = next;
    }

    fn begin_checkpoint(&mut self) {}

    fn prefetch(&self) {}
}
