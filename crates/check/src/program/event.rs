//! Events that the layer under a program's threads announces: a call with three words.
//!
//! EAX: the kind in four bits, and a detail. EDX: an object, a thread or an address. ECX: which
//! object there, or where the program has called from. `guest/check/include/rck_order.h` has the
//! other side.

use rockcreek_defs::Access;

use super::objects::Object;

const KIND_BITS: u32 = 4;
/// A bit of an atomic operation's detail: the operation writes.
const WRITES: u32 = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// This core runs a thread or a task from now on.
    Runs(u32),
    /// This core runs a new thread or task.
    Begins(u32),
    Release(Object),
    /// The first one that lets go of it.
    ReleaseAnew(Object),
    Acquire(Object),
    Atomic {
        at: u32,
        bytes: u32,
        write: bool,
        back: u32,
    },
    /// Nobody has touched this memory yet. `back` is 0 if it is a stack's.
    Fresh {
        at: u32,
        bytes: u32,
        back: u32,
    },
    /// A parallel region begins: the address of one of the things that its function is given.
    Shares {
        at: u32,
        number: u32,
        function: u32,
    },
}

impl Event {
    pub fn of(access: &Access) -> Option<Event> {
        let (first, second, third) =
            (access.value as u32, (access.value >> 32) as u32, access.linear);
        let detail = first >> KIND_BITS;
        Some(match first & ((1 << KIND_BITS) - 1) {
            1 => Event::Runs(second),
            2 => Event::Begins(second),
            3 => Event::Release((second, third)),
            4 => Event::ReleaseAnew((second, third)),
            5 => Event::Acquire((second, third)),
            6 => Event::Atomic {
                at: second,
                bytes: detail & (WRITES - 1),
                write: detail & WRITES != 0,
                back: third,
            },
            7 => Event::Fresh { at: second, bytes: detail, back: third },
            8 => Event::Shares { at: second, number: detail, function: third },
            _ => return None,
        })
    }
}
