//! Records control transfers for an observer: calls, returns, jumps that may lead into another
//! function, interrupts. Recording costs no simulated time and changes nothing.
//!
//! The interpreter records a transfer once the instruction can no longer fail or wait. Translated
//! code that was made for recording (`CodeCache::note_transfers`) records the transfer at the same
//! cycle. Rounds of a loop that are skipped (`fast_forward/`) are not recorded.
//!
//! Invariant: a rollback of a window removes the records that the window made.

use crate::core::parts::Core;
use crate::registers::register_file::{gpr, sreg};
pub(crate) use crate::state::observers::transfers::{Entries, Noted, TransferKind, USER};
use crate::state::observers::transfers::{Taken, Transfer, Transfers};
use crate::translator_frame::interface::TranslatorFrame;

impl Core {
    /// Starts recording control transfers. Direct jumps are recorded only to addresses in
    /// `entries`. Calls of functions in `kept` are never left out, however short. `None` stops
    /// recording. Records not taken yet are dropped.
    pub fn watch_transfers(&mut self, entries: Option<Entries>, kept: &[u32]) {
        self.forget_resumption();
        let kept = kept.iter().copied().collect();
        self.transfers = entries.map(|entries| Box::new(Transfers::new(entries, kept)));
        let next = self.transfers.as_mut().map_or(0, |transfers| transfers.next_behind(0));
        self.host.set_next_transfer(next);
        self.look_up();
    }

    /// Appends records of control transfers to `into` and removes them here: those that no rollback
    /// can undo, or every one if `what` asks for it, but for short calls (`Taken`).
    pub fn take_transfers(&mut self, what: Taken, into: &mut Vec<Transfer>) {
        let next = self.host.next_transfer();
        if let Some(transfers) = &mut self.transfers {
            let next = transfers.take(next, what, into);
            self.host.set_next_transfer(next);
        }
    }

    /// Records a CALL to `next_eip`. Call once the instruction can no longer fail or wait.
    #[inline(always)]
    pub(crate) fn note_call_made(&mut self) {
        self.note_transfer(TransferKind::Call, self.esp());
    }

    /// Records a RET; its return address was at `stack`.
    #[inline(always)]
    pub(crate) fn note_return(&mut self, stack: u32) {
        self.note_transfer(TransferKind::Return, stack);
    }

    #[inline(always)]
    pub(crate) fn note_indirect_jump(&mut self) {
        self.note_transfer(TransferKind::Jump, self.esp());
    }

    #[inline(always)]
    pub(crate) fn note_interrupt_return(&mut self) {
        self.note_transfer(TransferKind::Leave, self.esp());
    }

    #[inline(always)]
    fn note_transfer(&mut self, kind: TransferKind, stack: u32) {
        if self.transfers.is_some() {
            self.add_transfer(kind, self.state.next_eip, stack, self.state.cpl == 3);
        }
    }

    /// Records a direct jump to `next_eip`, if that is one of the addresses of interest.
    #[inline(always)]
    pub(crate) fn note_jump(&mut self) {
        let target = self.state.next_eip;
        if self.transfers.as_ref().is_some_and(|transfers| transfers.entries.contains(&target)) {
            self.note_indirect_jump();
        }
    }

    /// Records the start of the handler of an interrupt or exception (`vector`); `user`: true if it
    /// interrupted ring 3.
    #[inline(always)]
    pub(crate) fn note_entry(&mut self, vector: u8, user: bool) {
        if self.transfers.is_some() {
            self.add_transfer(TransferKind::Enter, vector.into(), self.esp(), user);
        }
    }

    #[inline(always)]
    fn esp(&self) -> u32 {
        self.state.general[gpr::ESP]
    }

    /// Adds a record of a control transfer; `target` and `stack` are offsets in the code and the
    /// stack segment. `user`: true for ring 3.
    #[inline(never)]
    fn add_transfer(&mut self, kind: TransferKind, target: u32, stack: u32, user: bool) {
        let base = |segment: usize| self.state.segments[segment].base;
        let target = match kind {
            TransferKind::Enter => target,
            _ => base(sreg::CS).wrapping_add(target),
        };
        let user = if user { USER } else { 0 };
        let cycle = self.state.cycles | kind.bits() | user;
        let noted = Noted { cycle, target, stack: base(sreg::SS).wrapping_add(stack) };
        let next = self.host.next_transfer();
        if let Some(transfers) = &mut self.transfers {
            self.host.set_next_transfer(transfers.push(next, noted));
        }
    }

    /// Makes room for the records of host code that is about to run, if transfers are recorded.
    #[inline(always)]
    pub(crate) fn make_room_for_transfers(&mut self) {
        if self.transfers.is_some() {
            self.make_room();
        }
    }

    #[inline(never)]
    fn make_room(&mut self) {
        let next = self.host.next_transfer();
        if let Some(transfers) = &mut self.transfers {
            let count = transfers.count(next);
            self.host.set_next_transfer(transfers.next_behind(count));
        }
    }

    /// Stores how many records there are at the start of a window, for a rollback.
    pub(crate) fn begin_window_of_transfers(&mut self) {
        if let Some(transfers) = &mut self.transfers {
            transfers.at_window = transfers.count(self.host.next_transfer());
        }
    }

    /// Removes the records of a window that is rolled back.
    pub(crate) fn take_transfers_back(&mut self) {
        if let Some(transfers) = &mut self.transfers {
            let next = transfers.next_behind(transfers.at_window);
            self.host.set_next_transfer(next);
        }
    }
}
