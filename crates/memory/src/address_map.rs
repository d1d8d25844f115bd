//! The places of each core's memory by the default LUTs (of sccKit's merge tool, as Linux and RCCE
//! expect them).
//!
//! The memory of a controller is counted in LUT segments. From the bottom: private slots of each
//! core of the quadrant, the shared slot, the fifth shared slot; at the very top a boot slot for
//! each core of the quadrant.
//!
//! Shared memory is 16 MB of each controller, one segment of the SCC's; a chip with smaller
//! segments has several of them there.

use serde::{Deserialize, Serialize};

/// The division of one controller's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressMap {
    /// Segments of private memory for each core.
    pub private_slots: u32,
    /// Cores that the controller serves.
    pub cores_per_controller: u32,
    /// Segments that the controller has.
    pub segments: u32,
    /// Segments of the shared slot.
    pub shared_segments: u32,
}

impl AddressMap {
    /// The published rule for the most private memory: floor((segments - 2) / cores) - 1,
    /// at most half of a LUT.
    pub fn most_private_slots(segments: u32, cores_per_controller: u32, lut_entries: u32) -> u32 {
        (segments.saturating_sub(2) / cores_per_controller).saturating_sub(1).min(lut_entries / 2)
    }

    /// True if everything fits below the boot slots.
    pub fn fits(&self) -> bool {
        let boot = self.segments.checked_sub(self.cores_per_controller);
        boot.is_some_and(|boot| self.fifth_shared() < boot)
    }

    /// Segment of private slot `slot` of the quadrant's core number `core`.
    pub fn private(&self, core: u32, slot: u32) -> u32 {
        self.private_slots * core + slot
    }

    pub fn shared(&self) -> u32 {
        self.private_slots * self.cores_per_controller
    }

    pub fn fifth_shared(&self) -> u32 {
        self.shared() + self.shared_segments
    }

    pub fn boot(&self, core: u32) -> u32 {
        self.segments - self.cores_per_controller + core
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The three published configurations: 4, 8 and 16 GB a controller.
    #[test]
    fn the_published_maps_come_out() {
        for (gib, private, shared, boot) in
            [(4, 20, 0x0F0, 0x0F4), (8, 41, 0x1EC, 0x1F4), (16, 84, 0x3F0, 0x3F4)]
        {
            let segments = gib * 64;
            let private_slots = AddressMap::most_private_slots(segments, 12, 256);
            let map = AddressMap {
                private_slots,
                cores_per_controller: 12,
                segments,
                shared_segments: 1,
            };
            assert_eq!((map.private_slots, map.shared(), map.boot(0)), (private, shared, boot));
            assert!(map.fits());
        }
    }
}
