//! Messages that were overwritten before anybody had read them.
//!
//! A core writes a line of a message buffer, then something that others wait by, then the line again,
//! and in between it has heard nothing from the core that reads the line afterwards: that one could
//! not have told it that it was ready. Nobody has read what was there first.

use std::collections::{BTreeSet, VecDeque};

use crate::finding::Site;
use crate::hash::Map;
use crate::memory::Key;
use crate::races::Version;
use crate::writes::Write;

/// So many of a core's last lines are kept, and so many of those between two writes.
const TRAIL: usize = 1 << 10;
const BETWEEN: usize = 16;

/// A line that was written twice, and not read in between.
#[derive(Clone, Debug)]
struct Twice {
    first: Write,
    second: Write,
}

/// A message that was lost.
#[derive(Clone, Debug)]
pub(crate) struct Overrun {
    pub first: Site,
    pub second: Site,
    /// The lines that were written in between.
    pub between: BTreeSet<Key>,
}

/// Lines of message buffers, and the lines that each core has written.
#[derive(Debug)]
pub(crate) struct Overruns {
    lines: Map<Key, Twice>,
    /// By core: number of the first write and line.
    trails: Vec<VecDeque<(u32, Key)>>,
}

impl Overruns {
    pub fn new(cores: usize) -> Overruns {
        Overruns { lines: Map::default(), trails: vec![VecDeque::new(); cores] }
    }

    /// A core writes bytes of a line.
    pub fn follows(&mut self, core: u16, key: Key, number: u32) {
        let trail = &mut self.trails[usize::from(core)];
        if trail.back().is_some_and(|(_, last)| *last == key) {
            return;
        }
        if trail.len() == TRAIL {
            trail.pop_front();
        }
        trail.push_back((number, key));
    }

    /// The core that wrote this line last writes it again, unread.
    pub fn again(&mut self, key: Key, first: &Write, second: Write) {
        self.lines.insert(key, Twice { first: first.clone(), second });
    }

    /// Somebody writes this line who did not write it last, or who knows that it was read.
    pub fn anew(&mut self, key: Key) {
        self.lines.remove(&key);
    }

    /// A core reads this line: whether it should have had another value before.
    pub fn read(&mut self, site: &Site, key: Key, seen: Version) -> Option<Overrun> {
        let Twice { first, second } = self.lines.get(&key)?;
        if first.site.core == site.core {
            return None;
        }
        let reader = usize::from(site.core);
        let heard = second.before[reader] != first.before[reader];
        let overrun = (!heard && seen == Some((second.site.core, second.number))).then(|| {
            let trail = &self.trails[usize::from(first.site.core)];
            let between = trail
                .iter()
                .filter(|(number, other)| {
                    first.number < *number && *number < second.number && *other != key
                })
                .map(|(_, other)| *other);
            Overrun {
                first: first.site,
                second: second.site,
                between: between.take(BETWEEN).collect(),
            }
        });
        self.lines.remove(&key);
        overrun.filter(|overrun| !overrun.between.is_empty())
    }
}
