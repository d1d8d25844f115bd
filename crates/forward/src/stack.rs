//! The PC's TCP (smoltcp): connections to ports of cores, on simulated time.

use std::collections::{HashSet, VecDeque};

use rockcreek_defs::{CoreId, Ps};
use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::socket::Socket as AnySocket;
use smoltcp::socket::tcp::{self, Socket, SocketBuffer};
use smoltcp::time::{Duration, Instant};
use smoltcp::wire::{HardwareAddress, IpAddress, IpCidr};

use crate::packets::{PC, address_of};
use crate::wire::Wire;

/// The bytes that a connection buffers in each direction: more than a core's TCP sends
/// unacknowledged.
const BUFFER: usize = 65_535;
/// A core that has not answered for this time is gone.
const PATIENCE: Duration = Duration::from_secs(60);
/// The first of the ports from which the PC connects, and how many it uses one after the other.
const FIRST_PORT: u16 = 49_152;
const PORTS: u16 = 16_384;
/// The bits of the net's part of an address.
const PREFIX: u8 = 24;

const PS_PER_US: u64 = 1_000_000;

/// A connection of this stack.
pub type Connection = SocketHandle;

/// The state of a connection, by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// True until the core accepts or refuses the connection.
    pub begins: bool,
    /// True if the PC may send.
    pub sends: bool,
    /// True if the core may send, or has sent bytes that the PC has not taken yet.
    pub receives: bool,
    /// True if neither side has anything left to send or to acknowledge.
    pub over: bool,
}

/// The PC's interface and its connections.
pub struct Stack {
    wire: Wire,
    interface: Interface,
    sockets: SocketSet<'static>,
    /// The counter that gives the next own port.
    opened: u16,
}

fn instant(now: Ps) -> Instant {
    Instant::from_micros((now.0 / PS_PER_US) as i64)
}

impl Stack {
    pub fn new(now: Ps) -> Stack {
        let mut wire = Wire::default();
        let config = Config::new(HardwareAddress::Ip);
        let mut interface = Interface::new(config, &mut wire, instant(now));
        interface.update_ip_addrs(|addresses| {
            // A first address always has room.
            let _ = addresses.push(IpCidr::new(IpAddress::Ipv4(PC), PREFIX));
        });
        Stack { wire, interface, sockets: SocketSet::new(Vec::new()), opened: 0 }
    }

    /// The next port, in turn, that no connection has; `None` if all are taken.
    fn own_port(&mut self) -> Option<u16> {
        let port = |socket: &AnySocket| match socket {
            AnySocket::Tcp(socket) => socket.local_endpoint().map(|endpoint| endpoint.port),
        };
        let taken: HashSet<u16> = self.sockets.iter().filter_map(|(_, one)| port(one)).collect();
        let mut turns = (0..PORTS).map(|n| self.opened.wrapping_add(n));
        let turn = turns.find(|n| !taken.contains(&(FIRST_PORT + n % PORTS)))?;
        self.opened = turn.wrapping_add(1);
        Some(FIRST_PORT + turn % PORTS)
    }

    /// Begins a connection to a core's port; `None` if there is no port left for it.
    pub fn open(&mut self, core: CoreId, port: u16) -> Option<Connection> {
        let buffer = || SocketBuffer::new(vec![0; BUFFER]);
        let mut socket = Socket::new(buffer(), buffer());
        socket.set_timeout(Some(PATIENCE));
        socket.set_nagle_enabled(false);
        let own = self.own_port()?;
        let target = (IpAddress::Ipv4(address_of(core)), port);
        socket.connect(self.interface.context(), target, own).ok()?;
        Some(self.sockets.add(socket))
    }

    fn socket(&mut self, connection: Connection) -> &mut Socket<'static> {
        self.sockets.get_mut(connection)
    }

    /// Takes bytes for the core, as many as there is room for, and returns their number.
    pub fn send(&mut self, connection: Connection, bytes: &[u8]) -> usize {
        self.socket(connection).send_slice(bytes).unwrap_or(0)
    }

    /// How many bytes [`Stack::send`] takes now.
    pub fn room(&mut self, connection: Connection) -> usize {
        let socket = self.socket(connection);
        if socket.may_send() { socket.send_capacity() - socket.send_queue() } else { 0 }
    }

    /// Takes what the core has sent, at most `most` bytes.
    pub fn receive(&mut self, connection: Connection, most: usize) -> Vec<u8> {
        let socket = self.socket(connection);
        let mut bytes = vec![0; most.min(socket.recv_queue())];
        let length = socket.recv_slice(&mut bytes).unwrap_or(0);
        bytes.truncate(length);
        bytes
    }

    pub fn state(&mut self, connection: Connection) -> State {
        let socket = self.socket(connection);
        State {
            begins: socket.state() == tcp::State::SynSent,
            sends: socket.may_send(),
            receives: socket.may_recv() || socket.recv_queue() > 0,
            over: matches!(socket.state(), tcp::State::Closed | tcp::State::TimeWait),
        }
    }

    /// Ends the PC's side of a connection; the core may still send.
    pub fn close(&mut self, connection: Connection) {
        self.socket(connection).close();
    }

    /// Resets a connection.
    pub fn abort(&mut self, connection: Connection) {
        self.socket(connection).abort();
    }

    /// Removes a connection. If it is not over, the core's next packet is answered by a reset.
    pub fn forget(&mut self, connection: Connection) {
        self.sockets.remove(connection);
    }

    /// Processes the packets that cores have sent at the simulated time `now`; returns the packets
    /// that the PC sends.
    pub fn exchange(
        &mut self,
        now: Ps,
        from_cores: impl IntoIterator<Item = Vec<u8>>,
    ) -> VecDeque<Vec<u8>> {
        self.wire.arrived.extend(from_cores);
        self.interface.poll(instant(now), &mut self.wire, &mut self.sockets);
        std::mem::take(&mut self.wire.sent)
    }
}
