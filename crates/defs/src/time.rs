//! Integer time. One picosecond is the unit in which blocks meet; a core counts its own cycles.

use serde::{Deserialize, Serialize};

/// Picoseconds since the chip's power-on.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Ps(pub u64);

impl Ps {
    pub const NEVER: Ps = Ps(u64::MAX);

    #[inline]
    pub fn max(self, other: Ps) -> Ps {
        Ps(self.0.max(other.0))
    }
}

impl std::ops::Add<u64> for Ps {
    type Output = Ps;
    #[inline]
    fn add(self, ps: u64) -> Ps {
        Ps(self.0.saturating_add(ps))
    }
}

/// Cycles of one core's clock since that core's counter started.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct CoreCycles(pub u64);

/// A clock domain: time and cycle count met at the epoch; since then one cycle is `period_ps`.
///
/// A change of divider starts a new epoch, so counts stay exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Clock {
    pub epoch_time: Ps,
    pub epoch_cycle: u64,
    pub period_ps: u64,
}

impl Clock {
    /// A clock that counts from cycle 0 at `start`.
    pub fn starting_at(start: Ps, period_ps: u64) -> Clock {
        assert!(period_ps > 0, "a clock needs a period");
        Clock { epoch_time: start, epoch_cycle: 0, period_ps }
    }

    /// The instant at which `cycle` begins; `cycle` is not before the epoch.
    #[inline]
    pub fn time_of(&self, cycle: u64) -> Ps {
        debug_assert!(cycle >= self.epoch_cycle);
        self.epoch_time + (cycle - self.epoch_cycle).saturating_mul(self.period_ps)
    }

    /// The first cycle that begins at or after `time`.
    #[inline]
    pub fn cycle_at_or_after(&self, time: Ps) -> u64 {
        let since = time.0.saturating_sub(self.epoch_time.0);
        self.epoch_cycle.saturating_add(since.div_ceil(self.period_ps))
    }

    /// The first cycle that begins at or after `time`; `cycle` is not before the epoch. The result
    /// is right for every time; a `time` shortly after the beginning of `cycle` is the fast case,
    /// because the host divides small numbers faster.
    #[inline]
    pub fn cycle_from(&self, cycle: u64, time: Ps) -> u64 {
        match time.0.checked_sub(self.time_of(cycle).0) {
            Some(since) => cycle.saturating_add(since.div_ceil(self.period_ps)),
            None => self.cycle_at_or_after(time),
        }
    }

    /// The clock's first edge at or after `time`.
    #[inline]
    pub fn edge_at_or_after(&self, time: Ps) -> Ps {
        self.time_of(self.cycle_at_or_after(time))
    }

    /// Starts a new epoch with another period, at the first cycle boundary at or after `time`.
    pub fn change_period(&mut self, time: Ps, period_ps: u64) {
        assert!(period_ps > 0, "a clock needs a period");
        let cycle = self.cycle_at_or_after(time);
        *self = Clock { epoch_time: self.time_of(cycle), epoch_cycle: cycle, period_ps };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_divider_change_keeps_the_count() {
        // 533 MHz is 1600/3: 1875 ps.
        let mut clock = Clock::starting_at(Ps(0), 1875);
        assert_eq!(clock.time_of(8), Ps(15_000));
        assert_eq!(clock.cycle_at_or_after(Ps(15_001)), 9);
        clock.change_period(Ps(15_001), 1250);
        assert_eq!(clock.time_of(9), Ps(16_875));
        assert_eq!(clock.time_of(10), Ps(18_125));
        assert_eq!(clock.cycle_at_or_after(Ps(18_125)), 10);
        for (cycle, ps) in (9..14).flat_map(|cycle| (16_000..23_000).map(move |ps| (cycle, ps))) {
            assert_eq!(clock.cycle_from(cycle, Ps(ps)), clock.cycle_at_or_after(Ps(ps)));
        }
    }
}
