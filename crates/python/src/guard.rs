//! What must not pass: a panic into Python, a fault of the engine into its host, and an end for
//! want of memory without a message.

mod memory;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use rockcreek_sandbox::Kept;

pub use memory::Memory;

/// What PyO3 panics with when Python makes no object, for which Python has printed the reason.
const NO_OBJECT: &str = "Python API call failed";

/// Runs `body`; a panic becomes a `RuntimeError`. Whatever `body` was changing must not be used
/// afterwards, which the caller sees to.
pub fn guarded<T>(body: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let words = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        if words == NO_OBJECT {
            return Err(PyMemoryError::new_err("Python has no memory for an object"));
        }
        Err(PyRuntimeError::new_err(format!(
            "a bug in rockcreek, not in your program: {words}; please report it with the command \
             that led here"
        )))
    })
}

/// Confines this process for good to reading and to writing beneath these paths; whether its
/// kernel guards paths at all. An OSError says why it cannot be.
#[pyfunction]
pub fn confine(read: Vec<PathBuf>, write: Vec<PathBuf>) -> PyResult<bool> {
    let confined = rockcreek_sandbox::confine(&Kept { read, write, ..Kept::default() });
    Ok(confined.map_err(|failure| PyOSError::new_err(failure.to_string()))?.paths)
}

/// Confines this process, and all that it becomes or starts, to reading and executing, and to
/// writing, beneath these paths; whether its kernel guards paths at all.
#[pyfunction]
pub fn confine_paths(run: Vec<PathBuf>, write: Vec<PathBuf>) -> PyResult<bool> {
    rockcreek_sandbox::confine_paths(&Kept { run, write, ..Kept::default() })
        .map_err(|failure| PyOSError::new_err(failure.to_string()))
}

/// Whether this host's kernel guards paths.
#[pyfunction]
pub fn guards_paths() -> bool {
    rockcreek_sandbox::guards_paths()
}

/// Whether the host lets no memory of this process become code, so that all is interpreted.
#[pyfunction]
pub fn is_host_code_denied() -> bool {
    rockcreek_cpu::is_host_code_denied()
}

/// Sets memory apart for a run's end; for a process that the command has to itself.
#[pyfunction]
pub fn set_memory_apart() {
    memory::set_apart();
}

/// Whether the host has refused memory to the engine, so that a run must end.
#[pyfunction]
pub fn is_memory_short() -> bool {
    memory::is_short()
}
