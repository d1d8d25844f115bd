//! Core files: what a core holds, as gdb opens it later.

use std::os::fd::RawFd;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rockcreek_debug::core_file::{self, ProgramRegisters, Subject};

use crate::chip::Chip;
use crate::outputs;

/// EIP, EFLAGS, the general registers, CS, SS, DS, ES, FS, GS.
type Registers = (u32, u32, Vec<u32>, Vec<u32>);
/// Name, arguments, the signal that ended it (or 0), and whether only pages of ring 3 matter.
type Program = (String, String, u16, bool);

fn program_registers(registers: Registers) -> PyResult<ProgramRegisters> {
    let (eip, eflags, general, segments) = registers;
    let wrong = |_| PyValueError::new_err("8 general registers and 6 segment registers are needed");
    Ok(ProgramRegisters {
        general: general.try_into().map_err(wrong)?,
        eip,
        eflags,
        segments: segments.try_into().map_err(wrong)?,
    })
}

#[pymethods]
impl Chip {
    /// Writes a core file of one core into an open file. `registers` are the program's where its kernel runs now.
    fn core_file(
        &mut self,
        core: usize,
        descriptor: RawFd,
        program: Program,
        registers: Option<Registers>,
    ) -> PyResult<()> {
        let mut file = outputs::file(descriptor)?;
        let registers = registers.map(program_registers).transpose()?;
        let (name, arguments, signal, user_only) = program;
        let subject = Subject { registers, user_only, signal, name, arguments };
        self.with_core(core, |machine, core| {
            machine.settle();
            core_file::write(machine, core, &subject, &mut file)
                .map_err(|error| outputs::error(&error))
        })
    }
}
