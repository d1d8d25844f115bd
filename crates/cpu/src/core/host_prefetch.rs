//! Prefetches into the host's L1 cache the data that a core's next step will use.
//!
//! The chip predicts which core performs the next step. All other cores have made a step since that
//! core's last one, so the core's data has left the host's L1. Prefetching changes only the host's
//! speed, no result.

use rockcreek_defs::{prefetch, prefetch_ends};

use crate::core::parts::Core;
use crate::translator_frame::interface::TranslatorFrame;

impl Core {
    /// Prefetches, into the host's caches, the data of a core whose request will soon enter the
    /// mesh.
    #[inline]
    pub fn fetch_request_ahead(&self) {
        prefetch(&self.probes);
        prefetch_ends(&self.state.pending);
    }

    /// Prefetches, into the host's caches, the data of a core that will soon receive a response and
    /// continue.
    #[inline]
    pub fn fetch_state_ahead(&self) {
        self.fetch_request_ahead();
        prefetch(&self.state.general);
        prefetch(&self.state.cycles);
        prefetch(&self.state.counters.waiting_cycles);
        self.caches.fetch_bus_ahead();
        self.host.prefetch();
    }
}
