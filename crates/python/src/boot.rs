//! What `rck boot` needs of a chip besides multiboot kernels: raw images, the memory images and
//! LUT data of sccKit's tools, live terminals.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use rockcreek_board::{OtherPorts, PortService};
use rockcreek_defs::{CoreAddr, CoreId, Ps};

use crate::chip::{Chip, ImageError};

/// Writes an image where a core's LUT says that memory is.
#[pyfunction]
pub fn place(chip: &mut Chip, core: usize, address: u32, image: &[u8]) -> PyResult<()> {
    chip.with_core(core, |machine, core| {
        machine
            .place(core, CoreAddr(address), image)
            .map_err(|error| ImageError::new_err(error.to_string()))
    })
}

/// Loads a memory image (`.32.obj`) into a controller's memory.
#[pyfunction]
pub fn load_memory_object(chip: &mut Chip, controller: usize, file: &[u8]) -> PyResult<()> {
    chip.with(|machine| {
        let controllers = machine.uncore.controllers.len();
        if controller >= controllers {
            let text = format!("there is no memory controller {controller} of {controllers}");
            return Err(PyIndexError::new_err(text));
        }
        machine
            .load_memory_object(controller, file)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    })
}

/// Writes LUT data (`lut_init.dat`) into the tiles' registers.
#[pyfunction]
pub fn load_lut_data(chip: &mut Chip, file: &[u8]) -> PyResult<()> {
    chip.with(|machine| {
        machine.load_lut_data(file).map_err(|error| PyValueError::new_err(error.to_string()))
    })
}

/// The core's input comes when the host has it; nobody waits for it.
#[pyfunction]
pub fn set_live(chip: &mut Chip, core: usize) -> PyResult<()> {
    chip.with_core(core, |machine, core| {
        machine.uncore.board.set_live(core);
        Ok(())
    })
}

/// Each core has the ports of a PC.
#[pyfunction]
pub fn set_pc_ports(chip: &mut Chip) -> PyResult<()> {
    chip.with(|machine| {
        machine.uncore.board.other_ports = OtherPorts::of_a_pc(machine.slots().len());
        Ok(())
    })
}

/// Functions of Python that answer ports; they catch their own errors.
struct Functions {
    read: Py<PyAny>,
    write: Py<PyAny>,
}

impl PortService for Functions {
    fn read(&mut self, time: Ps, core: CoreId, port: u16, size: u8) -> Option<u32> {
        Python::attach(|py| {
            self.read.call1(py, (time.0, core.0, port, size)).ok()?.extract(py).ok()?
        })
    }

    fn write(&mut self, time: Ps, core: CoreId, port: u16, size: u8, value: u32) -> bool {
        Python::attach(|py| {
            let known = self.write.call1(py, (time.0, core.0, port, size, value));
            known.and_then(|known| known.extract(py)).unwrap_or(false)
        })
    }
}

/// Has functions asked first for each access to a port: the first with time, core, port and
/// size, which returns a number or None, the second also with the value, which returns whether it
/// knows the port.
#[pyfunction]
pub fn serve_ports(chip: &mut Chip, read: Py<PyAny>, write: Py<PyAny>) -> PyResult<()> {
    chip.with(|machine| {
        machine.uncore.board.other_ports.serve(Functions { read, write });
        Ok(())
    })
}
