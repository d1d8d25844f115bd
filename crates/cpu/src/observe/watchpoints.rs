//! Watchpoints of a debugger: any number, of any length, in zero simulated time and without a
//! change of the guest. The P54C's own data breakpoints are in `debug_registers.rs`.
//!
//! Watchpoints match the accesses of instructions, and of deliveries of exceptions, at a linear
//! address when the accesses are done; page walks and instruction fetches are not watched. The core
//! stops before its next instruction, as after a data breakpoint. A repeated string instruction is
//! finished first.
//!
//! Invariants: a rollback of a window undoes the record of a match, and a replayed access makes an
//! equal record. Watchpoints are in no snapshot and in no state hash: while bytes are watched,
//! every access takes the slow path, which has the effects of the fast path.

use crate::core::parts::Core;
use crate::state::observers::watchpoints::{WatchHit, Watches, Watchpoint};

impl Core {
    /// Starts (`on`) or stops watching the bytes of a watchpoint.
    pub fn set_watchpoint(&mut self, watchpoint: Watchpoint, on: bool) {
        let points = &mut self.breaks.get_or_insert_default().watches.points;
        points.retain(|other| *other != watchpoint);
        if on {
            points.push(watchpoint);
        }
        self.note_observers();
    }

    /// The watchpoint match that caused the stop which was reported last; `None` if it had another
    /// cause.
    pub fn watch_hit(&self) -> Option<WatchHit> {
        self.breaks.as_ref()?.watches.reported
    }

    /// Checks a completed access of the current instruction against the watchpoints.
    #[cold]
    pub(crate) fn note_watched(&mut self, linear: u32, size: u32, write: bool) {
        if let Some(breaks) = &mut self.breaks {
            let Watches { points, hit, .. } = &mut breaks.watches;
            let met = || points.iter().find_map(|point| point.meets(linear, size, write));
            *hit = hit.or_else(met);
        }
    }
}
