//! Packets of a core for the host's TCP: hostile ones, while a connection is open.

use rockcreek_board::HostService;
use rockcreek_defs::{CoreId, Ps};
use rockcreek_forward::{PacketService, RECEIVE_SERVICE, SEND_SERVICE, SharedPackets, Stack};

const CORE: CoreId = CoreId(3);
/// From 192.168.1.4 to 192.168.1.254, by TCP.
const HEADER: [u8; 20] =
    [0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, 192, 168, 1, 4, 192, 168, 1, 254];

/// Lengths of 16 bits, each with so many bytes: all of them are sent, and time goes on.
pub fn of_a_core(data: &[u8]) {
    let packets = SharedPackets::default();
    let mut service = PacketService::new(packets.clone(), None);
    let mut stack = Stack::new(Ps(0));
    let connection = stack.open(CORE, 80).expect("a first connection has room");
    let (mut rest, mut now) = (data, 0);
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes(*length)) % 2048;
        let (packet, after) = after.split_at(length.min(after.len()));
        rest = after;
        assert!(service.call(CORE, SEND_SERVICE, packet).is_some_and(|reply| reply.is_empty()));
        now += 1_000_000_000;
        let sent = packets.lock().take_from_cores();
        for packet in stack.exchange(Ps(now), sent.into_iter().map(|(_, packet)| packet)) {
            packets.lock().from_pc(packet);
        }
        stack.receive(connection, 1 << 16);
        service.call(CORE, RECEIVE_SERVICE, &[]);
    }
}

/// The answer of a core that takes the connection, then one that ends it, as their sums would be.
pub fn examples() -> Vec<Vec<u8>> {
    let mut packet = HEADER.to_vec();
    packet.extend([0, 80, 0xC0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0x50, 0x12, 16, 0, 0, 0, 0, 0]);
    let mut whole = (packet.len() as u16).to_le_bytes().to_vec();
    whole.extend(&packet);
    vec![whole.repeat(3), whole]
}
