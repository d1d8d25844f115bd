//! Stores that are not done in place: why, and what of them the caches still do when they are sent.

use rockcreek_defs::{BusRequest, CoreAddr};

use crate::data_path::bus_write;
use crate::hierarchy::{Caches, Destination};

/// Why a store is not done in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It goes to memory, as no cache has the line and none fetches it: see [`Caches::store_to_bus`].
    InNoCache,
    /// The write-combine buffer is full with it and goes out: see [`Caches::store_filling`].
    Fills,
    /// Another line in the write-combine buffer goes out first: see [`Caches::displaced_line`],
    /// then [`Caches::store_combined`].
    Displaces,
    Otherwise,
}

impl Caches {
    /// The transaction of a store that [`Caches::store_in_place`] or [`Caches::store_elements`] has
    /// just refused because the line is in no cache.
    #[inline]
    pub fn store_to_bus(&mut self, addr: CoreAddr, size: u8, value: u64) -> BusRequest {
        self.bus.stats.l1d_write_misses += 1;
        bus_write(addr, size, value, true)
    }

    /// Such a store of a word has gone.
    #[inline]
    pub fn has_posted_word(&mut self) {
        self.bus.destination = Destination::default();
        self.bus.stats.l1d_write_misses += 1;
        self.bus.stats.writes_to_bus += 1;
    }

    /// The transaction of a store that [`Caches::store_in_place`] has just refused because it fills
    /// the write-combine buffer.
    pub fn store_filling(&mut self, addr: CoreAddr, size: u8, value: u64) -> BusRequest {
        self.store_combined(addr, size, value).expect("it fills the buffer")
    }

    /// The transaction that such a store needs first because it displaces another line.
    pub fn displaced_line(&self) -> BusRequest {
        self.bus.write_combine.drain()
    }

    /// A store that no line of a first-level cache takes, into the write-combine buffer, which has
    /// a place for it; the drain of the line if that makes it full.
    pub fn store_combined(&mut self, addr: CoreAddr, size: u8, value: u64) -> Option<BusRequest> {
        self.bus.stats.l1d_write_misses += 1;
        self.bus.write_combine.merge(addr, size, value)
    }
}
