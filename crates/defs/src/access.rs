//! The record of one access or event of a core for an observer: the instruction, the bytes, and
//! which of the core's caches served the access.

use crate::address::CoreAddr;

/// The kind of a record: an access, or an event that is no access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Load,
    Store,
    /// L1D is about to drop a dirty line.
    Drop,
    /// The core takes an interrupt.
    Interrupt,
    /// The program marks a release (`rck_check_release`) of the object whose address is the value:
    /// the core's actions before it happen before the actions of another core after an `Acquire` of
    /// this object.
    Release,
    Acquire,
    /// A call of a watched function has returned: `value` is the result, and `stack` begins with
    /// the call's arguments.
    Returned,
    /// The layer under a program's threads announces an event (`rck_order.h`): the thread that
    /// runs, a release, an acquire, new memory. `value` is EAX and, above it, EDX; `linear` is ECX.
    Event,
    /// A watched function begins (`Entered`) or returns (`Left`). `eip`: its first or last
    /// instruction; `linear`: the stack pointer there; `stack`: the words from there on (return
    /// address, arguments). `value`: EAX and, above it, the word to which the first argument
    /// points, 0 if no cache has that word.
    Entered,
    Left,
}

/// The place that served the access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServedBy {
    /// L1D had the line.
    L1,
    /// L2 had the line; a load without LOCK has also copied the line into L1D.
    L2,
    /// The write-combine buffer took the store.
    WriteCombine,
    /// No cache: the core's next transaction performs the access.
    Bus,
}

/// The number of words from the top of the stack in a record.
pub const TOP_WORDS: usize = 6;
/// The number of words of the stack in a record: the top ones, then the return addresses that the
/// frame pointer (EBP) leads to, so many that calls within a library do not hide who called it.
pub const STACK_WORDS: usize = TOP_WORDS + 6;
/// `Access::missing` has a bit for each.
const _: () = assert!(TOP_WORDS <= u8::BITS as usize);

/// One record of a core. A core's records are in the order of its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub kind: AccessKind,
    pub served_by: ServedBy,
    pub size: u8,
    /// True if LOCK was asserted; L1D no longer has the line.
    pub locked: bool,
    /// True if a store went to L2 or memory and also changed the line in L1D.
    pub through: bool,
    /// True if L2 may hold lines of the page: its type is write-back or write-through.
    pub cached: bool,
    /// True if the page has type MPBT.
    pub message_buffer: bool,
    /// True if the access was made in ring 3.
    pub user: bool,
    pub addr: CoreAddr,
    /// True if other cores can reach the memory.
    pub shared: bool,
    /// True if the program's own code made or caused the access, in memory that is watched for the
    /// program.
    pub program: bool,
    /// The linear address of the first byte.
    pub linear: u32,
    /// The linear address of the instruction.
    pub eip: u32,
    /// The value read or written; 0 for a load whose value a transaction brings later.
    pub value: u64,
    /// The core cycle of the access.
    pub cycle: u64,
    /// Words of the stack, some of which may be return addresses; 0 for a word that no cache has.
    pub stack: [u32; STACK_WORDS],
    /// Bit n is set if no cache has the nth of the top words, so that memory has its value.
    pub missing: u8,
    /// The address of the top of the stack, for the words that are missing.
    pub stack_at: CoreAddr,
}

/// A retired instruction, as the check of values uses it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retired {
    /// The core's cycle at which the instruction was finished.
    pub cycle: u64,
    pub eip: u32,
    /// The flags and registers after the instruction.
    pub eflags: u32,
    pub general: [u32; 8],
    /// The x87 status word; it contains the top of the stack.
    pub x87_status: u16,
    /// True if the instruction was executed in ring 3.
    pub user: bool,
}
