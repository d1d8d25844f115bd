//! Vector clocks of threads and tasks. If the layer uses a thread number again, the new thread
//! continues with the old one's clock: all actions of the old thread happen before those of the new
//! one.

use std::collections::HashMap;

/// The index of a thread or task in all clocks, from 0.
pub(super) type Tid = u16;
/// The largest number of threads and tasks that have clocks; races of further ones are not found.
const MOST_THREADS: usize = 1 << 12;

/// A clock: for each thread, indexed by [`Tid`], the last of its epochs that happened before.
pub(super) type Clock = Vec<u32>;

/// Raises each entry of the clock `into` to that of `other`, where `other` has the larger one.
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

/// All threads and tasks that have run so far, each with its clock and its core.
#[derive(Debug, Default)]
pub(super) struct Threads {
    all: Vec<Thread>,
    by_number: HashMap<u32, Tid>,
}

impl Threads {
    /// The index of the thread to which the layer gave this number; records that it runs on `core`.
    /// `None` if [`MOST_THREADS`] threads are known already.
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

    /// Starts a new thread: at first, no action of another thread happens before its actions.
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

    /// Starts a new epoch of the thread, after a release: what the thread does from now on does not
    /// happen before that release.
    pub fn advance(&mut self, tid: Tid) {
        self.all[usize::from(tid)].clock[usize::from(tid)] += 1;
    }

    pub fn learn(&mut self, tid: Tid, other: &[u32]) {
        join(&mut self.all[usize::from(tid)].clock, other);
    }
}
