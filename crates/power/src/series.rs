//! What an observer wrote down: the energy of each domain at fixed instants, and of all, a domain
//! and a core at marks. No part of a chip's state.

/// Energies so far, where a core left a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkEnergy {
    /// The mark's number among all of the chip.
    pub mark: usize,
    pub domains: Vec<u64>,
    /// Of the core that left it.
    pub core: u64,
}

/// Energies at instants `every_ps` apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnergySeries {
    every_ps: u64,
    next_ps: u64,
    /// The instants at which somebody looked, the first when the series began, and the femtojoules
    /// of each domain since power-on.
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

    /// When somebody must look again.
    pub fn next_ps(&self) -> u64 {
        self.next_ps
    }

    /// Somebody has looked.
    pub fn push(&mut self, now_ps: u64, domains: Vec<u64>) {
        self.next_ps = self.next_ps.saturating_add(self.every_ps);
        self.samples.push((now_ps, domains));
    }
}
