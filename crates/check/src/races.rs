//! Races: two accesses to one byte, at least one of them a write, that are not ordered.
//!
//! A flag that a program polls is also read before it is written; that is synchronisation, not a
//! race (`signals.rs`). A flag may be recognised late, so races are kept until the end and filtered
//! then.
//!
//! Left out: a read that saw the newer write, because it cannot be distinguished from the read of a
//! flag.

use std::collections::{BTreeMap, BTreeSet};

use crate::clocks::{Clock, Edge, EdgeKind, Stamp};
use crate::finding::{Callers, Finding, Findings, Kind, Level, Site};
use crate::hash::Map;
use crate::memory::{Byte, Key, unit_of};
use crate::overruns::Overruns;
use crate::shadow::{Shadow, bytes_of};
use crate::signals::{Saw, Signals, mask_of};
use crate::writes::{LINE, NONE, Write};

/// The largest number of readers (instruction and core) kept for a line; then the oldest goes.
const READERS: usize = 64;
/// The largest number of races that are kept; further ones, mostly at known places, are counted.
const MANY: usize = 1 << 14;
/// The largest number of readers that are kept for all lines together, half a gigabyte of host
/// memory; beyond it all are dropped.
const MOST_READS: usize = 1 << 22;

/// The identity of a write: its core, and its release number (each write counts as a release of
/// its core). `None`: no known write.
pub(crate) type Version = Option<(u16, u32)>;

/// What one instruction of a core has read of a line since the core's last release (`mask`: bytes).
#[derive(Clone, Copy, Debug)]
struct Reader {
    site: Site,
    mask: u32,
    /// The core's number of releases at the time of the read.
    number: u32,
    values: [u8; LINE],
    /// The write of the instruction's first byte read, and that byte's offset in the line.
    seen: Version,
    first: usize,
    /// True if the core had read this value here before, by this instruction: it may be polling.
    again: bool,
}

/// A race in one line: a finding, the bytes (`mask`, a bit each), and which value the read saw.
#[derive(Clone, Copy, Debug)]
struct Race {
    finding: Finding,
    mask: u32,
    saw: Saw,
}

/// Two accesses that race: `victim` the read (or the first of two writes), `culprit` the write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub victim: Site,
    pub culprit: Site,
    pub saw: Saw,
    /// True if the read came too early: another core than the culprit's had written the value that
    /// it returned, or its core had read that value before. False if the read took a message of the
    /// culprit's core, which the culprit then overwrote.
    pub early: bool,
}

/// The races found so far, and the records by which further ones are found.
#[derive(Debug)]
pub(crate) struct Races {
    /// The number of message buffers; the units with lower numbers than this are message buffers.
    buffers: u32,
    /// True if races are looked for in all memory; false if in message buffers only.
    everywhere: bool,
    readers: Map<Key, Vec<Reader>>,
    reads: usize,
    forgotten: u64,
    signals: Signals,
    found: BTreeMap<Place, Race>,
    overruns: Overruns,
    lost: Vec<(Finding, BTreeSet<Key>)>,
}

/// The place of a race: the line, the kind, the two instructions and their callers.
type Place = (Key, Kind, [u32; 2], [Callers; 2]);

impl Races {
    pub fn new(cores: usize, buffers: u32, everywhere: bool) -> Races {
        Races {
            buffers,
            everywhere,
            readers: Map::default(),
            reads: 0,
            forgotten: 0,
            signals: Signals::new(cores),
            found: BTreeMap::new(),
            overruns: Overruns::new(cores),
            lost: Vec::new(),
        }
    }

    /// True if races in this line are looked for.
    #[inline]
    pub fn watches(&self, key: Key) -> bool {
        self.everywhere || unit_of(key) < self.buffers
    }

    /// Records that the access `site` has read bytes of line `key`. `seen`: the write of the first
    /// byte's value; `news`: the other core's write after which this read orders its core, if it
    /// does. `stamp`: the core's progress before that.
    pub fn reads(
        &mut self,
        site: &Site,
        key: Key,
        seen: Version,
        news: Option<Site>,
        stamp: Stamp,
    ) {
        let mask = mask_of(site);
        let first = site.addr as usize % LINE;
        let writer = seen.map(|(core, _)| core);
        if let Some((read, write)) = self.signals.reads(site, key, writer, news, stamp) {
            let pair = Pair { victim: read, culprit: write, saw: Saw::News, early: false };
            self.keep(Byte { line: key, offset: read.addr as usize % LINE }, Kind::Race, pair);
        }
        if first == 0 {
            self.reads_message(site, key, seen);
        }
        if self.reads >= MOST_READS {
            self.forgotten += std::mem::take(&mut self.reads) as u64;
            self.readers = Map::default();
        }
        let readers = self.readers.entry(key).or_default();
        let before = readers.len();
        let mut again = false;
        for reader in readers.iter_mut().filter(|reader| reader.site.core == site.core) {
            again |= reader.site.eip == site.eip && (reader.first, reader.seen) == (first, seen);
            let same = (reader.site.eip, reader.number) == (site.eip, stamp.number);
            if same {
                reader.mask |= mask;
                reader.note(site);
                return;
            }
            reader.mask &= !mask;
        }
        readers.retain(|reader| reader.mask != 0);
        if readers.len() == READERS {
            readers.remove(0);
        }
        let values = [0; LINE];
        let mut reader =
            Reader { site: *site, mask, number: stamp.number, values, seen, first, again };
        reader.note(site);
        readers.push(reader);
        self.reads = self.reads + readers.len() - before;
    }

    /// How many records (reads, possible races and others) were dropped for lack of room, so that
    /// races may have been missed.
    pub fn forgotten(&self) -> u64 {
        self.forgotten + self.signals.forgotten()
    }

    /// Records a read at the first byte of a line; keeps a finding if a message was overwritten
    /// there before any core had read it.
    fn reads_message(&mut self, site: &Site, key: Key, seen: Version) {
        let Some(overrun) = self.overruns.read(site, key, seen) else { return };
        if self.lost.len() >= MANY {
            self.forgotten += 1;
            return;
        }
        let (victim, culprit) = (overrun.first, overrun.second);
        let order = Edge { kind: EdgeKind::Value, from: culprit, to: *site };
        let finding = unordered(Byte { line: key, offset: 0 }, Kind::NeverRead, victim, culprit);
        self.lost.push((Finding { order: Some(order), ..finding }, overrun.between));
    }

    /// Records a store at byte `first`; `last`: the previous write of that byte, `new`: this one.
    /// Only stores to byte 0 of a line of a message buffer count as messages: a message begins at a
    /// line, and the bytes behind its end in its last line are never read.
    fn writes_message(&mut self, first: Byte, last: Option<&Write>, new: Write) {
        let (core, key) = (new.site.core, first.line);
        self.overruns.follows(core, key, new.number);
        if unit_of(key) >= self.buffers || first.offset != 0 {
            return;
        }
        let readers = self.readers.get(&key);
        let read = readers.is_some_and(|all| all.iter().any(|one| one.site.core != core));
        let other = |last: &&Write| last.site.byte(0) != new.site.byte(0);
        match last.filter(|last| last.site.core == core && !read).filter(other) {
            Some(last) => self.overruns.again(key, last, new),
            None => self.overruns.anew(key),
        }
    }

    /// Records a store (`site`), and keeps a race for each other core that has read its bytes
    /// without an order between the read and the store, if the store changes one of these bytes.
    pub fn writes(&mut self, site: &Site, key: Key, clock: &Clock) {
        let mask = mask_of(site);
        let Some(readers) = self.readers.get_mut(&key) else { return };
        let before = readers.len();
        let mut raced = Vec::new();
        for reader in readers.iter_mut() {
            let core = usize::from(reader.site.core);
            let both = reader.mask & mask;
            reader.mask &= !mask;
            if both == 0 || reader.site.core == site.core || clock.knows(core, reader.number + 1) {
                continue;
            }
            let differs = |byte: &usize| {
                both >> byte & 1 != 0 && site.byte(*byte) != Some(reader.values[*byte])
            };
            if let Some(byte) = (0..LINE).find(differs) {
                let early = reader.again || reader.seen.is_none_or(|(core, _)| core != site.core);
                let saw = reader.saw();
                raced.push((byte, Pair { victim: reader.site, culprit: *site, saw, early }));
            }
        }
        readers.retain(|reader| reader.mask != 0);
        self.reads -= before - readers.len();
        for (offset, pair) in raced {
            self.found(Byte { line: key, offset }, pair);
        }
    }

    /// Keeps a race of a read and a write at byte `at`; the kind follows from the memory and from
    /// `pair.early`.
    pub fn found(&mut self, at: Byte, pair: Pair) {
        let kind = match (unit_of(at.line) < self.buffers, pair.early) {
            (false, _) => Kind::Race,
            (true, true) => Kind::EarlyRead,
            (true, false) => Kind::Overwritten,
        };
        self.keep(at, kind, pair);
    }

    /// Keeps a race of two writes of different values at byte `at`.
    pub fn found_writes(&mut self, at: Byte, victim: Site, culprit: Site) {
        let pair = Pair { victim, culprit, saw: Saw::Other, early: false };
        self.keep(at, Kind::DoubleWrite, pair);
    }

    fn keep(&mut self, at: Byte, kind: Kind, pair: Pair) {
        let Pair { victim, culprit, saw, .. } = pair;
        let callers = [victim.callers(), culprit.callers()];
        let place = (at.line, kind, [victim.eip, culprit.eip], callers);
        if self.found.len() >= MANY && !self.found.contains_key(&place) {
            self.forgotten += 1;
            return;
        }
        let finding = unordered(at, kind, victim, culprit);
        let race = self.found.entry(place).or_insert(Race { finding, mask: 0, saw });
        if race.saw != saw {
            race.saw = Saw::Other;
        }
        race.finding.count += u64::from(race.mask != 0);
        race.mask |= 1 << at.offset;
    }

    /// The races at bytes that are data: bytes for which no program waits. In the order of time.
    pub fn all(&self) -> Vec<Finding> {
        let is_data = |((key, _, [eip, _], _), race): &(&Place, &Race)| {
            !self.signals.is_wait(*eip)
                && self.signals.data(*key, race.mask, &race.finding.victim, race.saw) != 0
        };
        let data = self.found.iter().filter(is_data);
        let mut sorted: Vec<_> = data.map(|(_, race)| race.finding).collect();
        // If the reader waits for one of the lines written in between, the message had been
        // announced.
        let lost = self.lost.iter().filter(|(finding, between)| {
            let reader = finding.order.map_or(0, |order| order.to.core);
            between.iter().any(|key| self.signals.waits_by(*key, reader))
        });
        sorted.extend(lost.map(|(finding, _)| *finding));
        sorted.sort_by_key(|one| one.victim.time_ps.max(one.culprit.time_ps));
        let mut folded = Findings::default();
        sorted.into_iter().for_each(|one| folded.add(one));
        let waits = self.signals.waits_of_all();
        let waits = waits.into_iter().map(|site| Finding::told(Kind::Wait, site));
        folded.all().iter().copied().chain(waits).collect()
    }
}

/// The finding of two unordered accesses at byte `at`.
fn unordered(at: Byte, kind: Kind, victim: Site, culprit: Site) -> Finding {
    Finding {
        kind,
        unit: unit_of(at.line),
        offset: at.in_unit(),
        bytes: 1,
        victim,
        culprit,
        level: Level::Memory,
        since_ps: 0,
        order: None,
        count: 1,
    }
}

impl Shadow {
    /// Finds the races of a store. Call before the store is recorded.
    pub(crate) fn races_of_store(&mut self, key: Key, new: &Write) {
        let Shadow { races: Some(races), clocks, writes, memory, .. } = self else { return };
        if !races.watches(key) {
            return;
        }
        let site = &new.site;
        let clock = &clocks[usize::from(site.core)];
        let first = Byte { line: key, offset: site.addr as usize % LINE };
        let before = memory.line(key).last[first.offset];
        races.writes_message(first, writes.get(before), new.clone());
        races.writes(site, key, clock);
        let last = &memory.line(key).last;
        let mut told = NONE;
        for byte in bytes_of(site.addr, site.size) {
            let Some(write) = writes.get(last[byte]) else { continue };
            let before = write.site;
            if before.core == site.core {
                continue;
            }
            let knows = clock.knows(before.core.into(), write.number);
            races.signals.changes(key, 1 << byte, knows);
            if !knows && before.byte(byte) != site.byte(byte) && told != last[byte] {
                told = last[byte];
                races.found_writes(Byte { line: key, offset: byte }, before, *site);
            }
        }
    }
}

impl Reader {
    fn saw(&self) -> Saw {
        Saw::of(self.site.core, self.seen.map(|(core, _)| core))
    }

    fn note(&mut self, site: &Site) {
        for byte in bytes_of(site.addr, site.size) {
            self.values[byte] = site.byte(byte).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clocks::Mark;

    const KEY: Key = 2;

    fn site(core: u16, eip: u32, value: u64) -> Site {
        Site { core, eip, value, size: 4, addr: 64, ..Site::default() }
    }

    fn stamp(number: u32) -> Stamp {
        Stamp { number, heard: 0 }
    }

    fn kinds(races: &Races) -> Vec<Kind> {
        races.all().iter().map(|one| one.kind).filter(|kind| *kind != Kind::Wait).collect()
    }

    #[test]
    fn a_write_over_what_was_read() {
        let (mut races, clock) = (Races::new(2, 1, true), Clock::new(1, 2));
        races.reads(&site(0, 10, 1), KEY, None, None, stamp(0));
        races.writes(&site(1, 20, 1), KEY, &clock);
        assert!(kinds(&races).is_empty(), "the same value");
        races.reads(&site(0, 10, 1), KEY, Some((1, 1)), None, stamp(1));
        races.writes(&site(1, 20, 7), KEY, &clock);
        assert_eq!(kinds(&races), [Kind::Overwritten]);
        races.reads(&site(0, 11, 7), KEY, Some((1, 2)), None, stamp(2));
        races.reads(&site(0, 11, 7), KEY, Some((1, 2)), None, stamp(3));
        races.writes(&site(1, 20, 8), KEY, &clock);
        assert_eq!(kinds(&races), [Kind::EarlyRead, Kind::Overwritten]);
    }

    #[test]
    fn the_writer_knows_that_it_was_read() {
        let (mut races, mut clock) = (Races::new(2, 1, true), Clock::new(1, 2));
        races.reads(&site(0, 10, 1), KEY, None, None, stamp(0));
        let edge = crate::Edge {
            kind: crate::EdgeKind::Value,
            from: Site::default(),
            to: Site::default(),
        };
        clock.learn(0, Mark { number: 1, shown: 1 }, &[1, 0, 0, 0], &edge);
        races.writes(&site(1, 20, 7), KEY, &clock);
        assert!(kinds(&races).is_empty());
    }

    #[test]
    fn what_is_waited_for_is_no_race() {
        let (mut races, clock) = (Races::new(2, 1, true), Clock::new(1, 2));
        races.reads(&site(0, 10, 1), KEY, None, None, stamp(0));
        races.writes(&site(1, 20, 7), KEY, &clock);
        assert_eq!(kinds(&races), [Kind::EarlyRead]);
        races.reads(&site(0, 10, 7), KEY, Some((1, 1)), None, stamp(0));
        assert!(kinds(&races).is_empty());
    }
}
