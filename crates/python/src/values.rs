//! Statistics as Python values.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rockcreek_observe::Statistic;

/// Nested dicts and lists of ints.
pub fn statistic<'py>(py: Python<'py>, value: &Statistic) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Statistic::Count(count) => Ok(count.into_pyobject(py)?.into_any()),
        Statistic::List(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(statistic(py, item)?)?;
            }
            Ok(list.into_any())
        }
        Statistic::Group(parts) => {
            let dict = PyDict::new(py);
            for (name, part) in parts {
                dict.set_item(name, statistic(py, part)?)?;
            }
            Ok(dict.into_any())
        }
    }
}
