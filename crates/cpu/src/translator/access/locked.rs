//! Locked read-modify-writes of translated code: L2 serves both accesses, as for the interpreter.
//!
//! A loop of locked additions takes 4.4 times the host's instructions without this path
//! (2026-11-29).

use rockcreek_cache::InPlace;

use super::fast_access::Access;
use crate::core::parts::Core;

impl Core {
    /// Performs the load and the store of a locked instruction, except for moving the bytes, and
    /// counts both, if the operand is aligned, the bus unit is free, and L2 serves both at once;
    /// otherwise `None`. The cycles of the result are those of both accesses.
    pub(crate) fn reach_locked(&mut self, linear: u32, size: u8) -> Option<InPlace> {
        if !linear.is_multiple_of(u32::from(size)) {
            return None;
        }
        let entry = self.entry_for(linear, Access::Modify)?;
        if !self.is_bus_free() {
            // The posted store must be acknowledged first; the interpreter waits for that.
            return None;
        }
        let (place, reading) = self.caches.modify_locked(entry.frame, linear, entry.memory_type)?;
        let counters = &mut self.state.counters;
        counters.read_stall_cycles += u64::from(reading);
        counters.write_stall_cycles += u64::from(place.cycles - reading);
        counters.bypassing_loads += 1;
        counters.bypassing_stores += 1;
        counters.locked_instructions += 1;
        Some(place)
    }
}
