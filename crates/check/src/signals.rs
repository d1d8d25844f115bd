//! What programs wait by, as far as it is known by how it is read.
//!
//! The same instruction soon reads the same bytes again, and its core has neither told others
//! anything nor heard of them in between. Or it is a word of one writer, and an instruction that
//! read it too early reads it again and hears news by that: a credit, a sequence number. Or it is a
//! word that is handed to and fro, and its reader looks whether it still has what itself wrote there:
//! full and empty, as in a mailbox; each of its writers knew what it wrote over.

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

/// The last reads of a core, and how many of them are at addresses with the same last bits: most
/// reads are found not to be repeated by that alone.
#[derive(Clone, Debug)]
struct Reads {
    places: VecDeque<Place>,
    counts: [u8; 256],
}

impl Default for Reads {
    fn default() -> Reads {
        Reads { places: VecDeque::new(), counts: [0; 256] }
    }
}

impl Reads {
    fn slot(addr: u32) -> usize {
        (addr >> 2) as usize % 256
    }

    /// Whether one of them is at this address and like that.
    fn any(&self, addr: u32, like: impl Fn(&Place) -> bool) -> bool {
        self.counts[Reads::slot(addr)] != 0
            && self.places.iter().any(|place| place.addr == addr && like(place))
    }

    fn push(&mut self, place: Place) {
        if self.places.len() == RECENT
            && let Some(old) = self.places.pop_front()
        {
            self.counts[Reads::slot(old.addr)] -= 1;
        }
        self.counts[Reads::slot(place.addr)] += 1;
        self.places.push_back(place);
    }

    fn clear(&mut self) {
        while let Some(place) = self.places.pop_front() {
            self.counts[Reads::slot(place.addr)] = 0;
        }
    }
}

/// What one core has read since it last told others anything.
#[derive(Clone, Debug, Default)]
struct Recent {
    number: u32,
    reads: Reads,
    /// Where it last read what another one wrote.
    received: Option<u32>,
    /// Behind the last one.
    next: u32,
    row: Row,
}

/// Reads of one line, one behind the other: what begins a line may say whether the rest is there.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    reads: u32,
    /// The last of them, without a gap, that brought news of one writer.
    news: u32,
    writer: Option<u16>,
    /// The first news, read and write: what came with it in one line is none any more.
    first: Option<(Site, Site)>,
    /// What read it had read there before: it may be waiting.
    again: bool,
}

impl Row {
    fn reads(&mut self, site: &Site, news: Option<Site>, follows: bool, again: impl Fn() -> bool) {
        let writer = news.map(|write| write.core);
        let same = follows && self.writer == writer;
        if !follows {
            *self = Row::default();
        }
        self.reads += 1;
        self.news = match news {
            Some(_) if same => self.news + 1,
            Some(_) => 1,
            None => 0,
        };
        self.writer = writer;
        if self.first.is_none()
            && let Some(write) = news
        {
            (self.first, self.again) = (Some((*site, write)), again());
        }
    }

    /// A read of data that brought news, and the write: data is read many words at a time.
    fn data(&mut self) -> Option<(Site, Site)> {
        let copied = self.reads >= MANY_WORDS && !self.again;
        if copied || self.news >= MANY_WORDS { self.first.take() } else { None }
    }
}

/// What the read of a race saw, each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saw {
    /// What its core had written itself, or what was there from the start.
    Own,
    /// The write that it races with.
    News,
    Other,
}

impl Saw {
    /// The read of a core that saw the bytes of `writer`.
    pub fn of(core: u16, writer: Option<u16>) -> Saw {
        if writer.is_none_or(|writer| writer == core) { Saw::Own } else { Saw::Other }
    }
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
    /// Words in which a core has read what another one wrote: core, address.
    received: Set<(u16, u32)>,
    /// Bytes whose writer has changed once, and more often.
    changed: Map<Key, [u32; 2]>,
    /// Bytes that somebody wrote who did not know what another one had written there.
    disputed: Map<Key, u32>,
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
            received: Set::default(),
            changed: Map::default(),
            disputed: Map::default(),
        }
    }

    /// A core has read bytes of a line; `seen`: who wrote them; `news`: the write, if the core hears
    /// of that by it. If that was data, not what it waits by: that read and the write.
    pub fn reads(
        &mut self,
        site: &Site,
        key: Key,
        (seen, news): (Option<u16>, Option<Site>),
        stamp: Stamp,
    ) -> Option<(Site, Site)> {
        let recent = &mut self.recent[usize::from(site.core)];
        let follows = recent.next == site.addr && !(site.addr as usize).is_multiple_of(LINE);
        let Recent { reads, row, .. } = recent;
        let again = || reads.any(site.addr, |read| read.eip == site.eip);
        row.reads(site, news, follows, again);
        let data = recent.row.data();
        if recent.row.reads >= MANY_WORDS {
            self.copying.insert(site.eip);
        }
        if news.is_some() {
            self.news.insert((site.core, site.eip, site.addr));
        }
        if seen.is_some_and(|core| core != site.core)
            && recent.received != Some(site.addr)
            && !self.copying.contains(&site.eip)
        {
            recent.received = Some(site.addr);
            self.received.insert((site.core, site.addr));
        }
        if self.waits(site, news.is_some(), stamp) || self.is_wait(site.eip) {
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

    /// The bytes of a race that are neither waited for nor a signal.
    pub fn data(&self, key: Key, mask: u32, read: &Site, saw: Saw) -> u32 {
        let Site { core, eip, addr, .. } = *read;
        let data = mask & !self.waited_for.get(&key).unwrap_or(&0);
        let [once, many] = *self.changed.get(&key).unwrap_or(&[0; 2]);
        let handed = once & !self.disputed.get(&key).unwrap_or(&0);
        match saw {
            Saw::News => data & !handed,
            _ if self.copying.contains(&eip) => data,
            Saw::Own if self.received.contains(&(core, addr)) => data & !handed,
            _ if self.news.contains(&(core, eip, addr)) => data & many,
            _ => data,
        }
    }

    /// Whether the core now reads again what it has read just before, for nothing.
    fn waits(&mut self, site: &Site, news: bool, stamp: Stamp) -> bool {
        let recent = &mut self.recent[usize::from(site.core)];
        if recent.number != stamp.number {
            recent.number = stamp.number;
            recent.reads.clear();
        }
        let here = Place { eip: site.eip, addr: site.addr, heard: stamp.heard };
        let last = recent.reads.places.back();
        if last.is_some_and(|last| last.eip == site.eip) && recent.next == site.addr {
            self.copying.insert(site.eip);
        }
        recent.next = site.addr.wrapping_add(site.size.into());
        let next = last.is_some_and(|last| (last.eip, last.addr) == (here.eip, here.addr));
        let again = next || recent.reads.any(here.addr, |read| *read == here);
        let copies = self.copying.contains(&site.eip);
        if again && !copies {
            self.waiting.entry(site.eip).or_insert(*site);
        }
        let just = last.is_some_and(|last| last.addr == here.addr);
        let before = || !copies && recent.reads.any(here.addr, |_| true);
        let waits = again || news && (just || before());
        if !next {
            recent.reads.push(here);
        }
        waits
    }

    /// Another core than the last one writes these bytes; `knows`: it has heard of that.
    pub fn changes(&mut self, key: Key, mask: u32, knows: bool) {
        if !knows {
            *self.disputed.entry(key).or_default() |= mask;
        }
        let [once, more] = self.changed.entry(key).or_default();
        *more |= *once & mask;
        *once |= mask;
    }
}
