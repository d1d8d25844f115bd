//! The past of a run under gdb: snapshots at growing distances, and what the host answered.
//!
//! A snapshot is due when the run has taken [`RUN_PER_SAVE`] times the host time of the last
//! one, so that snapshots cost at most a tenth of it. Their number and size are bounded: of the old
//! ones those stay that lie at growing distances. What gdb or a program of the host changes is in no
//! record, so the past begins anew behind each change.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rockcreek_chip::Companion;

use crate::gdb_target::Machine;
use crate::host_record::{Heard, HostRecord, Input, Recorded};
use crate::moment::Moment;

const RUN_PER_SAVE: u32 = 10;
const MOST_SNAPSHOTS: usize = 24;
const MOST_BYTES: usize = 512 << 20;
/// The limit for the host's answers: old snapshots that need them are dropped with them.
const MOST_HEARD_BYTES: usize = 256 << 20;

/// A snapshot from which the run can be repeated.
#[derive(Clone)]
pub(crate) struct Kept {
    pub moment: Moment,
    pub heard: Heard,
    pub bytes: Arc<Vec<u8>>,
}

/// The snapshots and the record of the host, and when the next snapshot is due.
#[derive(Default)]
pub(crate) struct History {
    pub record: HostRecord,
    kept: Vec<Kept>,
    ran: Duration,
    saving: Duration,
    recorder: std::sync::Weak<()>,
}

impl History {
    /// Forgets everything: nobody debugs any more, or something else than the run itself changes
    /// the chip.
    pub(crate) fn clear(&mut self) {
        self.kept.clear();
        self.record.restart(false);
    }

    pub(crate) fn note_input(&mut self, input: Input) {
        self.record.add_input(input);
    }

    /// Where the past begins.
    pub(crate) fn begin(&self) -> Option<&Moment> {
        self.kept.first().map(|kept| &kept.moment)
    }

    /// Call before the chip goes on.
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

    /// The chip ran for so long.
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

    /// How many snapshots there are, and how many bytes they and the host's answers take.
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

    /// The snapshot whose neighbours are close to each other for their age.
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
