//! `rockcreek._native`: the engine for the Python package, and nothing that users see.
//!
//! The boundary: plain Python values in and out, the GIL released while the chip runs, and no
//! Rust panic passes; it becomes a `RuntimeError` that asks for a report.

mod boot;
mod checking;
mod chip;
mod counting;
mod dumping;
mod faults;
mod guard;
mod looking;
mod outputs;
mod sampling;
mod servers;
mod snapshots;
mod symbols;
mod tracing;
mod values;

use pyo3::prelude::*;

/// What cores and memories hold is spread over a hundred megabytes, and each transaction looks at
/// some of it: in large pages the host finds it sooner.
#[global_allocator]
static ALLOCATOR: guard::Memory = guard::Memory;

/// The module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    // Who measures the engine's speed must know which one it is.
    let build = if cfg!(debug_assertions) { "development" } else { "release" };
    module.add("BUILD", build)?;
    module.add("DescriptionError", py.get_type::<chip::DescriptionError>())?;
    module.add("ImageError", py.get_type::<chip::ImageError>())?;
    module.add("SnapshotError", py.get_type::<snapshots::SnapshotError>())?;
    module.add_class::<chip::Chip>()?;
    module.add_class::<servers::network::ConnectionState>()?;
    module.add_class::<servers::network::Network>()?;
    module.add_class::<sampling::Sampler>()?;
    module.add_class::<symbols::Symbols>()?;
    module.add_class::<tracing::Trace>()?;
    module.add_function(wrap_pyfunction!(boot::place, module)?)?;
    module.add_function(wrap_pyfunction!(boot::load_memory_object, module)?)?;
    module.add_function(wrap_pyfunction!(boot::load_lut_data, module)?)?;
    module.add_function(wrap_pyfunction!(boot::set_live, module)?)?;
    module.add_function(wrap_pyfunction!(boot::set_pc_ports, module)?)?;
    module.add_function(wrap_pyfunction!(boot::serve_ports, module)?)?;
    module.add_function(wrap_pyfunction!(counting::compare_logs, module)?)?;
    module.add_function(wrap_pyfunction!(guard::confine, module)?)?;
    module.add_function(wrap_pyfunction!(guard::confine_paths, module)?)?;
    module.add_function(wrap_pyfunction!(guard::guards_paths, module)?)?;
    module.add_function(wrap_pyfunction!(guard::is_host_code_denied, module)?)?;
    module.add_function(wrap_pyfunction!(guard::is_memory_short, module)?)?;
    module.add_function(wrap_pyfunction!(guard::set_memory_apart, module)?)?;
    module.add_function(wrap_pyfunction!(looking::register_tables, module)?)?;
    module.add_function(wrap_pyfunction!(symbols::source_files, module)?)?;
    module.add_function(wrap_pyfunction!(symbols::demangle, module)?)?;
    module.add_function(wrap_pyfunction!(symbols::disassemble, module)?)?;
    module.add_function(wrap_pyfunction!(symbols::returns_of, module)?)?;
    Ok(())
}
