//! Fetches of code lines from within translated code, if they need no transaction.
//!
//! `frontend/fetch.rs` has the fetch that may wait; both look up ITLB and L1I in program order.
//!
//! TinyCC compiling 220 functions takes 1.48 times the host's instructions without `fetch_soon`
//! (2026-11-29).

use rockcreek_defs::{CoreAddr, LINE_BYTES};

use crate::core::parts::Core;
use crate::state::fetched_lines::VersionId;
use crate::units::tlb::permit;

impl Core {
    /// Fetches the line of linear address `linear`, if that needs neither a page walk nor a
    /// transaction; otherwise `None`. The code segment's base must be 0. Returns the version (the
    /// id) of the line's bytes.
    pub(crate) fn fetch_at_once(&mut self, linear: u32) -> Option<VersionId> {
        let (page, user) = (linear >> 12, self.state.cpl == 3);
        let need = if user { permit::USER } else { 0 };
        let entry = match self.tlbs.code.recent(page) {
            Some(_) if let Some(version) = self.fetched.version(linear, user) => {
                return Some(version);
            }
            Some(entry) => *entry,
            None => self.tlbs.code.lookup(page)?,
        };
        if entry.permit & need != need {
            return None;
        }
        let addr = CoreAddr(entry.frame | linear & 0xFFF);
        let version = self.caches.fetch_known(addr, self.effective_type(entry.memory_type))?;
        self.fetched.set(linear, user, version);
        Some(version)
    }

    /// Fetches the line of `linear`, if that needs at most a page walk in L1D and one access to L2
    /// before the time limit. Returns the version, and true if the walk or the access was needed,
    /// so that the pipes have emptied. `known` returns the version of a line that comes from L2;
    /// `expected`: the version that the line must have (`None`: any). Returns `None` if the line
    /// cannot be fetched so or has another version; at most recency has changed then, as a second
    /// attempt would change it again.
    pub(crate) fn fetch_soon(
        &mut self,
        linear: u32,
        expected: Option<VersionId>,
        known: impl FnOnce(CoreAddr, &[u8; LINE_BYTES]) -> Option<VersionId>,
    ) -> Option<(VersionId, bool)> {
        let (page, user) = (linear >> 12, self.state.cpl == 3);
        let need = if user { permit::USER } else { 0 };
        let held = self.tlbs.code.lookup(page);
        let entry = match held {
            Some(entry) => entry,
            None if self.paging() => self.walk_in_l1d(linear, need)?,
            None => return None,
        };
        let walk = if held.is_some() { 0 } else { u64::from(self.config.tlb_miss_cycles) };
        let late = self.state.cycles + walk >= self.host.reach_limit;
        if entry.permit & need != need || held.is_none() && late {
            return None;
        }
        let addr = CoreAddr(entry.frame | linear & 0xFFF);
        let ty = self.effective_type(entry.memory_type);
        let known = |bytes: &[u8; LINE_BYTES]| known(addr.line(), bytes).filter(|_| !late);
        let (version, cycles) = self.caches.fetch_soon(addr, ty, known)?;
        if expected.is_some_and(|expected| expected != version) {
            return None;
        }
        if held.is_none() {
            self.state.counters.itlb_misses += 1;
            self.tlbs.code.fill_new(page, entry);
        }
        let gap = held.is_none() || cycles > 0;
        if gap {
            self.state.cycles += walk + u64::from(cycles);
            self.state.pipeline.drain();
        }
        self.fetched.set(linear, user, version);
        Some((version, gap))
    }
}
