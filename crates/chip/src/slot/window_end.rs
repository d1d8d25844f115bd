//! The latest end of a core's run, and the instant at which several cores' runs end together.

use rockcreek_defs::{Clock, Ps};

/// The latest end of one run of a core; the run may stop before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// The instant at which runs of several cores end together; `None` if only this core's run
    /// ends.
    pub(crate) common: Option<Ps>,
    /// The core cycle at which the run ends at the latest: the first at or after `common`, if there
    /// is a common instant.
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
