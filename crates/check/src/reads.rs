//! Loads: how a load orders its core after other cores, and whether the load read an old value.

use crate::clocks::{Edge, EdgeKind, Mark};
use crate::finding::{Kind, Level, Origin, Site};
use crate::memory::{Byte, Key};
use crate::races::Pair;
use crate::shadow::{Shadow, bytes_of};
use crate::signals::Saw;
use crate::writes::{Id, Ids, LINE, NONE};

/// After this many loads of one copy in its own cache, a loop counts as waiting for ever.
const MANY_POLLS: u32 = 20_000;

/// The load that a core repeats (instruction and address), and how often it did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Polls {
    eip: u32,
    addr: u32,
    count: u32,
}

impl Polls {
    /// Counts the load; returns true at each multiple of [`MANY_POLLS`] repetitions, false
    /// otherwise.
    fn are_many(&mut self, site: &Site) -> bool {
        if (self.eip, self.addr) != (site.eip, site.addr) {
            *self = Polls { eip: site.eip, addr: site.addr, count: 0 };
        }
        self.count += 1;
        self.count.is_multiple_of(MANY_POLLS)
    }
}

impl Shadow {
    /// Records a load: its bytes came from the writes `ids`, out of memory or a cache (`origin`).
    pub(crate) fn reads(&mut self, site: Site, key: Key, ids: &Ids, origin: Origin) {
        let bytes = bytes_of(site.addr, site.size);
        if let Some(races) = self.races.as_mut().filter(|races| races.watches(key)) {
            let first = self.writes.get(ids[bytes.start]);
            let version = first.map(|write| (write.site.core, write.number));
            let clock = &self.clocks[usize::from(site.core)];
            let news = first.map(|write| write.site).filter(|write| {
                let number = version.map_or(0, |(_, number)| number);
                write.core != site.core && !clock.knows(write.core.into(), number)
            });
            races.reads(&site, key, version, news, clock.stamp());
        }
        let mut learnt = NONE;
        for &id in &ids[bytes.clone()] {
            if id != learnt {
                learnt = id;
                self.learn_from(id, site, key);
            }
        }
        let mut told = NONE;
        let lasts = self.memory.line(key).last;
        for byte in bytes.clone() {
            let last = lasts[byte];
            if last != ids[byte] && last != NONE && last != told && self.differs(&site, last, byte)
            {
                told = last;
                self.judge(site, Byte { line: key, offset: byte }, ids[byte], last, origin);
            }
        }
        let core = usize::from(site.core);
        if origin.level == Level::L1 && self.polls[core].are_many(&site) {
            let held = self.memory.line(key).held;
            if let Some(byte) = bytes.clone().find(|&byte| self.is_news(&site, ids, &held, byte)) {
                let culprit = self.writes.get(held[byte]).map_or(Site::default(), |w| w.site);
                let at = Byte { line: key, offset: byte };
                self.report(Kind::StalePoll, at, site, culprit, origin);
            }
        }
    }

    /// True if memory has a newer value for this byte than the read returned: a write of another
    /// core, with a different value. `ids`: the writes that the read saw; `held`: the writes whose
    /// values memory has.
    fn is_news(&self, site: &Site, ids: &Ids, held: &Ids, byte: usize) -> bool {
        let newer = held[byte] != ids[byte] && self.is_older(ids[byte], held[byte]);
        newer
            && self.writes.get(held[byte]).is_some_and(|write| {
                write.site.core != site.core && write.site.byte(byte) != site.byte(byte)
            })
    }

    /// True if write `id` gave this byte another value than the read returned. An old byte with an
    /// equal value does no harm.
    fn differs(&self, site: &Site, id: Id, byte: usize) -> bool {
        self.writes.get(id).is_some_and(|write| write.site.byte(byte) != site.byte(byte))
    }

    /// Orders the reader after this write and all actions that happened before the write.
    fn learn_from(&mut self, id: Id, site: Site, key: Key) {
        let Some(write) = self.writes.get(id).filter(|write| write.site.core != site.core) else {
            return;
        };
        let from = usize::from(write.site.core);
        let clock = &mut self.clocks[usize::from(site.core)];
        if clock.is_late(write) {
            let (culprit, level) = (write.site, write.from);
            let at = Byte { line: key, offset: site.addr as usize % LINE };
            let origin = Origin { level, since_ps: 0 };
            return self.report(Kind::LateWrite, at, site, culprit, origin);
        }
        let edge = Edge { kind: EdgeKind::Value, from: write.site, to: site };
        let mark = Mark { number: write.up_to, shown: write.shown };
        clock.learn(from, mark, &write.before, &edge);
    }

    /// Makes a finding for a byte of a load that returned the value of write `seen`, although
    /// `last` is the newest write of the byte; if nothing orders the load after `last`, makes none.
    fn judge(&mut self, site: Site, at: Byte, seen: Id, last: Id, origin: Origin) {
        let Some(write) = self.writes.get(last) else { return };
        let (culprit, from) = (write.site, usize::from(write.site.core));
        let core = usize::from(site.core);
        let ordered = from == core || self.clocks[core].knows(from, write.number);
        let unordered = !ordered && !self.is_older(last, seen);
        if unordered && let Some(races) = self.races.as_mut().filter(|races| races.watches(at.line))
        {
            let seen = self.writes.get(seen).map(|write| write.site.core);
            let early = seen != Some(culprit.core);
            let saw = Saw::of(site.core, seen);
            races.found(at, Pair { victim: site, culprit, saw, early });
        }
        if !ordered || write.lost || !self.is_older(seen, last) {
            return;
        }
        if self.clocks[core].is_late(write) {
            let sat = Origin { level: write.from, ..origin };
            return self.report(Kind::StuckWrite, at, site, culprit, sat);
        }
        if self.memory.line(at.line).held[at.offset] == last && origin.level != Level::Memory {
            let mixed =
                culprit.cached != site.cached || culprit.message_buffer != site.message_buffer;
            let kind = if mixed { Kind::MixedMapping } else { Kind::StaleRead };
            return self.report(kind, at, site, culprit, origin);
        }
        if let Some(level) = self.sits(from, at.offset, last) {
            self.report(Kind::StuckWrite, at, site, culprit, Origin { level, ..origin });
        }
    }

    /// Where the value of the core's write `id` still waits to be written to memory: in the
    /// write-combine buffer, or in a dirty line of L1D or L2; `None` if it waits nowhere.
    fn sits(&self, core: usize, byte: usize, id: Id) -> Option<Level> {
        let copies = &self.cores[core];
        let has = |ids: &Ids| ids[byte] == id;
        if copies.combining.as_ref().is_some_and(|(_, ids)| has(ids)) {
            Some(Level::WriteCombine)
        } else if copies.first.values().any(|copy| copy.dirty && has(&copy.ids)) {
            Some(Level::L1)
        } else if copies.second.values().any(|copy| copy.dirty && has(&copy.ids)) {
            Some(Level::L2)
        } else {
            None
        }
    }
}
