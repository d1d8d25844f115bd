//! Prefetching into the host's first cache what a core's next step will use.
//!
//! The chip knows which core's step probably comes next. Since that core's last step, all other
//! cores have performed theirs, so its lines have left the cache. Affects the host's speed only.

use rockcreek_defs::{prefetch, prefetch_ends};

use crate::core::parts::Core;
use crate::translator_frame::interface::TranslatorFrame;

impl Core {
    /// Prefetches for a core whose request will soon enter the mesh.
    #[inline]
    pub fn fetch_request_ahead(&self) {
        prefetch(&self.probes);
        prefetch_ends(&self.state.pending);
    }

    /// Prefetches for a core that will soon get an answer and continue.
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
