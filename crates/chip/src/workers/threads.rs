//! Host threads: windows of several cores side by side.
//!
//! What a core does in its window follows from its own state, so windows may run in any order or
//! at the same time. Everything else, above all the one order of events, stays with the thread
//! that calls `Chip::run`; it runs windows too, and goes on when all of them have ended. Which
//! windows these are: `window_batch.rs`.
//!
//! A worker is a thread with its own decoded and translated code. A core uses that of one worker at
//! a time, so that none of it is shared or locked; before it first runs beside others, that of the
//! caller's. It changes its worker when that has more to do than another (`work_queue.rs`). Who is
//! at which worker, and which windows run side by side, changes no result.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use rockcreek_defs::Ps;

use crate::processor::Processor;
use crate::slot::Slot;
use crate::workers::work_queue::WorkQueue;

/// How far a core runs ahead if nobody says otherwise.
const DEFAULT_WINDOW_CYCLES: u64 = 20_000;
/// A core that only computes and that nothing hits runs ahead by twice as much again and again: a
/// window begins with the saving of what changes in it, its end is interpreted, and other cores'
/// working sets take the place of its own in the host's caches, all of which costs as much as
/// some 30,000 cycles. The longest are shorter than the time between two ticks of a timer, so that
/// beside others there is mostly somebody whose window can be made longer to keep a worker busy.
const MOST_STRETCH: u32 = 4;
/// How long a thread waits awake for others to finish, or for more to do, before it sleeps. To be
/// waked takes some 50 us, but milliseconds if the processor it slept on has to be asked back from
/// other guests of a host; windows take as long as that.
const PATIENCE: Duration = Duration::from_millis(5);
/// So often a thread that waits looks for what it waits for before it looks at the clock.
const LOOKS: u32 = 32;

/// The workers of a chip; the first is the caller's thread.
pub(crate) struct Workers<S> {
    shared: Vec<S>,
    /// The other threads, if there are any.
    pool: Option<ThreadPool>,
    /// How often windows have been run side by side.
    calls: Arc<AtomicUsize>,
    /// How long a thread looks for something to happen before it sleeps.
    patience: Duration,
    window_cycles: u64,
    /// How often a window is doubled at the most.
    most_stretch: u32,
}

/// A window to be run.
pub(crate) struct Window<'a, P: Processor> {
    pub slot: &'a mut Slot<P>,
    pub until: Ps,
    /// What is longer than this ends here, and a new one begins; `None`: the open one goes on.
    pub renew_cycles: Option<u64>,
}

impl<P: Processor> Window<'_, P> {
    fn run(self, shared: &mut P::Shared) {
        if let Some(cycles) = self.renew_cycles {
            self.slot.renew_window(cycles);
        }
        self.slot.whole_run = None;
        self.slot.run(shared, self.until);
    }
}

impl<S: Default + Clone + Send> Workers<S> {
    /// The caller's alone.
    pub fn one() -> Workers<S> {
        Workers {
            shared: vec![S::default()],
            pool: None,
            calls: Arc::default(),
            patience: Duration::ZERO,
            window_cycles: DEFAULT_WINDOW_CYCLES,
            most_stretch: MOST_STRETCH,
        }
    }

    /// As many; what is shared in them begins as a copy of what is shared here.
    pub(crate) fn others(&self, threads: usize) -> Result<Workers<S>, ThreadPoolBuildError> {
        let pool = match threads {
            0 | 1 => None,
            _ => Some(ThreadPoolBuilder::new().num_threads(threads - 1).build()?),
        };
        let threads = threads.max(1);
        let shared = vec![self.shared[0].clone(); threads];
        let calls = Arc::default();
        // Who waits awake on another's processor keeps it from getting there.
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let patience = if threads <= processors { PATIENCE } else { Duration::ZERO };
        Ok(Workers { shared, pool, calls, patience, ..*self })
    }

    pub fn count(&self) -> usize {
        self.shared.len()
    }

    /// Gives cores that are to run and have no worker one. Neighbours go to one: what is between
    /// their states in memory then belongs to one thread.
    pub fn assign<P: Processor>(&self, slots: &mut [Slot<P>], runs: impl Fn(usize) -> bool) {
        let mut cores = vec![0; self.count()];
        slots
            .iter()
            .filter_map(|slot| slot.worker)
            .for_each(|worker| cores[usize::from(worker)] += 1);
        let without = |(n, slot): &(usize, &mut Slot<P>)| slot.worker.is_none() && runs(*n);
        let count = slots.iter_mut().enumerate().filter(without).count();
        let each = (count + cores.iter().sum::<usize>()).div_ceil(self.count());
        for (_, slot) in slots.iter_mut().enumerate().filter(without) {
            let free = cores.iter().position(|cores| *cores < each);
            let worker = free.expect("the workers have places for all");
            cores[worker] += 1;
            slot.worker = Some(worker as u16);
        }
    }

    pub fn shared(&mut self, worker: Option<u16>) -> &mut S {
        &mut self.shared[usize::from(worker.unwrap_or(0))]
    }

    pub fn all(&mut self) -> impl Iterator<Item = &mut S> {
        self.shared.iter_mut()
    }

    pub fn window_cycles(&self) -> u64 {
        self.window_cycles
    }

    /// Every window ends after so many cycles, at the latest.
    pub fn set_window(&mut self, cycles: u64) {
        self.window_cycles = cycles.max(1);
        self.most_stretch = 0;
    }

    /// Windows have been given a length: nobody may choose another.
    pub fn is_set(&self) -> bool {
        self.most_stretch == 0
    }

    /// How long a core's next window is, in cycles.
    pub fn stretched<P: Processor>(&self, slot: &Slot<P>) -> u64 {
        self.window_cycles << u32::from(slot.window_growth).min(self.most_stretch)
    }

    /// Runs windows until the queues are empty.
    pub fn run_windows<P: Processor<Shared = S>>(&mut self, queues: &WorkQueue<'_, P>) {
        let Some(pool) = &self.pool else { return };
        let run = |(worker, shared): (usize, &mut S)| {
            while let Some(window) = queues.take(worker) {
                window.run(shared);
            }
        };
        let (threads, patience) = (self.count(), self.patience);
        let unfinished = &AtomicUsize::new(threads - 1);
        pool.in_place_scope(|scope| {
            let mut workers = self.shared.iter_mut().enumerate();
            let own = workers.next();
            for worker in workers {
                scope.spawn(move |_| {
                    run(worker);
                    unfinished.fetch_sub(1, Ordering::Release);
                });
            }
            let call = self.calls.fetch_add(1, Ordering::Release) + 1;
            // What a thread finds to do after its windows, so that it is awake for the next ones.
            for _ in 1..threads {
                let calls = Arc::clone(&self.calls);
                pool.spawn(move || look_for(patience, || calls.load(Ordering::Acquire) != call));
            }
            if let Some(own) = own {
                run(own);
            }
            look_for(patience, || unfinished.load(Ordering::Acquire) == 0);
        });
    }
}

/// Waits for an event so long, without sleeping.
fn look_for(patience: Duration, event: impl Fn() -> bool) {
    let begin = Instant::now();
    while begin.elapsed() < patience {
        for _ in 0..LOOKS {
            if event() {
                return;
            }
            std::hint::spin_loop();
        }
        // Who has work for this processor gets it: on a busy host that may be what is waited for.
        std::thread::yield_now();
    }
}
