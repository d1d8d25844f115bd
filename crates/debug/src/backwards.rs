//! The search for the target of gdb's reverse commands, by repetition of parts of the run.
//!
//! To go back over one instruction of a core, a chip runs from a snapshot to shortly before the
//! present without stops, and from there in single steps. To go back to a stop point, parts of the
//! run are repeated with the stop points, the latest part first, and the last stop of a part is the
//! target. For a breakpoint the target is the moment of the stop. For a watchpoint it is the moment
//! before the instruction that made the access, so that `continue` executes the access again.
//!
//! An instruction that began before a part may end in the part, and a repetition that begins with
//! the part does not see its access. The part before therefore ends as late as the last such
//! instruction.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rockcreek_chip::Stopped;
use rockcreek_cpu::WatchHit;
use rockcreek_defs::{CoreId, Ps};

use crate::history::Kept;
use crate::host_record::HostRecord;
use crate::moment::{Moment, progress};
use crate::repeat::{Repeat, Unsaved};
use crate::stop_points::Point;

/// The parts of a repetition begin at these distances before its end, in picoseconds.
const DISTANCES_PS: [u64; 3] = [100_000_000_000, 1_000_000_000, 10_000_000];
/// Single steps begin when the core has at most this number of instructions left.
const MOST_STEPS: u64 = 2_000;
/// The distances before an instant, in picoseconds, at which the search looks for a chip whose core
/// has not yet come as far as the target.
const BACK_PS: [u64; 6] =
    [100_000_000_000, 10_000_000_000, 1_000_000_000, 100_000_000, 10_000_000, CLOSE_PS];
/// Within this distance of the target, in picoseconds, a core has few instructions left.
const CLOSE_PS: u64 = 1_000_000;

/// A reverse command of gdb: one instruction of a core back, or to the last stop point.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Task {
    Step(CoreId),
    Continue,
}

/// The reason of a stop in the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Met {
    Step(CoreId),
    Breakpoint(CoreId),
    Watchpoint(CoreId, WatchHit),
    /// The beginning of the record.
    Begin,
}

/// The reason why a search found no target: it was cancelled, or it failed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    Interrupted,
    Failed(String),
}

/// Chips of earlier searches with their moments, from which the next search may begin.
pub(crate) type Near = Vec<(Moment, Repeat)>;

/// A search, with all that its thread needs.
pub(crate) struct Search {
    pub snapshots: Vec<Kept>,
    pub record: HostRecord,
    pub unsaved: Unsaved,
    pub points: BTreeSet<Point>,
    pub now: Moment,
    /// Chips close to `now`, of earlier searches and of this one, the earliest first.
    pub near: Near,
    pub cancelled: Arc<AtomicBool>,
}

/// A stop that a repetition has met.
struct Hit {
    moment: Moment,
    met: Met,
}

pub(crate) type Found<T> = Result<T, Lost>;

impl Search {
    pub(crate) fn find(&mut self, task: Task) -> Found<(Repeat, Met)> {
        let now = self.now.clone();
        self.near.retain(|(moment, _)| moment.is_before(&now));
        match task {
            Task::Step(core) => {
                let before = now.progress(core);
                self.step_back(core, before, &now, Met::Step(core))
            }
            Task::Continue => self.last_hit(),
        }
    }

    /// A chip before the instruction with which `core` reached `done` instructions. `behind`: a
    /// moment after that instruction; `met`: the reason to return with the chip.
    fn step_back(
        &mut self,
        core: CoreId,
        done: u64,
        behind: &Moment,
        met: Met,
    ) -> Found<(Repeat, Met)> {
        let is_base = |moment: &Moment| moment.progress(core) + 2 <= done;
        let Some(mut base) = self.latest(&is_base, behind)? else { return self.begin() };
        base = self.approach(base, core, done, behind.time)?;
        let mut steps = None;
        loop {
            let mut chip = base.twin();
            match self.steps(&mut chip, core, done, behind.time, steps)? {
                Ok(()) => {
                    let moment = base.moment();
                    self.keep_near(moment, base);
                    return Ok((chip, met));
                }
                Err(_) if steps.is_some() => {
                    return Err(Lost::Failed("the run was not repeated exactly".into()));
                }
                // The step from `base` ended an instruction and an interrupt at once, so `base` is
                // the chip before both.
                Err(0) => return Ok((base, met)),
                Err(before) => steps = Some(before),
            }
        }
    }

    /// Steps `core` until it has one instruction left up to `done`, or `count` times if that is
    /// given. `Err`: one step ended two of the core's instructions, exceptions or interrupts, so
    /// the core passed this point; the number of steps before that one.
    fn steps(
        &self,
        chip: &mut Repeat,
        core: CoreId,
        done: u64,
        limit: Ps,
        count: Option<u64>,
    ) -> Found<Result<(), u64>> {
        chip.chip.set_step(core, true);
        let mut taken = 0;
        loop {
            let stopped = chip.run(limit, || self.goes_on());
            self.check()?;
            let now = progress(&chip.chip, core);
            if stopped != Stopped::Break(core) || now >= done {
                return Ok(Err(taken));
            }
            taken += 1;
            if count.map_or(now + 1 == done, |count| taken == count) {
                chip.chip.clear_breaks();
                return Ok(Ok(()));
            }
        }
    }

    /// Runs the chip forward until its core has at most [`MOST_STEPS`] instructions left up to
    /// `done`, or is within [`CLOSE_PS`] of them. The core reaches `done` at `behind` or earlier.
    fn approach(&mut self, mut base: Repeat, core: CoreId, done: u64, behind: Ps) -> Found<Repeat> {
        let left = |chip: &Repeat| done.saturating_sub(progress(&chip.chip, core));
        let mut late = behind;
        let mut ahead = base.twin();
        for back in BACK_PS {
            let at = Ps(behind.0.saturating_sub(back));
            if left(&base) <= MOST_STEPS || at <= base.chip.now() {
                continue;
            }
            self.bring(&mut ahead, at)?;
            if left(&ahead) < 2 {
                late = at;
                break;
            }
            base = ahead.twin();
        }
        loop {
            let from = base.chip.now();
            if left(&base) <= MOST_STEPS || late.0.saturating_sub(from.0) <= CLOSE_PS {
                return Ok(base);
            }
            let mut middle = base.twin();
            let at = Ps(from.0.midpoint(late.0));
            self.bring(&mut middle, at)?;
            if left(&middle) < 2 {
                late = at;
            } else {
                base = middle;
            }
        }
    }

    /// A chip at the last stop before `now`; at the beginning of the record if there is no stop.
    fn last_hit(&mut self) -> Found<(Repeat, Met)> {
        let mut end = self.now.clone();
        let mut is_present = true;
        while let Some(mut base) = self.latest(&|_: &Moment| true, &end)? {
            let start = base.moment();
            for part in self.parts(&mut base, end.time)?.into_iter().rev() {
                let (from, mut chip) = part;
                if let Some(hit) = self.scan(&mut chip, &end, is_present)? {
                    return self.land(&hit, &from);
                }
                (end, is_present) = (from, false);
            }
            end = start;
        }
        self.begin()
    }

    /// Copies of a chip that begin the parts of its run up to `end`, the earliest first.
    fn parts(&mut self, base: &mut Repeat, end: Ps) -> Found<Vec<(Moment, Repeat)>> {
        let mut parts = vec![(base.moment(), base.twin())];
        for distance in DISTANCES_PS {
            let at = Ps(end.0.saturating_sub(distance));
            if at > base.moment().time {
                self.bring(base, at)?;
                parts.push((base.moment(), base.twin()));
            }
        }
        if let Some((moment, chip)) = parts.last_mut() {
            let (moment, chip) = (moment.clone(), chip.twin());
            self.keep_near(moment, chip);
        }
        Ok(parts)
    }

    /// The last stop between the present of `chip` and `end`; `is_present`: true if `end` is where
    /// gdb stands.
    fn scan(&self, chip: &mut Repeat, end: &Moment, is_present: bool) -> Found<Option<Hit>> {
        let until = if is_present { end.time } else { end.edge };
        let mut last = None;
        chip.install(&self.points);
        loop {
            let stopped = chip.run(until, || self.goes_on());
            self.check()?;
            let Stopped::Break(core) = stopped else { return Ok(last) };
            let hit = chip.chip.slot(core).processor.watch_hit();
            let met = hit.map_or(Met::Breakpoint(core), |hit| Met::Watchpoint(core, hit));
            let moment = chip.moment();
            let counts = match met {
                Met::Watchpoint(..) => !is_present || !end.is_before(&moment),
                _ => moment.is_before(end),
            };
            if counts {
                last = Some(Hit { moment, met });
            }
        }
    }

    /// A chip at a stop that a repetition has met; `from`: the moment at which that one began.
    fn land(&mut self, hit: &Hit, from: &Moment) -> Found<(Repeat, Met)> {
        let core = match hit.met {
            Met::Watchpoint(core, _) => {
                let done = hit.moment.progress(core);
                return self.step_back(core, done, &hit.moment, hit.met);
            }
            Met::Breakpoint(core) | Met::Step(core) => core,
            Met::Begin => return self.begin(),
        };
        let is_base = |moment: &Moment| !from.is_before(moment);
        let Some(mut base) = self.latest(&is_base, &hit.moment)? else { return self.begin() };
        let mut close = base.twin();
        let at = Ps(hit.moment.time.0.saturating_sub(CLOSE_PS));
        if at > from.time {
            self.bring(&mut close, at)?;
        }
        let moment = close.moment();
        self.keep_near(moment, close.twin());
        for mut chip in [close, base] {
            chip.install(&self.points);
            loop {
                let stopped = chip.run(hit.moment.time, || self.goes_on());
                self.check()?;
                if stopped == Stopped::Break(core) && chip.moment() == hit.moment {
                    chip.chip.clear_breaks();
                    return Ok((chip, hit.met));
                }
                if !matches!(stopped, Stopped::Break(_)) {
                    break;
                }
            }
        }
        Err(Lost::Failed("the run was not repeated exactly".into()))
    }

    /// The latest chip before `end` for whose moment `is_base` returns true, from `near` or from a
    /// snapshot; `None` if there is none.
    fn latest(&mut self, is_base: &dyn Fn(&Moment) -> bool, end: &Moment) -> Found<Option<Repeat>> {
        let fits = |moment: &Moment| moment.is_before(end) && is_base(moment);
        let kept = self.snapshots.iter().rev().find(|kept| fits(&kept.moment));
        let near = self.near.iter_mut().rev().find(|(moment, _)| fits(moment));
        let is_later = |moment: &Moment| kept.is_none_or(|kept| kept.moment.is_before(moment));
        match near {
            Some((moment, chip)) if is_later(moment) => Ok(Some(chip.twin())),
            _ => kept.map(|kept| self.open(kept)).transpose(),
        }
    }

    fn begin(&mut self) -> Found<(Repeat, Met)> {
        let first = self.snapshots.first().cloned();
        let first = first.ok_or_else(|| Lost::Failed("there is no snapshot".into()))?;
        Ok((self.open(&first)?, Met::Begin))
    }

    fn open(&self, kept: &Kept) -> Found<Repeat> {
        self.check()?;
        Repeat::open(kept, &self.unsaved, &self.record).map_err(Lost::Failed)
    }

    fn bring(&self, chip: &mut Repeat, at: Ps) -> Found<()> {
        chip.run(at, || self.goes_on());
        self.check()
    }

    /// Keeps only this chip for the next search.
    fn keep_near(&mut self, moment: Moment, chip: Repeat) {
        self.near = vec![(moment, chip)];
    }

    fn goes_on(&self) -> bool {
        !self.cancelled.load(Ordering::Relaxed)
    }

    fn check(&self) -> Found<()> {
        if self.goes_on() { Ok(()) } else { Err(Lost::Interrupted) }
    }
}
