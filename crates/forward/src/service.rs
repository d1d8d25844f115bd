//! The two services of the host channel by which a core sends and takes packets.

use rockcreek_board::HostService;
use rockcreek_defs::CoreId;

use crate::packets::SharedPackets;

/// The service by which a core sends: the request is an IP packet, the reply is empty.
pub const SEND_SERVICE: u32 = 2;
/// The service by which a core receives: the request is empty, the reply is the next IP packet for
/// the core, or empty.
pub const RECEIVE_SERVICE: u32 = 3;

/// The host's services of a chip with a network: packets here, other requests by `others`, the
/// service that the chip had before.
pub struct PacketService {
    packets: SharedPackets,
    others: Option<Box<dyn HostService>>,
}

impl PacketService {
    pub fn new(packets: SharedPackets, others: Option<Box<dyn HostService>>) -> PacketService {
        PacketService { packets, others }
    }
}

impl HostService for PacketService {
    fn call(&mut self, core: CoreId, service: u32, request: &[u8]) -> Option<Vec<u8>> {
        match service {
            SEND_SERVICE => {
                self.packets.lock().from_core(core, request);
                Some(Vec::new())
            }
            RECEIVE_SERVICE => Some(self.packets.lock().take_for(core).unwrap_or_default()),
            _ => self.others.as_mut()?.call(core, service, request),
        }
    }

    /// Saves the other service alone: connections end with the process that has them.
    fn save(&self) -> Vec<u8> {
        self.others.as_ref().map(|others| others.save()).unwrap_or_default()
    }
}
