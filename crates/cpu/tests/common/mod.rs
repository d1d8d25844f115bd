//! A core on a bench: flat memory behind its bus, every transaction after a fixed time.

#![allow(dead_code)]

use rockcreek_cache::{CacheConfig, Geometry, Replacement};
use rockcreek_cpu::{CodeCache, Core, CpuConfig, Exit, Registers, Segment, gpr};
use rockcreek_defs::{BusRequest, BusResponse, CoreId, LINE_BYTES};

/// Core cycles that a transaction takes on the bench.
pub const BUS_CYCLES: u64 = 50;
pub const MEMORY_BYTES: usize = 4 << 20;
/// Where test programs are put.
pub const CODE: u32 = 0x1000;
pub const STACK: u32 = 0x8000;

pub fn config() -> CpuConfig {
    CpuConfig {
        cache: CacheConfig {
            line_bytes: 32,
            l1i: Geometry { size_bytes: 16 << 10, ways: 4 },
            l1d: Geometry { size_bytes: 16 << 10, ways: 4 },
            l2: Geometry { size_bytes: 256 << 10, ways: 4 },
            replacement: Replacement::TreePlru,
            l2_hit_cycles: 18,
        },
        cpuid_family: 5,
        cpuid_model: 2,
        cpuid_stepping: 12,
        cpuid_features: 0x3BF,
        dtlb_entries: 64,
        dtlb_ways: 4,
        dtlb_large_entries: 8,
        itlb_entries: 32,
        itlb_ways: 4,
        tlb_miss_cycles: 4,
        interrupt_entry_cycles: 16,
        misaligned_cycles: 3,
    }
}

/// A core, its memory, and the transactions it made.
pub struct Bench {
    pub core: Core,
    pub code: CodeCache,
    pub memory: Vec<u8>,
    pub requests: Vec<BusRequest>,
    /// What port reads answer.
    pub port_value: u32,
}

impl Default for Bench {
    fn default() -> Bench {
        Bench::new()
    }
}

impl Bench {
    /// A core in flat 32-bit protected mode, caches on, paging off.
    pub fn new() -> Bench {
        let mut core = Core::new(CoreId(0), &config());
        let mut registers = core.registers();
        for (number, segment) in registers.segments.iter_mut().enumerate() {
            *segment = Segment::flat(if number == 1 { 0x08 } else { 0x10 }, number == 1);
        }
        registers.cr0 = 0x11;
        registers.eip = CODE;
        registers.general = [0; 8];
        registers.general[gpr::ESP] = STACK;
        core.set_registers(&registers);
        let memory = vec![0; MEMORY_BYTES];
        Bench { core, code: CodeCache::new(), memory, requests: Vec::new(), port_value: 0 }
    }

    /// The same with a program at [`CODE`].
    pub fn with(program: &[u8]) -> Bench {
        let mut bench = Bench::new();
        bench.put(CODE, program);
        bench
    }

    pub fn put(&mut self, address: u32, bytes: &[u8]) {
        self.memory[address as usize..][..bytes.len()].copy_from_slice(bytes);
    }

    pub fn put_word(&mut self, address: u32, word: u32) {
        self.put(address, &word.to_le_bytes());
    }

    pub fn set(&mut self, change: impl FnOnce(&mut Registers)) {
        let mut registers = self.core.registers();
        change(&mut registers);
        self.core.set_registers(&registers);
    }

    pub fn general(&self, number: usize) -> u32 {
        self.core.registers().general[number]
    }

    /// What the core sees at a linear address.
    pub fn word(&self, address: u32) -> u32 {
        let memory = &self.memory;
        let behind = |addr: rockcreek_defs::CoreAddr| memory.get(addr.0 as usize).copied();
        let bytes = [0, 1, 2, 3].map(|i| self.core.peek_linear(address + i, &behind).unwrap_or(0));
        u32::from_le_bytes(bytes)
    }

    /// Runs until something other than a transaction ends it.
    pub fn run(&mut self, limit: u64) -> Exit {
        loop {
            match self.core.run(&mut self.code, limit) {
                Exit::Bus(request) => {
                    let response = self.perform(&request);
                    self.core.complete(self.core.cycles() + BUS_CYCLES, &response);
                    self.core.begin_window();
                }
                exit => return exit,
            }
        }
    }

    /// Runs until HLT.
    pub fn run_to_halt(&mut self) {
        let exit = self.run(u64::MAX);
        assert_eq!(exit, Exit::Halted, "at {:#x}", self.core.registers().eip);
    }

    pub fn perform(&mut self, request: &BusRequest) -> BusResponse {
        self.requests.push(*request);
        match *request {
            BusRequest::ReadLine { addr, .. } => {
                let at = addr.0 as usize % MEMORY_BYTES;
                let line: [u8; LINE_BYTES] =
                    self.memory[at..at + LINE_BYTES].try_into().expect("a whole line");
                BusResponse::Line(line)
            }
            BusRequest::Read { addr, size } => {
                let mut bytes = [0; 8];
                let at = addr.0 as usize % MEMORY_BYTES;
                bytes[..usize::from(size)]
                    .copy_from_slice(&self.memory[at..at + usize::from(size)]);
                BusResponse::Value(u64::from_le_bytes(bytes))
            }
            BusRequest::Write { addr, size, data } => {
                let at = addr.0 as usize % MEMORY_BYTES;
                let bytes = data.to_le_bytes();
                self.memory[at..at + usize::from(size)]
                    .copy_from_slice(&bytes[..usize::from(size)]);
                BusResponse::Acknowledge
            }
            BusRequest::WriteLine { addr, data, enable, .. } => {
                for (i, byte) in data.iter().enumerate().filter(|(i, _)| enable >> i & 1 != 0) {
                    self.memory[addr.0 as usize % MEMORY_BYTES + i] = *byte;
                }
                BusResponse::Acknowledge
            }
            BusRequest::IoRead { .. } => BusResponse::Value(u64::from(self.port_value)),
            BusRequest::IoWrite { .. } => BusResponse::Acknowledge,
        }
    }
}
