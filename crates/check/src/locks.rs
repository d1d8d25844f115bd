//! Test-and-set registers: the holder of each, and misuse.

use std::collections::BTreeMap;

use crate::clocks::Released;
use crate::finding::{Callers, Finding, Kind, Level, Site};

/// After an instruction has released this number of locks that its own core held, it counts as the
/// end of a critical section, so that other releases by it are suspicious.
const MANY: u32 = 2;

/// The largest number of lock-taking instructions that are distinguished by their callers, too.
const MOST_TAKERS: usize = 1 << 12;

/// An instruction that takes locks: its address and its callers.
type Taker = (u32, Callers);

/// A core that has taken a register and not released it; `site`: the access that took it.
#[derive(Clone, Copy, Debug)]
struct Holder {
    site: Site,
    /// True if another core has released the register since this core took it.
    robbed: bool,
}

/// One register.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lock {
    pub released: Released,
    /// What the last core that took the register had done before. A core that finds the register
    /// taken is ordered after this, because a program may use a taken register as a signal.
    pub taken: Released,
    /// The cores that have taken the register and not released it, the latest last. There is more
    /// than one if a core took it after another core than its holder had released it.
    holders: Vec<Holder>,
    /// The cores that have released the register since they took it, each with the instruction that
    /// had taken it.
    done: Vec<(u16, Taker)>,
    /// The first case of two releases in a row: a core released the register a second time, and no
    /// core had taken the register in between. `None` if there was none.
    again: Option<(Taker, Finding)>,
}

/// How often one instruction released registers: `own`, registers that its core held; `other`,
/// registers that nobody held; `thefts`, registers that another core held.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unlocks {
    own: u32,
    other: u32,
    /// The finding for the first release, by this instruction, of a register that another core
    /// held.
    stolen: Option<Finding>,
    thefts: u32,
}

impl Unlocks {
    /// Returns a finding if this instruction released locks that another core held, although it
    /// usually releases locks of its own core; otherwise `None`. A register that serves as a signal
    /// is always released by other cores, so it gives no finding.
    pub fn stolen(&self) -> Option<Finding> {
        let finding = self.stolen.filter(|_| self.own >= MANY && self.thefts <= self.own / 2)?;
        Some(Finding { count: self.thefts.into(), ..finding })
    }
}

/// How often the locks that one instruction took were released, and by whom.
#[derive(Clone, Copy, Debug, Default)]
struct Takes {
    /// Locks released by the core that took them.
    kept: u32,
    /// Locks released by another core than the one that took them, or released twice by the one
    /// that did.
    given: u32,
    first: Option<Finding>,
}

/// For each instruction that takes locks, with its callers: how often its locks were released by
/// their taker, and by others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Takers(BTreeMap<Taker, Takes>);

impl Takers {
    /// The counts of an instruction with its callers. Beyond [`MOST_TAKERS`] instructions, callers
    /// are not distinguished, because a guest can make any number of them.
    fn of(&mut self, (eip, callers): Taker) -> &mut Takes {
        let known = self.0.len() < MOST_TAKERS || self.0.contains_key(&(eip, callers));
        self.0.entry((eip, if known { callers } else { Callers::default() })).or_default()
    }

    fn gives(&mut self, taker: Taker, finding: Finding) {
        let takes = self.of(taker);
        takes.given += 1;
        takes.first.get_or_insert(finding);
    }

    /// Findings for locks that another core than the taker released, where the taking instruction's
    /// locks are usually released by their taker. A register that serves as a signal is never
    /// released by its taker, so it gives no finding.
    pub fn stolen(&self) -> impl Iterator<Item = Finding> + '_ {
        let locks = self.0.values();
        locks
            .filter(|takes| takes.kept >= MANY && takes.given <= takes.kept / 2)
            .filter_map(|takes| takes.first.map(|one| Finding { count: takes.given.into(), ..one }))
    }
}

/// The finding that the access `site` released register `number`, which its core did not hold;
/// `holder`: the access by which another core holds it, `None` if nobody does.
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
    /// The access by which the last core took the register, if that core has not released it;
    /// `None` if no core holds it.
    pub fn holder(&self) -> Option<Site> {
        self.holders.last().map(|holder| holder.site)
    }

    /// Records that a core read 1 from the register and thereby took the lock (the access `site`).
    pub fn acquired(&mut self, site: Site, takers: &mut Takers) {
        self.holders.retain(|holder| holder.site.core != site.core);
        self.holders.push(Holder { site, robbed: false });
        self.done.retain(|done| done.0 != site.core);
        if let Some((taker, finding)) = self.again.take() {
            takers.gives(taker, finding);
        }
    }

    /// Records that a core wrote the register (the access `site`), which releases it. Returns true
    /// for a misuse: no core held the register, and the instruction has so far released only its
    /// own core's locks (`user`). Instructions that initialise registers do not count.
    pub fn freed(
        &mut self,
        number: u32,
        site: Site,
        user: &mut Unlocks,
        takers: &mut Takers,
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
        assert!(!lock.freed(0, site(0), &mut user, &mut takers));
        let mut user = Unlocks::default();
        for _ in 0..MANY {
            lock.acquired(site(0), &mut takers);
            assert!(!lock.freed(0, site(0), &mut user, &mut takers));
        }
        assert!(lock.freed(0, site(0), &mut user, &mut takers), "nobody holds it");
        assert_eq!(takers.stolen().count(), 0, "and nobody has taken it since");
    }

    #[test]
    fn a_lock_is_taken_from_its_holder_before_the_instruction_is_known() {
        let (mut lock, mut user, mut takers) =
            (Lock::default(), Unlocks::default(), Takers::default());
        lock.acquired(site(0), &mut takers);
        assert!(!lock.freed(0, site(1), &mut user, &mut takers));
        lock.acquired(site(1), &mut takers);
        for core in [0, 1] {
            assert!(user.stolen().is_none());
            assert!(!lock.freed(0, site(core), &mut user, &mut takers));
        }
        assert_eq!(user.stolen().map(|one| (one.victim.core, one.culprit.core)), Some((1, 0)));
    }

    #[test]
    fn an_instruction_of_its_own_releases_a_lock_once_more() {
        let (mut lock, mut takers) = (Lock::default(), Takers::default());
        let [mut user, mut twice] = [Unlocks::default(); 2];
        for _ in 0..MANY {
            lock.acquired(site(0), &mut takers);
            lock.freed(0, site(0), &mut user, &mut takers);
        }
        lock.freed(0, Site { eip: 7, ..site(0) }, &mut twice, &mut takers);
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
            lock.freed(0, site(1), &mut user, &mut takers);
        }
        assert_eq!(takers.stolen().count(), 0);
    }
}
