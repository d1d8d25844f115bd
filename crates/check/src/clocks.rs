//! Vector clocks: what of the other cores has happened before a core's present.

use std::sync::Arc;

use crate::finding::Site;

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

/// Counts of releases, by core.
pub(crate) type Snapshot = Arc<[u32]>;

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
    seen: Vec<u32>,
    heard: u32,
    /// `seen` as others refer to it; the own count in it is out of date.
    shared: Option<Snapshot>,
    /// By core: how it last became known.
    edges: Vec<Option<Box<Edge>>>,
}

impl Clock {
    pub fn new(own: usize, cores: usize) -> Clock {
        Clock { own, seen: vec![0; cores], heard: 0, shared: None, edges: vec![None; cores] }
    }

    /// The next release of this core: its number.
    pub fn advance(&mut self) -> u32 {
        self.seen[self.own] += 1;
        self.seen[self.own]
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

    pub fn edge(&self, core: usize) -> Option<&Edge> {
        self.edges[core].as_deref()
    }

    /// What happened before the release `number` of `core` has now happened before this too.
    pub fn learn(&mut self, core: usize, number: u32, before: &[u32], edge: &Edge) {
        if core == self.own || self.knows(core, number) {
            return;
        }
        self.heard = self.heard.wrapping_add(1);
        for (other, count) in before.iter().enumerate() {
            let count = if other == core { number } else { *count };
            if other != self.own && self.seen[other] < count {
                self.seen[other] = count;
                match &mut self.edges[other] {
                    Some(kept) => **kept = *edge,
                    none => *none = Some(Box::new(*edge)),
                }
            }
        }
        self.shared = None;
    }
}

/// What has been released at an object that is no memory: a lock, a counter, a pin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Released {
    /// The last release of each core there.
    parts: Vec<(usize, u32, Snapshot, Site)>,
}

impl Released {
    /// The same by one core alone, whatever was there before.
    pub fn put_alone(&mut self, core: usize, clock: &mut Clock, site: Site) {
        self.parts.clear();
        self.put(core, clock, site);
    }

    pub fn put(&mut self, core: usize, clock: &mut Clock, site: Site) {
        let number = clock.advance();
        self.parts.retain(|part| part.0 != core);
        self.parts.push((core, number, clock.snapshot(), site));
    }

    pub fn take(&self, clock: &mut Clock, kind: EdgeKind, to: Site) {
        for (core, number, before, from) in &self.parts {
            clock.learn(*core, *number, before, &Edge { kind, from: *from, to });
        }
    }
}
