//! Test-and-set registers: who holds which.

use std::collections::BTreeMap;

use crate::clocks::Released;
use crate::finding::{Callers, Finding, Kind, Level, Site};

/// From so many releases of its own locks on, an instruction is taken for the end of a critical
/// section.
const MANY: u32 = 2;

/// An instruction that takes locks, and who called it.
type Taker = (u32, Callers);

/// Who has taken a register.
#[derive(Clone, Copy, Debug)]
struct Holder {
    site: Site,
    /// Another core has released it since.
    robbed: bool,
}

/// One register.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lock {
    pub released: Released,
    /// By the last one who took it: it may be a sign to those who find it taken.
    pub taken: Released,
    /// Who has taken it and not released it: more than one, where it was taken from its holder.
    holders: Vec<Holder>,
    /// Cores that have released what they took, and by what they had taken it.
    done: Vec<(u16, Taker)>,
    /// A core has released it once more, and nobody has taken it since.
    again: Option<(Taker, Finding)>,
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

/// What became of the locks that an instruction took.
#[derive(Clone, Copy, Debug, Default)]
struct Takes {
    /// Released by who took them.
    kept: u32,
    /// Released by others, or by their core once more.
    given: u32,
    first: Option<Finding>,
}

/// By instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Takers(BTreeMap<Taker, Takes>);

impl Takers {
    fn of(&mut self, taker: Taker) -> &mut Takes {
        self.0.entry(taker).or_default()
    }

    fn gives(&mut self, taker: Taker, finding: Finding) {
        let takes = self.of(taker);
        takes.given += 1;
        takes.first.get_or_insert(finding);
    }

    /// Locks that were released by others than those who took them, if the instruction that took
    /// them is one whose core else releases them itself: a register that is a signal never is.
    pub fn stolen(&self) -> impl Iterator<Item = Finding> + '_ {
        let locks = self.0.values();
        locks
            .filter(|takes| takes.kept >= MANY && takes.given <= takes.kept / 2)
            .filter_map(|takes| takes.first.map(|one| Finding { count: takes.given.into(), ..one }))
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
        self.holders.last().map(|holder| holder.site)
    }

    /// A core reads 1: it owns the lock.
    pub fn acquired(&mut self, site: Site, takers: &mut Takers) {
        self.holders.retain(|holder| holder.site.core != site.core);
        self.holders.push(Holder { site, robbed: false });
        self.done.retain(|done| done.0 != site.core);
        if let Some((taker, finding)) = self.again.take() {
            takers.gives(taker, finding);
        }
    }

    /// A core writes it: whether nobody held it, though the instruction has always released its
    /// core's own locks before. What puts registers into their first state has not.
    pub fn freed(
        &mut self,
        number: u32,
        site: Site,
        (user, takers): (&mut Unlocks, &mut Takers),
    ) -> bool {
        let own = |holder: &Holder| holder.site.core == site.core;
        if let Some(place) = self.holders.iter().position(own) {
            let Holder { site: taken, robbed } = self.holders.remove(place);
            let taker = (taken.eip, taken.callers());
            takers.of(taker).kept += u32::from(!robbed);
            self.done.push((site.core, taker));
            user.own += 1;
            return false;
        }
        if let Some(holder) = self.holders.last_mut() {
            let theft = misuse(number, site, Some(holder.site));
            if !std::mem::replace(&mut holder.robbed, true) {
                takers.gives((holder.site.eip, holder.site.callers()), theft);
            }
            user.thefts += 1;
            user.stolen.get_or_insert(theft);
            return false;
        }
        if let Some((_, taker)) = self.done.iter().find(|done| done.0 == site.core) {
            self.again.get_or_insert((*taker, misuse(number, site, None)));
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
        let (mut lock, mut user, mut takers) =
            (Lock::default(), Unlocks::default(), Takers::default());
        assert!(!lock.freed(0, site(0), (&mut user, &mut takers)));
        let mut user = Unlocks::default();
        for _ in 0..MANY {
            lock.acquired(site(0), &mut takers);
            assert!(!lock.freed(0, site(0), (&mut user, &mut takers)));
        }
        assert!(lock.freed(0, site(0), (&mut user, &mut takers)), "nobody holds it");
        assert_eq!(takers.stolen().count(), 0, "and nobody has taken it since");
    }

    #[test]
    fn a_lock_is_taken_from_its_holder_before_the_instruction_is_known() {
        let (mut lock, mut user, mut takers) =
            (Lock::default(), Unlocks::default(), Takers::default());
        lock.acquired(site(0), &mut takers);
        assert!(!lock.freed(0, site(1), (&mut user, &mut takers)));
        lock.acquired(site(1), &mut takers);
        for core in [0, 1] {
            assert!(user.stolen().is_none());
            assert!(!lock.freed(0, site(core), (&mut user, &mut takers)));
        }
        assert_eq!(user.stolen().map(|one| (one.victim.core, one.culprit.core)), Some((1, 0)));
    }

    #[test]
    fn an_instruction_of_its_own_releases_a_lock_once_more() {
        let (mut lock, mut takers) = (Lock::default(), Takers::default());
        let [mut user, mut twice] = [Unlocks::default(); 2];
        for _ in 0..MANY {
            lock.acquired(site(0), &mut takers);
            lock.freed(0, site(0), (&mut user, &mut takers));
        }
        lock.freed(0, Site { eip: 7, ..site(0) }, (&mut twice, &mut takers));
        assert_eq!(takers.stolen().count(), 0, "the program's end may do that");
        lock.acquired(site(1), &mut takers);
        assert_eq!(takers.stolen().map(|one| one.victim.eip).collect::<Vec<_>>(), [7]);
    }

    #[test]
    fn who_takes_a_lock_as_a_signal_does_not_release_it() {
        let (mut lock, mut user, mut takers) =
            (Lock::default(), Unlocks::default(), Takers::default());
        for _ in 0..4 {
            lock.acquired(site(0), &mut takers);
            lock.freed(0, site(1), (&mut user, &mut takers));
        }
        assert_eq!(takers.stolen().count(), 0);
    }
}
