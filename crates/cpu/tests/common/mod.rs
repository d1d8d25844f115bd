//! A core on a bench: flat memory behind its bus, every transaction after a fixed time.

#![allow(dead_code)]

pub mod ends;

use rockcreek_cache::{CacheConfig, Geometry, Replacement};
use rockcreek_cpu::{
    Bus, CodeCache, Core, CpuConfig, Exit, Registers, Segment, TableRegister, cr0, cr4, gpr, sreg,
};
use rockcreek_defs::bus::write_enabled;
use rockcreek_defs::{BusRequest, BusResponse, CoreId, LINE_BYTES};

/// Core cycles that a transaction takes on the bench.
pub const BUS_CYCLES: u64 = 50;
/// Core cycles from the acceptance of a posted store to its acknowledgement.
pub const POSTED_CYCLES: u64 = 40;
pub const MEMORY_BYTES: usize = 4 << 20;
/// The address of test programs.
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
            l2_replacement: None,
            l2_store_miss: rockcreek_cache::StoreMiss::Around,
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
        apic_access_cycles: 18,
        misaligned_cycles: 3,
        pcd_pmb_type: rockcreek_cache::MemoryType::UncachedMpbt,
    }
}

/// Addresses of the tables of [`Bench::protected`].
pub const GDT: u32 = 0x3000;
pub const IDT: u32 = 0x3800;
pub const TSS: u32 = 0x4800;
/// The address of the handlers of all vectors, 16 bytes each: a handler stores its vector at
/// [`VECTOR_SEEN`] and halts.
pub const HANDLERS: u32 = 0x5000;
pub const VECTOR_SEEN: u32 = 0x2F00;
/// Stack of ring 0 when it is entered from ring 3.
pub const INNER_STACK: u32 = 0x7000;
/// Selectors.
pub const CODE0: u16 = 0x08;
pub const DATA0: u16 = 0x10;
pub const CODE3: u16 = 0x1B;
pub const DATA3: u16 = 0x23;
pub const TASK: u16 = 0x28;
/// Page directory and first page table of [`Bench::paged`].
pub const DIRECTORY: u32 = 0x1_0000;
pub const TABLE: u32 = 0x1_1000;
/// The system call gate, open to ring 3.
pub const SYSTEM_CALL: u8 = 0x80;
/// The value at [`VECTOR_SEEN`] before any handler has run.
pub const NO_VECTOR: u32 = 0xFFFF;
/// Page table entry bits.
pub const PRESENT: u32 = 1;
pub const WRITABLE: u32 = 2;
pub const USER: u32 = 4;
pub const WRITE_THROUGH: u32 = 8;
pub const CACHE_DISABLE: u32 = 0x10;
pub const ACCESSED: u32 = 0x20;
pub const DIRTY: u32 = 0x40;
pub const PMB: u32 = 0x80;

/// A core, its memory, and the transactions that it has made.
pub struct Bench {
    pub core: Core,
    pub code: CodeCache,
    pub memory: Vec<u8>,
    pub requests: Vec<BusRequest>,
    /// The value that port reads return.
    pub port_value: u32,
    /// If set, transactions chosen at random, most of them, are performed within a run.
    pub at_once: Option<u64>,
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
        let code = CodeCache::new();
        Bench { core, code, memory, requests: Vec::new(), port_value: 0, at_once: None }
    }

    /// A bench with a program at [`CODE`].
    pub fn with(program: &[u8]) -> Bench {
        let mut bench = Bench::new();
        bench.put(CODE, program);
        bench
    }

    /// A bench with GDT, IDT and TSS; every vector has an interrupt gate to its handler.
    pub fn protected(program: &[u8]) -> Bench {
        let mut bench = Bench::with(program);
        let descriptors = [
            (0, 0),
            (0x0000_FFFF, 0x00CF_9A00),
            (0x0000_FFFF, 0x00CF_9200),
            (0x0000_FFFF, 0x00CF_FA00),
            (0x0000_FFFF, 0x00CF_F200),
            (TSS << 16 | 0x67, 0x0000_8900),
        ];
        for (i, (low, high)) in descriptors.into_iter().enumerate() {
            bench.put_word(GDT + 8 * i as u32, low);
            bench.put_word(GDT + 8 * i as u32 + 4, high);
        }
        for vector in 0..=255u8 {
            let handler = HANDLERS + 16 * u32::from(vector);
            let rights = if vector == SYSTEM_CALL { 0xEE00 } else { 0x8E00 };
            let gate = IDT + 8 * u32::from(vector);
            bench.put_word(gate, u32::from(CODE0) << 16 | handler & 0xFFFF);
            bench.put_word(gate + 4, handler & 0xFFFF_0000 | rights);
            // mov dword [ss:VECTOR_SEEN], vector; hlt (DS may be null here)
            bench.put(handler, &[0x36, 0xC7, 0x05]);
            bench.put_word(handler + 3, VECTOR_SEEN);
            bench.put_word(handler + 7, u32::from(vector));
            bench.put(handler + 11, &[0xF4]);
        }
        bench.put_word(VECTOR_SEEN, NO_VECTOR);
        bench.put_word(TSS + 4, INNER_STACK);
        bench.put_word(TSS + 8, u32::from(DATA0));
        // The I/O bitmap begins beyond the TSS's limit: ring 3 may use no port.
        bench.put_word(TSS + 0x64, 0x68 << 16);
        bench.set(|registers| {
            registers.gdtr = TableRegister { base: GDT, limit: 6 * 8 - 1 };
            registers.idtr = TableRegister { base: IDT, limit: 256 * 8 - 1 };
            registers.tr = Segment::new(TASK, TSS, 0x67, 0x008B);
        });
        bench
    }

    /// A bench with paging: the first 4 MB are mapped to themselves and open to ring 3, as is the
    /// APIC's page.
    pub fn paged(program: &[u8]) -> Bench {
        let mut bench = Bench::protected(program);
        bench.put_word(DIRECTORY, TABLE | PRESENT | WRITABLE | USER);
        for page in 0..1024 {
            bench.put_word(TABLE + 4 * page, page << 12 | PRESENT | WRITABLE | USER);
        }
        bench.set(|registers| {
            registers.cr3 = DIRECTORY;
            registers.cr4 = cr4::MPE;
            registers.cr0 |= cr0::PG;
        });
        bench
    }

    /// Gives a page of [`Bench::paged`] other attributes.
    pub fn map(&mut self, linear: u32, bits: u32) {
        self.put_word(TABLE + (linear >> 12) * 4, linear & !0xFFF | bits);
    }

    /// Continues in ring 3.
    pub fn enter_user(&mut self) {
        self.set(|registers| {
            let data = Segment::from_descriptor(DATA3, 0xFFFF, 0x00CF_F300);
            registers.segments = [data; 6];
            registers.segments[sreg::CS] = Segment::from_descriptor(CODE3, 0xFFFF, 0x00CF_FB00);
        });
    }

    /// Runs to a handler; returns its vector and the words on the stack.
    pub fn caught(&mut self) -> (u32, Vec<u32>) {
        self.run_to_halt();
        let esp = self.general(gpr::ESP);
        (self.word(VECTOR_SEEN), (0..6).map(|i| self.word(esp + 4 * i)).collect())
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

    /// The word that the core would read at a linear address.
    pub fn word(&self, address: u32) -> u32 {
        let memory = &self.memory;
        let behind = |addr: rockcreek_defs::CoreAddr| memory.get(addr.0 as usize).copied();
        let bytes = [0, 1, 2, 3].map(|i| self.core.peek_linear(address + i, &behind).unwrap_or(0));
        u32::from_le_bytes(bytes)
    }

    /// Runs until an event other than a transaction ends the run.
    pub fn run(&mut self, limit: u64) -> Exit {
        loop {
            match self.run_once(limit) {
                Exit::Bus(request) => {
                    let response = self.perform(&request);
                    self.core.complete(self.core.cycles() + BUS_CYCLES, &response);
                    self.core.begin_window();
                }
                exit => return exit,
            }
        }
    }

    fn run_once(&mut self, limit: u64) -> Exit {
        let Some(random) = &mut self.at_once else {
            return self.core.run(&mut self.code, limit);
        };
        let (memory, port_value) = (&mut self.memory[..], self.port_value);
        let answer = BusResponse::Acknowledge;
        let mut bus = AtOnce { memory, requests: &mut self.requests, port_value, random, answer };
        self.core.run_with(&mut self.code, limit, &mut bus)
    }

    /// Runs until HLT.
    pub fn run_to_halt(&mut self) {
        let exit = self.run(u64::MAX);
        assert_eq!(exit, Exit::Halted, "at {:#x}", self.core.registers().eip);
    }

    pub fn perform(&mut self, request: &BusRequest) -> BusResponse {
        self.requests.push(*request);
        performed(&mut self.memory, self.port_value, request)
    }
}

/// A bus that performs transactions within a run, or does not, at random.
struct AtOnce<'a> {
    memory: &'a mut [u8],
    requests: &'a mut Vec<BusRequest>,
    port_value: u32,
    random: &'a mut u64,
    answer: BusResponse,
}

impl Bus for AtOnce<'_> {
    fn ask(&mut self, cycle: u64, request: &BusRequest) -> Option<(u64, &BusResponse)> {
        *self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if *self.random >> 62 == 0 {
            return None;
        }
        self.requests.push(*request);
        self.answer = performed(self.memory, self.port_value, request);
        spoil_vectors();
        Some((cycle + BUS_CYCLES, &self.answer))
    }
}

/// Changes all registers that a called function may change, because translated code must keep its
/// values in them.
fn spoil_vectors() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the ABI lets a function change these registers, and all are named as changed.
    unsafe {
        std::arch::asm!(
            "pcmpeqd xmm0, xmm0",
            "pcmpeqd xmm1, xmm1",
            "pcmpeqd xmm14, xmm14",
            "pcmpeqd xmm15, xmm15",
            out("xmm0") _, out("xmm1") _, out("xmm14") _, out("xmm15") _,
            options(nomem, nostack, preserves_flags),
        );
    }
}

fn performed(memory: &mut [u8], port_value: u32, request: &BusRequest) -> BusResponse {
    match *request {
        BusRequest::ReadLine { addr, .. } => {
            let at = addr.0 as usize % MEMORY_BYTES;
            let line: [u8; LINE_BYTES] =
                memory[at..at + LINE_BYTES].try_into().expect("a whole line");
            BusResponse::Line(line)
        }
        BusRequest::Read { addr, size } => {
            let mut bytes = [0; 8];
            let at = addr.0 as usize % MEMORY_BYTES;
            bytes[..usize::from(size)].copy_from_slice(&memory[at..at + usize::from(size)]);
            BusResponse::Value(u64::from_le_bytes(bytes))
        }
        BusRequest::Write { addr, size, data, posted } => {
            let at = addr.0 as usize % MEMORY_BYTES;
            let bytes = data.to_le_bytes();
            memory[at..at + usize::from(size)].copy_from_slice(&bytes[..usize::from(size)]);
            if posted { BusResponse::Value(POSTED_CYCLES) } else { BusResponse::Acknowledge }
        }
        BusRequest::WriteLine { addr, data, enable, .. } => {
            let at = addr.0 as usize % MEMORY_BYTES;
            write_enabled(&mut memory[at..at + LINE_BYTES], &data, enable);
            BusResponse::Acknowledge
        }
        BusRequest::IoRead { .. } => BusResponse::Value(u64::from(port_value)),
        BusRequest::IoWrite { .. } => BusResponse::Acknowledge,
    }
}
