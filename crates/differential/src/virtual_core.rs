//! The virtual core on a bench: the same cases, one instruction each, in ring 3 with paging, with
//! the descriptors that x86-64 Linux gives an i386 program.
//!
//! Scratch memory and the kernel's stack are uncached, so that what the core wrote is in memory at
//! once; code, tables and descriptors are cached.

use iced_x86::Code;
use rockcreek_cache::{CacheConfig, Geometry, Replacement};
use rockcreek_cpu::{CodeCache, Core, CpuConfig, Exit, Registers, Segment, TableRegister, cr0};
use rockcreek_cpu::{gpr, sreg};
use rockcreek_defs::{BusRequest, BusResponse, CoreId, LINE_BYTES};
use rockcreek_x87::{Fpu, Op, Operand, describe, execute};

use crate::case::{Case, Fault, Kind, Outcome, PAGE_FAULT};
use crate::generate::decode;
use crate::layout::{self, selector};

const PAGE: u32 = 4096;
/// Physical places.
const DIRECTORY: u32 = 0;
const SCRATCH_TABLE: u32 = PAGE;
const CODE_TABLE: u32 = 2 * PAGE;
const SYSTEM_TABLE: u32 = 3 * PAGE;
const SYSTEM_PAGES: u32 = 4 * PAGE;
const SCRATCH_PAGES: u32 = 6 * PAGE;
const CODE_PAGES: u32 = 16 * PAGE;
const MEMORY_BYTES: u32 = CODE_PAGES + layout::BATCH as u32 * layout::SLOT_BYTES;

/// Linear place of the tables and the kernel's stack; only ring 0 may read it.
const SYSTEM: u32 = 0xC800_0000;
const GDT: u32 = SYSTEM;
const GDT_BYTES: u32 = 0x80;
const TSS: u32 = SYSTEM + 0x100;
/// Without an I/O permission map.
const TSS_BYTES: u32 = 0x68;
const IDT: u32 = SYSTEM + 0x400;
const VECTORS: u32 = 256;
/// The kernel's stack has the second page.
const KERNEL_STACK_TOP: u32 = SYSTEM + 2 * PAGE;
/// Never executed: a case ends at the boundary before the handler's first instruction.
const HANDLERS: u32 = SYSTEM + 0x1_0000;
const HANDLER_BYTES: u32 = 16;
const KERNEL_CODE: u16 = 0x10;
const KERNEL_STACK: u16 = 0x18;

const PRESENT: u32 = 1;
const WRITABLE: u32 = 2;
const USER: u32 = 4;
const UNCACHED: u32 = 0x10;

/// Exceptions that push an error code (`intel-pentium-manual`, chapter 14).
const WITH_ERROR_CODE: [u32; 7] = [8, 10, 11, 12, 13, 14, 17];

/// One core, its memory, and the registers that every case begins with.
pub struct Bench {
    core: Core,
    code: CodeCache,
    memory: Vec<u8>,
    registers: Registers,
}

impl Default for Bench {
    fn default() -> Bench {
        Bench::new()
    }
}

impl Bench {
    pub fn new() -> Bench {
        let core = Core::new(CoreId(0), &core_config());
        let registers = user_registers(core.registers());
        let memory = vec![0; MEMORY_BYTES as usize];
        let mut bench = Bench { core, code: CodeCache::default(), memory, registers };
        bench.write_page_tables();
        bench.write_descriptors();
        bench
    }

    /// Runs cases of one batch.
    pub fn run(&mut self, cases: &[Case]) -> Vec<Outcome> {
        for case in cases {
            let slot = case.slot([layout::NOWHERE; 3]);
            let place = (layout::slot(case.number) - layout::CODE + CODE_PAGES) as usize;
            self.memory[place..place + slot.len()].copy_from_slice(&slot);
        }
        // New code at old addresses: the caches hold the last batch's.
        self.core = Core::new(CoreId(0), &core_config());
        self.code = CodeCache::default();
        cases.iter().map(|case| self.run_case(case)).collect()
    }

    fn run_case(&mut self, case: &Case) -> Outcome {
        let window = (case.window_address - layout::SCRATCH + SCRATCH_PAGES) as usize;
        self.memory[window..window + layout::WINDOW_BYTES].copy_from_slice(&case.window);
        let registers = &mut self.registers;
        registers.general = case.general;
        registers.eip = case.start();
        registers.eflags = case.eflags;
        registers.segments[sreg::ES] = if case.es_is_gs { tls() } else { data() };
        self.core.set_registers(registers);
        self.core.set_fpu(&restore(&case.fpu));
        self.core.begin_window();
        let repeats = decode(&case.bytes, case.entry()).is_string_instruction();
        for _ in 0..=case.prelude.count {
            self.step();
        }
        while repeats
            && self.core.privilege_level() == 3
            && self.core.registers().eip == case.entry()
        {
            self.step();
        }
        // A jump to nowhere faults when the next instruction is fetched.
        let place = self.core.registers().eip.wrapping_sub(layout::slot(case.number));
        if self.core.privilege_level() == 3 && place >= layout::SLOT_BYTES {
            self.step();
        }
        self.outcome(case, window)
    }

    /// One instruction, or one iteration of it, with what it raises.
    fn step(&mut self) {
        // Not by clocks: the second instruction of a pair takes none of its own.
        self.core.pass_break();
        self.core.set_step(true);
        loop {
            match self.core.run(&mut self.code, u64::MAX) {
                Exit::Bus(request) => {
                    let response = self.perform(&request);
                    self.core.complete(self.core.cycles() + 1, &response);
                }
                Exit::Limit | Exit::Halted | Exit::Shutdown(_) | Exit::Break => return,
            }
        }
    }

    fn outcome(&self, case: &Case, window: usize) -> Outcome {
        let now = self.core.registers();
        let mut outcome = Outcome {
            general: now.general,
            eflags: now.eflags,
            eip: now.eip,
            fault: None,
            segments: [sreg::DS, sreg::ES, sreg::FS, sreg::GS]
                .map(|number| now.segments[number].selector),
            fpu: save(self.core.fpu()),
            window: self.memory[window..window + layout::WINDOW_BYTES]
                .try_into()
                .expect("a whole window"),
        };
        if self.core.privilege_level() == 3 {
            return outcome;
        }
        let vector = now.eip.wrapping_sub(HANDLERS) / HANDLER_BYTES;
        let mut stack = now.general[gpr::ESP] - SYSTEM + SYSTEM_PAGES;
        let mut pop = || {
            stack += 4;
            self.word(stack - 4)
        };
        let error = if WITH_ERROR_CODE.contains(&vector) { pop() } else { 0 };
        outcome.eip = pop();
        pop();
        outcome.eflags = pop();
        outcome.general[gpr::ESP] = pop();
        let cr2 = if vector == PAGE_FAULT { now.cr2 } else { 0 };
        outcome.fault = Some(Fault { vector, error, cr2 });
        outcome.segments = [0; 4];
        if case.kind == Kind::Lacking {
            outcome.eflags &= !RESUME;
        }
        outcome
    }

    fn perform(&mut self, request: &BusRequest) -> BusResponse {
        let memory = &mut self.memory;
        match *request {
            BusRequest::ReadLine { addr, .. } => {
                let line = &memory[addr.0 as usize..][..LINE_BYTES];
                BusResponse::Line(line.try_into().expect("a whole line"))
            }
            BusRequest::Read { addr, size } => {
                let mut bytes = [0; 8];
                let size = usize::from(size);
                bytes[..size].copy_from_slice(&memory[addr.0 as usize..][..size]);
                BusResponse::Value(u64::from_le_bytes(bytes))
            }
            BusRequest::Write { addr, size, data, .. } => {
                let size = usize::from(size);
                memory[addr.0 as usize..][..size].copy_from_slice(&data.to_le_bytes()[..size]);
                BusResponse::Acknowledge
            }
            BusRequest::WriteLine { addr, data, enable, .. } => {
                for (i, &byte) in data.iter().enumerate().filter(|(i, _)| enable >> i & 1 != 0) {
                    memory[addr.0 as usize + i] = byte;
                }
                BusResponse::Acknowledge
            }
            BusRequest::IoRead { .. } => BusResponse::Value(0),
            BusRequest::IoWrite { .. } => BusResponse::Acknowledge,
        }
    }

    fn word(&self, physical: u32) -> u32 {
        let bytes = &self.memory[physical as usize..][..4];
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    }

    fn put(&mut self, physical: u32, word: u32) {
        self.memory[physical as usize..][..4].copy_from_slice(&word.to_le_bytes());
    }

    fn write_page_tables(&mut self) {
        let code_pages = layout::BATCH as u32 * layout::SLOT_BYTES / PAGE;
        let mut map = |linear: u32, table: u32, physical: u32, pages: u32, rights: u32| {
            self.put(DIRECTORY + 4 * (linear >> 22), table | PRESENT | WRITABLE | USER);
            for page in 0..pages {
                let entry = table + 4 * ((linear / PAGE + page) % 1024);
                self.put(entry, (physical + page * PAGE) | rights | PRESENT);
            }
        };
        map(layout::SCRATCH, SCRATCH_TABLE, SCRATCH_PAGES, 2, USER | WRITABLE | UNCACHED);
        map(layout::CODE, CODE_TABLE, CODE_PAGES, code_pages, USER);
        map(SYSTEM, SYSTEM_TABLE, SYSTEM_PAGES, 1, WRITABLE);
        map(SYSTEM + PAGE, SYSTEM_TABLE, SYSTEM_PAGES + PAGE, 1, WRITABLE | UNCACHED);
    }

    fn write_descriptors(&mut self) {
        let physical = |linear: u32| linear - SYSTEM + SYSTEM_PAGES;
        let base = layout::GS_BASE;
        let tls = [base << 16 | 0xFFFF, base & 0xFF00_0000 | 0x00DF_F300 | base >> 16 & 0xFF];
        for (chosen, [low, high]) in [
            (KERNEL_CODE, [0xFFFF, 0x00CF_9B00]),
            (KERNEL_STACK, [0xFFFF, 0x00CF_9300]),
            (selector::CODE, [0xFFFF, 0x00CF_FB00]),
            (selector::DATA, [0xFFFF, 0x00CF_F300]),
            (selector::TLS, tls),
        ] {
            let place = physical(GDT) + u32::from(chosen & !7);
            self.put(place, low);
            self.put(place + 4, high);
        }
        self.put(physical(TSS) + 4, KERNEL_STACK_TOP);
        self.put(physical(TSS) + 8, u32::from(KERNEL_STACK));
        self.put(physical(TSS) + 0x64, TSS_BYTES << 16);
        // Linux lets programs reach the gates of INT3 and INTO only.
        for vector in 0..VECTORS {
            let ring = if matches!(vector, 3 | 4) { 3 } else { 0 };
            let handler = HANDLERS + vector * HANDLER_BYTES;
            let place = physical(IDT) + 8 * vector;
            self.put(place, u32::from(KERNEL_CODE) << 16 | handler & 0xFFFF);
            self.put(place + 4, handler & 0xFFFF_0000 | 0x8E00 | ring << 13);
        }
    }
}

/// EFLAGS.RF.
const RESUME: u32 = 1 << 16;

/// The real chip's core; nothing here depends on its timing.
/// A core of the SCC whose memory takes no time.
pub fn core_config() -> CpuConfig {
    CpuConfig {
        cache: CacheConfig {
            line_bytes: LINE_BYTES as u32,
            l1i: Geometry { size_bytes: 16 << 10, ways: 4 },
            l1d: Geometry { size_bytes: 16 << 10, ways: 4 },
            l2: Geometry { size_bytes: 256 << 10, ways: 4 },
            replacement: Replacement::TreePlru,
            l2_replacement: None,
            l2_store_miss: rockcreek_cache::StoreMiss::Around,
            l2_hit_cycles: 1,
        },
        cpuid_family: 5,
        cpuid_model: 2,
        cpuid_stepping: 0,
        cpuid_features: 0x3BF,
        dtlb_entries: 64,
        dtlb_ways: 4,
        dtlb_large_entries: 8,
        itlb_entries: 32,
        itlb_ways: 4,
        tlb_miss_cycles: 0,
        apic_access_cycles: 0,
        misaligned_cycles: 0,
        pcd_pmb_type: rockcreek_cache::MemoryType::UncachedMpbt,
    }
}

fn data() -> Segment {
    Segment::from_descriptor(selector::DATA, 0xFFFF, 0x00CF_F300)
}

fn tls() -> Segment {
    Segment::new(selector::TLS, layout::GS_BASE, u32::MAX, 0xC0F3)
}

fn user_registers(reset: Registers) -> Registers {
    let mut segments = [data(); 6];
    segments[sreg::CS] = Segment::from_descriptor(selector::CODE, 0xFFFF, 0x00CF_FB00);
    segments[sreg::FS] = Segment::null(0);
    segments[sreg::GS] = tls();
    Registers {
        segments,
        ldtr: Segment::null(0),
        // A busy 32-bit TSS.
        tr: Segment::new(0x40, TSS, TSS_BYTES - 1, 0x008B),
        gdtr: TableRegister { base: GDT, limit: GDT_BYTES as u16 - 1 },
        idtr: TableRegister { base: IDT, limit: (8 * VECTORS - 1) as u16 },
        cr0: cr0::PE | cr0::MP | cr0::ET | cr0::NE | cr0::WP | cr0::AM | cr0::PG,
        cr3: DIRECTORY,
        ..reset
    }
}

fn operation(code: Code) -> Op {
    describe(code).expect("an x87 instruction").op
}

/// The image as the unit gives it back: reserved bits set, tags by content.
pub fn canonical(image: &[u8; layout::FPU_BYTES]) -> [u8; layout::FPU_BYTES] {
    save(&restore(image))
}

fn restore(image: &[u8; layout::FPU_BYTES]) -> Fpu {
    let mut fpu = Fpu::new();
    let operand = Operand { register: 0, memory: image, protected: true };
    execute(&mut fpu, operation(Code::Frstor_m108byte), operand, &mut []);
    fpu
}

fn save(fpu: &Fpu) -> [u8; layout::FPU_BYTES] {
    let mut image = [0; layout::FPU_BYTES];
    let operand = Operand { register: 0, memory: &[], protected: true };
    execute(&mut fpu.clone(), operation(Code::Fnsave_m108byte), operand, &mut image);
    image
}
