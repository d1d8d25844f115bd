//! Signals: bytes for which programs wait. A byte is recognised as a signal in three cases:
//!
//! - An instruction soon reads the bytes again, while its core has made no release and has not been
//!   ordered after another core. This is a polling loop.
//! - The word has one writer, and an instruction that read it too early reads it again and then
//!   sees a new value: a credit, a sequence number.
//! - The word is written by two cores in turn, full and empty as in a mailbox. A reader checks
//!   whether its own last value is still there, and each writer knew of the value that it replaced.

use std::collections::VecDeque;

use crate::clocks::Stamp;
use crate::finding::Site;
use crate::hash::{Bounded, Map, Set};
use crate::memory::Key;
use crate::writes::LINE;

/// The number of a core's recent reads in which a repetition is looked for.
const RECENT: usize = 64;
/// If this number of adjacent words are read one after another, the reads count as copying data.
const MANY_WORDS: u32 = 4;

/// A read: its instruction, its address, and the number of times that its core had been ordered
/// after other cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    eip: u32,
    addr: u32,
    heard: u32,
}

/// The recent reads of a core, and their number by the low bits of the address. Most reads are no
/// repetition; for these the count alone shows it.
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

    /// True if one of the reads is at this address and satisfies `like`.
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

/// The reads of one core since its last release.
#[derive(Clone, Debug, Default)]
struct Recent {
    number: u32,
    reads: Reads,
    /// The address of the last read that returned another core's value.
    received: Option<u32>,
    /// The address directly after the last read.
    next: u32,
    row: Row,
}

/// Reads of adjacent words of one line, one after another. The first word of a line may be a flag
/// for the rest.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    reads: u32,
    /// The number of reads, at the end of the row and without a gap, that returned new values of
    /// one writer.
    news: u32,
    writer: Option<u16>,
    /// The first read of a new value, and the write of that value. Later words of the row came with
    /// it, so they do not count as new.
    first: Option<(Site, Site)>,
    /// True if the reading instruction had read the first word before: the program may be waiting.
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

    /// The first read of a new value and its write, if the row is data: data is read many words at
    /// a time.
    fn data(&mut self) -> Option<(Site, Site)> {
        let copied = self.reads >= MANY_WORDS && !self.again;
        if copied || self.news >= MANY_WORDS { self.first.take() } else { None }
    }
}

/// Which value the read of a race saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saw {
    /// The reader's own write, or the initial value.
    Own,
    /// The write that races with the read.
    News,
    Other,
}

impl Saw {
    /// The kind of value that `core` reads in bytes that `writer` wrote.
    pub fn of(core: u16, writer: Option<u16>) -> Saw {
        if writer.is_none_or(|writer| writer == core) { Saw::Own } else { Saw::Other }
    }
}

/// The largest number of waiting instructions that are kept.
const MOST_WAITING: usize = 1 << 16;

/// The records by which signals are recognised.
#[derive(Debug)]
pub(crate) struct Signals {
    recent: Vec<Recent>,
    /// For each line, a bit for each byte for which a program waits.
    waited_for: Map<Key, u32>,
    /// The lines for which cores wait: line and core.
    waiters: Set<(Key, u16)>,
    /// `waiting`: instructions that wait. `copying`: instructions that read adjacent words.
    waiting: Map<u32, Site>,
    copying: Bounded<u32>,
    /// Reads that returned new values: core, instruction, address.
    news: Bounded<(u16, u32, u32)>,
    /// Words in which a core has read another core's value: core and address.
    received: Bounded<(u16, u32)>,
    /// For each line, the bytes whose writer has changed at least once, and those whose writer has
    /// changed at least twice.
    changed: Map<Key, [u32; 2]>,
    /// For each line, the bytes that a core overwrote without being ordered after the other core's
    /// write of them.
    disputed: Map<Key, u32>,
}

/// The bytes of an access: a bit for each offset in its line.
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
            copying: Bounded::default(),
            news: Bounded::default(),
            received: Bounded::default(),
            changed: Map::default(),
            disputed: Map::default(),
        }
    }

    /// Records that a core has read bytes of a line. `seen`: their writer; `news`: the write, if
    /// the read orders the core after it. Returns the read and the write if the bytes were data
    /// rather than a signal.
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

    /// The number of reads for which there was no room.
    pub fn forgotten(&self) -> u64 {
        self.news.beyond + self.received.beyond
    }

    /// One read of each waiting instruction, in the order of the instructions' addresses.
    pub fn waits_of_all(&self) -> Vec<Site> {
        let all = self.waiting.values().filter(|site| self.is_wait(site.eip));
        let mut all: Vec<_> = all.copied().collect();
        all.sort_by_key(|site| site.eip);
        all
    }

    /// True if the core waits for a byte of this line.
    pub fn waits_by(&self, key: Key, core: u16) -> bool {
        self.waiters.contains(&(key, core))
    }

    /// True if the instruction has waited at some address and has copied data at none.
    pub fn is_wait(&self, eip: u32) -> bool {
        self.waiting.contains_key(&eip) && !self.copying.contains(&eip)
    }

    /// The bytes of a race that are data: no program waits for them, and they are no signal.
    pub fn data(&self, key: Key, mask: u32, read: &Site, saw: Saw) -> u32 {
        let Site { core, eip, addr, .. } = *read;
        let data = mask & !self.waited_for.get(&key).unwrap_or(&0);
        let [once, many] = *self.changed.get(&key).unwrap_or(&[0; 2]);
        let handed = once & !self.disputed.get(&key).unwrap_or(&0);
        match saw {
            Saw::News => data & !handed,
            _ if self.copying.contains(&eip) => data,
            Saw::Own if self.received.may_contain(&(core, addr)) => data & !handed,
            _ if self.news.may_contain(&(core, eip, addr)) => data & many,
            _ => data,
        }
    }

    /// True if the core repeats a read without having been ordered after another core in between.
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
        if again && !copies && self.waiting.len() < MOST_WAITING {
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

    /// Records that these bytes are written by another core than their last writer. `knows`: the
    /// core has been ordered after the write that it replaces.
    pub fn changes(&mut self, key: Key, mask: u32, knows: bool) {
        if !knows {
            *self.disputed.entry(key).or_default() |= mask;
        }
        let [once, more] = self.changed.entry(key).or_default();
        *more |= *once & mask;
        *once |= mask;
    }
}
