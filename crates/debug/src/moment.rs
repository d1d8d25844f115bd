//! Moments: the points of a run at which a stop can be. A moment is a simulated time and, for each
//! core, its number of executed instructions.
//!
//! Several moments may have one time, because the second instruction of a pair takes no time. The
//! sum of all cores' instructions orders these.

use rockcreek_defs::{CoreId, Ps};

use crate::gdb_target::Machine;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub time: Ps,
    /// The latest time to which a core has run ahead, at least `time`: an instruction that a core
    /// began before `time` may end as late as this.
    pub edge: Ps,
    done: u64,
    cores: Vec<u64>,
}

/// The number of instructions, exceptions and interrupts of a core so far. Each of them ends a
/// single step of gdb.
pub(crate) fn progress(chip: &Machine, core: CoreId) -> u64 {
    let counters = chip.slot(core).processor.counters();
    counters.instructions + counters.exceptions + counters.interrupts
}

impl Moment {
    /// The present moment of a chip.
    pub(crate) fn of(chip: &mut Machine) -> Moment {
        chip.settle();
        let time = chip.now();
        let cores: Vec<u64> =
            (0..chip.slots().len()).map(|n| progress(chip, CoreId(n as u16))).collect();
        let edge = chip.slots().iter().map(|slot| slot.local_time()).fold(time, Ps::max);
        Moment { time, edge, done: cores.iter().sum(), cores }
    }

    pub(crate) fn progress(&self, core: CoreId) -> u64 {
        self.cores[core.index()]
    }

    /// True if this moment is earlier in the run than `other`.
    pub(crate) fn is_before(&self, other: &Moment) -> bool {
        (self.time, self.done) < (other.time, other.done)
    }
}
