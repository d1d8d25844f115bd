//! Windows that wait for a host thread. Each worker has a queue of its cores' windows; a worker
//! whose queue is empty takes a window from the longest queue.
//!
//! A core whose window was taken stays with the new worker, whose decoded and translated code and
//! host caches now fit it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use crate::processor::Processor;
use crate::workers::threads::Window;

/// For each worker (host thread), the windows that it shall run.
pub(crate) struct WorkQueue<'a, P: Processor> {
    queues: Vec<WorkerQueue<'a, P>>,
}

type WorkerQueue<'a, P> = Mutex<VecDeque<Window<'a, P>>>;

impl<'a, P: Processor> WorkQueue<'a, P> {
    pub fn new(workers: usize) -> WorkQueue<'a, P> {
        let mut queues = Vec::new();
        queues.resize_with(workers, Mutex::default);
        WorkQueue { queues }
    }

    /// Adds the window of a core to the queue of the core's worker.
    pub fn put(&self, window: Window<'a, P>) {
        let worker = usize::from(window.slot.worker.unwrap_or(0));
        open(&self.queues[worker]).push_back(window);
    }

    /// Removes and returns the next window for this worker, from its own queue or from the longest
    /// one; `None` if all queues are empty.
    pub fn take(&self, worker: usize) -> Option<Window<'a, P>> {
        if let Some(window) = open(&self.queues[worker]).pop_front() {
            return Some(window);
        }
        let highest = self.queues.iter().max_by_key(|queue| open(queue).len())?;
        let window = open(highest).pop_back()?;
        window.slot.worker = Some(worker as u16);
        Some(window)
    }
}

fn open<'p, 'a, P: Processor>(
    queue: &'p WorkerQueue<'a, P>,
) -> MutexGuard<'p, VecDeque<Window<'a, P>>> {
    queue.lock().expect("nothing panics that holds a queue")
}

#[cfg(test)]
mod tests {
    use rockcreek_cpu::Core;
    use rockcreek_defs::{CoreId, Pins, Ps};

    use super::*;
    use crate::description::Description;
    use crate::slot::Slot;

    const SCC: &str = include_str!("../../../../machine/presets/scc.toml");

    #[test]
    fn who_has_no_more_takes_of_the_highest_pile() {
        let chip = Description::parse(SCC).unwrap();
        let slot = |n| {
            let core = Core::new(CoreId(n), &chip.cpu);
            let mut slot = Slot::new(core, 1000, Pins::default());
            slot.worker = Some(n.min(1));
            slot
        };
        let mut slots: Vec<_> = (0..5).map(slot).collect();
        let queues = WorkQueue::new(3);
        for slot in &mut slots {
            let until = Ps(slot.processor.id().0.into());
            queues.put(Window { slot, until, renew_cycles: None });
        }
        let mut take = |worker| {
            let window = queues.take(worker)?;
            assert_eq!(window.slot.worker, Some(worker as u16));
            Some(window.until.0)
        };
        assert_eq!(
            [0, 0, 2, 1, 0, 2, 1].map(&mut take),
            [Some(0), Some(4), Some(3), Some(1), Some(2), None, None]
        );
        drop(queues);
        assert_eq!([0, 1, 2, 3, 4].map(|n: usize| slots[n].worker), [0, 1, 0, 2, 0].map(Some));
    }
}
