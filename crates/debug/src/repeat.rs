//! A chip that repeats a part of the run. It starts from a snapshot, and gets the host's answers
//! and input from the record instead of from the host.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rockcreek_chip::{Description, Stopped};
use rockcreek_cpu::Core;
use rockcreek_defs::{CoreId, Ps};

use crate::gdb_target::Machine;
use crate::history::Kept;
use crate::host_record::{HostRecord, Repeated};
use crate::moment::Moment;
use crate::stop_points::Point;

/// A chip that repeats the run. `answers`, `inputs`: the numbers of the next answer and input in
/// the record.
pub(crate) struct Repeat {
    pub chip: Box<Machine>,
    record: HostRecord,
    answers: Arc<AtomicUsize>,
    inputs: usize,
}

impl Repeat {
    /// Makes a chip from a snapshot; `Err` with the reason if the snapshot cannot be read.
    pub(crate) fn open(
        kept: &Kept,
        unsaved: &Unsaved,
        record: &HostRecord,
    ) -> Result<Repeat, String> {
        let (mut chip, _) = Machine::restore_as(&kept.bytes, &unsaved.description, new_core)
            .map_err(|error| error.to_string())?;
        chip.set_strict_voltage(unsaved.strict_voltage);
        Ok(Repeat::around(chip, record, kept.heard.answers, kept.heard.inputs))
    }

    fn around(mut chip: Machine, record: &HostRecord, answers: usize, inputs: usize) -> Repeat {
        let answers = Arc::new(AtomicUsize::new(answers));
        let service = Repeated { record: record.clone(), next: answers.clone() };
        chip.set_host_service(Box::new(service));
        Repeat { chip: Box::new(chip), record: record.clone(), answers, inputs }
    }

    /// A second chip in the state of this one, without stop points.
    pub(crate) fn twin(&mut self) -> Repeat {
        let chip = self.chip.twin(new_core);
        Repeat::around(chip, &self.record, self.answers.load(Ordering::Relaxed), self.inputs)
    }

    pub(crate) fn moment(&mut self) -> Moment {
        Moment::of(&mut self.chip)
    }

    /// Runs to `until` or to a stop point, or until `go_on` returns false. Drops the output of the
    /// guests, because the run itself has printed it.
    pub(crate) fn run(&mut self, until: Ps, mut go_on: impl FnMut() -> bool) -> Stopped {
        loop {
            let stopped = self.chip.run(Some(until), &mut go_on);
            self.chip.uncore.board.take_output();
            let next = self.record.input(self.inputs);
            match (stopped, next) {
                (Stopped::Input, Some(input)) => {
                    self.inputs += 1;
                    self.chip.receive(input.core, &input.bytes, input.ends);
                }
                (Stopped::Failed, _) => {}
                (stopped, _) => {
                    self.chip.rest();
                    return stopped;
                }
            }
        }
    }

    pub(crate) fn install(&mut self, points: &BTreeSet<Point>) {
        for core in 0..self.chip.slots().len() {
            points.iter().for_each(|point| point.set(&mut self.chip, CoreId(core as u16), true));
        }
    }
}

/// Properties of the chip that a snapshot does not contain.
#[derive(Clone)]
pub(crate) struct Unsaved {
    pub description: Description,
    pub strict_voltage: bool,
}

impl Unsaved {
    pub(crate) fn of(chip: &Machine) -> Unsaved {
        let description = chip.description().clone();
        Unsaved { description, strict_voltage: chip.strict_voltage() }
    }
}

fn new_core(description: &Description, core: CoreId) -> Core {
    Core::new(core, &description.cpu)
}
