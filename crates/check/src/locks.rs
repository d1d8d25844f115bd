//! Test-and-set registers: who holds which.

use crate::clocks::Released;
use crate::finding::Site;

/// From so many releases of its own locks on, an instruction is taken for the end of a critical
/// section.
const MANY: u32 = 2;

/// One register.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lock {
    pub released: Released,
    pub holder: Option<Site>,
}

/// What an instruction of a core has freed: registers that the core held, and others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unlocks {
    own: u32,
    other: u32,
}

impl Lock {
    /// A core reads 1: it owns the lock.
    pub fn acquired(&mut self, site: Site) {
        self.holder = Some(site);
    }

    /// A core writes it. The holder, if that is another core, or nobody, and the instruction has
    /// always released its core's own locks before: what puts registers into their first state, or
    /// makes a signal of them, has not.
    pub fn freed(&mut self, site: Site, user: &mut Unlocks) -> Option<Option<Site>> {
        let holder = self.holder.take();
        if holder.is_some_and(|holder| holder.core == site.core) {
            user.own += 1;
            return None;
        }
        user.other += 1;
        (user.own >= MANY && user.other == 1).then_some(holder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_unlocks_can_unlock_wrongly() {
        let site = |core| Site { core, ..Site::default() };
        let (mut lock, mut user) = (Lock::default(), Unlocks::default());
        assert!(lock.freed(site(0), &mut user).is_none(), "a first state");
        let mut user = Unlocks::default();
        for _ in 0..MANY {
            lock.acquired(site(0));
            assert!(lock.freed(site(0), &mut user).is_none());
        }
        lock.acquired(site(1));
        let holder = lock.freed(site(0), &mut user).expect("it is another's");
        assert_eq!(holder.map(|holder| holder.core), Some(1));
    }
}
