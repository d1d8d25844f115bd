//! The latest end of a core's run, and its instant shared with other cores.

use rockcreek_defs::{Clock, Ps};

/// The latest end of a core's run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// The instant at which runs of several cores end together; `None` if only this core's run
    /// ends.
    pub(crate) common: Option<Ps>,
    /// The first cycle of the core's clock at or after that instant.
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
