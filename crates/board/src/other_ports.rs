//! The I/O ports besides the serial ones: no port answers, as on the SCC; or a PC's devices answer; or
//! a service does, which is software of the management PC's user.

use std::fmt::{Debug, Formatter, Result};
use std::sync::{Arc, Mutex};

use rockcreek_defs::{CoreId, Ps};
use serde::{Deserialize, Serialize};

use crate::pc_ports::PcPorts;

/// Software of the host that answers accesses to ports. The chip's state does not contain the
/// software's state.
pub trait PortService: Send {
    /// Answers an IN of `size` bytes; `None` if the software does not know the port.
    fn read(&mut self, time: Ps, core: CoreId, port: u16, size: u8) -> Option<u32>;
    /// Takes an OUT of `size` bytes; returns false if the software does not know the port.
    fn write(&mut self, time: Ps, core: CoreId, port: u16, size: u8, value: u32) -> bool;
}

/// The service, which all copies of a board share; `None` if there is none.
#[derive(Clone, Default)]
struct Service(Option<Arc<Mutex<dyn PortService>>>);

impl Debug for Service {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        write!(to, "Service({})", self.0.is_some())
    }
}

/// Two services count as equal, because no service is a part of a board's state.
impl PartialEq for Service {
    fn eq(&self, _: &Service) -> bool {
        true
    }
}

impl Eq for Service {}

/// All ports besides the serial ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherPorts {
    /// The ports of a PC, by core; empty if the cores have none.
    pc: Vec<PcPorts>,
    #[serde(skip)]
    service: Service,
}

impl OtherPorts {
    /// The ports of a PC for each core; `cores`: their number.
    pub fn of_a_pc(cores: usize) -> OtherPorts {
        OtherPorts { pc: vec![PcPorts::default(); cores], service: Service::default() }
    }

    /// Sets the service that is asked first from now on.
    pub fn serve(&mut self, service: impl PortService + 'static) {
        self.service = Service(Some(Arc::new(Mutex::new(service))));
    }

    /// True if no service answers, so that the chip's state contains all that does.
    pub fn are_plain(&self) -> bool {
        self.service.0.is_none()
    }

    /// True if any port besides the serial ones may answer.
    pub fn are_there(&self) -> bool {
        !self.pc.is_empty() || !self.are_plain()
    }

    /// The number of cores with ports of a PC.
    pub fn cores(&self) -> usize {
        self.pc.len()
    }

    /// Passes an IN to the service; `None` if there is no service or it does not know the port.
    pub fn ask(&self, time: Ps, core: CoreId, port: u16, size: u8) -> Option<u32> {
        let service = self.service.0.as_ref()?;
        service.lock().ok()?.read(time, core, port, size)
    }

    /// Passes an OUT to the service; returns true if the service knows the port.
    pub fn tell(&self, time: Ps, core: CoreId, port: u16, bytes: &[u8]) -> bool {
        let Some(service) = &self.service.0 else { return false };
        let mut value = [0; 4];
        value[..bytes.len()].copy_from_slice(bytes);
        let (size, value) = (bytes.len() as u8, u32::from_le_bytes(value));
        service.lock().is_ok_and(|mut service| service.write(time, core, port, size, value))
    }

    /// Performs an IN of one byte from a port of a PC; `None` if no device answers.
    pub fn read(&mut self, time: Ps, core: CoreId, port: u16) -> Option<u8> {
        self.pc.get_mut(core.index())?.read(port, time)
    }

    /// Performs an OUT of one byte to a port of a PC.
    pub fn write(&mut self, time: Ps, core: CoreId, port: u16, value: u8) {
        if let Some(ports) = self.pc.get_mut(core.index()) {
            ports.write(port, value, time);
        }
    }
}
