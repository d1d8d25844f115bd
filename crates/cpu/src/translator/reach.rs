//! Memory accesses that translated code cannot do on its own, but L1D and L2 can: the caches
//! change as by the interpreter's access, and the code does the access at the address it is given.

use rockcreek_cache::InPlace;
use rockcreek_defs::CoreAddr;

use crate::core::Core;
use crate::tlb::Entry;

/// What an instruction does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Load,
    Store,
    /// Both, at one address.
    Modify,
}

impl Core {
    /// Does all of an aligned access but its bytes; `None`: it is for the interpreter.
    #[inline]
    pub(crate) fn reach(&mut self, linear: u32, access: Access) -> Option<InPlace> {
        let need =
            if access == Access::Load { self.state.need_read } else { self.state.need_write };
        let entry = self.recent_entry(linear >> 12)?;
        if entry.permit & need != need {
            return None;
        }
        let (page, ty) = (linear & !0xFFF, entry.memory_type);
        let addr = CoreAddr(entry.frame | linear & 0xFFF);
        let need_write = self.state.need_write;
        let counters = &mut self.state.counters;
        Some(match access {
            Access::Load => {
                let writable = entry.permit & need_write == need_write;
                let place = self.caches.load_in_place(addr, page, ty, writable)?;
                counters.read_stall_cycles += u64::from(place.cycles);
                place
            }
            Access::Store => {
                let place = self.caches.store_in_place(addr, page, ty)?;
                counters.write_stall_cycles += u64::from(place.cycles);
                place
            }
            Access::Modify => {
                let place = self.caches.modify_in_place(addr, page, ty)?;
                counters.read_stall_cycles += u64::from(place.cycles);
                place
            }
        })
    }

    /// The TLB entry of a page, which is its set's most recent one then.
    #[inline]
    fn recent_entry(&mut self, page: u32) -> Option<Entry> {
        if let Some(entry) = self.tlbs.data.recent(page) {
            return Some(*entry);
        }
        let entry = self.tlbs.data.lookup(page)?;
        self.refresh_quick();
        Some(entry)
    }

    /// Counts the stores that went around L1D since the last call.
    pub(crate) fn settle_stores_around(&mut self) {
        let stores = std::mem::take(&mut self.host.stores_around);
        self.caches.count_stores_around(stores);
        self.state.counters.write_stall_cycles += stores * u64::from(self.l2_cycles());
    }
}
