//! Control transfers, noted one by one for who watches them: calls, returns, jumps that may lead
//! into another function, interrupts. They cost no simulated time and change nothing.
//!
//! The interpreter notes a transfer when nothing of its instruction can fail or wait any more;
//! translated code, where it has been made to (`CodeCache::note_transfers`), at the same cycle.
//! Rounds of a loop that are passed instead of executed (`fast_forward/`) are not noted.
//!
//! Invariant: the notes go back with their window.

use crate::core::parts::Core;
use crate::registers::register_file::{gpr, sreg};
pub(crate) use crate::state::observers::transfers::{Entries, Noted, TransferKind, USER};
use crate::state::observers::transfers::{Taken, Transfer, Transfers};
use crate::translator_frame::interface::TranslatorFrame;

impl Core {
    /// Notes control transfers from now on; direct jumps only to these addresses. Calls of functions
    /// in `kept` are never left out.
    pub fn watch_transfers(&mut self, entries: Option<Entries>, kept: &[u32]) {
        self.forget_resumption();
        let kept = kept.iter().copied().collect();
        self.transfers = entries.map(|entries| Box::new(Transfers::new(entries, kept)));
        let next = self.transfers.as_mut().map_or(0, |transfers| transfers.next_behind(0));
        self.host.set_next_transfer(next);
        self.look_up();
    }

    /// Takes what has been noted and can no longer be taken back, or all of it if there will be no
    /// rollback.
    pub fn take_transfers(&mut self, what: Taken, into: &mut Vec<Transfer>) {
        let next = self.host.next_transfer();
        if let Some(transfers) = &mut self.transfers {
            let next = transfers.take(next, what, into);
            self.host.set_next_transfer(next);
        }
    }

    /// A CALL has been made to `next_eip`: what of it may fail or wait is done.
    #[inline(always)]
    pub(crate) fn note_call_made(&mut self) {
        self.note_transfer(TransferKind::Call, self.esp());
    }

    /// A RET, whose address lay at `stack`.
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

    /// A direct jump has been taken to `next_eip`.
    #[inline(always)]
    pub(crate) fn note_jump(&mut self) {
        let target = self.state.next_eip;
        if self.transfers.as_ref().is_some_and(|transfers| transfers.entries.contains(&target)) {
            self.note_indirect_jump();
        }
    }

    /// A handler has been entered, from ring 3 or not.
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

    /// `target` and `stack` as offsets in code and stack segment.
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

    /// Host code is about to run: there is room for what it notes.
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

    /// A window begins.
    pub(crate) fn begin_window_of_transfers(&mut self) {
        if let Some(transfers) = &mut self.transfers {
            transfers.at_window = transfers.count(self.host.next_transfer());
        }
    }

    /// It is taken back.
    pub(crate) fn take_transfers_back(&mut self) {
        if let Some(transfers) = &mut self.transfers {
            let next = transfers.next_behind(transfers.at_window);
            self.host.set_next_transfer(next);
        }
    }
}
