//! No panic crosses into Python.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Runs `body`; a panic becomes a `RuntimeError`. Whatever `body` was changing must not be used
/// afterwards, which the caller sees to.
pub fn guarded<T>(body: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let words = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Err(PyRuntimeError::new_err(format!(
            "a bug in rockcreek, not in your program: {words}; please report it with the command \
             that led here"
        )))
    })
}
