//! Snapshots as files: saving a chip, looking into one, going on from one.

use std::io::{self, Write};
use std::os::fd::RawFd;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::Mutex;

use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use rockcreek_board::HostService;
use rockcreek_chip::Companion;
use rockcreek_cpu::Core;
use rockcreek_defs::CoreId;

use crate::chip::{Chip, Files, Machine};
use crate::guard::guarded;
use crate::outputs;

create_exception!(rockcreek._native, SnapshotError, PyValueError);

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

/// The bytes of a file; a device might have no end.
fn read(path: &str) -> io::Result<Vec<u8>> {
    if std::fs::metadata(path)?.file_type().is_char_device() {
        return Err(io::Error::other("is a device, not a file"));
    }
    std::fs::read(path)
}

fn bytes(path: &str) -> PyResult<Vec<u8>> {
    read(path).map_err(|error| PyOSError::new_err(error.to_string()))
}

/// Reads a snapshot. A file that is none, or is damaged, is a `SnapshotError`.
fn restored(path: &str) -> PyResult<(Machine, Companion)> {
    let bytes = bytes(path)?;
    guarded(|| {
        Machine::restore(&bytes, |description, core| Core::new(core, &description.cpu))
            .map_err(|error| SnapshotError::new_err(error.to_string()))
    })
}

#[pymethods]
impl Chip {
    /// Writes the whole chip into an open file. `note` comes back from `restore`.
    fn save(&mut self, descriptor: RawFd, note: &str) -> PyResult<()> {
        let mut file = outputs::file(descriptor)?;
        let description = self.description.clone();
        let companion = Companion { description, note: note.to_owned(), ..Companion::default() };
        self.with(|machine| {
            let bytes = machine.save(companion);
            file.write_all(&bytes).map_err(|error| outputs::error(&error))
        })
    }

    /// The text of the chip description and the note in a snapshot.
    #[staticmethod]
    fn inspect(path: &str) -> PyResult<(String, String)> {
        let companion = guarded(|| {
            Companion::of(&bytes(path)?).map_err(|error| SnapshotError::new_err(error.to_string()))
        })?;
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
            let notices = files.notices();
            let gdb = Mutex::new(None);
            let Some(shares) = shares else {
                machine.set_host_service(Box::new(Resting(companion.host_service)));
                let machine = Mutex::new(Some(Box::new(machine)));
                let description = companion.description;
                return Ok(Chip { machine, files: None, notices, description, gdb, broken: None });
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
            Ok(Chip { machine, files: None, notices, description, gdb, broken: None })
        })
    }
}
