//! gdb: the server behind `--gdb`, in slices.

use std::sync::PoisonError;
use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use rockcreek_debug::{GdbServer, Manner, Slice};
use rockcreek_defs::Ps;

use crate::chip::{Chip, broken, stopped_name};
use crate::guard::guarded;

#[pymethods]
impl Chip {
    /// Listens for gdb at an address such as `localhost:1234`, and returns the address with its
    /// port. With `wait` nothing runs before gdb has connected; with `tell_rest` gdb is notified
    /// when nothing can happen any more.
    fn gdb_listen(&mut self, address: &str, wait: bool, tell_rest: bool) -> PyResult<String> {
        let error = |error: rockcreek_debug::ServerError| PyOSError::new_err(error.to_string());
        let server = GdbServer::listen(address, Manner { wait, tell_rest }).map_err(error)?;
        let address = server.address().map_err(error)?;
        *self.gdb.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(server);
        Ok(address.to_string())
    }

    /// What the user is to hear of clients, since the last call.
    fn gdb_notices(&mut self) -> Vec<String> {
        self.gdb().map(GdbServer::notices).unwrap_or_default()
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
}
