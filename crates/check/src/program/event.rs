//! Events that the layer under a program's threads (the library of threads or OpenMP) announces. An
//! event is a call with three words.
//!
//! EAX: the kind in four bits, and a detail. EDX: an object, a thread or an address. ECX: which
//! object at that address, or the program's call site. The guest's side is in
//! `guest/check/include/rck_order.h`.

use rockcreek_defs::Access;

use super::objects::Object;

const KIND_BITS: u32 = 4;
/// A bit in the detail of an atomic operation: set if the operation writes memory.
const WRITES: u32 = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// From now on, this core runs the thread or task with this number.
    Runs(u32),
    /// From now on, this core runs a new thread or task with this number.
    Begins(u32),
    Release(Object),
    /// A release of an object that replaces the object's earlier releases: a later acquire is
    /// ordered after this one only.
    ReleaseAnew(Object),
    Acquire(Object),
    Atomic {
        at: u32,
        bytes: u32,
        write: bool,
        back: u32,
    },
    /// This memory has been allocated anew: accesses before this event no longer count. `back`: the
    /// program's call site of the allocation, 0 for a thread's stack.
    Fresh {
        at: u32,
        bytes: u32,
        back: u32,
    },
    /// A parallel region of OpenMP begins; argument `number` of its function points to address
    /// `at`.
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
