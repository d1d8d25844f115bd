//! The record of an observer of energies: of each domain at fixed instants, and of each domain and
//! of the marking core at marks. The record is no part of a chip's state.

/// The energies, in femtojoules since power-on, at the instant at which a core set a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkEnergy {
    /// The mark's number among all marks of the chip.
    pub mark: usize,
    pub domains: Vec<u64>,
    /// The energy of the core that set the mark.
    pub core: u64,
}

/// The largest number of samples that are kept: 100 s at the usual interval of 1 ms.
const MOST_SAMPLES: usize = 100_000;

/// Energies at instants `every_ps` apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnergySeries {
    every_ps: u64,
    next_ps: u64,
    /// The instants of the samples in picoseconds, the first when the series began, each with the
    /// femtojoules of each domain since power-on.
    pub samples: Vec<(u64, Vec<u64>)>,
    pub marks: Vec<MarkEnergy>,
}

impl EnergySeries {
    pub fn new(every_ps: u64, now_ps: u64, domains: Vec<u64>) -> EnergySeries {
        let every_ps = every_ps.max(1);
        EnergySeries {
            every_ps,
            next_ps: (now_ps / every_ps).saturating_add(1).saturating_mul(every_ps),
            samples: vec![(now_ps, domains)],
            marks: Vec::new(),
        }
    }

    /// The time of the next sample; `u64::MAX` if there is no room for more.
    pub fn next_ps(&self) -> u64 {
        if self.samples.len() < MOST_SAMPLES { self.next_ps } else { u64::MAX }
    }

    /// The number of samples that were not taken for want of room.
    pub fn dropped(&self, now_ps: u64) -> u64 {
        let full = self.samples.len() >= MOST_SAMPLES && now_ps >= self.next_ps;
        if full { (now_ps - self.next_ps) / self.every_ps + 1 } else { 0 }
    }

    /// Adds a sample.
    pub fn push(&mut self, now_ps: u64, domains: Vec<u64>) {
        self.next_ps = self.next_ps.saturating_add(self.every_ps);
        self.samples.push((now_ps, domains));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_kept_up_to_a_number_and_counted_beyond() {
        let mut series = EnergySeries::new(10, 0, vec![0]);
        while series.next_ps() != u64::MAX {
            let now_ps = series.next_ps();
            assert_eq!(series.dropped(now_ps), 0);
            series.push(now_ps, vec![now_ps]);
        }
        assert_eq!(series.samples.len(), MOST_SAMPLES);
        let last_ps = series.samples[MOST_SAMPLES - 1].0;
        assert_eq!([9, 10, 39].map(|more| series.dropped(last_ps + more)), [0, 1, 3]);
    }
}
