//! Stores that the caches cannot serve in place (at once, without a transaction): the reasons, and
//! the bus requests that send them.

use rockcreek_defs::{BusRequest, CoreAddr};

use crate::path::data_path::bus_write;
use crate::path::hierarchy::{Caches, Destination};

/// Why a store cannot be completed at once in a cache or in the write-combine buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No cache has the line and no cache fetches it, so the store goes to memory: see
    /// [`Caches::store_to_bus`].
    InNoCache,
    /// The store fills the write-combine buffer's line, which then drains: see
    /// [`Caches::store_filling`].
    Fills,
    /// The write-combine buffer holds another line, which must drain first: see
    /// [`Caches::displaced_line`], then [`Caches::store_combined`].
    Displaces,
    /// Any other reason: the store must take the ordinary path, [`Caches::write`].
    Otherwise,
}

impl Caches {
    /// The bus request for a store that was refused as `InNoCache`: it writes the low `size` bytes
    /// of `value` to memory, posted.
    #[inline]
    pub fn store_to_bus(&mut self, addr: CoreAddr, size: u8, value: u64) -> BusRequest {
        self.bus.stats.l1d_write_misses += 1;
        bus_write(addr, size, value, true)
    }

    /// Counts a store of four bytes that was refused as `InNoCache` and that translated code has
    /// sent to memory.
    #[inline]
    pub fn has_posted_word(&mut self) {
        self.bus.destination = Destination::default();
        self.bus.stats.l1d_write_misses += 1;
        self.bus.stats.writes_to_bus += 1;
    }

    /// The bus request for a store that was refused as `Fills`: merges the store, and drains the
    /// buffer's line, which is full now.
    pub fn store_filling(&mut self, addr: CoreAddr, size: u8, value: u64) -> BusRequest {
        self.store_combined(addr, size, value).expect("it fills the buffer")
    }

    /// The first bus request for a store that was refused as `Displaces`: the drain of the line
    /// that the write-combine buffer holds. [`Caches::store_combined`] follows.
    pub fn displaced_line(&self) -> BusRequest {
        self.bus.write_combine.drain()
    }

    /// Merges a store that L1D does not take into the write-combine buffer, which must be empty or
    /// hold the store's line. Returns the drain of the line if the store fills it, otherwise
    /// `None`.
    pub fn store_combined(&mut self, addr: CoreAddr, size: u8, value: u64) -> Option<BusRequest> {
        self.bus.stats.l1d_write_misses += 1;
        self.bus.write_combine.merge(addr, size, value)
    }
}
