//! What a run has counted and noted: ends, marks, statistics, probes, the state hash, commit logs.

use std::collections::BTreeMap;
use std::os::fd::RawFd;
use std::path::Path;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rockcreek_chip::scheduler::cycle_profile::{Cause, CoreProfile};
use rockcreek_cpu::{Call, Core, ProbeKind, ProbeNote, Snapshot};
use rockcreek_defs::CoreId;
use rockcreek_observe::{LogError, Statistic};

use crate::chip::Chip;
use crate::guard::guarded;
use crate::outputs;
use crate::values::statistic;

/// Core, address, stack, then the return address and the arguments.
type NotedCall = (usize, u32, u32, Vec<u32>);
/// Address, second word of the stack, picoseconds, core cycle, counters.
type Kept<'py> = (u32, u32, Option<u64>, u64, Bound<'py, PyAny>, u32);
/// Linear address, ring 3, cause, number of snapshots taken before, cycles.
type Charge = (u32, bool, &'static str, u32, u64);
type Undervoltage = (u64, u16, u32, u8, Option<u8>);
type RefusedVoltage = (u64, u16, u8, u8);

#[pymethods]
impl Chip {
    /// The records of the cores that have ended, by core.
    fn exits<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.with_running(|machine| {
            let dict = PyDict::new(py);
            for core in 0..machine.slots().len() {
                let Some(exit) = machine.uncore.board.host.exit(CoreId(core as u16)) else {
                    continue;
                };
                let record = PyDict::new(py);
                record.set_item("reason", exit.reason)?;
                record.set_item("code", exit.code)?;
                record.set_item("eip", exit.eip)?;
                record.set_item("address", exit.address)?;
                record.set_item("vector", exit.vector)?;
                record.set_item("time_ps", exit.time.0)?;
                dict.set_item(core, record)?;
            }
            Ok(dict)
        })
    }

    /// The first marks: (time in ps, core, id).
    fn marks(&mut self) -> PyResult<Vec<(u64, u16, u32)>> {
        self.with_running(|machine| {
            let marks = machine.uncore.board.host.marks();
            Ok(marks.iter().map(|mark| (mark.time.0, mark.core.0, mark.id)).collect())
        })
    }

    /// Marks that came after those that are kept.
    fn marks_dropped(&mut self) -> PyResult<u64> {
        self.with_running(|machine| Ok(machine.uncore.board.host.marks_dropped()))
    }

    /// Instructions that all cores have retired.
    fn instructions(&mut self) -> PyResult<u64> {
        self.with(|machine| {
            let count = |slot: &rockcreek_chip::Slot<Core>| slot.processor.counters().instructions;
            Ok(machine.slots().iter().map(count).sum())
        })
    }

    /// Counts from now on where instructions are executed. The chip does not notice.
    fn set_profiling(&mut self, on: bool) -> PyResult<()> {
        self.with(|machine| {
            machine.set_profiling(on);
            Ok(())
        })
    }

    /// What was counted since: for each kind of instruction how often it was interpreted, stepped
    /// out of translated code, and stepped for an access that was not in place; sums; and, since the
    /// chip was made, counted instructions that were skipped, and executed ones that were undone.
    fn profile<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.with(|machine| {
            let report = machine.profile();
            let dict = PyDict::new(py);
            let kinds = PyDict::new(py);
            for (name, counts) in &report.instructions {
                kinds.set_item(name, (counts.interpreted, counts.stepped, counts.missed))?;
            }
            dict.set_item("instructions", kinds)?;
            dict.set_item("skipped", report.unequal.skipped)?;
            dict.set_item("undone", report.unequal.undone)?;
            dict.set_item("stays", report.stays)?;
            dict.set_item("unfinished", report.unfinished)?;
            dict.set_item("regions", report.regions)?;
            dict.set_item("code_bytes", report.code_bytes)?;
            dict.set_item("refused", report.refused)?;
            Ok(dict)
        })
    }

    /// What all blocks have counted. Brings the cores to the present time first.
    fn statistics<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.with(|machine| {
            machine.settle();
            statistic(py, &machine.statistics())
        })
    }

    /// All energies since power-on, in femtojoules. Brings the cores to the present time first.
    fn energy<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.with(|machine| statistic(py, &machine.energy()))
    }

    /// Records energies at a fixed interval, and at marks. The chip does not notice.
    fn observe_energy(&mut self, every_ps: u64) -> PyResult<()> {
        self.with(|machine| {
            machine.observe_energy(every_ps);
            Ok(())
        })
    }

    /// Tiles whose clock began to need more than their voltage (the first of them): time in ps,
    /// tile, divider, level, the level that it needs; and how many there were.
    fn undervoltage(&mut self) -> PyResult<(Vec<Undervoltage>, u64)> {
        self.with_running(|machine| {
            let found = &machine.uncore.undervoltage;
            let kept = found.kept().iter();
            let told = kept.map(|v| (v.time.0, v.tile.0, v.divider, v.level, v.needed)).collect();
            Ok((told, found.violations))
        })
    }

    /// Commands that the voltage regulator refused (the first of them): time in ps, core, domain,
    /// level; and how many there were.
    fn refused_voltages(&mut self) -> PyResult<(Vec<RefusedVoltage>, u64)> {
        self.with_running(|machine| {
            let regulator = &machine.uncore.board.voltage;
            let refused = regulator.refused().iter();
            let told = refused.map(|r| (r.time.0, r.core.0, r.domain, r.level)).collect();
            Ok((told, regulator.refused_commands))
        })
    }

    /// Whether a core fails whose clock needs more than its voltage.
    fn set_strict_voltage(&mut self, on: bool) -> PyResult<()> {
        self.with(|machine| {
            machine.set_strict_voltage(on);
            Ok(())
        })
    }

    /// Counts how often the core retires the instructions at these linear addresses in ring 3; with
    /// `calls` the words at the top of the stack are kept for `take_calls`; a `step` is counted from
    /// the last count of each other probe on, too. With `any_ring` ring 0 is counted as well.
    #[pyo3(signature = (core, addresses, calls=false, step=false, any_ring=false))]
    fn set_probes(
        &mut self,
        core: usize,
        addresses: Vec<u32>,
        calls: bool,
        step: bool,
        any_ring: bool,
    ) -> PyResult<()> {
        self.with_core(core, |machine, core| {
            for address in addresses {
                let note = calls.then_some(ProbeNote::Call);
                let kind = ProbeKind { user_only: !any_ring, step, note, snapshot: false };
                machine.set_probe(core, address, kind);
            }
            Ok(())
        })
    }

    /// The counts of all probes: core, then address.
    fn probe_counts<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.with(|machine| {
            machine.settle();
            let dict = PyDict::new(py);
            for (core, slot) in machine.slots().iter().enumerate() {
                let counts = slot.processor.probe_counts();
                if !counts.is_empty() {
                    let inner = PyDict::new(py);
                    for (address, count) in counts {
                        inner.set_item(address, count)?;
                    }
                    dict.set_item(core, inner)?;
                }
            }
            Ok(dict)
        })
    }

    /// How many steps have come since each probe of a core last counted, by address.
    fn probe_steps(&mut self, core: usize) -> PyResult<BTreeMap<u32, u64>> {
        self.with_core(core, |machine, core| {
            machine.settle();
            Ok(machine.slot(core).processor.probe_steps().into_iter().collect())
        })
    }

    /// When each probe of a core last counted, by address. Those are left out of which nobody knows
    /// the time: the core's clock has changed since.
    fn probe_times(&mut self, core: usize) -> PyResult<BTreeMap<u32, u64>> {
        self.with_core(core, |machine, core| {
            machine.settle();
            let slot = machine.slot(core);
            let cycles = slot.processor.probe_cycles();
            let known = cycles.iter().filter(|(_, cycle)| *cycle >= slot.clock.epoch_cycle);
            Ok(known.map(|(address, cycle)| (*address, slot.clock.time_of(*cycle).0)).collect())
        })
    }

    /// Keeps what the core has counted when it retires the instructions at these linear addresses
    /// in ring 3.
    fn set_snapshots(&mut self, core: usize, addresses: Vec<u32>) -> PyResult<()> {
        self.with_core(core, |machine, core| {
            let kind = ProbeKind { user_only: true, snapshot: true, ..ProbeKind::default() };
            addresses.into_iter().for_each(|address| machine.set_probe(core, address, kind));
            Ok(())
        })
    }

    /// The snapshots that `set_snapshots` asked for, in order: address, the second word of the stack,
    /// time, cycle, counters of core and caches.
    fn snapshots<'py>(&mut self, py: Python<'py>, core: usize) -> PyResult<Vec<Kept<'py>>> {
        self.with_core(core, |machine, core| {
            let taken = machine.snapshots(core);
            let plain = |one: &Snapshot| {
                let part = |counts: Result<Statistic, _>| counts.expect("counters are integers");
                let counts = Statistic::group([
                    ("core", part(Statistic::of(&one.counters))),
                    ("cache", part(Statistic::of(&one.caches))),
                ]);
                let counts = statistic(py, &counts)?;
                Ok((one.address, one.word, one.time_ps, one.cycle, counts, one.number))
            };
            taken.iter().map(plain).collect()
        })
    }

    /// The calls noted since the last time. With `all` the cores are brought to the present time
    /// first.
    fn take_calls(&mut self, all: bool) -> PyResult<Vec<NotedCall>> {
        self.with_running(|machine| {
            if all {
                machine.rest();
            }
            let mut calls = Vec::new();
            for core in 0..machine.slots().len() {
                let taken = machine.take_calls(CoreId(core as u16), all);
                let plain = |call: &Call| (core, call.address, call.stack, call.words.to_vec());
                calls.extend(taken.iter().map(plain));
            }
            Ok(calls)
        })
    }

    /// 32 hexadecimal digits over everything that can matter to a guest.
    fn state_hash(&mut self) -> PyResult<String> {
        self.with(|machine| Ok(machine.state_hash().to_string()))
    }

    /// Charges cycles to instructions from now on. The chip does not notice.
    fn start_cycle_profile(&mut self) -> PyResult<()> {
        self.with(|machine| {
            machine.start_cycle_profile();
            Ok(())
        })
    }

    /// Ends that. By core its cycles and the charges: linear address, ring 3, cause, snapshots
    /// taken before, cycles.
    fn finish_cycle_profile(&mut self) -> PyResult<Vec<(u64, Vec<Charge>)>> {
        self.with(|machine| {
            let cores = machine.finish_cycle_profile().into_iter();
            Ok(cores.map(|(profile, cycles)| (cycles, charges(&profile))).collect())
        })
    }

    /// Starts a commit log in an open file; `name` is for errors.
    fn commit_log(&mut self, descriptor: RawFd, name: &str) -> PyResult<()> {
        let file = outputs::file(descriptor)?;
        self.with(|machine| machine.start_log(file, name).map_err(|error| log_error(&error)))
    }

    /// Ends the commit log with the statistics.
    fn finish_log(&mut self) -> PyResult<()> {
        self.with(|machine| machine.finish_log().map_err(|error| log_error(&error)))
    }
}

fn log_error(error: &LogError) -> PyErr {
    match error {
        LogError::Io { error, .. } => outputs::error(error),
        other => PyOSError::new_err(other.to_string()),
    }
}

fn charges(profile: &CoreProfile) -> Vec<Charge> {
    let mut charges: Vec<_> = profile.iter().collect();
    charges.sort_unstable();
    let plain = charges.into_iter();
    let named = |((address, user, cause, part), cycles): (&(u32, bool, Cause, u32), &u64)| {
        (*address, *user, cause.name(), *part, *cycles)
    };
    plain.map(named).collect()
}

/// The first difference between two commit logs in words, or `None`.
#[pyfunction]
pub fn compare_logs(a: &str, b: &str) -> PyResult<Option<String>> {
    guarded(|| {
        rockcreek_observe::compare(Path::new(a), Path::new(b))
            .map_err(|error| PyOSError::new_err(error.to_string()))
    })
}
