//! Messages that were overwritten before any core had read them.
//!
//! A core writes a line of a message buffer, then something for which others wait, then the line
//! again. If no action between the two writes ordered the writer after the core that later reads
//! the line, that reader cannot have announced that it was ready: no core has read the first
//! message.

use std::collections::{BTreeSet, VecDeque};

use crate::finding::Site;
use crate::hash::Map;
use crate::memory::Key;
use crate::races::Version;
use crate::writes::Write;

/// `TRAIL`: how many recent changes to another line are kept for each core. `BETWEEN`: how many
/// lines written between two writes an [`Overrun`] names.
const TRAIL: usize = 1 << 10;
const BETWEEN: usize = 16;

/// A line that was written twice without a read between the writes.
#[derive(Clone, Debug)]
struct Twice {
    first: Write,
    second: Write,
}

/// A message that was lost: its write, and the write that replaced it.
#[derive(Clone, Debug)]
pub(crate) struct Overrun {
    pub first: Site,
    pub second: Site,
    /// Up to [`BETWEEN`] other lines that the core wrote between the two writes; one of them may be
    /// the flag for which the reader waits.
    pub between: BTreeSet<Key>,
}

/// The lines of message buffers that one core wrote twice without a read in between, and what each
/// core wrote recently.
#[derive(Debug)]
pub(crate) struct Overruns {
    lines: Map<Key, Twice>,
    /// For each core, its recent stores, the oldest first, where a row of stores to one line counts
    /// once: the number of the row's first write, and the line.
    trails: Vec<VecDeque<(u32, Key)>>,
}

impl Overruns {
    pub fn new(cores: usize) -> Overruns {
        Overruns { lines: Map::default(), trails: vec![VecDeque::new(); cores] }
    }

    /// Records write `number` of a core to line `key`. Does nothing if the core's last write was to
    /// that line, too.
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

    /// Records that the last writer of this line writes the line again, before any core has read
    /// it.
    pub fn again(&mut self, key: Key, first: &Write, second: Write) {
        self.lines.insert(key, Twice { first: first.clone(), second });
    }

    /// Removes what is known of a line: another core than its last writer wrote it, or it was read
    /// before it was written again.
    pub fn anew(&mut self, key: Key) {
        self.lines.remove(&key);
    }

    /// Records that a core reads this line. Returns the message that was overwritten there before
    /// any core had read it; `None` if none was.
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
