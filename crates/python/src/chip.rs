//! The chip as a Python class: how it is made, loaded, started, run and talked to. Its other
//! methods are in `snapshots`, `gdb`, `looking` and `counting`.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rockcreek_boot::Module;
use rockcreek_chip::{Description, Stopped};
use rockcreek_cpu::Core;
use rockcreek_debug::GdbServer;
use rockcreek_defs::{CoreId, Ps};

use crate::guard::guarded;

create_exception!(rockcreek._native, DescriptionError, PyValueError);
create_exception!(rockcreek._native, ImageError, PyValueError);

pub(crate) type Machine = rockcreek_chip::Chip<Core>;

/// The file service, before and after the first release. It is handed to the chip when the
/// first core starts, so that folders can be shared one by one before.
pub(crate) type Files = rockcreek_host::FileService;

/// One chip. After a panic it refuses everything: its state may be half changed.
#[pyclass(module = "rockcreek._native")]
pub struct Chip {
    /// Python requires a lock to share the object between threads; `&mut self` already gives
    /// exclusive access.
    pub(crate) machine: Mutex<Option<Box<Machine>>>,
    pub(crate) files: Option<Files>,
    pub(crate) notices: rockcreek_host::SharedNotices,
    /// The text of the chip description, for snapshots.
    pub(crate) description: String,
    pub(crate) gdb: Mutex<Option<GdbServer>>,
    /// The core whose stop ended the last run.
    pub(crate) broken: Option<CoreId>,
}

impl Chip {
    /// Runs `body` on the chip, which is lost if `body` panics.
    pub(crate) fn with<T>(
        &mut self,
        body: impl FnOnce(&mut Machine) -> PyResult<T>,
    ) -> PyResult<T> {
        self.with_running(|machine| {
            machine.rest();
            body(machine)
        })
    }

    /// Calls `body` with the chip for a use that does not look at cores: waiting cores are not
    /// brought to the present, which would cost each slice of a run.
    pub(crate) fn with_running<T>(
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

    pub(crate) fn gdb(&mut self) -> Option<&mut GdbServer> {
        self.gdb.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut()
    }

    /// Call for each change of the chip from outside: gdb does not go back over it.
    pub(crate) fn note_change(&mut self) {
        if let Some(server) = self.gdb() {
            server.note_change();
        }
    }

    /// Calls `body` with the chip and one of its cores.
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

pub(crate) fn broken() -> PyErr {
    PyRuntimeError::new_err("this chip met a bug of rockcreek and is lost")
}

pub(crate) fn stopped_name(stopped: Stopped) -> &'static str {
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

/// Time in ps, core, port, bytes.
type Sent<'py> = (u64, u16, u16, Bound<'py, PyBytes>);

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
            let notices = files.notices();
            let machine = Mutex::new(Some(Box::new(machine)));
            let description = description_toml.to_owned();
            let gdb = Mutex::new(None);
            Ok(Chip { machine, files: Some(files), notices, description, gdb, broken: None })
        })
    }

    /// Whether rounds of waiting loops are passed instead of executed: it changes the host's
    /// speed and nothing else.
    fn set_skipping(&mut self, on: bool) -> PyResult<()> {
        self.with(|machine| {
            machine.set_skipping(on);
            Ok(())
        })
    }

    /// Whether hot code is made host code: it changes the host's speed and nothing else.
    fn set_translating(&mut self, on: bool) -> PyResult<()> {
        self.with(|machine| {
            machine.set_translating(on);
            Ok(())
        })
    }

    /// On how many host threads cores run side by side: it changes the host's speed and nothing
    /// else.
    fn set_threads(&mut self, threads: usize) -> PyResult<()> {
        self.with(|machine| {
            let refused = |error| PyOSError::new_err(format!("{threads} threads: {error}"));
            machine.set_threads(threads).map_err(refused)
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
        let notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        notices.refusals.iter().map(|(core, path)| (core.0, path.clone())).collect()
    }

    /// The core for whose files the host had no descriptor left; what its guest got is no answer.
    fn starved_of_files(&self) -> Option<u16> {
        let notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        notices.host_is_full.map(|core| core.0)
    }

    /// Triple faults that have reset their cores since the last call: core, time, vector, EIP.
    fn restarts(&mut self) -> PyResult<Vec<(u16, u64, u8, u32)>> {
        self.with_running(|machine| {
            let restarts = machine.take_restarts();
            Ok(restarts.iter().map(|r| (r.core.0, r.time.0, r.vector, r.eip)).collect())
        })
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

    /// Takes cores out of reset, now or at an instant to come.
    #[pyo3(signature = (cores, at_ps=None))]
    fn release(&mut self, cores: Vec<usize>, at_ps: Option<u64>) -> PyResult<()> {
        if let Some(files) = self.files.take() {
            self.with(|machine| {
                machine.set_host_service(Box::new(files));
                Ok(())
            })?;
        }
        self.note_change();
        for core in cores {
            self.with_core(core, |machine, core| {
                match at_ps {
                    None => machine.release(core),
                    Some(at_ps) => machine.release_at(core, Ps(at_ps)),
                }
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
        let stopped = self.with_running(|machine| {
            Ok(py.detach(|| {
                let deadline = Instant::now() + Duration::from_millis(host_ms);
                machine.run(until_ps.map(Ps), || Instant::now() < deadline)
            }))
        })?;
        self.broken = match stopped {
            Stopped::Break(core) => Some(core),
            _ => None,
        };
        Ok(stopped_name(stopped))
    }

    /// What cores sent since the last call: (time in ps, core, port, bytes).
    fn output<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Sent<'py>>> {
        self.with_running(|machine| {
            let output = machine.uncore.board.take_output();
            let item = |part: rockcreek_board::Output| {
                (part.time.0, part.core.0, part.port, PyBytes::new(py, &part.bytes))
            };
            Ok(output.into_iter().map(item).collect())
        })
    }

    /// Input for a core's first serial port, and whether it ends there.
    fn input(&mut self, core: usize, data: &[u8], eof: bool) -> PyResult<()> {
        let waited = self.with_core(core, |machine, core| {
            let waited = machine.input_core() == Some(core);
            machine.receive(core, data, eof);
            Ok(waited)
        })?;
        if let Some(server) = self.gdb() {
            server.note_input(CoreId(core as u16), data, eof, waited);
        }
        Ok(())
    }

    /// The cores whose read of the serial port waits for input.
    fn needs_input(&mut self) -> PyResult<Vec<u16>> {
        self.with_running(|machine| {
            Ok(machine.input_core().map(|core| core.0).into_iter().collect())
        })
    }

    fn time_ps(&mut self) -> PyResult<u64> {
        self.with_running(|machine| Ok(machine.reached().0))
    }
}
