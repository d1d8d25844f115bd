//! Host threads: windows of several cores side by side.
//!
//! What a core does in its window follows from its own state, so windows may run in any order or
//! at the same time. Everything else, above all the one order of events, stays with the thread
//! that calls `Chip::run`; it runs windows too, and goes on when all of them have ended.
//!
//! A window may begin when nothing can hit the core before it. A core that came to the end of its
//! window at the instant `Slot::reached` is at its first instruction boundary at or after it, and
//! whatever happens between the two finds it at that boundary. So the next window may begin once
//! all events before `reached` have been performed, though the core's own time is a little later.
//! With several threads windows end at common instants: cores that only compute go on together.
//!
//! A lane is a thread with its own decoded and translated code. A core always uses that of one
//! lane, so that nothing is shared or locked. Who is in which lane, and which windows run side by side,
//! changes no result.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use rockcreek_defs::{CoreId, Ps};

use crate::chip::Chip;
use crate::log::log_instructions;
use crate::processor::Processor;
use crate::slot::{Phase, Slot};

/// How far a core runs ahead if nobody says otherwise.
const DEFAULT_WINDOW_CYCLES: u64 = 20_000;
/// A core that only computes and that nothing hits runs ahead by twice as much again and again: what
/// precedes the end of a window is interpreted, and other cores' working sets take the place of its
/// own in the host's caches.
const MOST_STRETCH: u32 = 4;
/// The same beside others: who must stop before the common end goes on from there alone.
const MOST_STRETCH_BESIDE: u32 = 3;
/// What part of a window a core runs on its own before it may join others: long enough for a round
/// of waiting.
const OWN_PART: u64 = 4;
/// The shortest window before a common instant, as a part of a whole one.
const LEAST_PART: u64 = 4;

/// The lanes of a chip; the first is the caller's thread.
pub(crate) struct Lanes<S> {
    shared: Vec<S>,
    /// The other threads, if there are any.
    pool: Option<ThreadPool>,
    /// Whose turn it is to get a core.
    next: usize,
    window_cycles: u64,
    /// How often a window is doubled at the most.
    most_stretch: u32,
}

impl<S: Default + Clone + Send> Lanes<S> {
    /// The caller's alone.
    pub fn one() -> Lanes<S> {
        Lanes {
            shared: vec![S::default()],
            pool: None,
            next: 0,
            window_cycles: DEFAULT_WINDOW_CYCLES,
            most_stretch: MOST_STRETCH,
        }
    }

    /// As many; what is shared in them begins as a copy of what is shared here.
    fn others(&self, threads: usize) -> Result<Lanes<S>, ThreadPoolBuildError> {
        let pool = match threads {
            0 | 1 => None,
            _ => Some(ThreadPoolBuilder::new().num_threads(threads - 1).build()?),
        };
        Ok(Lanes { shared: vec![self.shared[0].clone(); threads.max(1)], pool, next: 0, ..*self })
    }

    /// Gives a core that has none a lane.
    pub fn assign(&mut self, lane: &mut Option<usize>) {
        if lane.is_none() {
            *lane = Some(self.next);
            self.next = (self.next + 1) % self.shared.len();
        }
    }

    pub fn shared(&mut self, lane: Option<usize>) -> &mut S {
        &mut self.shared[lane.unwrap_or(0)]
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

    /// When a window ends that this core begins at `start` on its own: with several threads soon, so
    /// that the next one may be beside others.
    pub fn window_end<P: Processor>(&self, slot: &Slot<P>, start: Ps) -> Ps {
        match self.shared.len() {
            1 => start + self.stretched(slot).saturating_mul(slot.clock.period_ps),
            _ => common_end(slot, start, (self.window_cycles / OWN_PART).max(1)),
        }
    }

    fn stretched<P: Processor>(&self, slot: &Slot<P>) -> u64 {
        let most = if self.shared.len() == 1 { MOST_STRETCH } else { MOST_STRETCH_BESIDE };
        self.window_cycles << slot.stretch.min(most).min(self.most_stretch)
    }

    /// Runs one window of each core in `parts`, which has a list for each lane.
    fn run_windows<P: Processor<Shared = S>>(&mut self, parts: Vec<Vec<&mut Slot<P>>>, until: Ps) {
        let Some(pool) = &self.pool else { return };
        let run = move |part: Vec<&mut Slot<P>>, shared: &mut S| {
            for slot in part {
                slot.begin_window();
                slot.whole_run = None;
                slot.run(shared, until);
            }
        };
        pool.in_place_scope(|scope| {
            let mut lanes = parts.into_iter().zip(&mut self.shared);
            let own = lanes.next();
            for (part, shared) in lanes.filter(|(part, _)| !part.is_empty()) {
                scope.spawn(move |_| run(part, shared));
            }
            if let Some((part, shared)) = own {
                run(part, shared);
            }
        });
    }
}

/// When windows of so many cycles end together, if one begins at `start`. Those of cores that have
/// met at the end of one, give or take an instruction, end together again.
fn common_end<P: Processor>(slot: &Slot<P>, start: Ps, cycles: u64) -> Ps {
    let whole_ps = cycles.saturating_mul(slot.clock.period_ps);
    let earliest = start + whole_ps / LEAST_PART;
    Ps(earliest.0.div_ceil(whole_ps).saturating_mul(whole_ps))
}

impl<P: Processor> Chip<P> {
    /// On how many host threads cores run: host speed only.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadPoolBuildError> {
        self.lanes = self.lanes.others(threads)?;
        for slot in &mut self.slots {
            slot.lane = None;
            if slot.released {
                self.lanes.assign(&mut slot.lane);
            }
        }
        Ok(())
    }

    /// A core is to begin a window at `time` because its last one has ended. If others may begin
    /// one too, all run side by side; else this tells until when it should run alone.
    pub(crate) fn run_side_by_side(&mut self, core: CoreId, time: Ps) -> Option<Ps> {
        let lanes = self.lanes.shared.len();
        let slot = &self.slots[core.index()];
        if lanes == 1 || !slot.may_begin(time) {
            return Some(self.lanes.window_end(slot, slot.local_time()));
        }
        let ready = self.slots.iter().filter(|slot| slot.may_begin(time)).count();
        // The others have run ahead: those that follow them one by one are to meet soon.
        let few = 2 * ready < self.running;
        let cycles = if few { self.lanes.window_cycles } else { self.lanes.stretched(slot) };
        let until = common_end(slot, time, cycles);
        let mut parts: Vec<Vec<&mut Slot<P>>> = Vec::new();
        parts.resize_with(lanes, Vec::new);
        let mut cores = Vec::with_capacity(self.slots.len());
        for (n, slot) in self.slots.iter_mut().enumerate() {
            if slot.may_begin(time) {
                let core = CoreId(n as u16);
                if let Some(log) = &mut self.log {
                    log_instructions(log, core, &mut slot.processor);
                }
                cores.push(core);
                parts[slot.lane.unwrap_or(0)].push(slot);
            }
        }
        if parts.iter().filter(|part| !part.is_empty()).count() < 2 {
            return Some(until);
        }
        self.lanes.run_windows(parts, until);
        // So many windows take a while.
        self.question = 0;
        self.windows_beside += cores.len() as u64;
        cores.into_iter().for_each(|core| self.schedule(core));
        None
    }
}

impl<P: Processor> Slot<P> {
    /// Whether everything before its next window has been performed when all events before `time` have.
    fn may_begin(&self, time: Ps) -> bool {
        self.phase == Phase::Run && !self.breaks && self.reached <= time
    }
}
