//! The management PC's end of a network with the cores: packets over their host channels, and
//! TCP/IP in this process, without the host's network.
//!
//! A core sends an IP packet by service 2 of its host channel, and takes one by service 3. What the
//! PC has for a core lies in a queue until the core takes it; an interrupt of the PC says that
//! something is there. [`Stack`] is the PC's TCP: it opens connections to the cores, and
//! refuses all that they open themselves.
//!
//! Packets of the PC enter the chip when the front end says so, at an instant of simulated time.
//! What a core sees depends on these packets and instants alone, so that their record, given
//! again, makes the same run. Left out: UDP, IPv6, fragments, and answers to pings.

mod packets;
mod service;
mod stack;
mod wire;

pub use packets::{Packets, SharedPackets};
pub use service::{PacketService, RECEIVE_SERVICE, SEND_SERVICE};
pub use stack::{Connection, Stack, State};
pub use wire::Wire;
