//! The wire of a TCP/IP stack: packets that have arrived, and those that it sends.

use std::collections::VecDeque;

use smoltcp::phy::{self, Device, DeviceCapabilities, Medium};
use smoltcp::time::Instant;

use crate::packets::LONGEST;

/// The packets of a stack in both directions, oldest first.
#[derive(Default)]
pub struct Wire {
    pub arrived: VecDeque<Vec<u8>>,
    pub sent: VecDeque<Vec<u8>>,
}

/// A packet that has arrived, for the stack to read.
pub struct Arrived(Vec<u8>);

/// The queue into which the stack writes a packet that it sends.
pub struct Departing<'a>(&'a mut VecDeque<Vec<u8>>);

impl phy::RxToken for Arrived {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, read: F) -> R {
        read(&self.0)
    }
}

impl phy::TxToken for Departing<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, length: usize, fill: F) -> R {
        let mut packet = vec![0; length];
        let result = fill(&mut packet);
        self.0.push_back(packet);
        result
    }
}

impl Device for Wire {
    type RxToken<'a> = Arrived;
    type TxToken<'a> = Departing<'a>;

    fn receive(&mut self, _now: Instant) -> Option<(Arrived, Departing<'_>)> {
        Some((Arrived(self.arrived.pop_front()?), Departing(&mut self.sent)))
    }

    fn transmit(&mut self, _now: Instant) -> Option<Departing<'_>> {
        Some(Departing(&mut self.sent))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ip;
        capabilities.max_transmission_unit = LONGEST;
        capabilities
    }
}
