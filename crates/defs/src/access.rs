//! What an observer hears of one access that a core has made: who asked for which bytes, and who
//! of the core's own memories served it.

use crate::address::CoreAddr;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Load,
    Store,
    /// L1D is about to drop a dirty line.
    Drop,
    /// The core takes an interrupt.
    Interrupt,
    /// A mark of the program: what this core has done so far happens before whoever acquires the
    /// object whose address is the value.
    Release,
    Acquire,
    /// A call of a function that is watched has come back; the value is what it returned, and the
    /// stack begins with its arguments.
    Returned,
    /// An event of the program's threads: who runs, waits for whom, has new memory. The value is
    /// EAX and, above it, EDX; `linear` is ECX.
    Event,
    /// A watched function begins, or returns: `eip` is its first or its last instruction, `linear`
    /// the stack pointer there, at which the stack begins (return address, arguments). The value is
    /// EAX afterwards and, above it, the word to which the first argument points, if a cache has it.
    Entered,
    Left,
}

/// Where the access went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServedBy {
    /// L1D had the line.
    L1,
    /// L2 had it; a load that is not locked has put it into L1D.
    L2,
    /// The write-combine buffer.
    WriteCombine,
    /// A transaction, which is the core's next one.
    Bus,
}

/// Words of the stack that an access keeps: the top ones, and two return addresses by EBP.
pub const STACK_WORDS: usize = 8;

/// One access, in the order in which the core made them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub kind: AccessKind,
    pub served_by: ServedBy,
    pub size: u8,
    /// LOCK was asserted: the line is in L1D no more.
    pub locked: bool,
    /// A store changed the line in L1D besides.
    pub through: bool,
    /// The page may be held by L2: it is write-back or write-through.
    pub cached: bool,
    /// The page is of the type MPBT.
    pub message_buffer: bool,
    /// Ring 3.
    pub user: bool,
    pub addr: CoreAddr,
    /// Other cores reach the memory too.
    pub shared: bool,
    /// The program's own code made the access, in memory that its threads share.
    pub program: bool,
    pub linear: u32,
    /// Linear address of the instruction.
    pub eip: u32,
    /// What was read or written; a load by a transaction brings it later.
    pub value: u64,
    /// The core's cycle.
    pub cycle: u64,
    /// Where return addresses may be; 0 where no cache has a word.
    pub stack: [u32; STACK_WORDS],
}
