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

/// How many recent reads of a core are searched for a repetition.
const RECENT: usize = 64;
/// A row of at least this many adjacent words, read one after another, counts as copying data, not
/// as waiting.
const MANY_WORDS: u32 = 4;

/// A read: its instruction, its address, and the number of times that its core had been ordered
/// after other cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    eip: u32,
    addr: u32,
    heard: u32,
}

/// The recent reads of a core. `counts`: how many of them have each value of the address's low
/// bits; a count of 0 shows at once that a read is no repetition, as most are not.
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

    /// True if one of the recent reads is at this address and `like` returns true for it.
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

/// The reads of one core since its last release; `number`: that release's number.
#[derive(Clone, Debug, Default)]
struct Recent {
    number: u32,
    reads: Reads,
    /// The address of the last read that returned another core's value; `None` before the first
    /// one.
    received: Option<u32>,
    /// The address directly after the last read: a read there continues the row.
    next: u32,
    row: Row,
}

/// A row of reads of adjacent words of one line, one after another. The first word of a line may be
/// a flag for the rest.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    reads: u32,
    /// How many reads at the end of the row, one after the other, returned new values of one other
    /// core (`writer`).
    news: u32,
    writer: Option<u16>,
    /// The row's first read of a new value, and the write of that value. Later words of the row
    /// came together with it, so they are not new.
    first: Option<(Site, Site)>,
    /// True if the reading instruction had read the row's first word before, so that the program
    /// may be waiting.
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

    /// If the row is data (a program reads data many words at a time), its first read of a new
    /// value and the write of that value; otherwise `None`.
    fn data(&mut self) -> Option<(Site, Site)> {
        let copied = self.reads >= MANY_WORDS && !self.again;
        if copied || self.news >= MANY_WORDS { self.first.take() } else { None }
    }
}

/// Which value the read of a race returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saw {
    /// The value that the reader itself wrote, or the memory's initial value.
    Own,
    /// The value of the write that races with the read.
    News,
    Other,
}

impl Saw {
    /// Classifies the value that `core` read in bytes that `writer` wrote (`None`: nobody has
    /// written them).
    pub fn of(core: u16, writer: Option<u16>) -> Saw {
        if writer.is_none_or(|writer| writer == core) { Saw::Own } else { Saw::Other }
    }
}

/// The largest number of waiting instructions that are kept.
const MOST_WAITING: usize = 1 << 16;

/// What is known of the program's reads and writes, to recognise bytes by which cores wait for each
/// other (signals).
#[derive(Debug)]
pub(crate) struct Signals {
    recent: Vec<Recent>,
    /// For each line, the bytes for which some program waits, a bit each.
    waited_for: Map<Key, u32>,
    /// The lines for whose bytes a core waits: pairs of line and core.
    waiters: Set<(Key, u16)>,
    /// `waiting`: instructions that wait, each with one of its reads. `copying`: instructions that
    /// read adjacent words one after another.
    waiting: Map<u32, Site>,
    copying: Bounded<u32>,
    /// Reads that returned a new value of another core: core, instruction, address.
    news: Bounded<(u16, u32, u32)>,
    /// Words in which a core has read another core's value: pairs of core and address.
    received: Bounded<(u16, u32)>,
    /// For each line, two masks of bytes: bytes whose writing core has changed at least once, and
    /// at least twice.
    changed: Map<Key, [u32; 2]>,
    /// For each line, the bytes that one core overwrote without being ordered after another core's
    /// earlier write of them.
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

    /// Records that the access `site` has read bytes of line `key`. `seen`: the core that wrote
    /// them; `news`: the write, if the read orders its core after it. Returns the read and the
    /// write if the bytes were data rather than a signal, otherwise `None`.
    pub fn reads(
        &mut self,
        site: &Site,
        key: Key,
        seen: Option<u16>,
        news: Option<Site>,
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

    /// How many reads were not stored for lack of room.
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

    /// True if this core waits for a byte of this line.
    pub fn waits_by(&self, key: Key, core: u16) -> bool {
        self.waiters.contains(&(key, core))
    }

    /// True if the instruction has waited at some address and has never copied data.
    pub fn is_wait(&self, eip: u32) -> bool {
        self.waiting.contains_key(&eip) && !self.copying.contains(&eip)
    }

    /// Returns the bytes among `mask` (a bit each) of a race that are data: no program waits for
    /// them, and they are no signal. `read`: the race's read; `saw`: the value that it returned.
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

    /// True if the core repeats this read while it waits: it has made no release since the last
    /// one, and no other core has been heard in between. `news`: true if the read returned a new
    /// value.
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

    /// Records that a core writes these bytes (`mask`, a bit each), which another core wrote last.
    /// `knows`: true if the core has been ordered after that other write.
    pub fn changes(&mut self, key: Key, mask: u32, knows: bool) {
        if !knows {
            *self.disputed.entry(key).or_default() |= mask;
        }
        let [once, more] = self.changed.entry(key).or_default();
        *more |= *once & mask;
        *once |= mask;
    }
}
