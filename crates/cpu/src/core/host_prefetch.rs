//! What a core's next step looks at is brought into the host's first cache before it is due.
//!
//! The chip knows whose step comes after the one at hand. Since a core's last step those of all
//! others have been performed, and its lines have left that cache. No more than a hint: host speed
//! only.

use rockcreek_defs::{prefetch, prefetch_ends};

use crate::core::parts::Core;

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
        self.fetch_frame_ahead();
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn fetch_frame_ahead(&self) {
        prefetch(&self.host.end);
        prefetch(&self.host.l2_cycles);
        prefetch(&self.host.stop);
        prefetch(&self.host.leave_stub);
        prefetch(&self.host.displacing);
        prefetch(&self.host.patience_anew);
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn fetch_frame_ahead(&self) {}
}
