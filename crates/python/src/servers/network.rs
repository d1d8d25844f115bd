//! The management PC's network with the cores, for `--forward`: connections by number, and packets
//! that enter the chip at the instant at which it stands.

use std::collections::BTreeMap;

use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rockcreek_defs::{CoreId, Ps};
use rockcreek_forward::{Connection, PacketService, SharedPackets, Stack, State};

use crate::chip::Chip;

/// A core, a packet, and whether the PC sent it.
type Passed<'py> = (u16, Bound<'py, PyBytes>, bool);

/// How far a connection is.
#[pyclass(frozen, get_all, module = "rockcreek._native")]
pub struct ConnectionState {
    /// True until the core accepts or refuses the connection.
    begins: bool,
    /// True if the core may send, or has sent bytes that the PC has not taken yet.
    receives: bool,
    /// True if neither side has anything left to send or to acknowledge.
    over: bool,
}

/// The PC's end of a chip's network.
#[pyclass(module = "rockcreek._native")]
pub struct Network {
    packets: SharedPackets,
    stack: Stack,
    connections: BTreeMap<u64, Connection>,
    opened: u64,
}

impl Network {
    fn connection(&self, number: u64) -> PyResult<Connection> {
        let none = || PyKeyError::new_err(format!("there is no connection {number}"));
        self.connections.get(&number).copied().ok_or_else(none)
    }
}

#[pymethods]
impl Network {
    /// The network of a chip whose cores have been released; its other services stay.
    #[new]
    fn new(chip: &mut Chip) -> PyResult<Network> {
        if chip.files.is_some() {
            return Err(PyRuntimeError::new_err("a network begins after cores were released"));
        }
        let packets = SharedPackets::default();
        let shared = packets.clone();
        let stack = chip.with(|machine| {
            let others = machine.take_host_service();
            machine.set_host_service(Box::new(PacketService::new(shared, others)));
            Ok(Stack::new(machine.reached()))
        })?;
        Ok(Network { packets, stack, connections: BTreeMap::new(), opened: 0 })
    }

    /// Begins a connection to a core's port; `None` if the stack has no room for it.
    fn open(&mut self, core: u16, port: u16) -> Option<u64> {
        let connection = self.stack.open(CoreId(core), port)?;
        self.opened += 1;
        self.connections.insert(self.opened, connection);
        Some(self.opened)
    }

    /// Takes bytes for the core, and returns how many.
    fn send(&mut self, number: u64, data: &[u8]) -> PyResult<usize> {
        let connection = self.connection(number)?;
        Ok(self.stack.send(connection, data))
    }

    /// How many bytes `send` takes now.
    fn room(&mut self, number: u64) -> PyResult<usize> {
        let connection = self.connection(number)?;
        Ok(self.stack.room(connection))
    }

    /// Takes what the core has sent, at most `most` bytes.
    fn receive<'py>(
        &mut self,
        py: Python<'py>,
        number: u64,
        most: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let connection = self.connection(number)?;
        Ok(PyBytes::new(py, &self.stack.receive(connection, most)))
    }

    fn state(&mut self, number: u64) -> PyResult<ConnectionState> {
        let connection = self.connection(number)?;
        let State { begins, receives, over, .. } = self.stack.state(connection);
        Ok(ConnectionState { begins, receives, over })
    }

    /// Ends the PC's side of a connection; the core may still send.
    fn close(&mut self, number: u64) -> PyResult<()> {
        let connection = self.connection(number)?;
        self.stack.close(connection);
        Ok(())
    }

    /// Ends a connection at once.
    fn abort(&mut self, number: u64) -> PyResult<()> {
        let connection = self.connection(number)?;
        self.stack.abort(connection);
        Ok(())
    }

    /// Removes a connection that is over.
    fn forget(&mut self, number: u64) -> PyResult<()> {
        let connection = self.connection(number)?;
        self.connections.remove(&number);
        self.stack.forget(connection);
        Ok(())
    }

    /// Moves packets both ways at the chip's present instant, and returns them in order.
    fn exchange<'py>(&mut self, py: Python<'py>, chip: &mut Chip) -> PyResult<Vec<Passed<'py>>> {
        let now = Ps(chip.with_running(|machine| Ok(machine.reached().0))?);
        let mut passed = self.take_from_cores(py);
        let sent = passed.iter().map(|(_, packet, _)| packet.as_bytes().to_vec());
        for packet in self.stack.exchange(now, sent.collect::<Vec<_>>()) {
            let bytes = PyBytes::new(py, &packet);
            if let Some(core) = self.give(chip, packet)? {
                passed.push((core, bytes, true));
            }
        }
        Ok(passed)
    }

    /// What cores have sent since the last call.
    fn take_from_cores<'py>(&mut self, py: Python<'py>) -> Vec<Passed<'py>> {
        let taken = self.packets.lock().take_from_cores();
        taken.into_iter().map(|(core, bytes)| (core.0, PyBytes::new(py, &bytes), false)).collect()
    }

    /// Gives the chip a packet of the PC now; the core that it was for, if it is for one.
    fn give(&mut self, chip: &mut Chip, packet: Vec<u8>) -> PyResult<Option<u16>> {
        let Some(core) = self.packets.lock().from_pc(packet) else { return Ok(None) };
        chip.note_change();
        chip.with(|machine| {
            if core.index() < machine.slots().len() {
                machine.interrupt(core);
            }
            Ok(Some(core.0))
        })
    }

    /// Packets of cores that were refused, and packets for cores that were lost.
    fn dropped(&self) -> (u64, u64) {
        let packets = self.packets.lock();
        (packets.refused, packets.lost)
    }
}
