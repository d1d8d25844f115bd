//! Misaligned integers in memory, for translated code. The lines are found as for aligned integers.
//! The penalty of an operand across a boundary is charged after the access
//! (`Core::check_alignment`), so these functions are only for places where no x87 instruction is in
//! progress. Code for which alignment is checked (#AC) is not translated.
//!
//! A loop over misaligned words, some across two lines, takes 1.17 times the host's instructions
//! without this file (2026-11-29).

use rockcreek_cache::InPlace;
use rockcreek_defs::LINE_BYTES;

use super::fast_access::Access;
use crate::core::parts::Core;

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
            _ if size <= room => {
                let place = self.reach(linear, size as u8, access);
                (place, place.map_or(0, |place| u64::from(place.cycles)))
            }
            Access::Load => self.reach_two_lines(linear, room),
            Access::Store | Access::Modify => (None, 0),
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
        let Some(first) = self.reach(linear, 1, Access::Load) else { return (None, 0) };
        let low = part_at(first, next - PART) >> (8 * (PART - room));
        let passed = u64::from(first.cycles);
        let in_time = passed == 0 || self.state.cycles + passed < self.host.reach_limit;
        let second = if in_time { self.reach(next, 1, Access::Load) } else { None };
        let Some(second) = second else { return (None, passed) };
        self.state.counters.loads += 1;
        self.host.split.operand[0] = low | part_at(second, next) << (8 * room);
        let operand = std::ptr::from_ref(&self.host.split.operand) as usize as u64;
        let origin = operand.wrapping_sub(u64::from(linear));
        (Some(InPlace { origin, cycles: 0 }), passed + u64::from(second.cycles))
    }
}

/// The eight bytes at a linear address in the line that an access has found.
fn part_at(place: InPlace, linear: u32) -> u64 {
    let at = place.origin.wrapping_add(u64::from(linear)) as *const u64;
    // SAFETY: `reach` has returned the line's place, the line has not moved since, and the callers
    // read its first or its last eight bytes.
    unsafe { at.read_unaligned() }
}
