//! Packets of a core for the host's TCP: hostile ones, while a connection is open.

use rockcreek_board::HostService;
use rockcreek_defs::{CoreId, Ps};
use rockcreek_forward::{PacketService, RECEIVE_SERVICE, SEND_SERVICE, SharedPackets, Stack};

const CORE: CoreId = CoreId(3);
/// From 192.168.1.4 to 192.168.1.254, by TCP.
const HEADER: [u8; 20] =
    [0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, 192, 168, 1, 4, 192, 168, 1, 254];
/// Lengths in bytes of the headers of IPv4 and TCP without options.
const IP: usize = 20;
const BOTH: usize = 40;
const SYN_AND_ACK: u8 = 0x12;
const FIN_AND_ACK: u8 = 0x11;
const ACK: u8 = 0x10;

/// Lengths of 16 bits, each with so many bytes: all of them are sent, and time goes on. A packet as
/// long as two headers gets correct sums, and acknowledges the connection's bytes from its first one
/// on, so that hostile packets reach an open connection.
pub fn of_a_core(data: &[u8]) {
    let packets = SharedPackets::default();
    let mut service = PacketService::new(packets.clone(), None);
    let mut stack = Stack::new(Ps(0));
    let connection = stack.open(CORE, 80).expect("a first connection has room");
    let begin = stack.exchange(Ps(0), Vec::new()).pop_front().expect("a SYN");
    let first = u32::from_be_bytes(begin[IP + 4..IP + 8].try_into().expect("four bytes"));
    let (mut rest, mut now) = (data, 0);
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes(*length)) % 2048;
        let (packet, after) = after.split_at(length.min(after.len()));
        rest = after;
        let packet = of_the_connection(packet, first);
        assert!(service.call(CORE, SEND_SERVICE, &packet).is_some_and(|reply| reply.is_empty()));
        now += 1_000_000_000;
        let sent = packets.lock().take_from_cores();
        for packet in stack.exchange(Ps(now), sent.into_iter().map(|(_, packet)| packet)) {
            packets.lock().from_pc(packet);
        }
        stack.receive(connection, 1 << 16);
        match length % 8 {
            0 => stack.close(connection),
            _ => _ = stack.send(connection, b"a request"),
        }
        service.call(CORE, RECEIVE_SERVICE, &[]);
    }
}

/// The packet with the acknowledgement counted from the connection's `first` number, and with sums.
fn of_the_connection(packet: &[u8], first: u32) -> Vec<u8> {
    let mut packet = packet.to_vec();
    if packet.len() >= BOTH {
        let field = packet[IP + 8..IP + 12].try_into().expect("four bytes");
        let ack = first.wrapping_add(u32::from_be_bytes(field));
        packet[IP + 8..IP + 12].copy_from_slice(&ack.to_be_bytes());
        packet[10..12].fill(0);
        let sum = sum_of(&packet[..IP], 0);
        packet[10..12].copy_from_slice(&sum.to_be_bytes());
        packet[IP + 16..IP + 18].fill(0);
        let length = (packet.len() - IP) as u32;
        let pseudo = packet[12..IP].chunks(2).map(word).sum::<u32>() + 6 + length;
        let sum = sum_of(&packet[IP..], pseudo);
        packet[IP + 16..IP + 18].copy_from_slice(&sum.to_be_bytes());
    }
    packet
}

fn word(bytes: &[u8]) -> u32 {
    u32::from(bytes[0]) << 8 | bytes.get(1).map_or(0, |low| u32::from(*low))
}

/// The Internet checksum (RFC 1071), with `more` added to the words.
fn sum_of(bytes: &[u8], more: u32) -> u16 {
    let mut sum = bytes.chunks(2).map(word).sum::<u32>() + more;
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    !(sum as u16)
}

/// A packet of the connection: number, acknowledgement from its first byte on, flags.
fn example(number: u8, ack: u8, flags: u8) -> Vec<u8> {
    let mut packet = HEADER.to_vec();
    packet.extend([0, 80, 0xC0, 0, 0, 0, 0, number, 0, 0, 0, ack, 0x50, flags, 16, 0, 0, 0, 0, 0]);
    let mut whole = (packet.len() as u16).to_le_bytes().to_vec();
    whole.extend(&packet);
    whole
}

/// The answer of a core that takes the connection, its acknowledgement, and its end.
pub fn examples() -> Vec<Vec<u8>> {
    let taken = example(9, 1, SYN_AND_ACK);
    let all = [taken.clone(), example(10, 1, ACK), example(10, 1, FIN_AND_ACK)].concat();
    vec![all, taken]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_open_a_connection() {
        let mut stack = Stack::new(Ps(0));
        let connection = stack.open(CORE, 80).expect("room");
        let begin = stack.exchange(Ps(0), Vec::new()).pop_front().expect("a SYN");
        let first = u32::from_be_bytes(begin[IP + 4..IP + 8].try_into().expect("four bytes"));
        let answer = of_the_connection(&examples()[1][2..], first);
        stack.exchange(Ps(1_000_000_000), vec![answer]);
        assert!(stack.room(connection) > 0 && stack.send(connection, b"x") == 1);
    }
}
