//! Random programs on four cores: the end, the counts and the trace are equal on one, two and four
//! host threads, translated and interpreted, with and without the skipping of waits.
//!
//! A program is a loop of random pieces (`pieces.rs`): arithmetic, x87, inner loops, private
//! memory, memory that all cores share with and without their caches, MPBs, locks; stores into the
//! loop's own code and into functions, private and shared ones, and calls of these. With stale
//! lines, each core executes what its own caches contain. Page tables, caches and segments change
//! during the loop; timers and other cores interrupt it. In some programs cores wait for each
//! other; in some all run the same code.

mod generator;
mod pieces;

use std::path::{Path, PathBuf};

use crate::common::paged::{
    APIC_DIVIDE, APIC_EOI, APIC_INITIAL_COUNT, APIC_SPURIOUS, APIC_TIMER, CODE, DIRECTORY, Image,
    TABLE, poke_small_tables, poke_tables, prologue, random,
};
use crate::common::{Machine, exit, given, kernel};
use generator::Random;
use iced_x86::code_asm::*;
use iced_x86::{BlockEncoderOptions, IcedError};
use pieces::{
    CACHED, COUNTS, DATA_SEGMENT, FUNCTION_BASES, FUNCTION_BYTES, FUNCTIONS, GLCFG_IDLE, MPB,
    PROGRESS, PROGRESS_BYTES, SOFTWARE_VECTOR, TILE_BYTES, UNCACHED, piece, wait_for_neighbour,
};
use rockcreek_chip::{Chip, Description, Stopped};
use rockcreek_cpu::Core;
use rockcreek_defs::{CoreAddr, CoreId, Ps};

const CORES: u16 = 4;
const OWN_GLCFG: u32 = 0xF800_0010;
const APIC_LINT0: u32 = 0xFEE0_0350;
const APIC_LINT1: u32 = 0xFEE0_0360;
const LVT_NMI: u32 = 0x400;
const NMI: u8 = 2;
const BREAKPOINT: u8 = 3;
const NO_X87: u8 = 7;
const PAGE_FAULT: u8 = 14;
const LINT0_VECTOR: u8 = 0x31;
const TIMER_VECTOR: u8 = 0x32;
/// Memory types of page table entries.
const PCD: u32 = 0x10;
const PMB: u32 = 0x80;
/// Cores may run ahead as far as the chip permits.
const OWN_WINDOW: u64 = 0;
/// A program that has not ended by this time is compared in the state that it has.
const LONGEST: Ps = Ps(2_000_000_000);
/// The number of programs in `make test`; `CASES` sets another number, `FIRST` the first one's.
const CASES: u32 = 20;
/// The number of programs of which one has its traces compared.
const TRACED: u32 = 10;

/// The SCC with two tiles.
const TWO_TILES: &str = r#"
base = "scc"
[topology]
columns = { value = 2, unit = "tiles", source = ["rockcreek"] }
rows = { value = 1, unit = "tiles", source = ["rockcreek"] }
memory_controller = [{ x = 0, y = 0, port = "west", source = ["rockcreek"] }]
system_interface = { x = 1, port = "south" }
voltage_regulator = { x = 0, port = "north" }
[board]
memory_per_controller = { value = 1, unit = "GiB", source = ["rockcreek"] }
private_slots = { value = 8, unit = "slots", source = ["rockcreek"] }
"#;

/// A description with other rules (`crates/cache/src/policy/mod.rs`), each of which affects these
/// programs: page table entries can have both PCD and PMB set.
const OTHER_RULES: &str = r#"
[cache]
l2_size = { value = 65536, unit = "bytes", source = ["rockcreek"] }
l2_ways = { value = 16, unit = "ways", source = ["rockcreek"] }
[setup.choose]
"cache.l2_replacement" = "lru"
"cache.l2_store_miss" = "allocate"
"core.pcd_pmb_type" = "l1-only"
"#;
/// The number of programs with those rules in `make test`.
const OTHER_CASES: u32 = 5;

/// The properties that the cores of a program share.
#[derive(Clone, Copy)]
struct Plan {
    /// The numbers of pieces.
    kinds: u32,
    waiting: bool,
    rounds: u32,
}

fn program(core: u16, plan: Plan, choose: &mut Random) -> Result<Image, IcedError> {
    let mut a = CodeAssembler::new(32)?;
    let mut again = a.create_label();
    prologue(&mut a)?;
    let registers = [
        (APIC_SPURIOUS, 0x1FF),
        (APIC_LINT0, LINT0_VECTOR.into()),
        (APIC_LINT1, LVT_NMI),
        (APIC_TIMER, 0x2_0000 | u32::from(TIMER_VECTOR)),
        (APIC_DIVIDE, 0xB),
        (APIC_INITIAL_COUNT, 500 + choose.below(20_000)),
    ];
    for (address, value) in registers {
        a.mov(dword_ptr(address), value)?;
    }
    a.mov(eax, DATA_SEGMENT)?;
    [ds, es, fs, gs].into_iter().try_for_each(|segment| a.mov(segment, eax))?;
    a.fninit()?;
    a.mov(ebp, choose.below(u32::MAX))?;
    a.mov(edi, plan.rounds + choose.below(40))?;
    a.sti()?;
    a.set_label(&mut again)?;
    random(&mut a, ebp)?;
    if plan.waiting {
        wait_for_neighbour(&mut a, core, CORES)?;
    }
    for _ in 0..8 + choose.below(40) {
        piece(&mut a, choose, plan.kinds)?;
    }
    a.dec(edi)?;
    a.jne(again)?;
    a.mov(dword_ptr(PROGRESS + PROGRESS_BYTES * u32::from(core)), i32::MAX)?;
    a.db(&exit(core, 0))?;
    let handlers = handlers(&mut a, core)?;
    let options = BlockEncoderOptions::RETURN_NEW_INSTRUCTION_OFFSETS;
    let result = a.assemble_options(CODE.into(), options)?;
    let at = |(vector, label)| (vector, result.label_ip(&label).unwrap() as u32);
    let handlers = handlers.into_iter().map(at).collect();
    Ok(Image { code: result.inner.code_buffer, handlers })
}

fn handlers(a: &mut CodeAssembler, core: u16) -> Result<[(u8, CodeLabel); 7], IcedError> {
    let [mut timer, mut lint0, mut nmi, mut ignored, mut no_x87, mut fault] =
        [(); 6].map(|()| a.create_label());
    let own_glcfg = OWN_GLCFG + 8 * u32::from(core % 2);
    a.set_label(&mut lint0)?;
    a.mov(dword_ptr(own_glcfg), GLCFG_IDLE)?;
    a.set_label(&mut timer)?;
    a.inc(dword_ptr(COUNTS))?;
    a.mov(dword_ptr(APIC_EOI), 0)?;
    a.iretd()?;
    a.set_label(&mut nmi)?;
    a.mov(dword_ptr(own_glcfg), GLCFG_IDLE)?;
    a.set_label(&mut ignored)?;
    a.inc(dword_ptr(COUNTS + 4))?;
    a.iretd()?;
    a.set_label(&mut no_x87)?;
    a.clts()?;
    a.iretd()?;
    // Present and writable again.
    a.set_label(&mut fault)?;
    a.push(eax)?;
    a.push(ebx)?;
    a.mov(eax, cr2)?;
    a.mov(ebx, eax)?;
    a.shr(eax, 12)?;
    a.or(dword_ptr(eax * 4 + TABLE), 3)?;
    a.invlpg(ptr(ebx))?;
    a.inc(dword_ptr(COUNTS + 8))?;
    a.pop(ebx)?;
    a.pop(eax)?;
    a.add(esp, 4)?;
    a.iretd()?;
    Ok([
        (TIMER_VECTOR, timer),
        (LINT0_VECTOR, lint0),
        (NMI, nmi),
        (BREAKPOINT, ignored),
        (SOFTWARE_VECTOR, ignored),
        (NO_X87, no_x87),
        (PAGE_FAULT, fault),
    ])
}

/// A chip that is about to run random programs.
fn chip(description: &Description, seed: u32) -> Machine {
    let mut chip = Chip::new(description, |core| Core::new(core, &description.cpu));
    let mut choose = Random(u64::from(seed) << 20 | 1);
    let (kinds, how) = (choose.below(32), choose.below(4));
    let plan = Plan { kinds, waiting: how == 0, rounds: 34 };
    for core in (0..CORES).map(CoreId) {
        let same = if how == 1 { &mut choose.clone() } else { &mut choose };
        let image = program(core.0, plan, same).unwrap();
        chip.load(core, &kernel(&image.code), "", &[]).unwrap();
        poke_tables(&mut chip, core, &image.handlers, &[UNCACHED, MPB, MPB + TILE_BYTES]);
        let large = CACHED | 0x83;
        let cached = CoreAddr(DIRECTORY + 4 * (CACHED >> 22));
        assert!(chip.uncore.poke(core, cached, &large.to_le_bytes()));
        let registers = [0xE000_0000, 0xE100_0000, 0xF800_0000, 0xFA00_0000, 0xFEC0_0000];
        let mut small = vec![(UNCACHED, PCD), (CACHED, 0), (MPB, PMB), (MPB + TILE_BYTES, PMB)];
        small.extend(registers.map(|address| (address, PCD)));
        poke_small_tables(&mut chip, core, &small);
        for (base, n) in
            FUNCTION_BASES.iter().flat_map(|base| (0..FUNCTIONS).map(move |n| (base, n)))
        {
            let mut code = vec![0x90, 0x90, 0x90, 0xB8];
            code.extend(choose.below(u32::MAX).to_le_bytes());
            code.push(0xC3);
            assert!(chip.uncore.poke(core, CoreAddr(base + n * FUNCTION_BYTES), &code));
        }
    }
    (0..CORES).for_each(|core| chip.release(CoreId(core)));
    chip
}

/// One way to execute a program.
#[derive(Clone, Copy, Debug)]
struct Way {
    threads: usize,
    window: u64,
    translated: bool,
    skipping: bool,
}

impl Way {
    /// The ordinary way, and those that are compared with it.
    fn all(seed: u32) -> Vec<Way> {
        let mut windows = Random(u64::from(seed));
        let mut window = || windows.of(&[31, 200, 1500, OWN_WINDOW]);
        let ordinary = Way { threads: 1, window: OWN_WINDOW, translated: true, skipping: true };
        vec![
            ordinary,
            Way { threads: 2, window: window(), ..ordinary },
            Way { threads: 4, window: window(), ..ordinary },
            Way { translated: false, ..ordinary },
            Way { skipping: false, window: window(), ..ordinary },
            Way { skipping: false, window: window(), translated: false, ..ordinary },
        ]
    }
}

/// The result of a run: what must be equal in all ways, and counts that show how much was tested.
struct End {
    result: (Stopped, String, String, u64),
    interrupts: u64,
    beside: u64,
}

fn end(mut chip: Machine, way: Way, trace: Option<&Path>) -> End {
    if way.window != OWN_WINDOW {
        chip.set_window(way.window);
    }
    chip.set_threads(way.threads).unwrap();
    chip.set_translating(way.translated);
    chip.set_skipping(way.skipping);
    if let Some(path) = trace {
        chip.start_log(std::fs::File::create(path).unwrap(), "a log").unwrap();
    }
    let stopped = chip.run(Some(LONGEST), || true);
    chip.finish_log().unwrap();
    let cores = (0..CORES).map(CoreId);
    let interrupts = cores.map(|core| chip.slot(core).processor.counters().interrupts).sum();
    let statistics = format!("{:?}", chip.statistics().flatten());
    let result = (stopped, chip.state_hash().to_string(), statistics, chip.now().0);
    End { result, interrupts, beside: chip.windows_beside }
}

/// Runs a program in all ways; returns the ways whose ends or traces differ from the ordinary
/// one's.
fn compare(description: &Description, seed: u32, traces: &Path) -> (Vec<End>, Vec<Way>) {
    let ways = Way::all(seed);
    let traced = seed.is_multiple_of(TRACED);
    let logs: Vec<_> = (0..ways.len()).map(|n| traces.join(format!("{n}.log"))).collect();
    let run = |(way, log): (&Way, &PathBuf)| {
        end(chip(description, seed), *way, traced.then_some(log.as_path()))
    };
    let ends: Vec<_> = ways.iter().zip(&logs).map(run).collect();
    let differs = |n: &usize| {
        ends[*n].result != ends[0].result
            || traced && rockcreek_observe::compare(&logs[0], &logs[*n]).unwrap().is_some()
    };
    let different = (1..ways.len()).filter(differs).map(|n| ways[n]).collect();
    (ends, different)
}

#[test]
fn the_way_changes_nothing_under_other_rules() {
    let (first, cases) = (given("FIRST").unwrap_or(0), given("CASES").unwrap_or(OTHER_CASES));
    let [scc, other] = [TWO_TILES.to_owned(), format!("{TWO_TILES}{OTHER_RULES}")]
        .map(|text| Description::parse(&text).unwrap());
    let folder = std::env::temp_dir().join(format!("rockcreek-{}-rules", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut acted = 0;
    for seed in first..first + cases {
        let (ends, different) = compare(&other, seed, &folder);
        assert!(different.is_empty(), "{seed}: {different:#?}");
        let ordinary = end(chip(&scc, seed), Way::all(seed)[0], None);
        acted += u32::from(ends[0].result.2 != ordinary.result.2);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(acted, cases, "the rules are other ones");
}

#[test]
fn the_way_changes_nothing() {
    let (first, cases) = (given("FIRST").unwrap_or(0), given("CASES").unwrap_or(CASES));
    let description = Description::parse(TWO_TILES).unwrap();
    let (mut beside, mut simulated_ps, mut interrupts) = (0, 0, 0);
    let (mut ended, mut differences) = (0, Vec::new());
    let folder = std::env::temp_dir().join(format!("rockcreek-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for seed in first..first + cases {
        let (ends, different) = compare(&description, seed, &folder);
        differences.extend(different.into_iter().map(|way| (seed, way)));
        beside += ends.iter().map(|end| end.beside).sum::<u64>();
        simulated_ps += ends[0].result.3;
        interrupts += ends[0].interrupts;
        ended += u32::from(ends[0].result.0 == Stopped::Ended);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let each = u64::from(cases);
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(4 * ended >= 3 * cases, "{ended} of {cases} programs came to their ends");
    assert!(beside > 20 * each, "windows ran side by side");
    assert!(interrupts > 10 * each, "the timers interrupted");
    println!(
        "random programs: {cases} from {first} on; {beside} windows ran side by side; {interrupts} \
         interrupts; {} us simulated; every end the same",
        simulated_ps / 1_000_000
    );
}
