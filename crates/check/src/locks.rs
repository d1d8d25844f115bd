//! Test-and-set registers: who holds which.

use crate::clocks::Released;
use crate::finding::{Finding, Kind, Level, Site};

/// From so many releases of its own locks on, an instruction is taken for the end of a critical
/// section.
const MANY: u32 = 2;

/// One register.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lock {
    pub released: Released,
    /// By the last one who took it: it may be a sign to those who find it taken.
    pub taken: Released,
    /// Who has taken it and not released it: more than one, where it was taken from its holder.
    holders: Vec<Site>,
}

/// What an instruction has freed: registers that its core held, and others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unlocks {
    own: u32,
    other: u32,
    /// The first that another core held.
    stolen: Option<Finding>,
    thefts: u32,
}

impl Unlocks {
    /// The lock that was taken from its holder, if the instruction is one that else releases its
    /// own core's: a register that is a signal is released by others always.
    pub fn stolen(&self) -> Option<Finding> {
        let finding = self.stolen.filter(|_| self.own >= MANY && self.thefts <= self.own / 2)?;
        Some(Finding { count: self.thefts.into(), ..finding })
    }
}

/// A register is released by a core that does not hold it.
pub(crate) fn misuse(number: u32, site: Site, holder: Option<Site>) -> Finding {
    Finding {
        kind: Kind::LockMisuse,
        unit: number,
        offset: 0,
        bytes: 4,
        victim: site,
        culprit: holder.unwrap_or(Site { core: u16::MAX, ..Site::default() }),
        level: Level::Memory,
        since_ps: 0,
        order: None,
        count: 1,
    }
}

impl Lock {
    /// Who took it last and has not released it.
    pub fn holder(&self) -> Option<Site> {
        self.holders.last().copied()
    }

    /// A core reads 1: it owns the lock.
    pub fn acquired(&mut self, site: Site) {
        self.holders.retain(|holder| holder.core != site.core);
        self.holders.push(site);
    }

    /// A core writes it: whether nobody held it, though the instruction has always released its
    /// core's own locks before. What puts registers into their first state has not.
    pub fn freed(&mut self, number: u32, site: Site, user: &mut Unlocks) -> bool {
        if let Some(place) = self.holders.iter().position(|holder| holder.core == site.core) {
            self.holders.remove(place);
            user.own += 1;
            return false;
        }
        if let Some(holder) = self.holders.last() {
            user.thefts += 1;
            user.stolen.get_or_insert(misuse(number, site, Some(*holder)));
            return false;
        }
        user.other += 1;
        user.own >= MANY && user.other == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(core: u16) -> Site {
        Site { core, ..Site::default() }
    }

    #[test]
    fn a_first_state_is_no_misuse() {
        let (mut lock, mut user) = (Lock::default(), Unlocks::default());
        assert!(!lock.freed(0, site(0), &mut user));
        let mut user = Unlocks::default();
        for _ in 0..MANY {
            lock.acquired(site(0));
            assert!(!lock.freed(0, site(0), &mut user));
        }
        assert!(lock.freed(0, site(0), &mut user), "nobody holds it");
    }

    #[test]
    fn a_lock_is_taken_from_its_holder_before_the_instruction_is_known() {
        let (mut lock, mut user) = (Lock::default(), Unlocks::default());
        lock.acquired(site(0));
        assert!(!lock.freed(0, site(1), &mut user));
        lock.acquired(site(1));
        for core in [0, 1] {
            assert!(user.stolen().is_none());
            assert!(!lock.freed(0, site(core), &mut user));
        }
        assert_eq!(user.stolen().map(|one| (one.victim.core, one.culprit.core)), Some((1, 0)));
    }
}
