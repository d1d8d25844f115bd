//! Test-and-set registers: who holds which.

use crate::clocks::Released;
use crate::finding::Site;

/// One register.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lock {
    pub released: Released,
    pub holder: Option<Site>,
    /// Instructions that have released it for the core that held it: they use it as a lock.
    users: Vec<(u16, u32)>,
}

impl Lock {
    /// A core reads 1: it owns the lock.
    pub fn acquired(&mut self, site: Site) {
        self.holder = Some(site);
    }

    /// A core writes it. The holder, if that is another core, or nobody, and this instruction has
    /// released the register as a lock before: what only puts all registers into their first state
    /// has not.
    pub fn freed(&mut self, site: Site) -> Option<Option<Site>> {
        let (holder, user) = (self.holder.take(), (site.core, site.eip));
        if holder.is_some_and(|holder| holder.core == site.core) {
            if !self.users.contains(&user) {
                self.users.push(user);
            }
            return None;
        }
        self.users.contains(&user).then_some(holder)
    }
}
