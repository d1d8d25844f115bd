//! Vector clocks of threads and tasks. A number of the layer that is used again goes on with its
//! clock: what it did before happens before what it does now.

use std::collections::HashMap;

/// A thread's place in all clocks.
pub(super) type Tid = u16;
/// So many threads and tasks have clocks.
const MOST_THREADS: usize = 1 << 12;

/// By thread: the last of its epochs that is known.
pub(super) type Clock = Vec<u32>;

/// Takes in what another clock knows.
pub(super) fn join(into: &mut Clock, other: &[u32]) {
    if into.len() < other.len() {
        into.resize(other.len(), 0);
    }
    for (mine, its) in into.iter_mut().zip(other) {
        *mine = (*mine).max(*its);
    }
}

#[derive(Debug)]
struct Thread {
    number: u32,
    core: u16,
    clock: Clock,
}

/// All threads and tasks that have run.
#[derive(Debug, Default)]
pub(super) struct Threads {
    all: Vec<Thread>,
    by_number: HashMap<u32, Tid>,
}

impl Threads {
    /// The thread with a number of the layer; `None`: there are too many.
    pub fn of(&mut self, number: u32, core: u16) -> Option<Tid> {
        if let Some(&tid) = self.by_number.get(&number) {
            self.all[usize::from(tid)].core = core;
            return Some(tid);
        }
        if self.all.len() >= MOST_THREADS {
            return None;
        }
        let tid = self.all.len();
        let mut clock = vec![0; tid + 1];
        clock[tid] = 1;
        self.all.push(Thread { number, core, clock });
        self.by_number.insert(number, tid as Tid);
        Some(tid as Tid)
    }

    /// A thread begins anew and knows nothing of the others.
    pub fn begin(&mut self, tid: Tid) {
        let own = usize::from(tid);
        let clock = &mut self.all[own].clock;
        let epoch = clock[own] + 1;
        clock.clear();
        clock.resize(own + 1, 0);
        clock[own] = epoch;
    }

    pub fn clock(&self, tid: Tid) -> &Clock {
        &self.all[usize::from(tid)].clock
    }

    pub fn epoch(&self, tid: Tid) -> u32 {
        self.clock(tid)[usize::from(tid)]
    }

    pub fn core(&self, tid: Tid) -> u16 {
        self.all[usize::from(tid)].core
    }

    pub fn number(&self, tid: Tid) -> u32 {
        self.all[usize::from(tid)].number
    }

    /// A new epoch: what the thread does from now on is not in what it has left.
    pub fn advance(&mut self, tid: Tid) {
        self.all[usize::from(tid)].clock[usize::from(tid)] += 1;
    }

    pub fn learn(&mut self, tid: Tid, other: &[u32]) {
        join(&mut self.all[usize::from(tid)].clock, other);
    }
}
