//! Files that Python has opened (`rockcreek.outputs` alone decides where and how) and the engine writes.

use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, RawFd};

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

/// The file behind a descriptor of the caller's, who keeps and closes it; both share one position.
pub fn file(descriptor: RawFd) -> PyResult<File> {
    if descriptor < 0 {
        return Err(PyValueError::new_err("a descriptor is not negative"));
    }
    // SAFETY: borrowed for this call alone, while the caller holds it; a number that is not open
    // makes the duplication fail.
    let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
    borrowed.try_clone_to_owned().map(File::from).map_err(|failure| error(&failure))
}

/// The host's error with its number, as Python knows it.
pub fn error(error: &io::Error) -> PyErr {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(number) => {
            let words = text.trim_end_matches(&format!(" (os error {number})")).to_owned();
            PyOSError::new_err((number, words))
        }
        None => PyOSError::new_err(text),
    }
}
