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
        let insists = (self.host.patience as i32) < 0;
        self.host.patience = self.host.patience_anew;
        let state = &self.state;
        let (need_write, load) = (state.need_write, access == Access::Load);
        let need = if load { state.need_read } else { need_write };
        let (entry, settled) = self.recent_entry(linear >> 12)?;
        if entry.permit & need != need {
            return None;
        }
        // A page that is asked for again and again is opened.
        let asked = &mut self.host.asked[usize::from(load)];
        let again = std::mem::replace(asked, linear >> 12) == linear >> 12;
        let settled = settled && (again || insists);
        if settled {
            self.tlbs.data.open_recent(linear >> 12);
        }
        let page = self.page_in_use(linear, &entry, settled);
        let (addr, ty) = (CoreAddr(entry.frame | linear & 0xFFF), entry.memory_type);
        let place = match access {
            Access::Load => self.caches.load_in_place(addr, &page, ty)?,
            Access::Store => self.caches.store_in_place(addr, &page, ty)?,
            Access::Modify => self.caches.modify_in_place(addr, &page, ty)?,
        };
        let (cycles, counters) = (u64::from(place.cycles), &mut self.state.counters);
        if access == Access::Store {
            counters.write_stall_cycles += cycles;
        } else {
            counters.read_stall_cycles += cycles;
        }
        Some(place)
    }

    /// The TLB entry of a page, which is its set's most recent one then; and whether it was.
    #[inline]
    fn recent_entry(&mut self, page: u32) -> Option<(Entry, bool)> {
        if let Some(entry) = self.tlbs.data.recent(page) {
            return Some((*entry, true));
        }
        let entry = self.tlbs.data.lookup(page)?;
        self.refresh_quick();
        Some((entry, false))
    }

    /// Counts the stores that went around L1D since the last call.
    pub(crate) fn settle_stores_around(&mut self) {
        let stores = std::mem::take(&mut self.host.stores_around);
        self.caches.count_stores_around(stores);
        self.state.counters.write_stall_cycles += stores * u64::from(self.l2_cycles());
    }

    /// Counts the lines that came from L2 since the last call, and those that went back.
    pub(crate) fn settle_refills(&mut self) {
        let host = &mut self.host;
        let (refills, back) =
            (std::mem::take(&mut host.refills), std::mem::take(&mut host.write_backs));
        self.caches.count_refills(refills, back);
        self.state.counters.read_stall_cycles += (refills + back) * u64::from(self.l2_cycles());
    }
}
