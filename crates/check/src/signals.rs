//! What programs wait by, as far as it is known by how it is read.
//!
//! The same instruction soon reads the same bytes again, and its core has neither told others
//! anything nor heard of them in between. Or it is a word of one writer, and an instruction that
//! read it too early reads it again and hears news by that: a credit, a sequence number.

use std::collections::VecDeque;

use crate::clocks::Stamp;
use crate::finding::Site;
use crate::hash::{Map, Set};
use crate::memory::Key;
use crate::writes::LINE;

/// So many reads of a core are looked through for the one that is repeated.
const RECENT: usize = 64;
/// So many reads in a row are a copy.
const MANY_WORDS: u32 = 4;

/// A read: the instruction, what it read, and how often its core had heard of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    eip: u32,
    addr: u32,
    heard: u32,
}

/// What one core has read since it last told others anything.
#[derive(Clone, Debug, Default)]
struct Recent {
    number: u32,
    reads: VecDeque<Place>,
    /// Behind the last one.
    next: u32,
    /// So many reads one behind the other, and those of them that brought news of one writer.
    in_row: u32,
    news_in_row: u32,
    writer: Option<u16>,
}

/// All that is known.
#[derive(Debug)]
pub(crate) struct Signals {
    recent: Vec<Recent>,
    /// The bytes that programs wait by.
    waited_for: Map<Key, u32>,
    /// The same by core: lines.
    waiters: Set<(Key, u16)>,
    /// Instructions that wait, and those that read one word after the other.
    waiting: Map<u32, Site>,
    copying: Set<u32>,
    /// Reads that brought news: core, instruction, address.
    news: Set<(u16, u32, u32)>,
    /// Bytes whose writer has changed once, and more often.
    changed: Map<Key, [u32; 2]>,
}

/// The bytes of an access in its line.
pub(crate) fn mask_of(site: &Site) -> u32 {
    let ones = u32::MAX >> (32 - u32::from(site.size.clamp(1, 32)));
    ones << (site.addr as usize % LINE)
}

impl Signals {
    pub fn new(cores: usize) -> Signals {
        Signals {
            recent: vec![Recent::default(); cores],
            waited_for: Map::default(),
            waiters: Set::default(),
            waiting: Map::default(),
            copying: Set::default(),
            news: Set::default(),
            changed: Map::default(),
        }
    }

    /// A core has read bytes of a line; `news`: their writer, if it hears of that by it. Whether they
    /// are data: reads in a row bring news of one writer each. Who waits reads a word or two.
    pub fn reads(&mut self, site: &Site, key: Key, writer: Option<u16>, stamp: Stamp) -> bool {
        let news = writer.is_some();
        if news {
            self.news.insert((site.core, site.eip, site.addr));
        }
        let recent = &mut self.recent[usize::from(site.core)];
        let follows = recent.next == site.addr;
        let same = recent.writer == writer;
        recent.in_row = if follows { recent.in_row + 1 } else { 1 };
        recent.news_in_row = if !news {
            0
        } else if follows && same {
            recent.news_in_row + 1
        } else {
            1
        };
        recent.writer = writer;
        if recent.in_row >= MANY_WORDS {
            self.copying.insert(site.eip);
        }
        let data = recent.news_in_row >= MANY_WORDS;
        if self.waits(site, news, stamp) || self.is_wait(site.eip) {
            *self.waited_for.entry(key).or_default() |= mask_of(site);
            self.waiters.insert((key, site.core));
        }
        data
    }

    /// One read of each instruction that waits, in the order of their addresses.
    pub fn waits_of_all(&self) -> Vec<Site> {
        let all = self.waiting.values().filter(|site| self.is_wait(site.eip));
        let mut all: Vec<_> = all.copied().collect();
        all.sort_by_key(|site| site.eip);
        all
    }

    /// Whether a core waits by a byte of this line.
    pub fn waits_by(&self, key: Key, core: u16) -> bool {
        self.waiters.contains(&(key, core))
    }

    /// Whether the instruction has waited somewhere, and copies nowhere.
    pub fn is_wait(&self, eip: u32) -> bool {
        self.waiting.contains_key(&eip) && !self.copying.contains(&eip)
    }

    /// The bytes of a race that are neither waited for nor one core's signal.
    pub fn data(&self, key: Key, mask: u32, read: &Site) -> u32 {
        let Site { core, eip, addr, .. } = *read;
        let signal = self.news.contains(&(core, eip, addr)) && !self.copying.contains(&eip);
        let many = self.changed.get(&key).map_or(0, |[_, many]| *many);
        let data = mask & !self.waited_for.get(&key).unwrap_or(&0);
        if signal { data & many } else { data }
    }

    /// Whether the core now reads again what it has read just before, for nothing.
    fn waits(&mut self, site: &Site, news: bool, stamp: Stamp) -> bool {
        let recent = &mut self.recent[usize::from(site.core)];
        if recent.number != stamp.number {
            recent.number = stamp.number;
            recent.reads.clear();
        }
        let here = Place { eip: site.eip, addr: site.addr, heard: stamp.heard };
        let last = recent.reads.back();
        if last.is_some_and(|last| last.eip == site.eip) && recent.next == site.addr {
            self.copying.insert(site.eip);
        }
        recent.next = site.addr.wrapping_add(site.size.into());
        let next = last.is_some_and(|last| (last.eip, last.addr) == (here.eip, here.addr));
        let again = next || recent.reads.contains(&here);
        let copies = self.copying.contains(&site.eip);
        if again && !copies {
            self.waiting.entry(site.eip).or_insert(*site);
        }
        let just = last.is_some_and(|last| last.addr == here.addr);
        let before = !copies && recent.reads.iter().any(|read| read.addr == site.addr);
        if !next {
            if recent.reads.len() == RECENT {
                recent.reads.pop_front();
            }
            recent.reads.push_back(here);
        }
        again || news && (just || before)
    }

    /// Another core than the last one writes these bytes.
    pub fn changes(&mut self, key: Key, mask: u32) {
        let [once, more] = self.changed.entry(key).or_default();
        *more |= *once & mask;
        *once |= mask;
    }
}
