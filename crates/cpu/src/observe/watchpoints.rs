//! Watchpoints of a debugger: any number, of any length, in zero time and without a change of the
//! guest. They are nothing of the P54C; its own data breakpoints are in `debug_registers.rs`.
//!
//! Watched are the accesses that instructions and deliveries of exceptions make at a linear
//! address, when they are done; page walks and instruction fetches are not. The core stops before
//! its next instruction (a repeated string instruction is finished first), as behind a data
//! breakpoint.
//!
//! Invariants: the note of what was met goes back with its window, and a replayed access makes the
//! same note again. Nothing of it is in a snapshot or in the state hash: while something is
//! watched every access takes the slow path, whose effects are those of the fast one.

use crate::core::parts::Core;
use crate::state::observers::watchpoints::{WatchHit, Watches, Watchpoint};

impl Core {
    /// Watches some bytes, or no more.
    pub fn set_watchpoint(&mut self, watchpoint: Watchpoint, on: bool) {
        let points = &mut self.breaks.get_or_insert_default().watches.points;
        points.retain(|other| *other != watchpoint);
        if on {
            points.push(watchpoint);
        }
        self.note_observers();
    }

    /// What the core met before the stop that was reported last.
    pub fn watch_hit(&self) -> Option<WatchHit> {
        self.breaks.as_ref()?.watches.reported
    }

    /// An access of the instruction at hand is done.
    #[cold]
    pub(crate) fn note_watched(&mut self, linear: u32, size: u32, write: bool) {
        if let Some(breaks) = &mut self.breaks {
            let Watches { points, hit, .. } = &mut breaks.watches;
            let met = || points.iter().find_map(|point| point.meets(linear, size, write));
            *hit = hit.or_else(met);
        }
    }
}
