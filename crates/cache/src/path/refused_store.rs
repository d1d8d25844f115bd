//! Stores that cannot be done in place: the reasons, and how the caches send them.

use rockcreek_defs::{BusRequest, CoreAddr};

use crate::path::data_path::bus_write;
use crate::path::hierarchy::{Caches, Destination};

/// Why a store is not done in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No cache has the line and no cache fetches it, so the store goes to memory: see
    /// [`Caches::store_to_bus`].
    InNoCache,
    /// The store fills the write-combine buffer, which then drains: see [`Caches::store_filling`].
    Fills,
    /// The write-combine buffer holds another line, which must drain first: see
    /// [`Caches::displaced_line`], then [`Caches::store_combined`].
    Displaces,
    Otherwise,
}

impl Caches {
    /// The transaction of a store that [`Caches::store_in_place`] or [`Caches::store_elements`] has
    /// refused as `InNoCache`.
    #[inline]
    pub fn store_to_bus(&mut self, addr: CoreAddr, size: u8, value: u64) -> BusRequest {
        self.bus.stats.l1d_write_misses += 1;
        bus_write(addr, size, value, true)
    }

    /// Counts the store of a word that was refused as `InNoCache` and has been sent.
    #[inline]
    pub fn has_posted_word(&mut self) {
        self.bus.destination = Destination::default();
        self.bus.stats.l1d_write_misses += 1;
        self.bus.stats.writes_to_bus += 1;
    }

    /// The transaction of a store that [`Caches::store_in_place`] has refused as `Fills`.
    pub fn store_filling(&mut self, addr: CoreAddr, size: u8, value: u64) -> BusRequest {
        self.store_combined(addr, size, value).expect("it fills the buffer")
    }

    /// The first transaction of a store that was refused as `Displaces`: the drain of the other
    /// line.
    pub fn displaced_line(&self) -> BusRequest {
        self.bus.write_combine.drain()
    }

    /// Merges a store that no first-level cache takes into the write-combine buffer, which must
    /// have room for it. Returns the drain of the line if the store fills it.
    pub fn store_combined(&mut self, addr: CoreAddr, size: u8, value: u64) -> Option<BusRequest> {
        self.bus.stats.l1d_write_misses += 1;
        self.bus.write_combine.merge(addr, size, value)
    }
}
