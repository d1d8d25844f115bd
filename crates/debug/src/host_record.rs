//! The record of the host's data for the chip: answers of the file service, and input to consoles.
//!
//! A repetition of the run takes these answers, in their order, instead of calling the host. It
//! therefore writes no file again, and does not depend on files that have changed since. A position
//! in the record is the number of answers and of inputs before it. The oldest entries are dropped
//! together with the snapshots that need them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rockcreek_board::HostService;
use rockcreek_defs::CoreId;

/// Input to a core's console; `ends`: true if no more input follows.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub core: CoreId,
    pub bytes: Vec<u8>,
    pub ends: bool,
}

/// A position in the record: the numbers of answers and of inputs before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    pub answers: usize,
    pub inputs: usize,
}

#[derive(Debug, Default)]
struct Kept {
    on: bool,
    first: Heard,
    answers: VecDeque<Option<Vec<u8>>>,
    inputs: VecDeque<Input>,
    bytes: usize,
}

/// The record. The service that writes it and the chips that repeat the run share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostRecord(Arc<Mutex<Kept>>);

impl HostRecord {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Empties the record. `on`: true to record from now on, false to record nothing.
    pub(crate) fn restart(&self, on: bool) {
        *self.kept() = Kept { on, ..Kept::default() };
    }

    pub(crate) fn heard(&self) -> Heard {
        let kept = self.kept();
        Heard {
            answers: kept.first.answers + kept.answers.len(),
            inputs: kept.first.inputs + kept.inputs.len(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.kept().bytes
    }

    pub(crate) fn add_input(&self, input: Input) {
        let mut kept = self.kept();
        if kept.on {
            kept.bytes += input.bytes.len();
            kept.inputs.push_back(input);
        }
    }

    pub(crate) fn input(&self, n: usize) -> Option<Input> {
        let kept = self.kept();
        kept.inputs.get(n.checked_sub(kept.first.inputs)?).cloned()
    }

    fn add_answer(&self, answer: Option<&[u8]>) {
        let mut kept = self.kept();
        if kept.on {
            kept.bytes += answer.map_or(0, <[u8]>::len);
            kept.answers.push_back(answer.map(<[u8]>::to_vec));
        }
    }

    fn answer(&self, n: usize) -> Option<Vec<u8>> {
        let kept = self.kept();
        kept.answers.get(n.checked_sub(kept.first.answers)?).cloned().flatten()
    }

    /// Drops the entries before position `first`, the one of the earliest snapshot.
    pub(crate) fn forget_before(&self, first: Heard) {
        let kept = &mut *self.kept();
        let answers = first.answers - kept.first.answers;
        let inputs = first.inputs - kept.first.inputs;
        let gone: usize = kept.answers.drain(..answers).flatten().map(|answer| answer.len()).sum();
        let typed: usize = kept.inputs.drain(..inputs).map(|input| input.bytes.len()).sum();
        kept.bytes -= gone + typed;
        kept.first = first;
    }
}

/// The file service of the run's own chip: passes requests on to `service` and records the answers.
pub(crate) struct Recorded {
    pub service: Box<dyn HostService>,
    pub record: HostRecord,
    /// Held for as long as this service exists, so that `History` notices its end.
    pub _alive: Arc<()>,
}

impl HostService for Recorded {
    fn call(&mut self, core: CoreId, service: u32, request: &[u8]) -> Option<Vec<u8>> {
        let answer = self.service.call(core, service, request);
        self.record.add_answer(answer.as_deref());
        answer
    }

    fn save(&self) -> Vec<u8> {
        self.service.save()
    }
}

/// The file service of a chip that repeats the run: returns the recorded answers. `next`: the
/// number of the next one.
pub(crate) struct Repeated {
    pub record: HostRecord,
    pub next: Arc<AtomicUsize>,
}

impl HostService for Repeated {
    fn call(&mut self, _core: CoreId, _service: u32, _request: &[u8]) -> Option<Vec<u8>> {
        self.record.answer(self.next.fetch_add(1, Ordering::Relaxed))
    }

    fn save(&self) -> Vec<u8> {
        Vec::new()
    }
}
