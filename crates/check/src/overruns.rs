//! Messages that were overwritten before anybody had read them.
//!
//! A core writes a word of a message buffer, then something that others wait by, then the word
//! again, and in between it has heard nothing from the core that reads the word afterwards: that
//! one could not have told it that it was ready. Nobody has read the first value.

use std::collections::{BTreeSet, HashMap, VecDeque};

use crate::finding::Site;
use crate::memory::Key;
use crate::races::Version;
use crate::writes::Write;

/// So many of a core's last lines are kept, and so many of those between two writes.
const TRAIL: usize = 1 << 10;
const BETWEEN: usize = 16;
const WORD: usize = 4;

/// A word that was written twice, and not read in between.
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

/// Words of message buffers, and the lines that each core has written.
#[derive(Debug)]
pub(crate) struct Overruns {
    words: HashMap<(Key, usize), Twice>,
    /// By core: number of the first write and line.
    trails: Vec<VecDeque<(u32, Key)>>,
}

impl Overruns {
    pub fn new(cores: usize) -> Overruns {
        Overruns { words: HashMap::new(), trails: vec![VecDeque::new(); cores] }
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

    /// The core that wrote this word last writes it again, unread.
    pub fn again(&mut self, place: (Key, usize), first: &Write, second: Write) {
        let place = (place.0, place.1 / WORD);
        self.words.insert(place, Twice { first: first.clone(), second });
    }

    /// Somebody writes this word who did not write it last, or who knows that it was read.
    pub fn anew(&mut self, place: (Key, usize)) {
        self.words.remove(&(place.0, place.1 / WORD));
    }

    /// A core reads this word: whether it should have had another value before.
    pub fn read(&mut self, site: &Site, place: (Key, usize), seen: Version) -> Option<Overrun> {
        let word = (place.0, place.1 / WORD);
        let Twice { first, second } = self.words.get(&word)?;
        if first.site.core == site.core {
            return None;
        }
        let reader = usize::from(site.core);
        let heard = second.before[reader] != first.before[reader];
        let overrun = (!heard && seen == Some((second.site.core, second.number))).then(|| {
            let trail = &self.trails[usize::from(first.site.core)];
            let between = trail
                .iter()
                .filter(|(number, key)| {
                    first.number < *number && *number < second.number && *key != place.0
                })
                .map(|(_, key)| *key);
            Overrun {
                first: first.site,
                second: second.site,
                between: between.take(BETWEEN).collect(),
            }
        });
        self.words.remove(&word);
        overrun.filter(|overrun| !overrun.between.is_empty())
    }
}
