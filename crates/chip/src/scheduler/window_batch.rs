//! Which windows run side by side, and until when.
//!
//! A window may begin when nothing can hit the core before it. A core that came to the end of its
//! window at the instant `Slot::reached` is at its first instruction boundary at or after it, and
//! whatever happens between the two finds it at that boundary. So the next window may begin once
//! all events before `reached` have been performed, though the core's own time is a little later.
//! A window that is open may go on at any time: it only becomes longer.
//!
//! So a core whose turn it is runs beside all others that may begin a window too. If these leave
//! a worker with less to do, it lets cores that are already ahead go on with their windows, those
//! who are least ahead first. If there is nothing to put beside a core, it runs alone for a little:
//! others will soon be where they can join it.
//!
//! After an answer a core first runs on its own, for transactions come in bursts. It stays there
//! for longer if it usually has the next one soon: starting a thread costs as much as some 20,000
//! cycles.

use rockcreek_defs::{CoreId, Ps};

use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::slot::window_end::End;
use crate::slot::{Phase, Slot};
use crate::workers::threads::Window;
use crate::workers::work_queue::WorkQueue;

impl<P: Processor> Chip<P> {
    /// A core is to begin a window at `time` because its last one has ended. If others may begin
    /// one too, all run side by side; else this tells until when it should run alone.
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
        // So many windows take a while.
        self.question = 0;
        self.windows_beside += cores.len() as u64;
        cores.into_iter().for_each(|core| self.schedule(core));
        None
    }

    /// Windows that keep all workers busy for about as long, by core: until when they run. `None`
    /// if that is hardly more than one worker.
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
        // As long as it takes if they are all about as long.
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
    /// Whether everything before its next window has been performed when all events before `time`
    /// have.
    fn may_begin(&self, time: Ps) -> bool {
        self.is_at_end() && self.reached <= time
    }

    /// Whether its window, one of so many cycles, may be made longer: once.
    fn may_go_on(&self, time: Ps, cycles: u64) -> bool {
        self.is_at_end() && self.reached > time && self.ahead && self.window_length() < 2 * cycles
    }

    /// It has come to the end of its window.
    fn is_at_end(&self) -> bool {
        self.phase == Phase::Run && !self.breaks && self.reached != Ps::NEVER
    }
}
