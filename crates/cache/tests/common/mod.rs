//! A memory without timing, and a core that drives its caches to completion on it.

// Each test file uses its part of this module.
#![allow(dead_code)]

use std::collections::BTreeMap;

use rockcreek_cache::{
    CacheConfig, Caches, Geometry, MemoryType, Replacement, Step, StoreEnd, StoreMiss,
};
use rockcreek_defs::bus::{DrainKind, FillKind};
use rockcreek_defs::{BusRequest, BusResponse, CoreAddr};

pub const WB: MemoryType = MemoryType::WriteBack;
pub const WT: MemoryType = MemoryType::WriteThrough;
pub const UC: MemoryType = MemoryType::Uncached;
pub const MPBT: MemoryType = MemoryType::Mpbt { write_through: true };
pub const MPBT_WB: MemoryType = MemoryType::Mpbt { write_through: false };
pub const UC_MPBT: MemoryType = MemoryType::UncachedMpbt;
pub const L1_ONLY: MemoryType = MemoryType::L1Only;

pub const L2_HIT: u32 = 18;

/// The real chip's caches.
pub fn scc() -> CacheConfig {
    CacheConfig {
        line_bytes: 32,
        l1i: Geometry { size_bytes: 16 << 10, ways: 4 },
        l1d: Geometry { size_bytes: 16 << 10, ways: 4 },
        l2: Geometry { size_bytes: 256 << 10, ways: 4 },
        replacement: Replacement::TreePlru,
        l2_replacement: None,
        l2_store_miss: StoreMiss::Around,
        l2_hit_cycles: L2_HIT,
    }
}

/// Caches so small that a few lines compete for every set.
pub fn tiny() -> CacheConfig {
    CacheConfig {
        l1i: Geometry { size_bytes: 64, ways: 1 },
        l1d: Geometry { size_bytes: 128, ways: 2 },
        l2: Geometry { size_bytes: 256, ways: 4 },
        ..scc()
    }
}

/// The memory behind the LUT: its bytes initially are a pattern of their address.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    written: BTreeMap<u32, u8>,
}

impl Memory {
    pub fn byte(&self, addr: u32) -> u8 {
        let pattern = (addr ^ addr >> 8 ^ addr >> 16).wrapping_mul(29) as u8;
        self.written.get(&addr).copied().unwrap_or(pattern)
    }

    pub fn set(&mut self, addr: u32, byte: u8) {
        self.written.insert(addr, byte);
    }

    pub fn value(&self, addr: u32, size: u8) -> u64 {
        (0..u32::from(size)).map(|i| u64::from(self.byte(addr + i)) << (8 * i)).sum()
    }

    pub fn perform(&mut self, request: &BusRequest) -> BusResponse {
        match *request {
            BusRequest::ReadLine { addr, .. } => {
                assert_eq!(addr, addr.line());
                BusResponse::Line(std::array::from_fn(|i| self.byte(addr.0 + i as u32)))
            }
            BusRequest::Read { addr, size } => BusResponse::Value(self.value(addr.0, size)),
            BusRequest::Write { addr, size, data, .. } => {
                for i in 0..u32::from(size) {
                    self.set(addr.0 + i, (data >> (8 * i)) as u8);
                }
                BusResponse::Acknowledge
            }
            BusRequest::WriteLine { addr, data, enable, .. } => {
                for i in (0..32u32).filter(|i| enable >> i & 1 == 1) {
                    self.set(addr.0 + i, data[i as usize]);
                }
                BusResponse::Acknowledge
            }
            BusRequest::IoRead { .. } | BusRequest::IoWrite { .. } => panic!("no port here"),
        }
    }
}

/// One core: its caches, the requests that it sent, and the cycles that it spent in addition to L1
/// hits.
pub struct Core {
    pub caches: Caches,
    pub sent: Vec<BusRequest>,
    pub cycles: u32,
}

impl Core {
    pub fn new(config: &CacheConfig) -> Core {
        Core { caches: Caches::new(config), sent: Vec::new(), cycles: 0 }
    }

    fn drive<T>(
        &mut self,
        memory: &mut Memory,
        mut access: impl FnMut(&mut Caches) -> Step<T>,
        from_response: impl Fn(BusResponse) -> T,
    ) -> T {
        for _ in 0..2000 {
            match access(&mut self.caches) {
                Step::Done { value, cycles } => {
                    self.cycles += cycles;
                    return value;
                }
                Step::Need { request, finishes } => {
                    self.sent.push(request);
                    let response = memory.perform(&request);
                    self.caches.complete(&request, &response);
                    if finishes {
                        return from_response(response);
                    }
                }
            }
        }
        panic!("the access never ends");
    }

    pub fn read(&mut self, memory: &mut Memory, addr: u32, size: u8, ty: MemoryType) -> u64 {
        self.drive(memory, |caches| caches.read(CoreAddr(addr), size, ty), value_of)
    }

    pub fn write(&mut self, memory: &mut Memory, addr: u32, size: u8, v: u64, ty: MemoryType) {
        self.drive(memory, |caches| caches.write(CoreAddr(addr), size, v, ty), |_| StoreEnd::Done);
    }

    pub fn exchange(
        &mut self,
        memory: &mut Memory,
        addr: u32,
        size: u8,
        v: u64,
        ty: MemoryType,
    ) -> u64 {
        let old = self.drive(memory, |c| c.locked_read(CoreAddr(addr), size, ty), value_of);
        self.drive(memory, |c| c.locked_write(CoreAddr(addr), size, v, ty), |_| StoreEnd::Done);
        old
    }

    /// The bytes of the code line that holds `addr`.
    pub fn fetch(&mut self, memory: &mut Memory, addr: u32, ty: MemoryType) -> [u8; 32] {
        let line = self.drive(memory, |c| c.fetch(CoreAddr(addr), ty), |_| unreachable!());
        *self.caches.code_bytes(line.slot)
    }

    pub fn wbinvd(&mut self, memory: &mut Memory) {
        self.drive(memory, |caches| caches.wbinvd(), |_| ());
    }

    /// Reads four lines that share the line's sets in L1 and L2, so that the line is evicted.
    pub fn displace(&mut self, memory: &mut Memory, addr: u32) {
        for way in 1..=8 {
            self.read(memory, addr + way * 0x1_0000, 4, WB);
        }
    }

    /// The requests sent since the last call.
    pub fn sent(&mut self) -> Vec<BusRequest> {
        std::mem::take(&mut self.sent)
    }

    /// The cycles since the last call.
    pub fn cycles(&mut self) -> u32 {
        std::mem::take(&mut self.cycles)
    }
}

fn value_of(response: BusResponse) -> u64 {
    let BusResponse::Value(value) = response else { panic!("{response:?} has no value") };
    value
}

/// The names of the requests that a core has sent since the last call.
pub fn kinds(core: &mut Core) -> Vec<&'static str> {
    let name = |request: &BusRequest| match request {
        BusRequest::ReadLine { kind: FillKind::Data, .. } => "fill",
        BusRequest::ReadLine { kind: FillKind::Code, .. } => "fill code",
        BusRequest::ReadLine { kind: FillKind::Mpbt, .. } => "fill mpbt",
        BusRequest::Read { .. } => "read",
        BusRequest::Write { .. } => "write",
        BusRequest::WriteLine { kind: DrainKind::L1Victim, .. } => "l1 victim",
        BusRequest::WriteLine { kind: DrainKind::L2Victim, .. } => "l2 victim",
        BusRequest::WriteLine { kind: DrainKind::WriteCombine, .. } => "wcb",
        BusRequest::IoRead { .. } | BusRequest::IoWrite { .. } => "port",
    };
    core.sent().iter().map(name).collect()
}
