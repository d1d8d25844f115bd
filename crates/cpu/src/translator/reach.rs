//! Memory accesses that translated code cannot do on its own, but L1D and L2 can: the caches
//! change as by the interpreter's access, and the code does the access at the address it is given.

use rockcreek_cache::{InPlace, Step};
use rockcreek_defs::CoreAddr;

use crate::access::{Intent, Pending, Target};
use crate::core::Core;
use crate::exception::Stop;
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
    /// Does all of an aligned load but its bytes that [`Core::reach`] could not: with a page walk
    /// and transactions, if none of them ends the run. `None`: it is for the interpreter, to which
    /// nothing that has been done is lost. Tells how long it has waited, too.
    pub(crate) fn reach_beyond(&mut self, linear: u32, size: u8) -> (Option<InPlace>, u64) {
        let begun = self.state.cycles;
        let place = self.load_beyond(linear, size);
        // Nothing is counted while it waits.
        let waited = self.state.cycles - begun;
        self.host.stay_end += waited;
        self.set_limits();
        (place.filter(|_| self.state.cycles < self.host.reach_limit), waited)
    }

    fn load_beyond(&mut self, linear: u32, size: u8) -> Option<InPlace> {
        let page = linear >> 12;
        if self.tlbs.data.find(page).is_none() {
            let need = self.need(Intent::READ);
            while let Err(stop) = self.translate_data(linear, need, Intent::READ) {
                if stop != Stop::Wait || !self.ask(self.host.bus()) {
                    return None;
                }
            }
            self.refresh_quick();
        }
        let entry = *self.tlbs.data.recent(page)?;
        if entry.permit & self.state.need_read != self.state.need_read {
            return None;
        }
        let (addr, ty) = (CoreAddr(entry.frame | linear & 0xFFF), entry.memory_type);
        let page = self.page_in_use(linear, &entry, false);
        loop {
            match self.caches.read(addr, size, ty) {
                Step::Done { cycles, .. } => {
                    self.state.cycles += u64::from(cycles);
                    self.state.counters.read_stall_cycles += u64::from(cycles);
                }
                Step::Need { finishes: true, .. } => return None,
                Step::Need { request, .. } => {
                    let pending = Pending { request, finishes: false, target: Target::Load };
                    self.state.pending = Some(pending);
                    if !self.ask(self.host.bus()) {
                        return None;
                    }
                }
            }
            if let Some(place) = self.caches.load_in_place(addr, &page, ty) {
                return Some(place);
            }
        }
    }

    /// Does all of an aligned access of `size` bytes, or of as many as will turn out if that is 0,
    /// but its bytes; `None`: it is for the interpreter.
    #[inline]
    pub(crate) fn reach(&mut self, linear: u32, size: u8, access: Access) -> Option<InPlace> {
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
            Access::Store => self.caches.store_in_place(addr, size, &page, ty)?,
            Access::Modify => self.caches.modify_in_place(addr, size, &page, ty)?,
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
