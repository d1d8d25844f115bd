//! What a core's next step looks at is brought into the host's first cache before it is due.
//!
//! The chip knows whose step comes after the one at hand. Since a core's last step those of all
//! others have been performed, and its lines have left that cache. No more than a hint: host speed
//! only.

use crate::core::Core;

/// Asks the host for the line in which a place lies, which need not be one.
#[inline(always)]
pub fn fetch_ahead<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch is no access; it has no effect where it cannot be done.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(place.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The same of all lines of a value.
#[inline(always)]
fn fetch_all<T>(value: &T) {
    for line in (0..size_of::<T>()).step_by(HOST_LINE_BYTES) {
        fetch_ahead(std::ptr::from_ref(value).cast::<u8>().wrapping_add(line));
    }
}

const HOST_LINE_BYTES: usize = 64;

impl Core {
    /// Its request will soon enter the mesh.
    #[inline]
    pub fn fetch_request_ahead(&self) {
        fetch_ahead(&raw const self.probes);
        fetch_all(&self.state.pending);
    }

    /// It will soon be answered, and go on.
    #[inline]
    pub fn fetch_state_ahead(&self) {
        self.fetch_request_ahead();
        fetch_ahead(&raw const self.state.general);
        fetch_ahead(&raw const self.state.cycles);
        fetch_ahead(&raw const self.state.pipeline);
        fetch_all(&self.state.x87);
        let counters = &self.state.counters;
        fetch_ahead(&raw const counters.instructions);
        fetch_ahead(&raw const counters.branch_target_hits);
        fetch_ahead(&raw const counters.waiting_cycles);
        fetch_ahead(&raw const counters.taken_branches);
        fetch_ahead(&raw const counters.x87_instructions);
        fetch_ahead(self.log.place());
        self.caches.bus_places().into_iter().for_each(fetch_ahead);
        self.fetch_frame_ahead();
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn fetch_frame_ahead(&self) {
        fetch_ahead(&raw const self.host.end);
        fetch_ahead(&raw const self.host.resume);
        fetch_ahead(&raw const self.host.l2_cycles);
        fetch_ahead(&raw const self.host.stop);
        fetch_ahead(&raw const self.host.patience_anew);
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn fetch_frame_ahead(&self) {}
}
