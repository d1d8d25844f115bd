//! The probes on one core: what they have counted, and the calls that they have noted.

use std::collections::BTreeMap;

use rockcreek_defs::LINE_BYTES;

/// Bits of the filter that tells most lines apart from all probed ones.
const FILTER_BITS: usize = 4096;
/// The return address and seven arguments.
pub const CALL_WORDS: usize = 8;

/// What a probe does besides counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeNote {
    /// It keeps the words at the top of the stack.
    Call,
    /// It is a mark for who watches accesses.
    Release,
    Acquire,
    /// A call comes back to it: the same is told what was returned.
    Returned,
}

/// What a probe notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProbeKind {
    /// In ring 3 alone.
    pub user_only: bool,
    /// A step of something longer: the other probes know how many came since they counted last.
    pub step: bool,
    /// Besides the count.
    pub note: Option<ProbeNote>,
}

/// One probed address.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Probe {
    pub count: u64,
    pub at_window: u64,
    /// The core's cycle when it was last retired.
    pub last: u64,
    pub last_at_window: u64,
    /// All steps of the core at that time.
    pub steps: u64,
    pub steps_at_window: u64,
    pub kind: ProbeKind,
}

/// A call of a probed function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Linear address of the function.
    pub address: u32,
    /// Where `words` begin. A function that was jumped to, as the last act of another one, has the
    /// same as that.
    pub stack: u32,
    /// The return address and the words above it; 0 where nothing is mapped.
    pub words: [u32; CALL_WORDS],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Noted {
    pub call: Call,
    /// Bits of the words that lie in memory.
    pub missing: u8,
}

/// The probes of one core.
#[derive(Clone, Debug)]
pub(crate) struct Probes {
    pub by_address: BTreeMap<u32, Probe>,
    pub filter: Box<[u64]>,
    pub calls: Vec<Noted>,
    /// The next call's place in `calls`; behind it are those to be met again after a rollback.
    pub next: usize,
    pub next_at_window: usize,
    /// Calls up to this one have all their words.
    pub complete: usize,
    pub steps: u64,
    pub steps_at_window: u64,
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
        }
    }
}

/// Where a line is in the filter.
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
    }

    pub fn rollback(&mut self) {
        for probe in self.by_address.values_mut() {
            probe.count = probe.at_window;
            probe.last = probe.last_at_window;
            probe.steps = probe.steps_at_window;
        }
        self.steps = self.steps_at_window;
        self.next = self.next_at_window;
        self.calls.truncate(self.complete.max(self.next));
    }

    /// Whether nothing has been counted since the window began.
    pub fn unchanged(&self) -> bool {
        self.by_address.values().all(|probe| probe.count == probe.at_window)
    }

    /// Whether a probe may be in the line of this address.
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

    /// Counts an instruction that retired at this cycle; tells what else is to be done.
    pub fn retire(&mut self, linear: u32, cpl: u8, cycle: u64) -> Option<ProbeNote> {
        match self.by_address.get_mut(&linear) {
            Some(probe) if cpl == 3 || !probe.kind.user_only => {
                probe.count += 1;
                probe.last = cycle;
                self.steps += u64::from(probe.kind.step);
                probe.steps = self.steps;
                probe.kind.note
            }
            _ => None,
        }
    }
}
