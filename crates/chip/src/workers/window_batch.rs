//! Which windows run side by side, and until when.
//!
//! A window may begin when nothing can hit the core before it. A core that came to the end of its
//! window at the instant `Slot::reached` is at its first instruction boundary at or after it, and
//! whatever happens between the two finds it at that boundary. So the next window may begin once
//! all events before `reached` have been performed, though the core's own time is a little later.
//! A window that is open may go on at any time: it only becomes longer.
//!
//! So a core whose turn it is runs beside all others that may begin a window too. If these leave
//! a lane with less to do, it lets cores that are already ahead go on with their windows, those
//! who are least ahead first. If there is nothing to put beside a core, it runs alone for a little:
//! others will soon be where they can join it.
//!
//! After an answer a core first runs on its own, for transactions come in bursts. It stays there
//! for longer if it usually has the next one soon: starting a thread costs as much as some 20,000
//! cycles.

use rockcreek_defs::{Clock, CoreId, Ps};

use crate::host_access::commit_log::log_instructions;
use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::slot::{Phase, Slot};
use crate::workers::threads::{Lanes, Window};
use crate::workers::work_queue::Piles;

/// What part of a window a core runs on its own before it may join others: long enough for a round
/// of waiting. If its way to the next transaction is likely to be long, only as long as it takes to
/// see that a burst is over.
const OWN_PART: u64 = 4;
const OWN_PART_IF_LONG: u64 = 16;
/// The shortest run to a common instant, as a part of a whole one.
const LEAST_PART: u64 = 4;
/// Runs from an answer to the next request that are as long as so many windows are worth a thread.
const LONG_WINDOWS: u64 = 5;

/// When a core's run ends, at the latest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// The instant that runs of several cores have in common, if it is such a one.
    common: Option<Ps>,
    /// The first cycle at or after it.
    pub cycle: u64,
}

impl End {
    pub fn at(clock: &Clock, time: Ps) -> End {
        End { common: Some(time), cycle: clock.cycle_at_or_after(time) }
    }

    pub fn time(&self, clock: &Clock) -> Ps {
        self.common.unwrap_or_else(|| clock.time_of(self.cycle))
    }
}

impl<S: Default + Clone + Send> Lanes<S> {
    /// When a window ends that this core begins at `cycle` on its own, so many cycles after its
    /// last answer: with several threads soon, so that the next one may be beside others, but
    /// always later than before.
    #[inline]
    pub fn window_end<P: Processor>(&self, slot: &Slot<P>, cycle: u64, since: u64) -> End {
        if self.count() == 1 {
            return End { common: None, cycle: cycle.saturating_add(self.stretched(slot)) };
        }
        self.window_end_among(slot, cycle, since)
    }

    fn window_end_among<P: Processor>(&self, slot: &Slot<P>, cycle: u64, since: u64) -> End {
        let stretched = self.stretched(slot);
        let own = self.own_cycles(slot);
        let doubled = (since / own).checked_ilog2().unwrap_or(0);
        let cycles = own.checked_shl(doubled).unwrap_or(u64::MAX).min(stretched.max(own));
        let time = common_end(slot, slot.clock.time_of(cycle), cycles);
        End { common: Some(time), cycle: slot.cycle_at_or_after(time) }
    }

    fn own_cycles<P: Processor>(&self, slot: &Slot<P>) -> u64 {
        let part = if self.is_long(slot) && !self.is_set() { OWN_PART_IF_LONG } else { OWN_PART };
        (self.window_cycles() / part).max(1)
    }

    /// Whether a core's way to its next transaction is likely to be long.
    fn is_long<P: Processor>(&self, slot: &Slot<P>) -> bool {
        let cycles = slot.usual_cycles.max(slot.cycles_since_answer());
        self.is_set() || cycles >= LONG_WINDOWS * self.window_cycles()
    }

    /// When a whole window ends that begins at `start`: where windows of other cores end too.
    fn whole_end<P: Processor>(&self, slot: &Slot<P>, start: Ps) -> Ps {
        let cycles = self.stretched(slot).saturating_mul(slot.clock.period_ps);
        let grid_ps = (self.window_cycles() / OWN_PART).max(1).saturating_mul(slot.clock.period_ps);
        Ps((start + cycles).0.div_ceil(grid_ps).saturating_mul(grid_ps))
    }
}

/// When runs of so many cycles end together, if one begins at `start`. Those of cores that have
/// met at the end of one, give or take an instruction, end together again.
fn common_end<P: Processor>(slot: &Slot<P>, start: Ps, cycles: u64) -> Ps {
    let whole_ps = cycles.saturating_mul(slot.clock.period_ps);
    let earliest = start + whole_ps / LEAST_PART;
    Ps(earliest.0.div_ceil(whole_ps).saturating_mul(whole_ps))
}

impl<P: Processor> Chip<P> {
    /// A core is to begin a window at `time` because its last one has ended. If others may begin
    /// one too, all run side by side; else this tells until when it should run alone.
    pub(crate) fn run_side_by_side(&mut self, core: CoreId, time: Ps) -> Option<End> {
        let slot = &self.slots[core.index()];
        let since = slot.cycles_since_answer();
        let alone = self.lanes.window_end(slot, slot.processor.cycles(), since);
        if self.lanes.count() == 1 || !slot.may_begin(time) || !self.lanes.is_long(slot) {
            return Some(alone);
        }
        let Some(choice) = self.choose_windows(time) else { return Some(alone) };
        self.lanes.assign(&mut self.slots, |n| choice[n].is_some());
        let renew_cycles = if self.log.is_some() { 0 } else { self.lanes.window_cycles() };
        let piles = Piles::new(self.lanes.count());
        let mut cores = Vec::with_capacity(self.slots.len());
        for (n, (slot, until)) in self.slots.iter_mut().zip(choice).enumerate() {
            let Some(until) = until else { continue };
            let core = CoreId(n as u16);
            let begins = slot.may_begin(time);
            if let Some(log) = self.log.as_mut().filter(|_| begins) {
                log_instructions(log, core, &mut slot.processor);
            }
            cores.push(core);
            piles.put(Window { slot, until, renew_cycles: begins.then_some(renew_cycles) });
        }
        self.lanes.run_windows(&piles);
        drop(piles);
        // So many windows take a while.
        self.question = 0;
        self.windows_beside += cores.len() as u64;
        cores.into_iter().for_each(|core| self.schedule(core));
        None
    }

    /// Windows that keep all lanes busy for about as long, by core: until when they run. `None` if
    /// that is hardly more than one lane.
    fn choose_windows(&self, time: Ps) -> Option<Vec<Option<Ps>>> {
        let lanes = &self.lanes;
        let mut choice = vec![None; self.slots.len()];
        let (mut sum_ps, mut longest_ps) = (0, 0);
        for (slot, until) in self.slots.iter().zip(&mut choice) {
            if slot.may_begin(time) && lanes.is_long(slot) {
                let end = lanes.whole_end(slot, slot.reached);
                *until = Some(end);
                let whole_ps = end.0 - slot.reached.0;
                sum_ps += whole_ps;
                longest_ps = longest_ps.max(whole_ps);
            }
        }
        let count = lanes.count() as u64;
        // As long as it takes if they are all about as long.
        let lasts_ps = sum_ps.div_ceil((count * longest_ps).max(1)) * longest_ps;
        let goes_on = |slot: &Slot<P>| slot.may_go_on(time, lanes.stretched(slot));
        let mut ahead: Vec<_> =
            self.slots.iter().enumerate().filter(|(_, slot)| goes_on(slot)).collect();
        ahead.sort_by_key(|(n, slot)| (slot.reached, *n));
        for (n, slot) in ahead {
            let end = lanes.whole_end(slot, slot.reached);
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
