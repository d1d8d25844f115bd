//! The control transfers that a core has made, recorded for an observer. Translated code writes
//! into this list too.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

/// The kind of a control transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// CALL; `stack` is the address of the return address.
    Call,
    /// RET; `stack` was the address of the return address.
    Return,
    /// An indirect jump, or a direct one to an address of interest; `stack` is the stack pointer.
    Jump,
    /// An interrupt or exception; `target` is its vector, `stack` the stack pointer.
    Enter,
    /// IRET to `target`; `stack` is the stack pointer after it.
    Leave,
}

impl TransferKind {
    const ALL: [TransferKind; 5] = [
        TransferKind::Call,
        TransferKind::Return,
        TransferKind::Jump,
        TransferKind::Enter,
        TransferKind::Leave,
    ];

    /// The position of the lowest bit of the kind in [`Noted::cycle`].
    pub(crate) const SHIFT: u32 = 60;

    pub(crate) fn bits(self) -> u64 {
        (self as u64) << TransferKind::SHIFT
    }
}

/// The bit of [`Noted::cycle`] that is set if the instruction was executed in ring 3.
pub(crate) const USER: u64 = 1 << 63;

const CYCLES: u64 = (1 << TransferKind::SHIFT) - 1;

/// One control transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The core's cycle of the transfer.
    pub cycle: u64,
    pub kind: TransferKind,
    /// True if the instruction was executed in ring 3; for [`TransferKind::Leave`], true if IRET
    /// returned to ring 3.
    pub user: bool,
    pub target: u32,
    pub stack: u32,
}

/// A control transfer in the form in which translated code writes it: kind and ring are in the
/// upper bits of `cycle`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Noted {
    pub cycle: u64,
    pub target: u32,
    pub stack: u32,
}

impl Noted {
    fn is(&self, kind: TransferKind) -> bool {
        (self.cycle & !USER) >> TransferKind::SHIFT == kind as u64
    }

    fn cycle(&self) -> u64 {
        self.cycle & CYCLES
    }

    /// True if this call is nested in the frame that the record `before` leaves open: on the same
    /// ring's stack, at a lower address.
    fn nests_in(&self, before: &Noted) -> bool {
        let same_ring = (self.cycle ^ before.cycle) & USER == 0;
        let above = match () {
            () if before.is(TransferKind::Call) => self.stack < before.stack,
            () if before.is(TransferKind::Return) => self.stack <= before.stack,
            () => false,
        };
        same_ring && above
    }

    fn plain(self) -> Transfer {
        let kind = (self.cycle & !USER) >> TransferKind::SHIFT;
        Transfer {
            cycle: self.cycle(),
            kind: TransferKind::ALL[kind as usize],
            user: self.cycle & USER != 0,
            target: self.target,
            stack: self.stack,
        }
    }
}

/// Which records of control transfers to take, and which to drop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taken {
    /// True to take also records that a rollback may still undo.
    pub all: bool,
    /// Calls that returned in fewer core cycles than this are dropped, with the calls inside them.
    pub shortest_cycles: u64,
}

/// The linear addresses (starts of functions) at which direct jumps end that are recorded; other
/// direct jumps are not.
pub(crate) type Entries = Arc<BTreeSet<u32>>;

/// For how many records there is room between two checks. Translated code makes fewer between two
/// checks, because each takes at least a clock.
const ROOM: usize = 4096;

/// The control transfers recorded for a core. The parameter `next` of the functions is the host
/// address at which the next record is written; translated code advances it, and it is kept in the
/// host frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transfers {
    pub entries: Entries,
    /// The addresses of functions whose calls are never dropped, however short they are.
    kept: FxHashSet<u32>,
    noted: Vec<Noted>,
    /// The number of records when the window began, to which a rollback returns.
    pub at_window: usize,
}

impl Transfers {
    pub fn new(entries: Entries, kept: FxHashSet<u32>) -> Transfers {
        Transfers { entries, kept, ..Transfers::default() }
    }

    fn base(&self) -> u64 {
        self.noted.as_ptr() as u64
    }

    /// The number of records before the host address `next`.
    pub fn count(&self, next: u64) -> usize {
        match next {
            0 => 0,
            next => (next - self.base()) as usize / size_of::<Noted>(),
        }
    }

    /// The host address at which the record after the first `count` will be written. Makes room
    /// there for [`ROOM`] records, for which the list may move to another address.
    pub fn next_behind(&mut self, count: usize) -> u64 {
        if self.noted.len() < count + ROOM {
            self.noted.resize((count + ROOM).max(2 * self.noted.len()), Noted::default());
        }
        self.base() + (count * size_of::<Noted>()) as u64
    }

    pub fn push(&mut self, next: u64, noted: Noted) -> u64 {
        let count = self.count(next);
        self.next_behind(count);
        self.noted[count] = noted;
        self.next_behind(count + 1)
    }

    /// Moves records into `into` as `what` asks; returns the host address at which the next record
    /// is written.
    pub fn take(&mut self, next: u64, what: Taken, into: &mut Vec<Transfer>) -> u64 {
        let count = self.count(next);
        let end = if what.all { count } else { self.at_window.min(count) };
        let left = self.leave_out_short(end, what.shortest_cycles);
        into.extend(self.noted[..left].iter().map(|noted| noted.plain()));
        self.noted.copy_within(end..count, 0);
        self.at_window -= end.min(self.at_window);
        self.next_behind(count - end)
    }

    /// Drops short pairs of a call and its return that are adjacent, or become adjacent when others
    /// are dropped. Returns how many of the first `end` records remain. A pair is kept if the call
    /// may end frames that were left without a return, so that a reader of the records finds equal
    /// frames with and without the pair.
    fn leave_out_short(&mut self, end: usize, shortest_cycles: u64) -> usize {
        let mut left = 0;
        for n in 0..end {
            let noted = self.noted[n];
            if noted.is(TransferKind::Return) && left >= 2 {
                let (before, call) = (self.noted[left - 2], self.noted[left - 1]);
                let own = call.is(TransferKind::Call) && call.stack == noted.stack;
                let short = noted.cycle() - call.cycle() < shortest_cycles;
                if own && short && call.nests_in(&before) && !self.kept.contains(&call.target) {
                    left -= 1;
                    continue;
                }
            }
            self.noted[left] = noted;
            left += 1;
        }
        left
    }
}
