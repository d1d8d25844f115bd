//! The chip as a Python class.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rockcreek_board::HostService;
use rockcreek_boot::Module;
use rockcreek_chip::{Companion, Description, Phase, Stopped};
use rockcreek_cpu::{Core, sreg};
use rockcreek_debug::{GdbServer, Slice};
use rockcreek_defs::{CoreAddr, CoreId, Ps};

use crate::guard::guarded;
use crate::looking;
use crate::values::statistic;

create_exception!(rockcreek._native, DescriptionError, PyValueError);
create_exception!(rockcreek._native, ImageError, PyValueError);
create_exception!(rockcreek._native, SnapshotError, PyValueError);

pub(crate) type Machine = rockcreek_chip::Chip<Core>;

/// The file service, before and after the first release. It is handed to the chip when the
/// first core starts, so that folders can be shared one by one before.
type Files = rockcreek_host::FileService;

/// The file service of a chip that is only looked at: it keeps its state and answers nobody.
struct Resting(Vec<u8>);

impl HostService for Resting {
    fn call(&mut self, _core: CoreId, _service: u32, _request: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn save(&self) -> Vec<u8> {
        self.0.clone()
    }
}

/// One chip. After a panic it refuses everything: its state may be half changed.
#[pyclass(module = "rockcreek._native")]
pub struct Chip {
    /// The lock only tells Python that threads may share the object; `&mut self` rules.
    machine: Mutex<Option<Box<Machine>>>,
    files: Option<Files>,
    refusals: rockcreek_host::Refusals,
    /// The text of the chip description, for snapshots.
    description: String,
    gdb: Mutex<Option<GdbServer>>,
}

impl Chip {
    /// Runs `body` on the chip, which is lost if `body` panics.
    pub(crate) fn with<T>(
        &mut self,
        body: impl FnOnce(&mut Machine) -> PyResult<T>,
    ) -> PyResult<T> {
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

fn broken() -> PyErr {
    PyRuntimeError::new_err("this chip met a bug of rockcreek and is lost")
}

fn stopped_name(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Asked => "slice",
        Stopped::Until => "until",
        Stopped::Ended => "ended",
        Stopped::Idle => "idle",
        Stopped::Input => "input",
        Stopped::Failed => "failed",
        Stopped::Break(_) => "break",
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
        Phase::Inject(_) | Phase::Flight(..) | Phase::Answer(..) => "waiting",
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
            let gdb = Mutex::new(None);
            Ok(Chip { machine, files: Some(files), refusals, description, gdb })
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

    /// The chip in a snapshot, with these folders shared as they were when it was saved; with none
    /// (`None`) it can be looked at, changed and saved, but not run on.
    #[staticmethod]
    #[pyo3(signature = (path, shares=Some(Vec::new())))]
    fn restore(path: &str, shares: Option<Vec<String>>) -> PyResult<Chip> {
        let (mut machine, companion) = restored(path)?;
        guarded(|| {
            let mut files = Files::new();
            let refusals = files.refusals();
            let gdb = Mutex::new(None);
            let Some(shares) = shares else {
                machine.set_host_service(Box::new(Resting(companion.host_service)));
                let machine = Mutex::new(Some(Box::new(machine)));
                let description = companion.description;
                return Ok(Chip { machine, files: None, refusals, description, gdb });
            };
            for share in &shares {
                files
                    .share(Path::new(share))
                    .map_err(|error| PyOSError::new_err(error.to_string()))?;
            }
            files
                .restore(&companion.host_service)
                .map_err(|error| SnapshotError::new_err(error.to_string()))?;
            machine.set_host_service(Box::new(files));
            let machine = Mutex::new(Some(Box::new(machine)));
            let description = companion.description;
            Ok(Chip { machine, files: None, refusals, description, gdb })
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
            Ok(stopped_name(stopped))
        })
    }

    /// Waits for gdb at an address such as `localhost:1234`, which comes back with its port.
    fn gdb_listen(&mut self, address: &str) -> PyResult<String> {
        let error = |error: rockcreek_debug::ServerError| PyOSError::new_err(error.to_string());
        let server = GdbServer::listen(address).map_err(error)?;
        let address = server.address().map_err(error)?;
        *self.gdb.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(server);
        Ok(address.to_string())
    }

    /// As `run`, at gdb's word; also "waiting" (for gdb), "paused" (gdb's prompt), "killed".
    fn gdb_slice(
        &mut self,
        py: Python<'_>,
        until_ps: Option<u64>,
        host_ms: u64,
    ) -> PyResult<&'static str> {
        let slot = self.gdb.get_mut().unwrap_or_else(PoisonError::into_inner);
        let missing = || PyRuntimeError::new_err("gdb_listen comes first");
        let mut server = slot.take().ok_or_else(missing)?;
        let slot = self.machine.get_mut().unwrap_or_else(PoisonError::into_inner);
        let machine = slot.take().ok_or_else(broken)?;
        let (machine, server, result) = guarded(|| {
            py.detach(move || {
                let host = Duration::from_millis(host_ms);
                let (machine, result) = server.slice(machine, until_ps.map(Ps), host);
                Ok((machine, server, result))
            })
        })?;
        *slot = Some(machine);
        *self.gdb.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(server);
        match result.map_err(|error| PyOSError::new_err(error.to_string()))? {
            Slice::Waiting => Ok("waiting"),
            Slice::Paused => Ok("paused"),
            Slice::Killed => Ok("killed"),
            Slice::Ran(stopped) => Ok(stopped_name(stopped)),
        }
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
            for (name, value) in looking::GENERAL.into_iter().zip(registers.general) {
                dict.set_item(name, value)?;
            }
            dict.set_item("eip", registers.eip)?;
            dict.set_item("eflags", registers.eflags)?;
            dict.set_item("cs", registers.segments[sreg::CS].selector)?;
            dict.set_item("ss", registers.segments[sreg::SS].selector)?;
            dict.set_item("ds", registers.segments[sreg::DS].selector)?;
            dict.set_item("es", registers.segments[sreg::ES].selector)?;
            dict.set_item("fs", registers.segments[sreg::FS].selector)?;
            dict.set_item("gs", registers.segments[sreg::GS].selector)?;
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

    /// The register at an offset of a tile's configuration block, without side effects.
    fn crb(&mut self, tile: usize, offset: u32) -> PyResult<u32> {
        self.with(|machine| looking::crb(machine, tile, offset))
    }

    /// Writes that register, with all that follows.
    fn set_crb(&mut self, tile: usize, offset: u32, value: u32) -> PyResult<()> {
        self.with(|machine| looking::set_crb(machine, tile, offset, value))
    }

    /// The message-passing buffer of a tile.
    fn mpb<'py>(&mut self, py: Python<'py>, tile: usize) -> PyResult<Bound<'py, PyBytes>> {
        self.with(|machine| Ok(PyBytes::new(py, &looking::mpb(machine, tile)?)))
    }

    /// Changes bytes of it.
    fn set_mpb(&mut self, tile: usize, offset: usize, bytes: &[u8]) -> PyResult<()> {
        self.with(|machine| looking::set_mpb(machine, tile, offset, bytes))
    }

    /// Valid lines of a core's caches: (cache, set, way, address, dirty, from an MPBT page).
    fn cached_lines(&mut self, core: usize) -> PyResult<Vec<looking::Line>> {
        self.with_core(core, |machine, core| Ok(looking::lines(machine, core)))
    }

    /// The bytes behind a core's LUT; False where no memory is.
    fn write_physical(&mut self, core: usize, address: u32, bytes: &[u8]) -> PyResult<bool> {
        self.with_core(core, |machine, core| {
            machine.settle();
            Ok(machine.uncore.poke(core, CoreAddr(address), bytes))
        })
    }

    /// What this core sees at a linear address; False where nothing is mapped.
    fn write_linear(&mut self, core: usize, address: u32, bytes: &[u8]) -> PyResult<bool> {
        self.with_core(core, |machine, core| Ok(machine.write_linear(core, address, bytes)))
    }

    /// A general register, `eip` or `eflags`; False if there is none of this name.
    fn set_register(&mut self, core: usize, name: &str, value: u32) -> PyResult<bool> {
        self.with_core(core, |machine, core| Ok(looking::set_register(machine, core, name, value)))
    }

    /// Control, status and tag word, and the eight registers as significand and sign-exponent.
    fn x87(&mut self, core: usize) -> PyResult<looking::X87> {
        self.with_core(core, |machine, core| Ok(looking::x87(machine, core)))
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
