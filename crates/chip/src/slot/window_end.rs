//! The end of a core's run.

use rockcreek_defs::{Clock, Ps};

/// The latest end of a core's run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// The instant at which runs of several cores end together, if this one does.
    pub(crate) common: Option<Ps>,
    /// The first cycle at or after that instant.
    pub cycle: u64,
}

impl End {
    pub fn at(clock: &Clock, time: Ps) -> End {
        End { common: Some(time), cycle: clock.cycle_at_or_after(time) }
    }

    pub fn time(&self, clock: &Clock) -> Ps {
        self.common.unwrap_or_else(|| clock.time_of(self.cycle))
    }
}
