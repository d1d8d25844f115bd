//! What the checker has found, folded.

use rockcreek_defs::STACK_WORDS;

use crate::clocks::Edge;
use crate::hash::Map;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// An old copy in the reader's cache, though a newer value was in memory.
    StaleRead,
    /// The same, where the writer went past the cache by another mapping of the same memory.
    MixedMapping,
    /// The newer value still sat with its writer.
    StuckWrite,
    /// The newer value was read, but had come to memory only after its core had told of it.
    LateWrite,
    /// A line was written back over newer bytes of another core.
    LostUpdate,
    /// A dirty line was dropped.
    LostWrite,
    /// A loop polls a copy that cannot change.
    StalePoll,
    /// A lock was released that its core did not hold.
    LockMisuse,
    /// A lock was looked at by an instruction; whether that is a mistake depends on the library.
    LockRead,
    /// No mistake: an instruction that waits. A compiler may make several of one loop.
    Wait,
    /// No mistake: an allocator has returned the victim's value to its caller.
    Block,
    /// A message buffer was read before it was written: nothing orders the two.
    EarlyRead,
    /// A message buffer was overwritten, and nothing told the writer that it had been read.
    Overwritten,
    /// A message buffer was overwritten before anybody had read it, and its reader came later.
    NeverRead,
    /// A read and a write of other memory that nothing orders.
    Race,
    /// Two writes of different values that nothing orders.
    DoubleWrite,
}

/// Where a value sat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Memory,
    L1,
    L2,
    WriteCombine,
}

/// One access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Site {
    pub core: u16,
    pub size: u8,
    /// The page's type: may L2 hold it, is it MPBT.
    pub cached: bool,
    pub message_buffer: bool,
    pub user: bool,
    pub eip: u32,
    /// The core's own address.
    pub addr: u32,
    pub time_ps: u64,
    pub value: u64,
    /// Words in which return addresses may be.
    pub stack: [u32; STACK_WORDS],
}

/// The return addresses that the frame pointers tell, the last words of the stack.
pub(crate) type Callers = [u32; 2];
/// From so many findings on, callers tell none apart: they may be no return addresses at all.
const MANY: usize = 1 << 10;
/// Findings that are kept; code that a guest makes as it runs can have one at each address.
const MOST: usize = 1 << 14;

impl Site {
    pub(crate) fn callers(&self) -> Callers {
        [self.stack[STACK_WORDS - 2], self.stack[STACK_WORDS - 1]]
    }

    /// The byte that it read or wrote at this offset of its line.
    pub fn byte(&self, offset: usize) -> Option<u8> {
        let within = offset.checked_sub(self.addr as usize % 32)?;
        (within < usize::from(self.size)).then(|| (self.value >> (8 * within)) as u8)
    }
}

/// Something that went wrong, and how often.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    pub kind: Kind,
    /// The unit and the offset in it of the first byte.
    pub unit: u32,
    pub offset: u64,
    /// How many bytes from there on.
    pub bytes: u32,
    /// The access that saw the old value, or the newer write that was lost.
    pub victim: Site,
    /// The write that was not seen, or the store whose line was written back.
    pub culprit: Site,
    /// Where the old value came from, or where the newer one sat.
    pub level: Level,
    /// When the copy came into the cache, for those that were old.
    pub since_ps: u64,
    /// What the core saw that ordered the one before the other.
    pub order: Option<Edge>,
    pub count: u64,
}

impl Finding {
    /// What one access tells, though nothing went wrong.
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
    /// How often something went wrong at places that are not kept.
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
