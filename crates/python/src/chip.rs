//! The chip as a Python class.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rockcreek_boot::Module;
use rockcreek_chip::{Companion, Description, Phase, Stopped};
use rockcreek_cpu::{Core, gpr, sreg};
use rockcreek_defs::{CoreAddr, CoreId, Ps};

use crate::guard::guarded;
use crate::values::statistic;

create_exception!(rockcreek._native, DescriptionError, PyValueError);
create_exception!(rockcreek._native, ImageError, PyValueError);
create_exception!(rockcreek._native, SnapshotError, PyValueError);

type Machine = rockcreek_chip::Chip<Core>;

/// The file service, before and after the first release. It is handed to the chip when the
/// first core starts, so that folders can be shared one by one before.
type Files = rockcreek_host::FileService;

/// One chip. After a panic it refuses everything: its state may be half changed.
#[pyclass(module = "rockcreek._native")]
pub struct Chip {
    /// The lock only tells Python that threads may share the object; `&mut self` rules.
    machine: Mutex<Option<Box<Machine>>>,
    files: Option<Files>,
    refusals: rockcreek_host::Refusals,
    /// The text of the chip description, for snapshots.
    description: String,
}

impl Chip {
    /// Runs `body` on the chip, which is lost if `body` panics.
    pub(crate) fn with<T>(
        &mut self,
        body: impl FnOnce(&mut Machine) -> PyResult<T>,
    ) -> PyResult<T> {
        let broken = || PyRuntimeError::new_err("this chip met a bug of rockcreek and is lost");
        let slot = self.machine.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut machine = slot.take().ok_or_else(broken)?;
        let (machine, result) = guarded(move || {
            let result = body(&mut machine);
            Ok((machine, result))
        })?;
        *slot = Some(machine);
        result
    }

    /// The same for one core.
    pub(crate) fn with_core<T>(
        &mut self,
        core: usize,
        body: impl FnOnce(&mut Machine, CoreId) -> PyResult<T>,
    ) -> PyResult<T> {
        self.with(|machine| {
            let cores = machine.slots().len();
            if core >= cores {
                let text = format!("there is no core {core}; the chip has {cores}");
                return Err(PyIndexError::new_err(text));
            }
            body(machine, CoreId(core as u16))
        })
    }
}

/// Reads a snapshot. A file that is none, or is damaged, is a `SnapshotError`.
fn restored(path: &str) -> PyResult<(Machine, Companion)> {
    let bytes = std::fs::read(path).map_err(|error| PyOSError::new_err(error.to_string()))?;
    guarded(|| {
        Machine::restore(&bytes, |description, core| Core::new(core, &description.cpu))
            .map_err(|error| SnapshotError::new_err(error.to_string()))
    })
}

/// A file that is there whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    std::fs::write(&partial, bytes)
        .and_then(|()| std::fs::rename(&partial, path))
        .inspect_err(|_| drop(std::fs::remove_file(&partial)))
}

/// Time in ps, core, port, bytes.
type Sent<'py> = (u64, u16, u16, Bound<'py, PyBytes>);

fn phase_name(phase: &Phase) -> &'static str {
    match phase {
        Phase::Reset => "reset",
        Phase::Run => "running",
        Phase::Inject(_) | Phase::Flight(..) => "waiting",
        Phase::Halted => "halted",
        Phase::Shutdown => "shutdown",
        Phase::Ended => "ended",
    }
}

#[pymethods]
impl Chip {
    /// A powered chip with all cores in reset. `options` may hold `window_cycles`, how far cores
    /// run ahead: it changes the host's speed and nothing else.
    #[new]
    #[pyo3(signature = (description_toml, options=None))]
    fn new(description_toml: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Chip> {
        let mut window = None;
        if let Some(options) = options {
            for (key, value) in options {
                match key.extract::<String>()?.as_str() {
                    "window_cycles" => window = Some(value.extract::<u64>()?),
                    other => {
                        let text = format!("no option {other}; allowed: window_cycles");
                        return Err(PyValueError::new_err(text));
                    }
                }
            }
        }
        guarded(|| {
            let description = Description::parse(description_toml)
                .map_err(|error| DescriptionError::new_err(error.to_string()))?;
            let mut machine = Machine::new(&description, |core| Core::new(core, &description.cpu));
            if let Some(window) = window {
                machine.set_window(window);
            }
            let files = Files::new();
            let refusals = files.refusals();
            let machine = Mutex::new(Some(Box::new(machine)));
            let description = description_toml.to_owned();
            Ok(Chip { machine, files: Some(files), refusals, description })
        })
    }

    /// Writes the whole chip into a file. `note` comes back from `restore`.
    fn save(&mut self, path: &str, note: &str) -> PyResult<()> {
        let description = self.description.clone();
        let companion = Companion { description, note: note.to_owned(), ..Companion::default() };
        self.with(|machine| {
            let bytes = machine.save(companion);
            write_whole(Path::new(path), &bytes)
                .map_err(|error| PyOSError::new_err(error.to_string()))
        })
    }

    /// The text of the chip description and the note in a snapshot.
    #[staticmethod]
    fn inspect(path: &str) -> PyResult<(String, String)> {
        let (_, companion) = restored(path)?;
        Ok((companion.description, companion.note))
    }

    /// The chip in a snapshot, with these folders shared as they were when it was saved.
    #[staticmethod]
    #[pyo3(signature = (path, shares=Vec::new()))]
    fn restore(path: &str, shares: Vec<String>) -> PyResult<Chip> {
        let (mut machine, companion) = restored(path)?;
        guarded(|| {
            let mut files = Files::new();
            for share in &shares {
                files
                    .share(Path::new(share))
                    .map_err(|error| PyOSError::new_err(error.to_string()))?;
            }
            files
                .restore(&companion.host_service)
                .map_err(|error| SnapshotError::new_err(error.to_string()))?;
            let refusals = files.refusals();
            machine.set_host_service(Box::new(files));
            let machine = Mutex::new(Some(Box::new(machine)));
            Ok(Chip { machine, files: None, refusals, description: companion.description })
        })
    }

    /// Serves a folder to all cores; before any core is released.
    fn share(&mut self, directory: &str) -> PyResult<()> {
        let late = || PyRuntimeError::new_err("folders are shared before cores are released");
        let files = self.files.as_mut().ok_or_else(late)?;
        files.share(Path::new(directory)).map_err(|error| PyOSError::new_err(error.to_string()))
    }

    /// Paths that the file service refused because they lead out of the shared folders.
    fn refusals(&self) -> Vec<(u16, String)> {
        let list = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        list.iter().map(|(core, path)| (core.0, path.clone())).collect()
    }

    /// Loads a kernel, its command line and modules into a core's private memory.
    fn load(
        &mut self,
        core: usize,
        kernel: &[u8],
        command_line: &str,
        modules: Vec<(Bound<'_, PyBytes>, String)>,
    ) -> PyResult<()> {
        self.with_core(core, |machine, core| {
            let modules: Vec<Module> = modules
                .iter()
                .map(|(bytes, name)| Module { bytes: bytes.as_bytes(), name })
                .collect();
            machine
                .load(core, kernel, command_line, &modules)
                .map_err(|error| ImageError::new_err(error.to_string()))
        })
    }

    /// Takes cores out of reset, now.
    fn release(&mut self, cores: Vec<usize>) -> PyResult<()> {
        if let Some(files) = self.files.take() {
            self.with(|machine| {
                machine.set_host_service(Box::new(files));
                Ok(())
            })?;
        }
        for core in cores {
            self.with_core(core, |machine, core| {
                machine.release(core);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Runs for at most `host_ms` of host time and says why it came back: "slice", "until",
    /// "ended", "idle", "input", or "failed": a core was killed or panicked just now.
    fn run(
        &mut self,
        py: Python<'_>,
        until_ps: Option<u64>,
        host_ms: u64,
    ) -> PyResult<&'static str> {
        self.with(|machine| {
            let stopped = py.detach(|| {
                let deadline = Instant::now() + Duration::from_millis(host_ms);
                machine.run(until_ps.map(Ps), || Instant::now() < deadline)
            });
            Ok(match stopped {
                Stopped::Asked => "slice",
                Stopped::Until => "until",
                Stopped::Ended => "ended",
                Stopped::Idle => "idle",
                Stopped::Input => "input",
                Stopped::Failed => "failed",
            })
        })
    }

    /// What cores sent since the last call: (time in ps, core, port, bytes).
    fn output<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Sent<'py>>> {
        self.with(|machine| {
            let output = machine.uncore.board.take_output();
            let item = |part: rockcreek_board::Output| {
                (part.time.0, part.core.0, part.port, PyBytes::new(py, &part.bytes))
            };
            Ok(output.into_iter().map(item).collect())
        })
    }

    /// Input for a core's first serial port, and whether it ends there.
    fn input(&mut self, core: usize, data: &[u8], eof: bool) -> PyResult<()> {
        self.with_core(core, |machine, core| {
            machine.receive(core, data, eof);
            Ok(())
        })
    }

    /// The cores whose read of the serial port waits for input.
    fn needs_input(&mut self) -> PyResult<Vec<u16>> {
        self.with(|machine| Ok(machine.input_core().map(|core| core.0).into_iter().collect()))
    }

    /// The records of the cores that have ended, by core.
    fn exits<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.with(|machine| {
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

    /// All marks so far: (time in ps, core, id).
    fn marks(&mut self) -> PyResult<Vec<(u64, u16, u32)>> {
        self.with(|machine| {
            let marks = machine.uncore.board.host.marks();
            Ok(marks.iter().map(|mark| (mark.time.0, mark.core.0, mark.id)).collect())
        })
    }

    fn time_ps(&mut self) -> PyResult<u64> {
        self.with(|machine| Ok(machine.now().0))
    }

    /// Instructions that all cores have retired.
    fn instructions(&mut self) -> PyResult<u64> {
        self.with(|machine| {
            let count = |slot: &rockcreek_chip::Slot<Core>| slot.processor.counters().instructions;
            Ok(machine.slots().iter().map(count).sum())
        })
    }

    /// What all blocks have counted. Brings the cores to the present time first.
    fn statistics<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.with(|machine| {
            machine.settle();
            statistic(py, &machine.statistics())
        })
    }

    /// Registers and state of one core.
    fn core<'py>(&mut self, py: Python<'py>, core: usize) -> PyResult<Bound<'py, PyDict>> {
        self.with_core(core, |machine, core| {
            machine.settle();
            let slot = machine.slot(core);
            let registers = slot.processor.registers();
            let dict = PyDict::new(py);
            let names = ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"];
            for (name, value) in names.into_iter().zip(registers.general) {
                dict.set_item(name, value)?;
            }
            debug_assert_eq!(names[gpr::ESP], "esp");
            dict.set_item("eip", registers.eip)?;
            dict.set_item("eflags", registers.eflags)?;
            dict.set_item("cs", registers.segments[sreg::CS].selector)?;
            dict.set_item("ss", registers.segments[sreg::SS].selector)?;
            dict.set_item("cr0", registers.cr0)?;
            dict.set_item("cr2", registers.cr2)?;
            dict.set_item("cr3", registers.cr3)?;
            dict.set_item("cr4", registers.cr4)?;
            dict.set_item("cpl", slot.processor.privilege_level())?;
            dict.set_item("state", phase_name(&slot.phase))?;
            dict.set_item("cycles", slot.processor.cycles())?;
            dict.set_item("instructions", slot.processor.counters().instructions)?;
            Ok(dict)
        })
    }

    /// What this core would read at a linear address now, in zero time; `None` if unmapped.
    fn read_linear<'py>(
        &mut self,
        py: Python<'py>,
        core: usize,
        address: u32,
        length: usize,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.with_core(core, |machine, core| {
            machine.settle();
            let bytes = machine.read_linear(core, address, length);
            Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
        })
    }

    /// Memory through this core's LUT, past its caches; `None` where no memory is.
    fn read_physical<'py>(
        &mut self,
        py: Python<'py>,
        core: usize,
        address: u32,
        length: usize,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.with_core(core, |machine, core| {
            let mut bytes = vec![0; length];
            let there = machine.uncore.peek(core, CoreAddr(address), &mut bytes);
            Ok(there.then(|| PyBytes::new(py, &bytes)))
        })
    }

    /// Counts how often the core retires the instructions at these linear addresses in ring 3.
    fn set_probes(&mut self, core: usize, addresses: Vec<u32>) -> PyResult<()> {
        self.with_core(core, |machine, core| {
            for address in addresses {
                machine.slot_mut(core).processor.set_probe(address, true);
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

    /// 32 hexadecimal digits over everything that can matter to a guest.
    fn state_hash(&mut self) -> PyResult<String> {
        self.with(|machine| Ok(machine.state_hash().to_string()))
    }

    /// Starts a commit log in a file.
    fn commit_log(&mut self, path: &str) -> PyResult<()> {
        self.with(|machine| {
            machine
                .start_log(Path::new(path))
                .map_err(|error| PyOSError::new_err(error.to_string()))
        })
    }

    /// Ends the commit log with the statistics.
    fn finish_log(&mut self) -> PyResult<()> {
        self.with(|machine| {
            machine.finish_log().map_err(|error| PyOSError::new_err(error.to_string()))
        })
    }
}

/// The first difference between two commit logs in words, or `None`.
#[pyfunction]
pub fn compare_logs(a: &str, b: &str) -> PyResult<Option<String>> {
    guarded(|| {
        rockcreek_observe::compare(Path::new(a), Path::new(b))
            .map_err(|error| PyOSError::new_err(error.to_string()))
    })
}
