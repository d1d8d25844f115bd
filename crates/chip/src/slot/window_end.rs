//! Until when a core runs.

use rockcreek_defs::{Clock, Ps};

/// When a core's run ends, at the latest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// The instant that runs of several cores have in common, if it is such a one.
    pub(crate) common: Option<Ps>,
    /// The first cycle at or after it.
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
