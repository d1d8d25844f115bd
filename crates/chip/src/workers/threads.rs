//! Host threads: windows of several cores side by side.
//!
//! A core's work in its window follows from its own state, so windows may run in any order or at
//! the same time. Everything else, above all the one order of events, is done by the thread that
//! calls `Chip::run`; that thread runs windows too, and continues when all of them have ended.
//! `window_batch.rs` chooses the windows.
//!
//! A worker is a thread with its own decoded and translated code. A core uses the code of one
//! worker at a time, so no code is shared or locked; before it first runs beside others, it uses
//! the code of the calling thread. A core is moved to another worker when its own has more to do
//! than that one (`work_queue.rs`). The assignment of cores to workers, and of windows to run side
//! by side, changes no result.
//!
//! While threads are tried out, the number of workers changes again and again. A worker that is not
//! in use keeps its code and its thread, which sleeps.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use rockcreek_defs::Ps;

use crate::processor::Processor;
use crate::slot::Slot;
use crate::workers::work_queue::WorkQueue;

/// The number of cycles by which a core runs ahead by default.
const DEFAULT_WINDOW_CYCLES: u64 = 20_000;
/// The largest number of times that a window is doubled, for a core that only computes and that no
/// event reaches. A window costs as much as some 30,000 cycles: saving what changes, interpreting
/// its end, and refilling the host's caches with its working set. The longest window is shorter
/// than the time between two timer ticks, so that there is usually another core whose window can be
/// extended to keep a worker busy.
const MOST_STRETCH: u32 = 4;
/// How long a host thread spins while it waits for others to finish, or for more work, before it
/// sleeps. A wake-up takes some 50 us, but milliseconds if the host must first take the processor
/// from other guests; windows take about as long.
const PATIENCE: Duration = Duration::from_millis(5);
/// How often a spinning thread looks whether its wait is over between two readings of the host's
/// clock.
const LOOKS: u32 = 32;

/// The workers of a chip (host threads that run windows); the first is the calling thread.
pub(crate) struct Workers<S> {
    /// The code of each worker, of those that are not in use, too.
    shared: Vec<S>,
    /// The number of workers in use: the first ones of `shared`.
    count: usize,
    /// The threads of the other workers; `None` if there has always been only one.
    pool: Option<ThreadPool>,
    /// How often windows have been run side by side so far.
    calls: Arc<AtomicUsize>,
    /// How long a thread spins before it sleeps.
    patience: Duration,
    window_cycles: u64,
    /// The largest number of times that a window is doubled.
    most_stretch: u32,
}

/// A window of one core, to be run until `until`.
pub(crate) struct Window<'a, P: Processor> {
    pub slot: &'a mut Slot<P>,
    pub until: Ps,
    /// `Some(n)`: a new window begins if no window is open, or if the open one is `n` core cycles
    /// long or longer or has too many early responses; otherwise the run extends the open window.
    /// `None`: the run extends the open window.
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
    /// Makes workers that use no further host thread: the calling thread does all the work.
    pub fn one() -> Workers<S> {
        Workers {
            shared: vec![S::default()],
            count: 1,
            pool: None,
            calls: Arc::default(),
            patience: Duration::ZERO,
            window_cycles: DEFAULT_WINDOW_CYCLES,
            most_stretch: MOST_STRETCH,
        }
    }

    /// Changes the number of workers in use (0 means 1). The code of a worker that is used for the
    /// first time begins with the settings of the first one's.
    pub(crate) fn set_count(&mut self, count: usize) -> Result<(), ThreadPoolBuildError> {
        let count = count.max(1);
        if count > self.shared.len() {
            self.pool = Some(ThreadPoolBuilder::new().num_threads(count - 1).build()?);
            let first = self.shared[0].clone();
            self.shared.resize(count, first);
        }
        // A thread that spins on a processor that another thread needs would delay that one.
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        self.patience = if count <= processors { PATIENCE } else { Duration::ZERO };
        self.count = count;
        Ok(())
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Assigns workers to the cores that are to run (`runs` is true for their number) and have
    /// none. Neighbouring cores get the same worker, so that the data between their states belongs
    /// to one thread.
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

    /// A core whose worker is not in use gets another when it next runs beside others; if only one
    /// worker is in use, the core keeps the one that it has, for later.
    pub fn forget_unused<P: Processor>(&self, slots: &mut [Slot<P>]) {
        if self.count > 1 {
            let used = |worker: &u16| usize::from(*worker) < self.count;
            slots.iter_mut().for_each(|slot| slot.worker = slot.worker.filter(used));
        }
    }

    /// The code that a core of this worker uses: the calling thread's if that worker is not in use.
    #[inline]
    pub fn shared(&mut self, worker: Option<u16>) -> &mut S {
        let worker = usize::from(worker.unwrap_or(0));
        &mut self.shared[if worker < self.count { worker } else { 0 }]
    }

    /// The code of all workers, of those that are not in use, too.
    pub fn all(&mut self) -> impl Iterator<Item = &mut S> {
        self.shared.iter_mut()
    }

    pub fn window_cycles(&self) -> u64 {
        self.window_cycles
    }

    /// Limits every window to `cycles` core cycles, without any doubling.
    pub fn set_window(&mut self, cycles: u64) {
        self.window_cycles = cycles.max(1);
        self.most_stretch = 0;
    }

    /// True if the user has set the length of windows, so that windows are not doubled.
    pub fn is_set(&self) -> bool {
        self.most_stretch == 0
    }

    /// The length of a core's next window, in cycles.
    pub fn stretched<P: Processor>(&self, slot: &Slot<P>) -> u64 {
        self.window_cycles << u32::from(slot.window_growth).min(self.most_stretch)
    }

    /// Runs windows on all workers until the queues are empty.
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
            let mut workers = self.shared.iter_mut().take(threads).enumerate();
            let own = workers.next();
            for worker in workers {
                scope.spawn(move |_| {
                    run(worker);
                    unfinished.fetch_sub(1, Ordering::Release);
                });
            }
            let call = self.calls.fetch_add(1, Ordering::Release) + 1;
            // Each thread spins after its windows, to be awake for the next ones.
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

/// Spins until `event` returns true, for at most `patience`.
fn look_for(patience: Duration, event: impl Fn() -> bool) {
    let begin = Instant::now();
    while begin.elapsed() < patience {
        for _ in 0..LOOKS {
            if event() {
                return;
            }
            std::hint::spin_loop();
        }
        // Lets other threads use this processor: on a busy host, the awaited thread may be among
        // them.
        std::thread::yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_out_of_use_keeps_its_code() {
        let mut workers: Workers<Vec<u8>> = Workers::one();
        workers.shared(None).push(1);
        workers.set_count(3).unwrap();
        assert_eq!(workers.all().collect::<Vec<_>>(), [&[1]; 3]);
        workers.shared(Some(2)).push(7);
        workers.set_count(1).unwrap();
        assert_eq!((workers.count(), workers.shared(Some(2)).as_slice()), (1, &[1][..]));
        workers.set_count(3).unwrap();
        assert_eq!(workers.shared(Some(2)), &[1, 7]);
        workers.set_count(0).unwrap();
        assert_eq!((workers.count(), workers.all().count()), (1, 3));
    }
}
