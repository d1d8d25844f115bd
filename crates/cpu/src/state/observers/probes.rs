//! The probes on one core: their counts, and the calls that they have recorded.

use std::collections::BTreeMap;

use rockcreek_defs::LINE_BYTES;

use super::snapshots::Snapshots;

/// The number of bits in the filter, which shows for most lines that they hold no probe.
const FILTER_BITS: usize = 4096;
/// The number of words recorded for a call: the return address and seven arguments.
pub const CALL_WORDS: usize = 8;

/// What a probe does at each execution of its address in addition to counting it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeNote {
    /// Records the call: the words at the top of the guest's stack.
    Call,
    /// Records a release or an acquire for the observer of accesses.
    Release,
    Acquire,
    /// Records the value that a call returns at the probed address, for the observer of accesses.
    Returned,
    /// Records an event of the program's threads.
    Event,
    /// Records that a function begins or returns, for the observer of accesses.
    Entered,
    Left,
}

/// Which executions a probe counts, and what it records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProbeKind {
    /// True if the probe counts only instructions executed in ring 3.
    pub user_only: bool,
    /// True if the probe marks a step of a longer activity. For each other probe, the core reports
    /// how many steps it has made since that probe's last count.
    pub step: bool,
    /// What the probe does in addition to counting; `None`: nothing.
    pub note: Option<ProbeNote>,
    /// True if the probe records what the core has counted.
    pub snapshot: bool,
}

/// One probed address. A field `..._at_window` holds another field's value at the start of the
/// window.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Probe {
    pub count: u64,
    pub at_window: u64,
    /// The core cycle of the probe's last count.
    pub last: u64,
    pub last_at_window: u64,
    /// How many steps the core had made at the probe's last count.
    pub steps: u64,
    pub steps_at_window: u64,
    pub kind: ProbeKind,
}

/// One recorded call of a function with a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Linear address of the function.
    pub address: u32,
    /// The address of `words`: the stack pointer at the function's start. A function entered by a
    /// jump (a tail call) has the stack pointer of the function that jumped.
    pub stack: u32,
    /// The return address and the words above it; 0 where no page is mapped.
    pub words: [u32; CALL_WORDS],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Noted {
    pub call: Call,
    /// The words of the call that are in memory and have not been read yet, a bit each.
    pub missing: u8,
}

/// The probes of one core.
#[derive(Clone, Debug)]
pub(crate) struct Probes {
    pub by_address: BTreeMap<u32, Probe>,
    pub filter: Box<[u64]>,
    pub calls: Vec<Noted>,
    /// The index of the next call in `calls`. After a rollback, the elements from there on are
    /// calls that the core will make again.
    pub next: usize,
    pub next_at_window: usize,
    /// How many calls, counted from the first, have all their words.
    pub complete: usize,
    pub steps: u64,
    pub steps_at_window: u64,
    pub snapshots: Snapshots,
}

impl Default for Probes {
    fn default() -> Probes {
        let filter = vec![0; FILTER_BITS / 64].into_boxed_slice();
        Probes {
            by_address: BTreeMap::new(),
            filter,
            calls: Vec::new(),
            next: 0,
            next_at_window: 0,
            complete: 0,
            steps: 0,
            steps_at_window: 0,
            snapshots: Snapshots::default(),
        }
    }
}

/// The place of a line's bit in the filter: the index of a 64-bit word, and the bit's number in it.
pub(crate) fn filter_bit(linear: u32) -> (usize, u32) {
    let bit = linear as usize / LINE_BYTES % FILTER_BITS;
    (bit / 64, bit as u32 % 64)
}

impl Probes {
    pub fn begin_window(&mut self) {
        for probe in self.by_address.values_mut() {
            probe.at_window = probe.count;
            probe.last_at_window = probe.last;
            probe.steps_at_window = probe.steps;
        }
        self.steps_at_window = self.steps;
        self.next_at_window = self.next;
        self.snapshots.begin_window();
    }

    pub fn rollback(&mut self) {
        for probe in self.by_address.values_mut() {
            probe.count = probe.at_window;
            probe.last = probe.last_at_window;
            probe.steps = probe.steps_at_window;
        }
        self.steps = self.steps_at_window;
        self.next = self.next_at_window;
        self.snapshots.rollback();
        self.calls.truncate(self.complete.max(self.next));
    }

    /// True if no probe has counted since the window began.
    pub fn unchanged(&self) -> bool {
        self.by_address.values().all(|probe| probe.count == probe.at_window)
    }

    /// True if there may be a probe in the line of this linear address; false if there certainly is
    /// none.
    #[inline]
    pub fn near(&self, linear: u32) -> bool {
        let (word, bit) = filter_bit(linear);
        self.filter[word] >> bit & 1 != 0
    }

    pub fn note(&mut self, noted: Noted) {
        if self.next == self.calls.len() {
            self.calls.push(noted);
        }
        self.next += 1;
    }

    /// Counts the instruction that retired at `linear`, if a probe is there for this privilege
    /// level. Returns the probe's kind, for what it does in addition.
    pub fn retire(&mut self, linear: u32, cpl: u8, cycle: u64) -> Option<ProbeKind> {
        match self.by_address.get_mut(&linear) {
            Some(probe) if cpl == 3 || !probe.kind.user_only => {
                probe.count += 1;
                probe.last = cycle;
                self.steps += u64::from(probe.kind.step);
                probe.steps = self.steps;
                Some(probe.kind)
            }
            _ => None,
        }
    }
}
