//! Packets on their way between the cores and the PC, and the addresses of both.

use std::collections::{BTreeMap, VecDeque};
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rockcreek_defs::CoreId;

/// The largest packet in either direction, in bytes, as on an Ethernet.
pub const LONGEST: usize = 1500;
/// The largest number of packets that wait for one core. Further ones are dropped, as by a network.
const MOST_FOR_A_CORE: usize = 256;
/// The largest number of packets of all cores that wait for the PC.
const MOST_FOR_THE_PC: usize = 4096;

const NET: [u8; 3] = [192, 168, 1];
/// The PC's own address; core n has the last byte n + 1.
pub const PC: Ipv4Addr = Ipv4Addr::new(NET[0], NET[1], NET[2], 254);

/// The address of a core.
pub fn address_of(core: CoreId) -> Ipv4Addr {
    let last = u8::try_from(core.0 + 1).unwrap_or(u8::MAX);
    Ipv4Addr::new(NET[0], NET[1], NET[2], last)
}

const VERSION_AND_LENGTH: u8 = 0x45;
const HEADER: usize = 20;
const SOURCE: usize = 12;
const DESTINATION: usize = 16;

fn address_at(packet: &[u8], at: usize) -> Option<Ipv4Addr> {
    let bytes: [u8; 4] = packet.get(at..at + 4)?.try_into().ok()?;
    Some(Ipv4Addr::from(bytes))
}

/// The packets that wait, and counts of those that were dropped.
#[derive(Debug, Default)]
pub struct Packets {
    to_cores: BTreeMap<CoreId, VecDeque<Vec<u8>>>,
    to_pc: VecDeque<(CoreId, Vec<u8>)>,
    /// Packets of cores that were dropped: no IPv4 packets from the core to the PC, or too many.
    pub refused: u64,
    /// Packets that were dropped because too many waited for their core.
    pub lost: u64,
}

impl Packets {
    /// Takes a packet that a core sends. Counts and drops one whose source is not this core, or
    /// whose destination is not the PC.
    pub fn from_core(&mut self, core: CoreId, packet: &[u8]) {
        let honest = packet.len() <= LONGEST
            && packet.len() >= HEADER
            && packet[0] >> 4 == VERSION_AND_LENGTH >> 4
            && address_at(packet, SOURCE) == Some(address_of(core))
            && address_at(packet, DESTINATION) == Some(PC);
        if honest && self.to_pc.len() < MOST_FOR_THE_PC {
            self.to_pc.push_back((core, packet.to_vec()));
        } else {
            self.refused += 1;
        }
    }

    /// Takes a packet that the PC sends. Returns the core for which it waits now; `None` if it was
    /// dropped.
    pub fn from_pc(&mut self, packet: Vec<u8>) -> Option<CoreId> {
        let target = address_at(&packet, DESTINATION)?.octets();
        if packet.len() > LONGEST || target[..3] != NET || target[3] == 0 {
            return None;
        }
        let core = CoreId(u16::from(target[3]) - 1);
        let queue = self.to_cores.entry(core).or_default();
        if queue.len() >= MOST_FOR_A_CORE {
            self.lost += 1;
            return None;
        }
        queue.push_back(packet);
        Some(core)
    }

    /// Takes the next packet for a core; `None` if none waits.
    pub fn take_for(&mut self, core: CoreId) -> Option<Vec<u8>> {
        self.to_cores.get_mut(&core)?.pop_front()
    }

    /// Takes all packets that cores have sent since the last call, in order, each with its core.
    pub fn take_from_cores(&mut self) -> VecDeque<(CoreId, Vec<u8>)> {
        std::mem::take(&mut self.to_pc)
    }
}

/// Packets that the chip's service and the PC share.
#[derive(Clone, Debug, Default)]
pub struct SharedPackets(Arc<Mutex<Packets>>);

impl SharedPackets {
    pub fn lock(&self) -> MutexGuard<'_, Packets> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(source: Ipv4Addr, destination: Ipv4Addr) -> Vec<u8> {
        let mut packet = vec![0; 40];
        packet[0] = VERSION_AND_LENGTH;
        packet[SOURCE..DESTINATION].copy_from_slice(&source.octets());
        packet[DESTINATION..HEADER].copy_from_slice(&destination.octets());
        packet
    }

    #[test]
    fn a_core_reaches_the_pc_alone_and_by_its_own_address() {
        let (mut packets, own) = (Packets::default(), address_of(CoreId(17)));
        packets.from_core(CoreId(17), &packet(own, PC));
        assert_eq!(packets.refused, 0);
        for wrong in [
            packet(own, Ipv4Addr::new(10, 0, 0, 1)),
            packet(address_of(CoreId(16)), PC),
            packet(own, PC)[..HEADER - 1].to_vec(),
            [packet(own, PC), vec![0; LONGEST]].concat(),
            vec![0x60; 40],
            Vec::new(),
        ] {
            packets.from_core(CoreId(17), &wrong);
        }
        assert_eq!((packets.refused, packets.take_from_cores().len()), (6, 1));
    }

    #[test]
    fn what_waits_is_bounded_both_ways() {
        let mut packets = Packets::default();
        for _ in 0..MOST_FOR_THE_PC + 3 {
            packets.from_core(CoreId(0), &packet(address_of(CoreId(0)), PC));
        }
        assert_eq!(packets.refused, 3);
        for _ in 0..MOST_FOR_A_CORE + 2 {
            packets.from_pc(packet(PC, address_of(CoreId(47))));
        }
        assert_eq!(packets.lost, 2);
        assert_eq!(packets.take_for(CoreId(46)), None);
        assert_eq!(std::iter::from_fn(|| packets.take_for(CoreId(47))).count(), MOST_FOR_A_CORE);
    }

    #[test]
    fn packets_for_nobody_go_nowhere() {
        let mut packets = Packets::default();
        assert_eq!(packets.from_pc(packet(PC, Ipv4Addr::new(192, 168, 0, 1))), None);
        assert_eq!(packets.from_pc(packet(PC, Ipv4Addr::new(192, 168, 1, 0))), None);
        assert_eq!(packets.from_pc(vec![0; 3]), None);
        assert_eq!(packets.from_pc(packet(PC, address_of(CoreId(3)))), Some(CoreId(3)));
    }
}
