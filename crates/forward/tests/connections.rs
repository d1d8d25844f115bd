//! The PC's TCP against another one in place of a core's.

use std::collections::VecDeque;
use std::net::Ipv4Addr;

use rockcreek_board::HostService;
use rockcreek_defs::{CoreId, Ps};
use rockcreek_forward::{
    Connection, PacketService, RECEIVE_SERVICE, SEND_SERVICE, SharedPackets, Stack, Wire,
};
use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::socket::tcp::{Socket, SocketBuffer, State};
use smoltcp::time::Instant;
use smoltcp::wire::{HardwareAddress, IpAddress, IpCidr};

const CORE: CoreId = CoreId(17);
const PC: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 254);
const STEP: Ps = Ps(1_000_000_000);

/// A core's Linux: it answers on port 22, and sends and takes packets by its host channel.
struct Guest {
    interface: Interface,
    wire: Wire,
    sockets: SocketSet<'static>,
    server: SocketHandle,
}

fn socket() -> Socket<'static> {
    let buffer = || SocketBuffer::new(vec![0; 4096]);
    Socket::new(buffer(), buffer())
}

impl Guest {
    fn new() -> Guest {
        let mut wire = Wire::default();
        let config = Config::new(HardwareAddress::Ip);
        let mut interface = Interface::new(config, &mut wire, Instant::ZERO);
        interface.update_ip_addrs(|addresses| {
            addresses.push(IpCidr::new(IpAddress::v4(192, 168, 1, 18), 24)).unwrap();
        });
        let mut sockets = SocketSet::new(Vec::new());
        let mut listening = socket();
        listening.listen(22).unwrap();
        let server = sockets.add(listening);
        Guest { interface, wire, sockets, server }
    }

    fn server(&mut self) -> &mut Socket<'static> {
        self.sockets.get_mut(self.server)
    }

    fn run(&mut self, now: Ps, service: &mut PacketService) {
        let take = || service.call(CORE, RECEIVE_SERVICE, &[]).filter(|packet| !packet.is_empty());
        self.wire.arrived.extend(std::iter::from_fn(take));
        let now = Instant::from_micros((now.0 / 1_000_000) as i64);
        self.interface.poll(now, &mut self.wire, &mut self.sockets);
        for packet in self.wire.sent.drain(..) {
            assert_eq!(service.call(CORE, SEND_SERVICE, &packet), Some(Vec::new()));
        }
    }
}

struct Bench {
    now: Ps,
    packets: SharedPackets,
    service: PacketService,
    stack: Stack,
    guest: Guest,
    /// Every packet of the PC.
    sent: Vec<Vec<u8>>,
}

impl Bench {
    fn new() -> Bench {
        let packets = SharedPackets::default();
        let service = PacketService::new(packets.clone(), None);
        let (stack, guest) = (Stack::new(Ps(0)), Guest::new());
        Bench { now: Ps(0), packets, service, stack, guest, sent: Vec::new() }
    }

    fn step(&mut self) {
        self.now = Ps(self.now.0 + STEP.0);
        let taken: VecDeque<_> = self.packets.lock().take_from_cores();
        for packet in self.stack.exchange(self.now, taken.into_iter().map(|(_, packet)| packet)) {
            self.sent.push(packet.clone());
            assert_eq!(self.packets.lock().from_pc(packet), Some(CORE));
        }
        self.guest.run(self.now, &mut self.service);
    }

    fn connect(&mut self, port: u16) -> Connection {
        let connection = self.stack.open(CORE, port).unwrap();
        (0..4).for_each(|_| self.step());
        connection
    }
}

/// The core sends back what it hears.
#[test]
fn bytes_go_both_ways_and_both_ends_close() {
    let mut bench = Bench::new();
    let connection = bench.connect(22);
    assert!(bench.stack.state(connection).sends);
    let text: Vec<u8> = (0..20_000u32).map(|n| n as u8).collect();
    let (mut offered, mut heard, mut back) = (0, Vec::new(), Vec::new());
    while back.len() < text.len() {
        offered += bench.stack.send(connection, &text[offered..]);
        bench.step();
        let server = bench.guest.server();
        let mut bytes = vec![0; server.send_capacity() - server.send_queue()];
        let length = server.recv_slice(&mut bytes).unwrap();
        heard.extend_from_slice(&bytes[..length]);
        assert_eq!(server.send_slice(&bytes[..length]), Ok(length));
        bench.step();
        back.extend(bench.stack.receive(connection, 1_000_000));
    }
    assert!(heard == text && back == text);
    bench.stack.close(connection);
    (0..3).for_each(|_| bench.step());
    assert_eq!(bench.guest.server().state(), State::CloseWait);
    bench.guest.server().close();
    (0..3).for_each(|_| bench.step());
    let state = bench.stack.state(connection);
    assert!(state.over && !state.receives, "{state:?}");
}

#[test]
fn a_port_where_nobody_listens_ends_the_connection() {
    let mut bench = Bench::new();
    let connection = bench.connect(80);
    assert!(bench.stack.state(connection).over);
}

/// Nothing of a core's own reaches a port of the PC: TCP answers with a reset.
#[test]
fn what_a_core_opens_is_refused() {
    let mut bench = Bench::new();
    let mut own = socket();
    own.connect(bench.guest.interface.context(), (IpAddress::Ipv4(PC), 22), 1234).unwrap();
    let own = bench.guest.sockets.add(own);
    (0..4).for_each(|_| bench.step());
    assert_eq!(bench.guest.sockets.get_mut::<Socket<'static>>(own).state(), State::Closed);
    assert_eq!(bench.sent.len(), 1);
    assert_eq!(bench.sent[0][33] & 4, 4, "RST");
}

#[test]
fn a_core_that_says_nothing_is_given_up() {
    let mut bench = Bench::new();
    let connection = bench.stack.open(CORE, 22).unwrap();
    for second in 0..70 {
        bench.stack.exchange(Ps(second * 1_000_000_000_000), Vec::new());
    }
    assert!(bench.stack.state(connection).over);
}

/// The packets of two connections to one port of one core must differ in the PC's port.
#[test]
fn a_connection_that_lasts_keeps_its_port() {
    const FIRST_PORT: u16 = 49_152;
    const PORTS: u16 = 16_384;
    let mut stack = Stack::new(Ps(0));
    let port_of = |packets: VecDeque<Vec<u8>>| u16::from_be_bytes([packets[0][20], packets[0][21]]);
    stack.open(CORE, 22).unwrap();
    assert_eq!(port_of(stack.exchange(STEP, [])), FIRST_PORT);
    for _ in 1..PORTS {
        let other = stack.open(CORE, 22).unwrap();
        stack.forget(other);
    }
    let again = stack.open(CORE, 22).unwrap();
    assert_eq!(port_of(stack.exchange(STEP, [])), FIRST_PORT + 1);
    stack.forget(again);
}

#[test]
fn the_same_bytes_at_the_same_instants_are_the_same_packets() {
    let packets = || {
        let mut bench = Bench::new();
        let connection = bench.connect(22);
        bench.stack.send(connection, b"who is there?");
        (0..5).for_each(|_| bench.step());
        bench.sent
    };
    assert_eq!(packets(), packets());
}

/// A packet service is put before another one, which goes on.
#[test]
fn other_services_stay() {
    struct Others;
    impl HostService for Others {
        fn call(&mut self, _core: CoreId, service: u32, _request: &[u8]) -> Option<Vec<u8>> {
            (service == 1).then(|| vec![1])
        }
        fn save(&self) -> Vec<u8> {
            vec![9]
        }
    }
    let mut service = PacketService::new(SharedPackets::default(), Some(Box::new(Others)));
    assert_eq!(service.call(CORE, 1, &[]), Some(vec![1]));
    assert_eq!(service.call(CORE, 4, &[]), None);
    assert_eq!(service.save(), vec![9]);
}
