//! Misaligned integers in memory, for translated code. The lines are found as for aligned integers.
//! The penalty of an operand across a boundary is charged after the access
//! (`Core::check_alignment`), so these functions are only for places where no x87 instruction is in
//! progress. Code for which alignment is checked (#AC) is not translated.
//!
//! Loads in lines or pages that are not there, and stores in two lines, are also done here, with their
//! transactions. Gain: against the interpreter, which did them one by one, zstd 1.05 times as fast, and
//! random accesses to a megabyte, one in 16 of them x87, 1.2 times (processor time in turns, 2026-11-28).

use rockcreek_cache::{HostLookup, InPlace};
use rockcreek_defs::{CoreAddr, LINE_BYTES};

use super::fast_access::Access;
use crate::core::parts::Core;
use crate::memory::access_path::Intent;
use crate::state::transaction::{Pending, Target};
use crate::translator_frame::host_frame::SPLIT;
use crate::units::tlb::Entry;

/// The natural boundary in bytes: an integer that crosses a multiple of this is read or written
/// twice.
pub(crate) const NATURAL: u32 = 4;
/// The number of bytes that are read at once from a line when an operand is assembled from two
/// lines.
const PART: u32 = size_of::<u64>() as u32;
/// The largest number of penalties of one operand: a read-modify-write pays for its load and its
/// store.
pub(crate) const MOST_PENALTIES: u64 = 2;

/// How many times the penalty is charged for an operand that crosses a natural boundary: twice for
/// a read-modify-write, otherwise once.
pub(crate) fn penalties(access: Access) -> u64 {
    if access == Access::Modify { MOST_PENALTIES } else { 1 }
}

impl Core {
    /// Like [`Core::reach`], for a misaligned operand; a load may span two lines. Also returns the
    /// core clocks that have passed, with the penalty; the caller must charge them even if the
    /// interpreter must do the access. A penalty is counted only if the access was done here.
    pub(crate) fn reach_misaligned(
        &mut self,
        linear: u32,
        size: u8,
        access: Access,
    ) -> (Option<InPlace>, u64) {
        let size = u32::from(size);
        let room = LINE_BYTES as u32 - linear % LINE_BYTES as u32;
        let (place, cycles) = match access {
            Access::Load if size <= room => self.reach_or_fetch(linear, size as u8),
            Access::Load => self.reach_two_lines(linear, room),
            _ if size <= room => self.reach_walking(linear, size as u8, access, true),
            Access::Store => return (None, self.note_split_store(linear, room)),
            Access::Modify => (None, 0),
        };
        // A store that no cache takes pays its penalty where it is sent
        // (`x64/memory/transactions.rs`); one that the write-combine buffer takes would not, so the
        // interpreter does that one.
        if size > room || self.host.nowhere().is_none() {
            self.host.beyond = 0;
        }
        if place.is_none() || linear % NATURAL + size <= NATURAL {
            return (place, cycles);
        }
        let times = penalties(access);
        self.state.counters.misaligned_references += times;
        (place, cycles + times * u64::from(self.config.misaligned_cycles))
    }

    /// Performs a load whose first `room` bytes lie at the end of a line and the others in the next
    /// line, as the interpreter's two loads do. Returns the place of the assembled bytes (`None`:
    /// the interpreter must do it) and the clocks that have passed.
    fn reach_two_lines(&mut self, linear: u32, room: u32) -> (Option<InPlace>, u64) {
        let Some(next) = linear.checked_add(room) else { return (None, 0) };
        let (first, passed) = self.reach_or_fetch(linear, 1);
        let Some(first) = first else { return (None, passed) };
        let low = part_at(first, next - PART) >> (8 * (PART - room));
        let (second, more) = self.reach_or_fetch(next, 1);
        let Some(second) = second else {
            if self.refused {
                // The core waits with the first load completed, as in the interpreter.
                self.log.push(low);
                self.state.counters.loads += 1;
            }
            return (None, passed + more);
        };
        self.state.counters.loads += 1;
        self.host.split.operand[0] = low | part_at(second, next) << (8 * room);
        let operand = std::ptr::from_ref(&self.host.split.operand) as usize as u64;
        let origin = operand.wrapping_sub(u64::from(linear));
        (Some(InPlace { origin, cycles: 0 }), passed + more)
    }

    /// As [`Core::reach_beyond`], for a load that L1D or L2 mostly serves.
    fn reach_or_fetch(&mut self, linear: u32, size: u8) -> (Option<InPlace>, u64) {
        let Some(place) = self.reach(linear, size, Access::Load) else {
            let (place, passed) = self.reach_beyond(linear);
            if place.is_some() {
                self.admit(linear);
            }
            return (place, passed);
        };
        let cycles = u64::from(place.cycles);
        self.state.cycles += cycles;
        let in_time = cycles == 0 || self.state.cycles < self.host.reach_limit;
        (in_time.then_some(InPlace { cycles: 0, ..place }), cycles)
    }

    /// Records in `HostFrame::beyond` that a store spans two lines, if [`Core::send_split`] can do
    /// it; `room`: its bytes in the first line. Returns the core cycles that have passed in walks of
    /// the page tables.
    fn note_split_store(&mut self, linear: u32, room: u32) -> u64 {
        self.host.beyond = 0;
        let Some(next) = linear.checked_add(room) else { return 0 };
        if self.host.answers == 0 {
            return 0;
        }
        let mut passed = 0;
        for at in [linear, next] {
            if self.tlbs.data.find(at >> 12).is_none() {
                let (there, walked) = self.walk_at_once(at, Access::Store);
                passed += walked;
                if !there {
                    return passed;
                }
            }
            let takes = |entry: &Entry| entry.memory_type.rules().host_lookup == HostLookup::Lines;
            let Some(entry) = self.entry_for(at, Access::Store).filter(takes) else {
                return passed;
            };
            // A store to a line of code would drop it, and the instruction would be fetched again.
            if self.caches.l1i_has(CoreAddr(entry.frame | at & 0xFFF)) {
                return passed;
            }
        }
        self.host.beyond = SPLIT | u64::from(linear);
        passed
    }

    /// Performs a store of `size` bytes that spans two lines (`HostFrame::beyond`), as the
    /// interpreter's two stores. Call only while no x87 instruction is in progress. Returns false if
    /// the core's run must end for it; the log then has what is done, and the interpreter continues.
    #[inline(never)]
    pub(crate) fn send_split(&mut self, linear: u32, size: u8, value: u32) -> bool {
        let begun = self.state.cycles;
        self.log.clear();
        let room = LINE_BYTES as u32 - linear % LINE_BYTES as u32;
        let (low, high) = (value & !(u32::MAX << (8 * room)), value >> (8 * room));
        let parts = [(linear, room, low), (linear + room, u32::from(size) - room, high)];
        for (at, bytes, value) in parts {
            while self.write_part(at, bytes, u64::from(value), Intent::WRITE).is_err() {
                let ends = |pending: &Pending| pending.finishes && pending.target == Target::Store;
                let finishes = self.state.pending.as_ref().is_some_and(ends);
                if !self.ask(self.host.bus()) {
                    return false;
                }
                if finishes {
                    break;
                }
            }
        }
        self.log.clear();
        self.forget_displaced();
        self.host.stay_end += self.state.cycles - begun;
        self.set_limits();
        true
    }
}

/// The eight bytes at a linear address in the line that an access has found.
fn part_at(place: InPlace, linear: u32) -> u64 {
    let at = place.origin.wrapping_add(u64::from(linear)) as *const u64;
    // SAFETY: `reach` has returned the line's place, the line has not moved since, and the callers
    // read its first or its last eight bytes.
    unsafe { at.read_unaligned() }
}
