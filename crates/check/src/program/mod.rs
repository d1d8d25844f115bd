//! Races of a program's threads, found by the relation "happens before".
//!
//! Each thread of the program, and each task that may run beside its creator, has a vector clock
//! [fidge-1988, mattern-1989]. The program's own code is observed access by access at linear
//! addresses, whichever copy an access goes to. The layer under the program announces which thread
//! runs, which object it releases, and which it acquires ([`event`]). Two accesses race if neither
//! happens before the other, they share a byte, at least one of them writes, and at least one of
//! them is not atomic. For each word, an access is kept until a later one makes it unnecessary
//! [flanagan-2009].
//!
//! Memory is bounded: by the limits in `cells.rs`, in `objects.rs` and by [`MOST_RACES`]. A record
//! that is dropped can hide a race, but never causes a wrong report.

mod cells;
mod clocks;
mod event;
mod objects;

use std::collections::BTreeMap;
use std::sync::Arc;

use rockcreek_defs::{Access, AccessKind, ProgramMemory};

use self::cells::{Cell, Cells};
use self::clocks::{Threads, Tid};
use self::event::Event;
use self::objects::Objects;

/// The largest number of pairs of instructions whose races are kept.
const MOST_RACES: usize = 1 << 12;
/// The largest number of allocated blocks whose call site of the allocation is kept.
const MOST_BLOCKS: usize = 1 << 16;

/// One of the two accesses of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceSite {
    pub core: u16,
    /// The number that the layer gave to the thread or task.
    pub thread: u32,
    pub eip: u32,
    pub time_ps: u64,
    pub write: bool,
    pub atomic: bool,
    /// The value read or written; 0 for an atomic access.
    pub value: u32,
}

/// A block of memory that was allocated to the program, in which a race's address lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceBlock {
    pub start: u32,
    pub bytes: u32,
    /// The program's call site of the allocation; 0 if unknown.
    pub eip: u32,
    pub core: u16,
}

/// Two accesses that race; `second` is the later one. `count`: how often these two instructions
/// raced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramRace {
    /// The address of the first byte that both accessed.
    pub address: u32,
    /// The number of bytes of the second access.
    pub bytes: u8,
    pub first: RaceSite,
    pub second: RaceSite,
    pub block: Option<RaceBlock>,
    /// The number of the thread whose stack contains the address; `None` if it is not on a stack.
    pub stack: Option<u32>,
    /// For an address that a parallel region of OpenMP shares: the region's function, the number of
    /// the function's argument that points nearest below the address, and the distance in bytes.
    /// `None` if no argument of the latest region does.
    pub argument: Option<(u32, u32, u32)>,
    pub count: u64,
}

/// A pair of racing instructions: their addresses, the earlier access first, and for each true if
/// it writes.
type Pair = ([u32; 2], [bool; 2]);

/// Race detection for one program: its threads, their order, and the races found so far.
#[derive(Debug)]
pub struct Program {
    memory: Arc<ProgramMemory>,
    threads: Threads,
    /// For each core, the thread that it runs now; `None` before the layer has announced one.
    runs: Vec<Option<Tid>>,
    objects: Objects,
    cells: Cells,
    blocks: BTreeMap<u32, RaceBlock>,
    /// The threads' stacks, by lowest address: the size in bytes, and the number of the thread.
    stacks: BTreeMap<u32, (u32, u32)>,
    /// The arguments of the latest parallel region, by the address to which they point: the
    /// region's function, and the number of the argument.
    arguments: BTreeMap<u32, (u32, u32)>,
    races: Vec<ProgramRace>,
    places: BTreeMap<Pair, usize>,
    dropped: u64,
}

impl Program {
    pub fn new(cores: usize, memory: Arc<ProgramMemory>) -> Program {
        Program {
            memory,
            threads: Threads::default(),
            runs: vec![None; cores],
            objects: Objects::default(),
            cells: Cells::default(),
            blocks: BTreeMap::new(),
            stacks: BTreeMap::new(),
            arguments: BTreeMap::new(),
            races: Vec::new(),
            places: BTreeMap::new(),
            dropped: 0,
        }
    }

    pub fn memory(&self) -> &Arc<ProgramMemory> {
        &self.memory
    }

    /// The races found so far, earliest detection first.
    pub fn races(&self) -> &[ProgramRace] {
        &self.races
    }

    /// The number of races that were not stored because [`MOST_RACES`] pairs of instructions were
    /// kept.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Records an access or an event of a core; ignores accesses that the program's own code did
    /// not make or cause. Call in the order of each core's program, and for the release of an
    /// object before every acquire that follows it on another core. `time_ps`: the simulated time
    /// in picoseconds.
    pub fn access(&mut self, core: usize, time_ps: u64, access: &Access) {
        match access.kind {
            AccessKind::Event => self.event(core, time_ps, access),
            AccessKind::Load | AccessKind::Store if access.program => {
                let eip = match self.memory.is_code(access.eip) {
                    true => access.eip,
                    false => match self.memory.caller(&access.stack) {
                        // The return address minus one lies in the call instruction.
                        Some(back) => back - 1,
                        None => return,
                    },
                };
                let write = access.kind == AccessKind::Store;
                let touch = Touch { eip, time_ps, write, atomic: false, value: access.value };
                self.touch(core, access.linear, access.size.into(), touch);
            }
            _ => {}
        }
    }

    fn event(&mut self, core: usize, time_ps: u64, access: &Access) {
        match Event::of(access) {
            Some(Event::Runs(thread)) => self.runs[core] = self.threads.of(thread, core as u16),
            Some(Event::Begins(thread)) => {
                self.runs[core] = self.threads.of(thread, core as u16);
                self.with_thread(core, |threads, _, tid| threads.begin(tid));
            }
            Some(Event::Release(object)) => self.with_thread(core, |threads, objects, tid| {
                objects.release(object, threads, tid);
            }),
            Some(Event::ReleaseAnew(object)) => self.with_thread(core, |threads, objects, tid| {
                objects.forget(object);
                objects.release(object, threads, tid);
            }),
            Some(Event::Acquire(object)) => self.with_thread(core, |threads, objects, tid| {
                objects.acquire(object, threads, tid);
            }),
            Some(Event::Atomic { at, bytes, write, back }) if self.memory.is_code(back) => {
                let touch = Touch { eip: back - 1, time_ps, write, atomic: true, value: 0 };
                self.touch(core, at, bytes, touch);
            }
            Some(Event::Fresh { at, bytes, back }) => self.fresh(core, at, bytes, back, access),
            Some(Event::Shares { at, number, function }) => {
                if number == 0 {
                    self.arguments.clear();
                }
                self.arguments.insert(at, (function, number));
            }
            Some(Event::Atomic { .. }) | None => {}
        }
    }

    fn with_thread(&mut self, core: usize, act: impl FnOnce(&mut Threads, &mut Objects, Tid)) {
        if let Some(tid) = self.runs[core] {
            act(&mut self.threads, &mut self.objects, tid);
        }
    }

    /// Records that `bytes` bytes from address `at` on have been allocated anew: earlier accesses
    /// to them no longer count. `back`: the program's call site; 0: the memory is the stack of the
    /// thread that the core runs.
    fn fresh(&mut self, core: usize, at: u32, bytes: u32, back: u32, access: &Access) {
        self.cells.forget(at, bytes);
        let is_heap = back != 0;
        if !is_heap {
            if let Some(tid) = self.runs[core] {
                let whole = self.stacks.entry(at).or_default();
                if whole.0 < bytes {
                    *whole = (bytes, self.threads.number(tid));
                }
            }
            return;
        }
        let of_program = |word: &u32| self.memory.is_code(*word);
        let called = Some(back).filter(of_program);
        let called = called.or_else(|| access.stack.iter().copied().find(of_program));
        let eip = called.map_or(0, |back| back - 1);
        if self.blocks.len() >= MOST_BLOCKS {
            self.blocks.pop_first();
        }
        let block = RaceBlock { start: at, bytes, eip, core: core as u16 };
        self.blocks.insert(at, block);
    }

    /// Records an access to `bytes` bytes from address `at` on, which lie in one cache line.
    fn touch(&mut self, core: usize, at: u32, bytes: u32, touch: Touch) {
        let Some(tid) = self.runs[core] else { return };
        let mut left = bytes;
        let mut at = at;
        while left > 0 {
            let within = at % 4;
            let here = left.min(4 - within);
            let mask = ((1u32 << here) - 1) << within;
            let done = bytes - left;
            let cell = Cell {
                epoch: self.threads.epoch(tid),
                eip: touch.eip,
                value: touch.value.checked_shr(8 * done).unwrap_or(0) as u32,
                time_ps: touch.time_ps,
                tid,
                mask: mask as u8,
                write: touch.write,
                atomic: touch.atomic,
            };
            let raced = self.cells.touch(at / 4, cell, self.threads.clock(tid));
            if let Some(other) = raced {
                let both = other.mask & cell.mask;
                let address = at / 4 * 4 + both.trailing_zeros();
                self.found(address, bytes as u8, other, cell);
            }
            at += here;
            left -= here;
        }
    }

    fn found(&mut self, address: u32, bytes: u8, first: Cell, second: Cell) {
        let place = ([first.eip, second.eip], [first.write, second.write]);
        if let Some(&index) = self.places.get(&place) {
            self.races[index].count += 1;
            return;
        }
        if self.races.len() >= MOST_RACES {
            self.dropped += 1;
            return;
        }
        let block = self.blocks.range(..=address).next_back().map(|(_, block)| *block);
        let block = block.filter(|block| address - block.start < block.bytes);
        let stack = self.stacks.range(..=address).next_back();
        let stack = stack.filter(|(start, (bytes, _))| address - **start < *bytes);
        let argument = self.arguments.range(..=address).next_back();
        let argument =
            argument.map(|(start, (function, number))| (*function, *number, address - start));
        let [first, second] = [first, second].map(|cell| RaceSite {
            core: self.threads.core(cell.tid),
            thread: self.threads.number(cell.tid),
            eip: cell.eip,
            time_ps: cell.time_ps,
            write: cell.write,
            atomic: cell.atomic,
            value: cell.value,
        });
        self.places.insert(place, self.races.len());
        let stack = stack.map(|(_, (_, thread))| *thread);
        let found = ProgramRace { address, bytes, first, second, block, stack, argument, count: 1 };
        self.races.push(found);
    }
}

/// What is recorded of an access: the instruction (`eip`), the time in picoseconds, and the kind.
#[derive(Clone, Copy, Debug)]
struct Touch {
    eip: u32,
    time_ps: u64,
    write: bool,
    atomic: bool,
    value: u64,
}

#[cfg(test)]
mod tests;
