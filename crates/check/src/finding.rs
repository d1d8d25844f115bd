//! The checker's findings: for each kind and each pair of instructions one finding, with the number
//! of its occurrences.

use rockcreek_defs::{Access, STACK_WORDS, TOP_WORDS};

use crate::clocks::Edge;
use crate::hash::Map;

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Stale read: the reader's cache had an old copy, although memory had a newer value.
    StaleRead,
    /// Mixed mapping: a stale read whose writer bypassed the cache through another mapping of the
    /// memory.
    MixedMapping,
    /// Stuck write: the newer value was still in the writer's caches or write-combine buffer.
    StuckWrite,
    /// Late write: the read returned the new value, but the writer had announced the value before
    /// it left the writer's caches, so the read could have returned the old one.
    LateWrite,
    /// Lost update: a write-back of a line overwrote newer bytes of another core.
    LostUpdate,
    /// Lost write: a dirty line was dropped, and its stores were lost.
    LostWrite,
    /// Stale poll: a loop polls a copy in its core's own cache, which no other core's write can
    /// change.
    StalePoll,
    /// Lock misuse: a core released a lock that it did not hold.
    LockMisuse,
    /// Not always a mistake: an instruction read a lock register without taking the lock. The
    /// library that reads the findings decides.
    LockRead,
    /// No mistake: an instruction that waits for a value. A compiler may make several of these of
    /// one loop in the source.
    Wait,
    /// No mistake: an allocator has returned a block; the address is the value of the access
    /// `victim`.
    Block,
    /// Early read: a core read a message buffer before another core wrote it, and nothing orders
    /// the two accesses.
    EarlyRead,
    /// Overwritten: a message buffer was overwritten, and no action of the reader had shown the
    /// writer that the buffer had been read.
    Overwritten,
    /// Never read: a message buffer was overwritten before any core had read it; the reader came
    /// later.
    NeverRead,
    /// A read and a write of memory other than message buffers, not ordered by any action.
    Race,
    /// Two writes of different values, not ordered by any action.
    DoubleWrite,
}

/// Where a value is stored: in memory, or in a core's L1D, L2 or write-combine buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Memory,
    L1,
    L2,
    WriteCombine,
}

/// Where a value was read or written back, and the time from which on it was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub level: Level,
    pub since_ps: u64,
}

/// One access of a program: the core, the instruction, the address and the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Site {
    pub core: u16,
    pub size: u8,
    /// The memory type of the page: `cached` if L2 may hold its lines, `message_buffer` for MPBT.
    pub cached: bool,
    pub message_buffer: bool,
    pub user: bool,
    pub eip: u32,
    /// The address as the core uses it, before the LUT.
    pub addr: u32,
    pub time_ps: u64,
    pub value: u64,
    /// The topmost words of the stack, some of which may be return addresses.
    pub stack: [u32; STACK_WORDS],
}

/// The return addresses that the frame pointers show: of the current function and of its caller.
pub(crate) type Callers = [u32; 2];
/// From this number of findings on, two findings with equal instructions count as one, whatever
/// their callers: with so many, the words taken for callers are probably no return addresses.
const MANY: usize = 1 << 10;
/// The largest number of findings that are kept. A guest that generates code can cause a finding at
/// each address.
const MOST: usize = 1 << 14;

impl Site {
    /// The site of an access that core `core` made at `time_ps`.
    pub(crate) fn of(core: usize, time_ps: u64, access: &Access) -> Site {
        Site {
            core: core as u16,
            size: access.size,
            cached: access.cached,
            message_buffer: access.message_buffer,
            user: access.user,
            eip: access.eip,
            addr: access.addr.0,
            time_ps,
            value: access.value,
            stack: access.stack,
        }
    }

    pub(crate) fn callers(&self) -> Callers {
        [self.stack[TOP_WORDS], self.stack[TOP_WORDS + 1]]
    }

    /// The value of one byte that the access read or wrote; `offset`: the byte's offset in its line
    /// (0 to 31). `None` if the access does not contain that byte.
    pub fn byte(&self, offset: usize) -> Option<u8> {
        let within = offset.checked_sub(self.addr as usize % 32)?;
        (within < usize::from(self.size)).then(|| (self.value >> (8 * within)) as u8)
    }
}

/// A mistake of the program (or a record of another kind, see [`Kind`]), with the number of times
/// that it occurred.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    pub kind: Kind,
    /// The unit (message buffer or memory) that contains the first affected byte, and the byte's
    /// offset in the unit.
    pub unit: u32,
    pub offset: u64,
    /// The number of bytes whose value was old or lost.
    pub bytes: u32,
    /// The access that read the old value, or the newer write that was lost.
    pub victim: Site,
    /// The write that `victim` did not see; for a lost update, the store whose line was written
    /// back; for a misuse of a lock, the holder (core 0xFFFF: nobody).
    pub culprit: Site,
    /// Where the old value was read from; for a stuck write, where the newer value still was.
    pub level: Level,
    /// For a stale read: the simulated time at which the old copy came into the cache. For a lost
    /// update: that of the write-back. In picoseconds.
    pub since_ps: u64,
    /// The last action of the chain that orders `victim` after `culprit`; `None` if there is no
    /// order.
    pub order: Option<Edge>,
    pub count: u64,
}

impl Finding {
    /// Makes a record of `kind` about one access that is not a mistake.
    pub(crate) fn told(kind: Kind, site: Site) -> Finding {
        Finding {
            kind,
            unit: 0,
            offset: 0,
            bytes: 1,
            victim: site,
            culprit: site,
            level: Level::Memory,
            since_ps: 0,
            order: None,
            count: 1,
        }
    }
}

/// All findings, in the order of their first occurrence.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    all: Vec<Finding>,
    places: Map<(Kind, [u32; 2], [Callers; 2]), usize>,
    /// How many occurrences were not stored because [`MOST`] findings were kept already.
    pub dropped: u64,
}

impl Findings {
    pub fn add(&mut self, finding: Finding) {
        let place = self.place(&finding);
        if let Some(&index) = self.places.get(&place) {
            self.all[index].count += finding.count;
            return;
        }
        if self.all.len() == MOST {
            self.dropped += finding.count;
            return;
        }
        self.places.insert(place, self.all.len());
        self.all.push(finding);
    }

    fn place(&self, finding: &Finding) -> (Kind, [u32; 2], [Callers; 2]) {
        let Finding { kind, victim, culprit, .. } = finding;
        let many = self.all.len() >= MANY;
        let callers = if many { [[0; 2]; 2] } else { [victim.callers(), culprit.callers()] };
        (*kind, [victim.eip, culprit.eip], callers)
    }

    pub fn all(&self) -> &[Finding] {
        &self.all
    }
}
