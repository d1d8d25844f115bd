//! An access for tests, to be filled in.

use rockcreek_defs::{Access, AccessKind, CoreAddr, STACK_WORDS, ServedBy};

/// An access of a program's own code to its cached private memory, which L1D serves.
pub(crate) fn access(kind: AccessKind, eip: u32, linear: u32, size: u8) -> Access {
    Access {
        kind,
        served_by: ServedBy::L1,
        size,
        locked: false,
        through: false,
        cached: true,
        message_buffer: false,
        user: true,
        addr: CoreAddr(0),
        shared: false,
        program: true,
        linear,
        eip,
        value: 0,
        cycle: 0,
        stack: [0; STACK_WORDS],
        missing: 0,
        stack_at: CoreAddr(0),
    }
}
