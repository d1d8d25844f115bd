//! The table of writes: it keeps each write's site for as long as a byte of the shadow, or of a
//! cached copy, still has that write's value.

use crate::clocks::Snapshot;
use crate::finding::{Level, Site};

/// The number by which a write is known while a record refers to it; 0 means no known write.
pub(crate) type Id = u32;
pub(crate) const NONE: Id = 0;
pub(crate) const LINE: usize = 32;
/// For each byte of a line, the id of the write that gave it its value.
pub(crate) type Ids = [Id; LINE];

/// From this number of writes on, the writes to which no record refers are removed.
const MANY: usize = 1 << 18;

/// One write.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub site: Site,
    /// `number`: the write's release number (each write counts as a release of its core). `before`:
    /// a copy of its core's clock: the actions that happened before the write.
    pub number: u32,
    pub before: Snapshot,
    /// A core that sees this write also sees its core's writes up to this number, because they
    /// reached memory together, in one line.
    pub up_to: u32,
    /// `shown`: the number of the effect that brought the write to memory, 0 while it has not come
    /// there. `from`: the cache or buffer from which it came there.
    pub shown: u32,
    pub from: Level,
    /// True if a finding has been made because the write was overwritten or dropped before any
    /// other core could see it; no second one is made.
    pub lost: bool,
    used: bool,
}

impl Write {
    pub fn new(site: Site, number: u32, before: Snapshot) -> Write {
        let (shown, from) = (0, Level::Memory);
        Write { site, number, before, up_to: number, shown, from, lost: false, used: false }
    }
}

/// All writes, indexed by id, and the ids that are free.
#[derive(Debug)]
pub(crate) struct Writes {
    all: Vec<Option<Write>>,
    free: Vec<Id>,
    many: usize,
}

impl Writes {
    pub fn new() -> Writes {
        Writes { all: vec![None], free: Vec::new(), many: MANY }
    }

    pub fn add(&mut self, write: Write) -> Id {
        let write = Some(write);
        match self.free.pop() {
            Some(id) => {
                self.all[id as usize] = write;
                id
            }
            None => {
                self.all.push(write);
                (self.all.len() - 1) as Id
            }
        }
    }

    pub fn get(&self, id: Id) -> Option<&Write> {
        self.all.get(id as usize)?.as_ref()
    }

    pub fn get_mut(&mut self, id: Id) -> Option<&mut Write> {
        self.all.get_mut(id as usize)?.as_mut()
    }

    /// Records that write `id` has left `from` and reached memory, as effect number `shown` of its
    /// core. Does nothing if it was there already.
    pub fn shows(&mut self, id: Id, shown: u32, from: Level) {
        if let Some(write) = self.get_mut(id).filter(|write| write.shown == 0) {
            (write.shown, write.from) = (shown, from);
        }
    }

    /// True if there are so many writes that those without a reference should be removed now.
    pub fn are_many(&self) -> bool {
        self.all.len() - self.free.len() >= self.many
    }

    /// Marks a write as one to which some record refers, so that [`Writes::sweep`] keeps it.
    pub fn mark(&mut self, id: Id) {
        if let Some(Some(write)) = self.all.get_mut(id as usize) {
            write.used = true;
        }
    }

    /// Removes the writes that are not marked, and clears the marks.
    pub fn sweep(&mut self) {
        for (id, place) in self.all.iter_mut().enumerate().skip(1) {
            match place {
                Some(write) if write.used => write.used = false,
                Some(_) => {
                    *place = None;
                    self.free.push(id as Id);
                }
                None => {}
            }
        }
        self.many = MANY.max(2 * (self.all.len() - self.free.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_refers_to_goes() {
        let mut writes = Writes::new();
        let before: Snapshot = vec![0; 2].into();
        let ids = [1, 2, 3].map(|n| writes.add(Write::new(Site::default(), n, before.clone())));
        writes.mark(ids[1]);
        writes.sweep();
        let left = ids.map(|id| writes.get(id).map(|write| write.number));
        assert_eq!(left, [None, Some(2), None]);
        assert!(ids.contains(&writes.add(Write::new(Site::default(), 4, before))));
    }
}
