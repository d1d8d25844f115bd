//! Vector clocks: for each core, the actions of other cores that happened before the core's
//! present.
//!
//! A *release* is an action of a core that another core can learn of: a store, a write of a lock
//! register, a counted access, an interrupt. Each core numbers its releases from 1. An *effect* is
//! an instant at which others can see an action: a store reaches memory, or a register is written.
//! Effects have numbers of their own.

use std::sync::Arc;

use crate::finding::{Level, Site};
use crate::writes::Write;

/// The means by which one core's action is ordered after another core's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// The core read a value that the other core wrote.
    Value,
    Lock,
    /// The core found a lock register taken, and so learned that the other core had taken it.
    Taken,
    Counter,
    Interrupt,
    /// A mark that the program set with a call of `rck_check.h`.
    Mark,
}

/// The last action of the chain that orders two cores: `from`, in one core, happened before `to`,
/// in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub kind: EdgeKind,
    pub from: Site,
    pub to: Site,
}

/// A copy of a core's clock, one number for each core in each half. First half: the core's last
/// release that happened before. Second half: the core's last effect that was visible before.
pub(crate) type Snapshot = Arc<[u32]>;

/// A release of a core: its number, and (`shown`) the number of the core's effect that made it
/// visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub number: u32,
    pub shown: u32,
}

/// How far a core has come: `number`, the count of its releases, and `heard`, how often it has
/// become ordered after a release of another core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub number: u32,
    pub heard: u32,
}

/// The clock of one core.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    own: usize,
    cores: usize,
    /// One number for each core in each half. First half: how many of that core's releases happened
    /// before this core's present. Second half: how many of that core's effects were visible before
    /// it.
    seen: Vec<u32>,
    heard: u32,
    /// A copy of `seen` that snapshots share; `None` if `seen` has changed since. Its counts for
    /// the core itself may be out of date.
    shared: Option<Snapshot>,
    /// For each other core, the action by which this core was last ordered after a release of that
    /// core; `None` if it never was.
    edges: Vec<Option<Box<Edge>>>,
}

impl Clock {
    pub fn new(own: usize, cores: usize) -> Clock {
        let (seen, edges) = (vec![0; 2 * cores], vec![None; cores]);
        Clock { own, cores, seen, heard: 0, shared: None, edges }
    }

    /// Counts another release of this core; returns the release's number, from 1.
    pub fn advance(&mut self) -> u32 {
        self.seen[self.own] += 1;
        self.seen[self.own]
    }

    /// Counts another effect of this core (its stores reached memory, or it wrote a register);
    /// returns the effect's number, from 1.
    pub fn show(&mut self) -> u32 {
        self.seen[self.cores + self.own] += 1;
        self.seen[self.cores + self.own]
    }

    pub fn snapshot(&mut self) -> Snapshot {
        self.shared.get_or_insert_with(|| self.seen.as_slice().into()).clone()
    }

    pub fn stamp(&self) -> Stamp {
        Stamp { number: self.seen[self.own], heard: self.heard }
    }

    /// True if release `number` of `core` happened before this core's present.
    pub fn knows(&self, core: usize, number: u32) -> bool {
        self.seen[core] >= number
    }

    /// True if effect `shown` of `core` was visible before this core's present.
    pub fn saw(&self, core: usize, shown: u32) -> bool {
        self.seen[self.cores + core] >= shown
    }

    /// True if this core knows of `write` (by a flag or lock of the writing core) although the
    /// write had not yet left the writer's caches when it was announced.
    pub fn is_late(&self, write: &Write) -> bool {
        let from = usize::from(write.site.core);
        let knows = from != self.own && self.knows(from, write.number);
        knows && write.from != Level::Memory && !self.saw(from, write.shown)
    }

    pub fn edge(&self, core: usize) -> Option<&Edge> {
        self.edges[core].as_deref()
    }

    /// Records that release `release` of `core`, and everything that `before` contains, happened
    /// before this core's present. Does nothing for a release of this core itself.
    pub fn learn(&mut self, core: usize, release: Mark, before: &[u32], edge: &Edge) {
        if core == self.own {
            return;
        }
        if !self.saw(core, release.shown) {
            self.seen[self.cores + core] = release.shown;
            self.shared = None;
        }
        if self.knows(core, release.number) {
            return;
        }
        self.heard = self.heard.wrapping_add(1);
        let (releases, effects) = before.split_at(self.cores);
        for (other, count) in releases.iter().enumerate() {
            let count = if other == core { release.number } else { *count };
            if other != self.own && self.seen[other] < count {
                self.seen[other] = count;
                match &mut self.edges[other] {
                    Some(kept) => **kept = *edge,
                    none => *none = Some(Box::new(*edge)),
                }
            }
        }
        for (other, count) in effects.iter().enumerate().filter(|(other, _)| *other != self.own) {
            let seen = &mut self.seen[self.cores + other];
            *seen = (*seen).max(*count);
        }
        self.shared = None;
    }
}

/// The releases at an object that is not memory: a lock, a counter, an interrupt pin. A core that
/// acquires the object is ordered after all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Released {
    /// For each core that released here, its last release: the core, the release, its clock then,
    /// and the access.
    parts: Vec<(usize, Mark, Snapshot, Site)>,
}

impl Released {
    /// Replaces all releases at this object by a new release of `core`.
    pub fn put_alone(&mut self, core: usize, clock: &mut Clock, site: Site) {
        self.parts.clear();
        self.put(core, clock, site);
    }

    pub fn put(&mut self, core: usize, clock: &mut Clock, site: Site) {
        let mark = Mark { number: clock.advance(), shown: clock.show() };
        self.parts.retain(|part| part.0 != core);
        self.parts.push((core, mark, clock.snapshot(), site));
    }

    /// Adds the releases of `other`; where both have one of a core, the later one is kept.
    pub fn merge(&mut self, other: Released) {
        for part in other.parts {
            match self.parts.iter_mut().find(|mine| mine.0 == part.0) {
                Some(mine) if mine.1.number < part.1.number => *mine = part,
                Some(_) => {}
                None => self.parts.push(part),
            }
        }
    }

    pub fn take(&self, clock: &mut Clock, kind: EdgeKind, to: Site) {
        for (core, mark, before, from) in &self.parts {
            clock.learn(*core, *mark, before, &Edge { kind, from: *from, to });
        }
    }
}
