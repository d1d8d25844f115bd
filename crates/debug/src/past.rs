//! gdb in the past of a run: going back, and forward again up to the latest moment.
//!
//! The run's own chip stays at the latest moment. gdb sees another chip, which repeats the run: its
//! output is dropped, and it calls no service of the host. A search runs on a thread of its own, so
//! that the server can react to gdb's interrupt, Ctrl-C and the run's limits meanwhile.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use gdbstub::stub::MultiThreadStopReason;
use gdbstub::target::ext::base::reverse_exec::ReplayLogPosition;
use rockcreek_chip::Stopped;
use rockcreek_defs::{CoreId, Ps};

use crate::backwards::{Found, Lost, Met, Near, Search, Task};
use crate::gdb_target::{ChipTarget, LENT};
use crate::moment::Moment;
use crate::repeat::{Repeat, Unsaved};
use crate::stop_points::{Point, step_reason, watch_reason};

/// The pause between two checks whether a search has ended.
const PAUSE: Duration = Duration::from_millis(2);

/// gdb's place in the past: the chip that gdb sees, and the latest moment of the run.
pub(crate) struct Past {
    pub repeat: Repeat,
    pub latest: Moment,
    /// Cores that step forward, each with its progress before the step.
    pub stepping: Vec<(CoreId, u64)>,
    pub installed: BTreeSet<Point>,
}

/// The result of a search: chips for the next search, and the target or why there is none.
type Outcome = (Near, Found<(Repeat, Met)>);

/// A search on a thread of its own.
pub(crate) struct Hunt {
    cancelled: Arc<AtomicBool>,
    thread: Option<JoinHandle<Outcome>>,
}

impl Hunt {
    fn begin(mut search: Search, task: Task) -> Hunt {
        let cancelled = search.cancelled.clone();
        let body = move || {
            let found = search.find(task);
            (search.near, found)
        };
        Hunt { cancelled, thread: Some(std::thread::spawn(body)) }
    }

    fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    fn result(mut self) -> Outcome {
        let broken = || (Near::default(), Err(Lost::Failed("rockcreek met a bug".into())));
        self.thread.take().and_then(|thread| thread.join().ok()).unwrap_or_else(broken)
    }
}

/// Cancels the search.
impl Drop for Hunt {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

type Reason = MultiThreadStopReason<u32>;

impl ChipTarget {
    /// Performs gdb's command if it concerns the past, until `deadline` at most. `None`: it does
    /// not, and the run itself must go on. `Some(None)`: not finished at `deadline`.
    pub(crate) fn travel(&mut self, deadline: Instant) -> Option<Option<Reason>> {
        if let Some(task) = self.task.take() {
            self.hunt = Some(self.begin_hunt(task));
        }
        if self.hunt.is_some() {
            return Some(self.await_hunt(deadline));
        }
        self.past.is_some().then(|| self.go_forward(deadline))
    }

    fn begin_hunt(&mut self, task: Task) -> Hunt {
        for core in std::mem::take(&mut self.stepping) {
            self.chip().set_step(core, false);
        }
        let points = self.points.wanted_points();
        let near = std::mem::take(&mut self.near);
        let ChipTarget { chip, past, history, .. } = self;
        let live = chip.as_mut().expect(LENT);
        let now = match past {
            Some(past) => past.repeat.moment(),
            None => {
                history.before_run(live);
                Moment::of(live)
            }
        };
        let search = Search {
            snapshots: history.snapshots(),
            record: history.record.clone(),
            unsaved: Unsaved::of(live),
            points,
            now,
            near,
            cancelled: Arc::new(AtomicBool::new(false)),
        };
        Hunt::begin(search, task)
    }

    fn await_hunt(&mut self, deadline: Instant) -> Option<Reason> {
        while !self.hunt.as_ref().is_none_or(Hunt::is_over) {
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(PAUSE);
        }
        let (near, found) = self.hunt.take()?.result();
        self.near = near;
        Some(match found {
            Ok((repeat, met)) => self.arrive(repeat, met),
            Err(lost) => {
                if let Lost::Failed(why) = lost {
                    self.notices.push(format!("gdb cannot go back: {why}"));
                }
                self.interrupted()
            }
        })
    }

    /// Cancels the search and waits for its end; gdb stays where it was.
    pub(crate) fn end_hunt(&mut self) {
        if let Some(hunt) = self.hunt.take() {
            hunt.cancelled.store(true, Ordering::Relaxed);
            (self.near, _) = hunt.result();
        }
    }

    fn arrive(&mut self, mut repeat: Repeat, met: Met) -> Reason {
        let moment = repeat.moment();
        let latest = match self.past.take() {
            Some(past) => past.latest,
            None => Moment::of(self.live()),
        };
        if moment.is_before(&latest) {
            self.say_where(moment.time, latest.time);
            let (stepping, installed) = (Vec::new(), BTreeSet::new());
            self.past = Some(Past { repeat, latest, stepping, installed });
        }
        match met {
            Met::Step(core) => step_reason(core),
            Met::Breakpoint(core) => self.break_reason(core),
            Met::Watchpoint(core, hit) => watch_reason(core, hit),
            Met::Begin => self.log_ends(ReplayLogPosition::Begin),
        }
    }

    fn say_where(&mut self, at: Ps, latest: Ps) {
        if !std::mem::replace(&mut self.said_where, true) {
            self.notices.push(format!(
                "gdb looks at the past of the run ({} ps; the latest moment is {} ps): what guests \
                 have printed, and files, stay as they are at the latest moment",
                at.0, latest.0
            ));
        }
    }

    fn go_forward(&mut self, deadline: Instant) -> Option<Reason> {
        let past = self.past.as_mut()?;
        let limit = Ps(past.latest.time.0.saturating_sub(1));
        if past.repeat.chip.now() < limit {
            match past.repeat.run(limit, || Instant::now() < deadline) {
                Stopped::Break(core) => return Some(self.stop_reason(core)),
                Stopped::Asked => return None,
                _ => {}
            }
        }
        Some(self.come_to_latest())
    }

    /// Lets gdb see the run's own chip again; returns the reason of the stop.
    fn come_to_latest(&mut self) -> Reason {
        let stepped = self.past.take().and_then(|past| {
            let has_stepped =
                |(core, before): &(CoreId, u64)| past.latest.progress(*core) > *before;
            past.stepping.iter().find(|one| has_stepped(one)).map(|(core, _)| *core)
        });
        self.stepping.clear();
        if std::mem::take(&mut self.stale) {
            self.history.clear();
        }
        match stepped {
            Some(core) => step_reason(core),
            None => self.log_ends(ReplayLogPosition::End),
        }
    }

    fn log_ends(&mut self, pos: ReplayLogPosition) -> Reason {
        MultiThreadStopReason::ReplayLog { tid: Some(self.first()), pos }
    }

    /// The answer to `monitor past`: the span of the record, and gdb's place in it.
    pub(crate) fn describe_past(&mut self) -> String {
        let now = self.chip().now().0;
        let latest = self.past.as_ref().map_or(now, |past| past.latest.time.0);
        let Some(begin) = self.history.begin() else {
            return format!("nothing is recorded yet; the run is at {latest} ps\n");
        };
        let (count, bytes) = self.history.size();
        format!(
            "recorded from {} ps to {latest} ps ({count} snapshots, {bytes} bytes); gdb is at {now} ps\n",
            begin.time.0
        )
    }

    /// Call when a program of the host has changed the run's chip: the record ends, at once or when
    /// gdb returns from the past.
    pub(crate) fn note_change(&mut self) {
        if self.past.is_some() || self.hunt.is_some() {
            self.stale = true;
        } else {
            self.history.clear();
        }
    }
}
