//! The choice of windows that run side by side, and of their ends.
//!
//! A window may begin when no event can reach the core before it. A core that came to the end of
//! its window at the instant `Slot::reached` is at its first instruction boundary at or after that
//! instant, and events between the two find it at that boundary. The next window may therefore
//! begin once all events before `reached` have been performed, even though the core's own time is a
//! little later. An open window may be extended at any time.
//!
//! A core whose turn it is therefore runs together with all others that may begin a window too. If
//! a worker would have less to do than the others, it extends windows of cores that are already
//! ahead, the least advanced first. If no other core can run, the core runs alone for a short time:
//! others will soon be able to join it.
//!
//! After a response a core first runs on its own, because transactions come in bursts. It does so
//! for longer if its next transaction usually comes soon: starting a thread costs as much as some
//! 20,000 cycles.

use rockcreek_defs::{CoreId, Ps};

use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::slot::window_end::End;
use crate::slot::{Phase, Slot};
use crate::workers::threads::Window;
use crate::workers::work_queue::WorkQueue;

impl<P: Processor> Chip<P> {
    /// Begins a core's next window at `time`, because its last one has ended. If other cores may
    /// begin one too, runs all of them side by side on the host's threads and returns `None`;
    /// otherwise returns the end of this core's own run, which the caller performs.
    pub(crate) fn run_side_by_side(&mut self, core: CoreId, time: Ps) -> Option<End> {
        let slot = &self.slots[core.index()];
        let since = slot.cycles_since_answer();
        let alone = self.workers.window_end(slot, slot.processor.cycles(), since);
        if self.workers.count() == 1 || !slot.may_begin(time) || !self.workers.is_long(slot) {
            return Some(alone);
        }
        let Some(choice) = self.choose_windows(time) else { return Some(alone) };
        self.workers.assign(&mut self.slots, |n| choice[n].is_some());
        let renew_cycles = if self.is_recording() { 0 } else { self.workers.window_cycles() };
        let queues = WorkQueue::new(self.workers.count());
        let mut cores = Vec::with_capacity(self.slots.len());
        for (n, until) in choice.iter().enumerate() {
            if until.is_some() && self.slots[n].may_begin(time) {
                self.take_records(CoreId(n as u16));
            }
        }
        for (n, (slot, until)) in self.slots.iter_mut().zip(choice).enumerate() {
            let Some(until) = until else { continue };
            let core = CoreId(n as u16);
            let begins = slot.may_begin(time);
            cores.push(core);
            queues.put(Window { slot, until, renew_cycles: begins.then_some(renew_cycles) });
        }
        self.workers.run_windows(&queues);
        drop(queues);
        // Many windows take long, so call `go_on` next.
        self.question = 0;
        self.windows_beside += cores.len() as u64;
        cores.into_iter().for_each(|core| self.schedule(core));
        None
    }

    /// For each core, the instant at which its window should end, so that all host threads are busy
    /// for about equally long; `None` for cores that do not run. The whole result is `None` if
    /// hardly more than one thread would be busy.
    fn choose_windows(&self, time: Ps) -> Option<Vec<Option<Ps>>> {
        let workers = &self.workers;
        let mut choice = vec![None; self.slots.len()];
        let (mut sum_ps, mut longest_ps) = (0, 0);
        for (slot, until) in self.slots.iter().zip(&mut choice) {
            if slot.may_begin(time) && workers.is_long(slot) {
                let end = workers.whole_end(slot, slot.reached);
                *until = Some(end);
                let whole_ps = end.0 - slot.reached.0;
                sum_ps += whole_ps;
                longest_ps = longest_ps.max(whole_ps);
            }
        }
        let count = workers.count() as u64;
        // The time that the windows take if each worker gets windows of about equal total length.
        let lasts_ps = sum_ps.div_ceil((count * longest_ps).max(1)) * longest_ps;
        let goes_on = |slot: &Slot<P>| slot.may_go_on(time, workers.stretched(slot));
        let mut ahead: Vec<_> =
            self.slots.iter().enumerate().filter(|(_, slot)| goes_on(slot)).collect();
        ahead.sort_by_key(|(n, slot)| (slot.reached, *n));
        for (n, slot) in ahead {
            let end = workers.whole_end(slot, slot.reached);
            let whole_ps = end.0 - slot.reached.0;
            if sum_ps + whole_ps / 2 <= count * lasts_ps {
                sum_ps += whole_ps;
                choice[n] = Some(end);
            }
        }
        (2 * sum_ps >= 3 * lasts_ps).then_some(choice)
    }
}

impl<P: Processor> Slot<P> {
    /// True if the core's next window may begin once all events before `time` have been performed.
    fn may_begin(&self, time: Ps) -> bool {
        self.is_at_end() && self.reached <= time
    }

    /// True if the core's window, whose end the core has reached, may be extended. `cycles`: the
    /// length of a whole window in core cycles; a window is extended once.
    fn may_go_on(&self, time: Ps, cycles: u64) -> bool {
        self.is_at_end() && self.reached > time && self.ahead && self.window_length() < 2 * cycles
    }

    /// True if the core has come to the end of its window, is not stopped for a debugger, and the
    /// instant `reached` is known.
    fn is_at_end(&self) -> bool {
        self.phase == Phase::Run && !self.breaks && self.reached != Ps::NEVER
    }
}
