//! An instant of a run that a stop can lie at: a time, and how far each core has come.
//!
//! Several stops may have one time, because the second instruction of a pair takes none. The number
//! of instructions that all cores have done orders these.

use rockcreek_defs::{CoreId, Ps};

use crate::gdb_target::Machine;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub time: Ps,
    /// The latest instruction boundary of a core: what a core does before it may end behind `time`.
    pub edge: Ps,
    done: u64,
    cores: Vec<u64>,
}

/// How many instructions, exceptions and interrupts a core has had: each ends a single step.
pub(crate) fn progress(chip: &Machine, core: CoreId) -> u64 {
    let counters = chip.slot(core).processor.counters();
    counters.instructions + counters.exceptions + counters.interrupts
}

impl Moment {
    /// Where the chip stands.
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

    /// Whether the chip came to this moment before the other one.
    pub(crate) fn is_before(&self, other: &Moment) -> bool {
        (self.time, self.done) < (other.time, other.done)
    }
}
