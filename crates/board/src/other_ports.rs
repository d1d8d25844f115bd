//! Who answers the ports that are no serial ports: nobody, as on the SCC; ports of a PC; or software
//! of the management PC's user.

use std::fmt::{Debug, Formatter, Result};
use std::sync::{Arc, Mutex};

use rockcreek_defs::{CoreId, Ps};
use serde::{Deserialize, Serialize};

use crate::pc_ports::PcPorts;

/// Software outside that answers ports. The chip's state does not hold the software's state.
pub trait PortService: Send {
    /// IN; `None` if it does not know the port.
    fn read(&mut self, time: Ps, core: CoreId, port: u16, size: u8) -> Option<u32>;
    /// OUT; false if it does not know the port.
    fn write(&mut self, time: Ps, core: CoreId, port: u16, size: u8, value: u32) -> bool;
}

/// A service that copies of a board share.
#[derive(Clone, Default)]
struct Service(Option<Arc<Mutex<dyn PortService>>>);

impl Debug for Service {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        write!(to, "Service({})", self.0.is_some())
    }
}

/// What is outside makes no difference between boards.
impl PartialEq for Service {
    fn eq(&self, _: &Service) -> bool {
        true
    }
}

impl Eq for Service {}

/// The ports besides the serial ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherPorts {
    /// By core; empty without ports of a PC.
    pc: Vec<PcPorts>,
    #[serde(skip)]
    service: Service,
}

impl OtherPorts {
    /// Ports of a PC for each of so many cores.
    pub fn of_a_pc(cores: usize) -> OtherPorts {
        OtherPorts { pc: vec![PcPorts::default(); cores], service: Service::default() }
    }

    /// From now on this service is asked first.
    pub fn serve(&mut self, service: impl PortService + 'static) {
        self.service = Service(Some(Arc::new(Mutex::new(service))));
    }

    /// True if the chip's state has all that answers.
    pub fn are_plain(&self) -> bool {
        self.service.0.is_none()
    }

    /// True if somebody besides the serial ports may answer.
    pub fn are_there(&self) -> bool {
        !self.pc.is_empty() || !self.are_plain()
    }

    /// The number of cores with ports of a PC.
    pub fn cores(&self) -> usize {
        self.pc.len()
    }

    /// Asks the service for a whole access.
    pub fn ask(&self, time: Ps, core: CoreId, port: u16, size: u8) -> Option<u32> {
        let service = self.service.0.as_ref()?;
        service.lock().ok()?.read(time, core, port, size)
    }

    /// Tells the service of a whole access; true if it knows the port.
    pub fn tell(&self, time: Ps, core: CoreId, port: u16, bytes: &[u8]) -> bool {
        let Some(service) = &self.service.0 else { return false };
        let mut value = [0; 4];
        value[..bytes.len()].copy_from_slice(bytes);
        let (size, value) = (bytes.len() as u8, u32::from_le_bytes(value));
        service.lock().is_ok_and(|mut service| service.write(time, core, port, size, value))
    }

    /// IN of one byte from a port of a PC.
    pub fn read(&mut self, time: Ps, core: CoreId, port: u16) -> Option<u8> {
        self.pc.get_mut(core.index())?.read(port, time)
    }

    /// OUT of one byte to a port of a PC.
    pub fn write(&mut self, time: Ps, core: CoreId, port: u16, value: u8) {
        if let Some(ports) = self.pc.get_mut(core.index()) {
            ports.write(port, value, time);
        }
    }
}
