//! The shadow itself, and how accesses and transactions change it.

use std::collections::{BTreeMap, VecDeque};

use rockcreek_defs::bus::{DrainKind, FillKind};
use rockcreek_defs::{Access, AccessKind, BusRequest, BusResponse, LINE_BYTES, ServedBy};

use crate::clocks::{Clock, EdgeKind, Released};
use crate::copies::{Copies, Copy};
use crate::finding::{Finding, Findings, Kind, Level, Origin, Site};
use crate::hash::Map;
use crate::locks::{Lock, Takers, Unlocks};
use crate::marks::Marks;
use crate::memory::{Byte, Key, Memory, key, unit_of};
use crate::races::Races;
use crate::reads::Polls;
use crate::writes::{Id, LINE, NONE, Write, Writes};

/// The largest number of calls of allocators that are kept.
const MANY_BLOCKS: usize = 1 << 12;

/// What an access reaches, as the LUT maps its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// Bytes of memory: the unit, and the offset in the unit.
    Memory(u32, u64),
    /// A test-and-set register with this number.
    Lock(u32),
    /// An atomic counter with this number.
    Counter(u32),
    /// A target that orders no accesses.
    Other,
}

/// A transaction at the moment when it takes effect.
#[derive(Clone, Copy, Debug)]
pub struct Transaction<'a> {
    /// The core that made the request.
    pub core: usize,
    /// The simulated time of the effect.
    pub time_ps: u64,
    pub request: &'a BusRequest,
    pub response: &'a BusResponse,
    /// The bytes of the line in memory before the effect.
    pub was: &'a [u8; LINE_BYTES],
    /// True if the core's L1D has a dirty copy of the line.
    pub l1_is_dirty: bool,
}

/// What shared memory and each core's copies of it contain, and which core wrote it.
#[derive(Debug)]
pub struct Shadow {
    pub(crate) cores: Vec<Copies>,
    pub(crate) clocks: Vec<Clock>,
    pub(crate) polls: Vec<Polls>,
    pub(crate) memory: Memory,
    pub(crate) writes: Writes,
    pub(crate) locks: Map<u32, Lock>,
    /// For each instruction that releases locks, counts of its releases.
    pub(crate) unlocks: BTreeMap<u32, Unlocks>,
    pub(crate) takers: Takers,
    pub(crate) counters: Map<u32, Released>,
    marks: Marks,
    /// For each core, the last interrupt from each core, kept when the core takes interrupts.
    pub(crate) interrupts: Vec<Released>,
    pub(crate) findings: Findings,
    /// Reads of lock registers that take no lock, one for each place in the program.
    pub(crate) looks: Findings,
    /// The latest returns of the allocators that probes watch, latest last.
    blocks: VecDeque<Site>,
    /// The state of race detection; `None` if races are not looked for.
    pub(crate) races: Option<Box<Races>>,
}

/// The offsets, in its line, of the bytes that an access contains.
pub(crate) fn bytes_of(addr: u32, size: u8) -> std::ops::Range<usize> {
    let first = addr as usize % LINE;
    first..first + usize::from(size)
}

impl Shadow {
    pub fn new(cores: usize) -> Shadow {
        Shadow {
            cores: (0..cores).map(|_| Copies::default()).collect(),
            clocks: (0..cores).map(|core| Clock::new(core, cores)).collect(),
            polls: vec![Polls::default(); cores],
            memory: Memory::default(),
            writes: Writes::new(),
            locks: Map::default(),
            unlocks: BTreeMap::new(),
            takers: Takers::default(),
            counters: Map::default(),
            marks: Marks::default(),
            interrupts: vec![Released::default(); cores],
            findings: Findings::default(),
            looks: Findings::default(),
            blocks: VecDeque::new(),
            races: None,
        }
    }

    /// Turns race detection on: in message buffers (the units below `buffers`), or `everywhere`.
    pub fn watch_races(&mut self, buffers: u32, everywhere: bool) {
        self.races = Some(Box::new(Races::new(self.cores.len(), buffers, everywhere)));
    }

    /// All findings: mistakes in the order of their first occurrence, then locks released by
    /// another core than their holder, reads of locks, calls of allocators, and races.
    pub fn findings(&self) -> Vec<Finding> {
        let mut all = self.findings.all().to_vec();
        all.extend(self.unlocks.values().filter_map(Unlocks::stolen));
        all.extend(self.takers.stolen());
        all.extend(self.looks.all());
        all.extend(self.blocks.iter().map(|site| Finding::told(Kind::Block, *site)));
        all.extend(self.races.iter().flat_map(|races| races.all()));
        all
    }

    /// How many occurrences were not stored because the findings were full.
    pub fn findings_dropped(&self) -> u64 {
        self.findings.dropped + self.looks.dropped
    }

    /// The number of records dropped to save the host's memory; if not 0, findings may be missing.
    pub fn forgotten(&self) -> u64 {
        self.marks.forgotten + self.races.as_ref().map_or(0, |races| races.forgotten())
    }

    /// Records an access in a core's own caches. `place`: what the LUT maps its address to.
    pub fn access(&mut self, core: usize, time_ps: u64, access: &Access, place: Object) {
        let site = Site::of(core, time_ps, access);
        let line = access.addr.line().0;
        match (access.kind, place) {
            (AccessKind::Interrupt, _) => {
                self.interrupts[core].take(&mut self.clocks[core], EdgeKind::Interrupt, site);
            }
            (AccessKind::Drop, _) => self.dropped(core, line, time_ps),
            (AccessKind::Release, _) => {
                self.marks.release(access.value, core, &mut self.clocks[core], site);
            }
            (AccessKind::Acquire, _) => {
                self.marks.acquire(access.value, &mut self.clocks[core], site);
            }
            (AccessKind::Returned, _) => {
                if self.blocks.len() == MANY_BLOCKS {
                    self.blocks.pop_front();
                }
                self.blocks.push_back(site);
            }
            (AccessKind::Load, _) if access.served_by == ServedBy::Bus => {
                if access.locked {
                    self.cores[core].moved(line);
                }
                self.cores[core].asked = Some(site);
            }
            (AccessKind::Load, Object::Memory(..)) => self.loads_copy(core, access, site),
            (AccessKind::Store, Object::Memory(unit, offset)) => {
                self.stores(core, access, site, key(unit, offset));
            }
            (AccessKind::Store, _) => {
                self.cores[core].sent = None;
                self.cores[core].asked = Some(site);
            }
            (AccessKind::Load | AccessKind::Event | AccessKind::Entered | AccessKind::Left, _) => {}
        }
    }

    fn loads_copy(&mut self, core: usize, access: &Access, site: Site) {
        let (line, copies) = (access.addr.line().0, &mut self.cores[core]);
        let level = match access.served_by {
            ServedBy::L1 => Level::L1,
            _ if access.locked => {
                copies.moved(line);
                Level::L2
            }
            _ => {
                copies.refill(line);
                Level::L2
            }
        };
        let from = if access.locked { &copies.second } else { &copies.first };
        let copy = from.get(&line).map(|copy| (copy.key, copy.ids, copy.since_ps));
        if let Some((key, ids, since_ps)) = copy {
            self.reads(site, key, &ids, Origin { level, since_ps });
        }
    }

    fn stores(&mut self, core: usize, access: &Access, site: Site, key: Key) {
        let number = self.clocks[core].advance();
        let before = self.clocks[core].snapshot();
        let write = Write::new(site, number, before);
        if self.races.is_some() {
            self.races_of_store(key, &write);
        }
        let id = self.writes.add(write);
        let (line, bytes) = (access.addr.line().0, bytes_of(access.addr.0, access.size));
        let copies = &mut self.cores[core];
        let put = |copy: Option<&mut Copy>, dirty: bool| {
            if let Some(copy) = copy {
                copy.ids[bytes.clone()].fill(id);
                copy.dirty |= dirty;
                copy.stored = Some(site);
            }
        };
        match access.served_by {
            ServedBy::L1 => put(copies.first.get_mut(&line), true),
            ServedBy::L2 => {
                if access.through {
                    put(copies.first.get_mut(&line), false);
                } else {
                    copies.moved(line);
                }
                put(copies.second.get_mut(&line), true);
            }
            ServedBy::WriteCombine | ServedBy::Bus => {
                if access.through {
                    put(copies.first.get_mut(&line), false);
                } else if access.cached {
                    copies.moved(line);
                }
                match access.served_by {
                    ServedBy::Bus => copies.sent = Some((access.addr.0, id)),
                    _ => copies.combine(line, bytes.clone(), id),
                }
            }
        }
        self.memory.line_mut(key).last[bytes].fill(id);
        if self.writes.are_many() {
            self.forget_past();
        }
    }

    /// Removes a line from the shadow's copy of L1D; makes a finding if the line was dirty, because
    /// its stores are lost. The cause is CL1INVMB, INVD, or a new fetch of the line.
    fn dropped(&mut self, core: usize, line: u32, time_ps: u64) {
        let Some(copy) = self.cores[core].first.remove(&line).filter(|copy| copy.dirty) else {
            return;
        };
        let by = Site { core: core as u16, addr: line, time_ps, ..Site::default() };
        let mut told = NONE;
        for (byte, &id) in copy.ids.iter().enumerate() {
            let line = self.memory.line(copy.key);
            let waits = line.last[byte] == id && line.held[byte] != id;
            let Some(write) = self.writes.get_mut(id) else { continue };
            if !waits || usize::from(write.site.core) != core {
                continue;
            }
            let victim = write.site;
            if !std::mem::replace(&mut write.lost, true) && told != id {
                told = id;
                let at = Byte { line: copy.key, offset: byte };
                let origin = Origin { level: Level::L1, since_ps: copy.since_ps };
                self.report(Kind::LostWrite, at, victim, by, origin);
            }
        }
    }

    /// Records that a transaction takes effect. `place`: what the LUT maps its address to.
    pub fn effect(&mut self, place: Object, transaction: &Transaction) {
        let Object::Memory(unit, offset) = place else {
            return self.other_effect(place, transaction);
        };
        let Transaction { core, time_ps, request, response, l1_is_dirty, .. } = *transaction;
        let key = key(unit, offset);
        match (request, response) {
            (BusRequest::ReadLine { addr, kind }, _) => {
                if *kind != FillKind::Code {
                    self.dropped(core, addr.line().0, time_ps);
                }
                let ids = self.memory.line(key).held;
                let copy = Copy { key, ids, dirty: false, since_ps: time_ps, stored: None };
                let levels = [*kind != FillKind::Code, *kind != FillKind::Mpbt];
                self.cores[core].fill(addr.line().0, copy, levels);
            }
            (BusRequest::Read { addr, .. }, BusResponse::Value(value)) => {
                // A waiting core repeats its request, and only the first one was recorded as an
                // access.
                let asked = self.cores[core].asked.filter(|asked| asked.addr == addr.0);
                if let Some(asked) = asked {
                    let ids = self.memory.line(key).held;
                    let site = Site { value: *value, time_ps, ..asked };
                    let origin = Origin { level: Level::Memory, since_ps: time_ps };
                    self.reads(site, key, &ids, origin);
                }
            }
            (BusRequest::Write { addr, size, .. }, _) => {
                if let Some((at, id)) = self.cores[core].sent.take()
                    && at == addr.0
                {
                    let bytes = bytes_of(addr.0, *size);
                    self.memory.line_mut(key).held[bytes].fill(id);
                    self.writes.shows(id, self.clocks[core].show(), Level::Memory);
                }
            }
            (BusRequest::WriteLine { addr, data, enable, kind }, _) => {
                let line = addr.line().0;
                match kind {
                    DrainKind::WriteCombine => self.drained(core, key, *enable),
                    DrainKind::L1Victim => {
                        let copy = self.cores[core].first_victim(line);
                        self.written_back(transaction, Level::L1, copy, data);
                    }
                    DrainKind::L2Victim => {
                        let copy = self.cores[core].second_victim(line, l1_is_dirty);
                        self.written_back(transaction, Level::L2, copy, data);
                    }
                }
            }
            _ => {}
        }
    }

    /// True if write `a` certainly happened before write `b`; false also if that is unknown.
    pub(crate) fn is_older(&self, a: Id, b: Id) -> bool {
        let Some(b) = self.writes.get(b) else { return false };
        let Some(a) = self.writes.get(a) else { return a == NONE };
        match a.site.core == b.site.core {
            true => a.number < b.number,
            false => b.before[usize::from(a.site.core)] >= a.number,
        }
    }

    pub(crate) fn report(
        &mut self,
        kind: Kind,
        at: Byte,
        victim: Site,
        culprit: Site,
        origin: Origin,
    ) {
        let clock = &self.clocks[usize::from(victim.core)];
        let order = clock.edge(usize::from(culprit.core)).copied();
        self.findings.add(Finding {
            kind,
            unit: unit_of(at.line),
            offset: at.in_unit(),
            bytes: 1,
            victim,
            culprit,
            level: origin.level,
            since_ps: origin.since_ps,
            order,
            count: 1,
        });
    }

    /// Removes the writes to which no byte and no copy refers any more.
    fn forget_past(&mut self) {
        let Shadow { memory, cores, writes, .. } = self;
        for line in memory.lines() {
            line.held.iter().chain(&line.last).for_each(|&id| writes.mark(id));
        }
        cores.iter().flat_map(Copies::ids).for_each(|id| writes.mark(id));
        writes.sweep();
    }
}
