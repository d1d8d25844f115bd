//! The core's functions that translated code calls; the stubs that call them are in
//! `enter_leave.rs`. A function that may change a cache or the TLB also clears
//! `HostFrame::combining`.

use rockcreek_cache::{InPlace, Room};
use rockcreek_defs::CoreAddr;

use super::enter_leave::STOPPED;
use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::instruction::shape::Branch;
use crate::state::exception::Stop;
use crate::translator::CodeCache;
use crate::translator::access::bus_store::{Posting, Waits};
use crate::translator::access::fast_access::Access;
use crate::translator::interpreter_step::Stepped;
use crate::translator_frame::host_frame::BEYOND;

/// Executes the instruction `op` with the interpreter. `linear`: the address of its access, all
/// ones if it has none. Returns a value of [`Stepped::outcome`].
pub(crate) extern "sysv64" fn step(core: *mut Core, op: *const Op, linear: u64) -> u32 {
    // SAFETY: `enter` was given an exclusive reference to this core, which it does not use until
    // translated code returns; `op` is in the region's own list.
    let (core, op) = unsafe { (&mut *core, &*op) };
    step_from(core, op, linear)
}

/// The values of `step` in EAX if the instruction finished: the x87 is in the expected state
/// (`AS_EXPECTED`), or in another one (`OTHERWISE`).
pub(crate) const AS_EXPECTED: i32 = 1;
const OTHERWISE: u32 = 2;

fn code_of<'a>(core: &Core) -> &'a CodeCache {
    // SAFETY: `CodeCache::enter_again` has put its own address there, which it borrows until
    // translated code returns.
    unsafe { &*(core.host.code as *const CodeCache) }
}

fn step_from(core: &mut Core, op: &Op, linear: u64) -> u32 {
    let translations = code_of(core).translated_code();
    core.host.combining = 0;
    core.step_amid(translations, op, u32::try_from(linear).ok()).outcome()
}

impl Stepped {
    /// The number by which the stub returns this outcome to translated code, in EAX.
    pub(in crate::translator) fn outcome(self) -> u32 {
        match self {
            Stepped::Stopped => STOPPED as u32,
            Stepped::AsExpected => AS_EXPECTED as u32,
            Stepped::Otherwise => OTHERWISE,
        }
    }
}

pub(crate) extern "sysv64" fn step_flags(core: *mut Core, op: *const Op, linear: u64) -> u32 {
    // SAFETY: as in `step`.
    let (core, op) = unsafe { (&mut *core, &*op) };
    core.settle_flags();
    let done = step_from(core, op, linear);
    core.host.raw_flags = core.raw_flags();
    done
}

/// Calls the interpreter's handler of an instruction that uses only general registers; returns 0.
pub(crate) extern "sysv64" fn handle(core: *mut Core, op: *const Op, _: u64) -> u32 {
    // SAFETY: as in `step`.
    let (core, op) = unsafe { (&mut *core, &*op) };
    let done = (op.handler)(core, op);
    debug_assert!(done.is_ok(), "nothing can happen at it");
    0
}

/// Executes an instruction that uses only general registers and the arithmetic flags; returns 0.
pub(crate) extern "sysv64" fn handle_flags(core: *mut Core, op: *const Op, _: u64) -> u32 {
    // SAFETY: as in `step`.
    unsafe { (*core).settle_flags() };
    handle(core, op, 0);
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    core.host.raw_flags = core.raw_flags();
    0
}

/// Bits of `how`, with which translated code describes a branch to [`resolve`]: taken, conditional,
/// executed in V.
pub(crate) const TAKEN: u32 = 1;
pub(crate) const CONDITIONAL: u32 = 2;
pub(crate) const SECOND: u32 = 4;

/// Records the branch from address `from` to the core's EIP in the branch target buffer; `how`: the
/// bits above. Returns the core clocks of a misprediction, 0 if it was predicted correctly.
pub(crate) extern "sysv64" fn resolve(core: *mut Core, from: u32, how: u32) -> u64 {
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    let kind = if how & CONDITIONAL != 0 { Branch::Conditional } else { Branch::Always };
    let (taken, second) = (how & TAKEN != 0, how & SECOND != 0);
    core.resolve_for_translated(taken, kind, second, from)
}

/// What [`reach`] returns to translated code, in RAX and RDX.
#[repr(C)]
pub(crate) struct Reached {
    /// `origin`: the host address of the bytes minus their linear address, or 0 if the interpreter
    /// must do the access. `cycles`: the core cycles that have passed.
    origin: u64,
    cycles: u64,
}

impl Reached {
    pub fn at(place: Option<InPlace>) -> Reached {
        let Some(InPlace { origin, cycles }) = place else {
            return Reached { origin: 0, cycles: 0 };
        };
        Reached { origin, cycles: u64::from(cycles) }
    }
}

/// The part of `how` that is the access's size, less one.
const SIZE: u32 = 0xFF;

/// Flag of `how`: time may pass in the access: in a page walk, for a store in waiting for the
/// previous store to its line, for a load in transactions.
pub(crate) const MAY_WAIT: u32 = 1 << 15;

/// Flag of `how`: an x87 instruction is in progress that will have ended before L2 could serve the
/// load. The load may then request its line, if the transaction takes at least that long and is
/// performed at once.
pub(crate) const SETTLES: u32 = 1 << 12;

/// Flag of `how`: the operand may cross a natural boundary, which costs more clocks.
pub(crate) const MAY_BE_MISALIGNED: u32 = 1 << 14;

/// Flag of `how`: an x87 instruction is in progress, and the interpreter may have to do the access
/// after all. Before that no page walk may pass time: the times of the x87 would move with it.
pub(crate) const MUST_NOT_WALK: u32 = 1 << 11;

/// `bit` if `set` is true, else 0.
pub(crate) fn flag(bit: u32, set: bool) -> u32 {
    if set { bit } else { 0 }
}

/// Does an access in the caches, except for moving the bytes. `how`: the bits that are clear in an
/// aligned address, and the flags above.
#[inline(always)]
fn reach(core: *mut Core, linear: u32, how: u32, access: Access) -> Reached {
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    core.host.combining = 0;
    let low_bits = how & SIZE;
    let size = low_bits as u8 + 1;
    let (place, cycles) = if linear & low_bits != 0 {
        match how & MAY_BE_MISALIGNED {
            0 => (None, 0),
            _ => core.reach_misaligned(linear, size, access),
        }
    } else if access == Access::Load && how & MAY_WAIT != 0 {
        core.reach_beyond(linear)
    } else {
        let place = core.reach(linear, size, access);
        (place, place.map_or(0, |place| u64::from(place.cycles)))
    };
    Reached { origin: place.map_or(0, |place| place.origin), cycles }
}

pub(crate) extern "sysv64" fn load(core: *mut Core, linear: u32, low_bits: u32) -> Reached {
    let reached = reach(core, linear, low_bits, Access::Load);
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    if reached.origin == 0 && core.refused && core.fetches_line() {
        wait_for_line(core, linear);
    }
    reached
}

/// Records that a load waits for its line, so that the code after the stub stops and the run ends.
fn wait_for_line(core: &mut Core, linear: u32) {
    core.log.clear();
    core.host.fetching = BEYOND | u64::from(linear);
    core.host.came = None;
    core.host.stop = Some(Stop::Wait);
}

/// The result of [`fetch_line`], returned in RAX and RDX: the host address of the line's bytes (0
/// if the load waits for them, or without `MAY_WAIT` if nothing has been done), and the cycles that
/// the request took.
#[repr(C)]
pub(crate) struct Fetched {
    bytes: u64,
    cycles: u64,
}

/// Requests the line of a load at physical address `addr`, which will replace line `first` of L1D
/// and line `second` of L2; a dirty line of L2 is written to memory before. Without `MAY_WAIT`, an
/// x87 instruction is in progress: see [`Core::fetch_settling`].
pub(crate) extern "sysv64" fn fetch_line(
    core: *mut Core,
    linear: u32,
    addr: u32,
    first: u32,
    second: u32,
) -> Fetched {
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    core.host.combining = 0;
    let begun = core.state.cycles;
    let room = Room::of(CoreAddr(addr), first, second);
    let settles = core.host.how >> 16 & MAY_WAIT == 0;
    let line = match settles {
        true => core.fetch_settling(&room, second),
        false if core.clear_victim(second) => core.ask_for_line(&room),
        false => None,
    };
    let bytes = line.map_or(0, |line| line.as_ptr() as usize as u64);
    if bytes == 0 && !settles {
        wait_for_line(core, linear);
    }
    Fetched { bytes, cycles: core.has_waited(begun) }
}

pub(crate) extern "sysv64" fn store(core: *mut Core, linear: u32, low_bits: u32) -> Reached {
    reach(core, linear, low_bits, Access::Store)
}

pub(crate) extern "sysv64" fn modify(core: *mut Core, linear: u32, low_bits: u32) -> Reached {
    reach(core, linear, low_bits, Access::Modify)
}

/// Removes the page at linear address `page` from the known pages, and all its known lines.
pub(crate) extern "sysv64" fn forget_page(core: *mut Core, page: u32) {
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    core.forget_known(page);
}

/// Values that [`fetch`] returns in EAX: the line was fetched after a gap; it is not this version;
/// it was fetched.
const AFTER_GAP: u32 = 0;
pub(crate) const NOT_THERE: i32 = 1;
const THERE: u32 = 2;

/// Fetches the line of code at `linear` if it has this version; returns one of the values above.
/// `GAP`: the fetch may take time, which empties the pipes.
pub(crate) extern "sysv64" fn fetch<const GAP: bool>(
    core: *mut Core,
    linear: u32,
    version: u32,
) -> u32 {
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    core.host.combining = 0;
    let gap = match GAP {
        true => core.refetch_for_translated(code_of(core), linear, version),
        false => core.fetch_for_translated(linear, version).then_some(false),
    };
    match gap {
        Some(true) => AFTER_GAP,
        Some(false) => THERE,
        None => NOT_THERE as u32,
    }
}

/// The number of stays after which execution returns to the loop of `run`, which tests for a delay
/// loop.
const STAYS: u32 = 16;

/// Sends a store that the stub has refused; returns zero if the run must end for it.
pub(crate) extern "sysv64" fn send(core: *mut Core, value: u32, size: u32) -> u32 {
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    core.host.combining = 0;
    u32::from(core.send(size as u8, value))
}

/// The value that `post_x87` returns in EAX if the store has been posted; one more if the core has
/// waited and the store must be tried again.
pub(crate) const POSTED: i32 = 1;

/// Bit of `how` of [`post_x87`]: the store may wait at its own place in the code.
pub(crate) const WAITS_IN_PLACE: u32 = 1 << 31;

/// Posts an x87 store that no cache takes. `how`: bits 0 to 7: the size in bytes; bit 31:
/// `WAITS_IN_PLACE`; without it, from bit 8 on: the least number of clocks of a wait in a block of
/// its own. Returns zero if nothing has been done, else see `POSTED`.
pub(crate) extern "sysv64" fn post_x87(core: *mut Core, how: u32) -> u32 {
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    core.host.combining = 0;
    let waits = match how & WAITS_IN_PLACE {
        0 => Waits::Elsewhere { least: u64::from(how >> 8) },
        _ => Waits::Here,
    };
    match core.post_x87(how as u8, waits) {
        Posting::Refused => 0,
        Posting::Posted => POSTED as u32,
        Posting::Waited => POSTED as u32 + 1,
    }
}

/// Ends this stay in translated code (its counts go into the counters) and begins another at core
/// cycle `cycles`; returns zero if execution must return to the loop of `run`, because a deadline
/// is near or `STAYS` stays have passed.
pub(crate) extern "sysv64" fn stay(core: *mut Core, cycles: u64) -> u32 {
    // SAFETY: as in `step`.
    let core = unsafe { &mut *core };
    core.settle_counts();
    core.host.combining = 0;
    core.host.stays = core.host.stays.wrapping_add(1);
    let goes_on = core.begin_stay(cycles) && !core.host.stays.is_multiple_of(STAYS);
    u32::from(goes_on)
}
