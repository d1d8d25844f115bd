//! What a core's next step looks at is brought into the host's first cache before it is due.
//!
//! The chip knows whose step comes after the one at hand. Since a core's last step those of all
//! others have been performed, and its lines have left that cache. No more than a hint: host speed
//! only.

use rockcreek_defs::{prefetch, prefetch_ends};

use crate::core::parts::Core;
use crate::translator_frame::interface::TranslatorFrame;

impl Core {
    /// Its request will soon enter the mesh.
    #[inline]
    pub fn fetch_request_ahead(&self) {
        prefetch(&self.probes);
        prefetch_ends(&self.state.pending);
    }

    /// It will soon be answered, and go on.
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
