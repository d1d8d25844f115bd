//! Test-and-set registers: who holds which.

use crate::clocks::Released;
use crate::finding::Site;

/// One register.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lock {
    pub released: Released,
    pub holder: Option<Site>,
    /// Cores that have released it while they held it: they use it as a lock.
    users: Vec<u16>,
}

impl Lock {
    /// A core reads 1: it owns the lock.
    pub fn acquired(&mut self, site: Site) {
        self.holder = Some(site);
    }

    /// A core writes it. The holder, if that is another core's lock, or nobody's, which this core
    /// has used as a lock before.
    pub fn freed(&mut self, site: Site) -> Option<Option<Site>> {
        let holder = self.holder.take();
        if holder.is_some_and(|holder| holder.core == site.core) {
            if !self.users.contains(&site.core) {
                self.users.push(site.core);
            }
            return None;
        }
        self.users.contains(&site.core).then_some(holder)
    }
}
