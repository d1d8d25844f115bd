//! Vector clocks: what of the other cores has happened before a core's present.

use std::sync::Arc;

use crate::finding::{Level, Site};
use crate::writes::Write;

/// By what a core has learnt that something has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// It read a value that the other core wrote.
    Value,
    Lock,
    /// It found a lock taken: by that core.
    Taken,
    Counter,
    Interrupt,
    /// A mark of the program (`rck_check.h`).
    Mark,
}

/// How the order between two cores came about: the last step of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub kind: EdgeKind,
    pub from: Site,
    pub to: Site,
}

/// Counts of releases, by core; then, by core, how many of its effects others could see.
pub(crate) type Snapshot = Arc<[u32]>;

/// A release: its number, and that of the core's effects up to the one that showed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub number: u32,
    pub shown: u32,
}

/// How far a core is: its own releases, and how often it has heard of others'.
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
    seen: Vec<u32>,
    heard: u32,
    /// `seen` as others refer to it; the own count in it is out of date.
    shared: Option<Snapshot>,
    /// By core: how it last became known.
    edges: Vec<Option<Box<Edge>>>,
}

impl Clock {
    pub fn new(own: usize, cores: usize) -> Clock {
        let (seen, edges) = (vec![0; 2 * cores], vec![None; cores]);
        Clock { own, cores, seen, heard: 0, shared: None, edges }
    }

    /// The next release of this core: its number.
    pub fn advance(&mut self) -> u32 {
        self.seen[self.own] += 1;
        self.seen[self.own]
    }

    /// Something that this core has done can now be seen by others: the number of that.
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

    /// Whether the release of this number happened before the core's present.
    pub fn knows(&self, core: usize, number: u32) -> bool {
        self.seen[core] >= number
    }

    /// Whether the effect of this number could be seen before the core's present.
    pub fn saw(&self, core: usize, shown: u32) -> bool {
        self.seen[self.cores + core] >= shown
    }

    /// Whether another core had told of a write before that left its caches.
    pub fn is_late(&self, write: &Write) -> bool {
        let from = usize::from(write.site.core);
        let knows = from != self.own && self.knows(from, write.number);
        knows && write.from != Level::Memory && !self.saw(from, write.shown)
    }

    pub fn edge(&self, core: usize) -> Option<&Edge> {
        self.edges[core].as_deref()
    }

    /// What happened before a release of `core` has now happened before this too.
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

/// What has been released at an object that is no memory: a lock, a counter, a pin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Released {
    /// The last release of each core there.
    parts: Vec<(usize, Mark, Snapshot, Site)>,
}

impl Released {
    /// The same by one core alone, whatever was there before.
    pub fn put_alone(&mut self, core: usize, clock: &mut Clock, site: Site) {
        self.parts.clear();
        self.put(core, clock, site);
    }

    pub fn put(&mut self, core: usize, clock: &mut Clock, site: Site) {
        let mark = Mark { number: clock.advance(), shown: clock.show() };
        self.parts.retain(|part| part.0 != core);
        self.parts.push((core, mark, clock.snapshot(), site));
    }

    pub fn take(&self, clock: &mut Clock, kind: EdgeKind, to: Site) {
        for (core, mark, before, from) in &self.parts {
            clock.learn(*core, *mark, before, &Edge { kind, from: *from, to });
        }
    }
}
