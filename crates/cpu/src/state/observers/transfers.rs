//! The control transfers that a core has made, for who watches them: a list that host code writes
//! into too.

use std::collections::BTreeSet;
use std::sync::Arc;

/// How control went elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// CALL: the return address lies at `stack`.
    Call,
    /// RET: the return address lay there.
    Return,
    /// An indirect jump, or one to an address of interest; the stack pointer is `stack`.
    Jump,
    /// An interrupt or exception; `target` is its vector.
    Enter,
    /// IRET, to `target`, where the stack pointer is `stack`.
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

    /// The bits of [`Noted::cycle`] that say it, and where they begin.
    pub(crate) const SHIFT: u32 = 60;

    pub(crate) fn bits(self) -> u64 {
        (self as u64) << TransferKind::SHIFT
    }
}

/// Set in [`Noted::cycle`] if the instruction was executed in ring 3.
pub(crate) const USER: u64 = 1 << 63;

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The core's cycle at which it was made.
    pub cycle: u64,
    pub kind: TransferKind,
    /// Its instruction was executed in ring 3; of [`TransferKind::Leave`]: it leads there.
    pub user: bool,
    pub target: u32,
    pub stack: u32,
}

/// The same as host code writes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Noted {
    pub cycle: u64,
    pub target: u32,
    pub stack: u32,
}

impl Noted {
    fn plain(self) -> Transfer {
        let kind = (self.cycle & !USER) >> TransferKind::SHIFT;
        Transfer {
            cycle: self.cycle & ((1 << TransferKind::SHIFT) - 1),
            kind: TransferKind::ALL[kind as usize],
            user: self.cycle & USER != 0,
            target: self.target,
            stack: self.stack,
        }
    }
}

/// Addresses to which direct jumps are of interest, too.
pub(crate) type Entries = Arc<BTreeSet<u32>>;

/// Between two looks host code notes fewer than this: each takes a clock at least.
const ROOM: usize = 4096;

/// What a core has noted. `next` is the place of the next one, as an address, for host code: it is
/// kept in the frame and given here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transfers {
    pub entries: Entries,
    noted: Vec<Noted>,
    /// How many there were when the window began.
    pub at_window: usize,
}

impl Transfers {
    pub fn new(entries: Entries) -> Transfers {
        Transfers { entries, ..Transfers::default() }
    }

    fn base(&self) -> u64 {
        self.noted.as_ptr() as u64
    }

    /// How many there are.
    pub fn count(&self, next: u64) -> usize {
        match next {
            0 => 0,
            next => (next - self.base()) as usize / size_of::<Noted>(),
        }
    }

    /// Where the next one goes if there are so many, with room for those of host code.
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

    /// Takes those that can no longer be taken back, or all; where the next one goes then.
    pub fn take(&mut self, next: u64, all: bool, into: &mut Vec<Transfer>) -> u64 {
        let count = self.count(next);
        let end = if all { count } else { self.at_window.min(count) };
        into.extend(self.noted[..end].iter().map(|noted| noted.plain()));
        self.noted.copy_within(end..count, 0);
        self.at_window -= end.min(self.at_window);
        self.next_behind(count - end)
    }
}
