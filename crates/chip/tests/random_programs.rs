//! Random programs on four cores: the end, the counts and the trace are the same on one, two and
//! four host threads, translated and interpreted.
//!
//! A program is a loop of random pieces: arithmetic, x87, inner loops, private memory, memory that
//! all cores share with and without their caches, locks. Among them are stores into the code of
//! functions, the core's own and those of all, and calls of these; with stale lines, each core
//! executes what its own caches hold. A timer interrupts it all.

mod common;

use common::paged::{
    APIC_DIVIDE, APIC_EOI, APIC_INITIAL_COUNT, APIC_SPURIOUS, APIC_TIMER, CODE, DIRECTORY, Image,
    poke_tables, prologue, random,
};
use common::{Machine, SCC, exit, kernel};
use iced_x86::code_asm::*;
use iced_x86::{BlockEncoderOptions, IcedError};
use rockcreek_chip::{Chip, Description, Stopped};
use rockcreek_cpu::Core;
use rockcreek_defs::{CoreAddr, CoreId};
use toml::{Table, Value};

const CORES: u16 = 4;
const DATA: u32 = 0x24_0000;
const X87: u32 = 0x22_0000;
const UNCACHED: u32 = 0x8000_0000;
const CACHED: u32 = 0x8040_0000;
const LOCK: u32 = 0xE000_0200;
/// Functions: `mov r, imm32; ret` behind three bytes, so that the number is aligned.
const FUNCTIONS: u32 = 8;
const FUNCTION_BYTES: u32 = 16;
const OWN_FUNCTIONS: u32 = 0x23_0000;
const SHARED_FUNCTIONS: u32 = CACHED + 0x8000;
const TIMER_VECTOR: u8 = 0x32;
/// As far as the chip likes.
const OWN_WINDOW: u64 = 0;
/// Programs in `make test`; `CASES` is another number, `FIRST` the first one's.
const CASES: u32 = 20;
/// Every so many have their traces compared.
const TRACED: u32 = 10;

/// Knuth's linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }
}

/// The SCC with two tiles.
fn description() -> Description {
    let edge = |x: i64, port: &str| {
        let mut unit = Table::new();
        unit.insert("x".into(), Value::Integer(x));
        unit.insert("y".into(), Value::Integer(0));
        unit.insert("port".into(), Value::String(port.into()));
        unit.insert(
            "source".into(),
            Value::Array(vec![Value::String("intel-sysfpga-2011".into())]),
        );
        Value::Table(unit)
    };
    let mut all: Table = SCC.parse().unwrap();
    let numbers = [
        ("topology", "columns", 2),
        ("topology", "rows", 1),
        ("board", "memory_per_controller", 1),
        ("board", "private_slots", 8),
    ];
    for (section, key, value) in numbers {
        all[section][key]["value"] = Value::Integer(value);
    }
    all["topology"]["memory_controller"] = Value::Array(vec![edge(0, "west")]);
    all["topology"]["system_interface"] = edge(1, "south");
    all["topology"]["voltage_regulator"] = edge(0, "north");
    Description::parse(&all.to_string()).unwrap()
}

/// One piece. EBP is random, EDI counts rounds, the rest is free.
fn piece(a: &mut CodeAssembler, random: &mut Random) -> Result<(), IcedError> {
    let free = [eax, ebx, ecx, edx, esi];
    let (first, second, number) = (random.of(&free), random.of(&free), random.below(u32::MAX));
    let function = |random: &mut Random| {
        let all = random.below(2) == 0;
        let (base, n) =
            (if all { SHARED_FUNCTIONS } else { OWN_FUNCTIONS }, random.below(FUNCTIONS));
        base + n * FUNCTION_BYTES + 3
    };
    // An address in one of the memories, in EBX.
    let address = |a: &mut CodeAssembler, random: &mut Random, base: u32, mask: u32| {
        a.mov(ebx, ebp)?;
        a.shr(ebx, 2 + random.below(14))?;
        a.and(ebx, mask as i32)?;
        a.add(ebx, base as i32)
    };
    match random.below(18) {
        0 => a.add(first, second),
        1 => a.sbb(first, second),
        2 => a.xor(first, number as i32),
        3 => a.imul_2(first, second),
        4 => a.rol(first, 1 + number % 31),
        5 | 6 => {
            address(a, random, DATA, 0x1_FFFC)?;
            a.add(dword_ptr(ebx), first)
        }
        7 => {
            address(a, random, DATA, 0x3FFF)?;
            a.mov(first, dword_ptr(ebx))
        }
        8 => {
            address(a, random, CACHED, 0x3FFC)?;
            a.mov(dword_ptr(ebx), second)
        }
        9 => {
            address(a, random, CACHED, 0x3FFC)?;
            a.adc(first, dword_ptr(ebx))
        }
        10 if random.below(4) == 0 => {
            address(a, random, UNCACHED, 0xFC)?;
            a.xor(dword_ptr(ebx), ebp)
        }
        11 if random.below(4) == 0 => {
            let lock = LOCK + 0x0100_0000 * random.below(2);
            a.mov(eax, dword_ptr(lock))?;
            a.mov(dword_ptr(lock), eax)
        }
        12 => a.mov(dword_ptr(function(random) + 1), ebp),
        // Another register.
        13 => a.mov(byte_ptr(function(random)), 0xB8 + random.of(&[0u32, 1, 2, 3, 6])),
        14 => {
            a.mov(ebx, function(random))?;
            a.call(ebx)
        }
        15 => {
            let mut again = a.create_label();
            a.mov(ecx, 2 + random.below(60))?;
            a.set_label(&mut again)?;
            a.lea(eax, dword_ptr(eax + ecx * 4))?;
            a.xor(edx, eax)?;
            a.dec(ecx)?;
            a.jne(again)
        }
        16 => {
            a.mov(dword_ptr(X87), first)?;
            a.fild(dword_ptr(X87))?;
            a.fadd(qword_ptr(X87 + 8))?;
            a.fstp(qword_ptr(X87 + 8))
        }
        _ => {
            let mut over = a.create_label();
            a.test(ebp, 1 << random.below(24))?;
            a.jne(over)?;
            a.inc(first)?;
            a.mov(dword_ptr(DATA + number % 0x1000 * 4), second)?;
            a.set_label(&mut over)?;
            a.nop()
        }
    }
}

fn program(core: u16, choose: &mut Random) -> Result<Image, IcedError> {
    let mut a = CodeAssembler::new(32)?;
    let [mut again, mut timer] = [(); 2].map(|()| a.create_label());
    prologue(&mut a)?;
    let registers = [
        (APIC_SPURIOUS, 0x1FF),
        (APIC_TIMER, 0x2_0000 | u32::from(TIMER_VECTOR)),
        (APIC_DIVIDE, 0xB),
        (APIC_INITIAL_COUNT, 500 + choose.below(20_000)),
    ];
    for (address, value) in registers {
        a.mov(dword_ptr(address), value)?;
    }
    a.fninit()?;
    a.mov(ebp, choose.below(u32::MAX))?;
    a.mov(edi, 40 + choose.below(80))?;
    a.sti()?;
    a.set_label(&mut again)?;
    random(&mut a, ebp)?;
    for _ in 0..8 + choose.below(40) {
        piece(&mut a, choose)?;
    }
    a.dec(edi)?;
    a.jne(again)?;
    a.db(&exit(core, 0))?;
    a.set_label(&mut timer)?;
    a.inc(dword_ptr(X87 + 16))?;
    a.mov(dword_ptr(APIC_EOI), 0)?;
    a.iretd()?;
    let options = BlockEncoderOptions::RETURN_NEW_INSTRUCTION_OFFSETS;
    let result = a.assemble_options(CODE.into(), options)?;
    let handlers = vec![(TIMER_VECTOR, result.label_ip(&timer)? as u32)];
    Ok(Image { code: result.inner.code_buffer, handlers })
}

/// A chip that is about to run random programs.
fn chip(description: &Description, seed: u32) -> Machine {
    let mut chip = Chip::new(description, |core| Core::new(core, &description.cpu));
    let mut choose = Random(u64::from(seed) << 20 | 1);
    for core in (0..CORES).map(CoreId) {
        let image = program(core.0, &mut choose).unwrap();
        chip.load(core, &kernel(&image.code), "", &[]).unwrap();
        poke_tables(&mut chip, core, &image.handlers, &[UNCACHED]);
        let large = CACHED | 0x83;
        let cached = CoreAddr(DIRECTORY + 4 * (CACHED >> 22));
        assert!(chip.uncore.poke(core, cached, &large.to_le_bytes()));
        for base in [OWN_FUNCTIONS, SHARED_FUNCTIONS] {
            for n in 0..FUNCTIONS {
                let mut code = vec![0x90, 0x90, 0x90, 0xB8];
                code.extend(choose.below(u32::MAX).to_le_bytes());
                code.push(0xC3);
                assert!(chip.uncore.poke(core, CoreAddr(base + n * FUNCTION_BYTES), &code));
            }
        }
    }
    (0..CORES).for_each(|core| chip.release(CoreId(core)));
    chip
}

/// How a program is executed.
#[derive(Clone, Copy, Debug)]
struct Way {
    threads: usize,
    window: u64,
    translated: bool,
}

/// State hash, statistics, time, interrupts.
type End = (String, String, u64, u64);

/// What a run leaves; and how many windows ran side by side.
fn end(mut chip: Machine, way: Way, trace: Option<&std::path::Path>) -> (End, u64) {
    if way.window != OWN_WINDOW {
        chip.set_window(way.window);
    }
    chip.set_threads(way.threads).unwrap();
    chip.set_translating(way.translated);
    if let Some(path) = trace {
        chip.start_log(path).unwrap();
    }
    assert_eq!(chip.run(None, || true), Stopped::Ended);
    chip.finish_log().unwrap();
    let cores = (0..CORES).map(CoreId);
    let exits = cores.clone().map(|core| chip.uncore.board.host.exit(core).map(|exit| exit.reason));
    assert!(exits.into_iter().all(|reason| reason == Some(1)), "a core did not exit");
    let interrupts = cores.map(|core| chip.slot(core).processor.counters().interrupts).sum::<u64>();
    let statistics = format!("{:?}", chip.statistics().flatten());
    ((chip.state_hash().to_string(), statistics, chip.now().0, interrupts), chip.windows_beside)
}

#[test]
fn threads_and_tiers_change_nothing() {
    let given = |name| std::env::var(name).ok().and_then(|text: String| text.parse().ok());
    let (first, cases) = (given("FIRST").unwrap_or(0), given("CASES").unwrap_or(CASES));
    let (description, mut beside, mut simulated_ps, mut interrupts) = (description(), 0, 0, 0);
    let folder = std::env::temp_dir().join(format!("rockcreek-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for seed in first..first + cases {
        let mut windows = Random(u64::from(seed));
        let mut window = || windows.of(&[31, 200, 1500, OWN_WINDOW]);
        let ways = [
            Way { threads: 1, window: OWN_WINDOW, translated: true },
            Way { threads: 2, window: window(), translated: true },
            Way { threads: 4, window: window(), translated: true },
            Way { threads: 1, window: OWN_WINDOW, translated: false },
        ];
        let traced = seed % TRACED == 0;
        let logs = [0, 1, 2, 3].map(|n| folder.join(format!("{n}.log")));
        let mut ends = Vec::new();
        for (way, log) in ways.into_iter().zip(&logs) {
            let machine = chip(&description, seed);
            let (end, windows) = end(machine, way, traced.then_some(log.as_path()));
            beside += windows;
            ends.push(end);
        }
        for n in 1..ends.len() {
            assert_eq!(ends[n], ends[0], "program {seed}, {:?}", ways[n]);
            if traced {
                let differs = rockcreek_observe::compare(&logs[0], &logs[n]).unwrap();
                assert_eq!(differs, None, "program {seed}, {:?}", ways[n]);
            }
        }
        simulated_ps += ends[0].2;
        interrupts += ends[0].3;
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let each = u64::from(cases);
    assert!(beside > 100 * each, "windows ran side by side");
    assert!(interrupts > 10 * each, "the timers interrupted");
    println!(
        "random programs: {cases} from {first} on; {beside} windows ran side by side; {interrupts} \
         interrupts; {} us simulated; every end the same",
        simulated_ps / 1_000_000
    );
}
