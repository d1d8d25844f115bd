//! The past of a run under gdb: snapshots at growing distances from the present, and the record of
//! the host's answers.
//!
//! A snapshot is due when the run has taken [`RUN_PER_SAVE`] times as much host time as the last
//! snapshot took, so that snapshots cost about a tenth of the run's host time. Their number and
//! size are bounded; the older they are, the farther apart the remaining ones lie. Changes by gdb
//! or by a program of the host are not recorded, so the past begins anew after each of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rockcreek_chip::Companion;

use crate::gdb_target::Machine;
use crate::host_record::{Heard, HostRecord, Input, Recorded};
use crate::moment::Moment;

const RUN_PER_SAVE: u32 = 10;
const MOST_SNAPSHOTS: usize = 24;
const MOST_BYTES: usize = 512 << 20;
/// The largest number of bytes of recorded answers and inputs. Beyond it the oldest entries are
/// dropped, with the snapshots that need them.
const MOST_HEARD_BYTES: usize = 256 << 20;

/// A snapshot from which the run can be repeated; `heard`: its position in the record.
#[derive(Clone)]
pub(crate) struct Kept {
    pub moment: Moment,
    pub heard: Heard,
    pub bytes: Arc<Vec<u8>>,
}

/// The snapshots and the record of the host. `saving`: how long the last snapshot took; `ran`: how
/// long the chip has run since (both host time); `recorder`: alive while the chip's file service
/// records.
#[derive(Default)]
pub(crate) struct History {
    pub record: HostRecord,
    kept: Vec<Kept>,
    ran: Duration,
    saving: Duration,
    recorder: std::sync::Weak<()>,
}

impl History {
    /// Drops all snapshots and stops recording. Call when gdb leaves, and when gdb or a program of
    /// the host changes the chip.
    pub(crate) fn clear(&mut self) {
        self.kept.clear();
        self.record.restart(false);
    }

    pub(crate) fn note_input(&mut self, input: Input) {
        self.record.add_input(input);
    }

    /// The moment of the earliest snapshot; `None` without a snapshot.
    pub(crate) fn begin(&self) -> Option<&Moment> {
        self.kept.first().map(|kept| &kept.moment)
    }

    /// Call before the chip runs: starts recording, with a first snapshot, if nothing is recorded.
    pub(crate) fn before_run(&mut self, chip: &mut Machine) {
        if self.recorder.strong_count() == 0
            && let Some(service) = chip.take_host_service()
        {
            let alive = Arc::new(());
            self.recorder = Arc::downgrade(&alive);
            let record = self.record.clone();
            chip.set_host_service(Box::new(Recorded { service, record, _alive: alive }));
        }
        if self.kept.is_empty() {
            self.record.restart(true);
            self.save(chip);
        }
    }

    /// Call after the chip has run for `took` of host time: takes a snapshot if one is due.
    pub(crate) fn after_run(&mut self, chip: &mut Machine, took: Duration) {
        self.ran += took;
        let full = self.record.bytes() > MOST_HEARD_BYTES / 2 && self.kept.len() < 2;
        if self.ran >= self.saving * RUN_PER_SAVE || full {
            self.save(chip);
        }
    }

    fn save(&mut self, chip: &mut Machine) {
        let begin = Instant::now();
        let bytes = Arc::new(chip.save(Companion::default()));
        let moment = Moment::of(chip);
        let heard = self.record.heard();
        self.kept.push(Kept { moment, heard, bytes });
        self.saving = begin.elapsed();
        self.ran = Duration::ZERO;
        self.thin();
    }

    /// The number of snapshots, and the bytes that they and the record of the host take.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.kept.len(), self.bytes() + self.record.bytes())
    }

    fn bytes(&self) -> usize {
        self.kept.iter().map(|kept| kept.bytes.len()).sum()
    }

    /// Drops snapshots until their number and size are in bounds.
    fn thin(&mut self) {
        while self.kept.len() > 1
            && (self.kept.len() > MOST_SNAPSHOTS
                || self.bytes() > MOST_BYTES
                || self.record.bytes() > MOST_HEARD_BYTES)
        {
            let heard = self.record.bytes() > MOST_HEARD_BYTES;
            let place = self.least_needed().filter(|_| !heard).unwrap_or(0);
            self.kept.remove(place);
            self.record.forget_before(self.kept[0].heard);
        }
    }

    /// The index of the snapshot whose removal costs least: the distance of its two neighbours,
    /// divided by its age, is the smallest. Never the first or the last one.
    fn least_needed(&self) -> Option<usize> {
        let time = |n: usize| self.kept[n].moment.time.0;
        let last = self.kept.len() - 1;
        let gap = |n: &usize| {
            let age = (time(last) - time(*n)).max(1);
            (time(n + 1) - time(n - 1)).saturating_mul(1 << 16) / age
        };
        (1..last).min_by_key(gap)
    }

    /// All snapshots, the earliest first.
    pub(crate) fn snapshots(&self) -> Vec<Kept> {
        self.kept.clone()
    }
}
