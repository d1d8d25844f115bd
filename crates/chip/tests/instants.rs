//! Events that reach a core from outside, and stops of the chip, at pseudo-random instants: the end
//! does not depend on how far cores run ahead.
//!
//! Core 0 works with its caches and TLBs, with its timer on. The other core of its tile changes the
//! tile's clock, core 2 drives core 0's LINT0, LINT1 and STPCLK pins, core 3 interrupts it through
//! the FPGA. All wait a random time before each of their acts; core 0 mixes the time stamp and the
//! place of each interrupt into a word, and polls shared memory for the end of the others. The host
//! also stops the chip at random instants, inspects it, and sometimes continues from a snapshot.

use crate::common;

use common::paged::{
    APIC_DIVIDE, APIC_EOI, APIC_INITIAL_COUNT, APIC_SPURIOUS, APIC_TIMER, CODE, Image, poke_tables,
    prologue, random,
};
use common::{Machine, SCC, exit, kernel, machine};
use iced_x86::code_asm::*;
use iced_x86::{BlockEncoderOptions, IcedError};
use rockcreek_chip::{Companion, Description, Stopped};
use rockcreek_cpu::Core;
use rockcreek_defs::{CoreId, Ps};

const LOG: u32 = 0x22_0000;
const DATA: u32 = 0x24_0000;
/// Addresses of uncached words of shared memory: core n has finished.
const DONE: u32 = 0x8000_0000;

const OWN_GLCFG: u32 = 0xF800_0010;
const TARGET_GLCFG: u32 = 0xE000_0010;
const GLCFG_IDLE: u32 = 0xDF8;
const GLCFG_NMI: u32 = 1;
const GLCFG_INTR: u32 = 2;
const GLCFG_STPCLK_N: u32 = 1 << 6;
const OWN_GCBCFG: u32 = 0xF800_0080;
const GCBCFG_DIVIDER: u32 = 0xF00;
/// Words of core 0 at lower addresses.
const GIC_STATUS: u32 = 0xF900_D000;
const GIC_MASK: u32 = 0xF900_D200;
const GIC_RESET: u32 = 0xF900_D400;
const GIC_CONFIG: u32 = 0xF900_D800;
/// The register with which core 3 requests interrupts of cores 0 to 31.
const GIC_REQUEST_OF_3: u32 = 0xF900_D600 + 4 * 6;
const GIC_FROM_3: u32 = 1 << 9;

const APIC_LINT0: u32 = 0xFEE0_0350;
const APIC_LINT1: u32 = 0xFEE0_0360;
const NMI: u8 = 2;
const LINT0_VECTOR: u8 = 0x31;
const TIMER_VECTOR: u8 = 0x32;

/// Mixes the place and the time of an interrupt into [`LOG`].
fn note(a: &mut CodeAssembler) -> Result<(), IcedError> {
    a.pushad()?;
    a.rdtsc()?;
    a.add(eax, dword_ptr(esp + 32))?;
    a.rol(dword_ptr(LOG), 5)?;
    a.xor(dword_ptr(LOG), eax)?;
    a.inc(dword_ptr(LOG + 4))
}

/// The program of core 0.
#[expect(clippy::too_many_lines, reason = "one guest program")]
fn worker(seed: u32) -> Result<Image, IcedError> {
    let mut a = CodeAssembler::new(32)?;
    let [mut again, mut awake, mut lint0, mut nmi, mut timer] = [(); 5].map(|()| a.create_label());
    prologue(&mut a)?;
    let registers = [
        (GIC_CONFIG, 0),
        (GIC_MASK, !GIC_FROM_3),
        (APIC_SPURIOUS, 0x1FF),
        (APIC_LINT0, LINT0_VECTOR.into()),
        (APIC_LINT1, 0x400),
        (APIC_TIMER, 0x2_0000 | u32::from(TIMER_VECTOR)),
        (APIC_DIVIDE, 0xB),
        (APIC_INITIAL_COUNT, 1_000 + seed % 4_093),
    ];
    for (address, value) in registers {
        a.mov(dword_ptr(address), value)?;
    }
    a.fninit()?;
    a.mov(ebp, seed)?;
    a.sti()?;

    a.set_label(&mut again)?;
    random(&mut a, ebp)?;
    a.mov(ebx, ebp)?;
    a.shr(ebx, 15)?;
    a.and(ebx, 0x1_FFFC)?;
    a.add(dword_ptr(ebx + DATA), ebp)?;
    a.rdtsc()?;
    a.xor(dword_ptr(LOG + 8), eax)?;
    a.mov(esi, ebx)?;
    a.shr(esi, 1)?;
    a.add(esi, DATA)?;
    a.mov(edi, DATA + 0x2_0000)?;
    a.mov(ecx, 24)?;
    a.rep().movsd()?;
    a.fild(dword_ptr(LOG + 8))?;
    a.fabs()?;
    a.fsqrt()?;
    a.fstp(qword_ptr(LOG + 16))?;
    a.xchg(dword_ptr(LOG + 24), ebp)?;
    a.lock().inc(dword_ptr(LOG + 28))?;
    a.test(ebp, 0x3F00)?;
    a.jne(awake)?;
    a.hlt()?;
    a.set_label(&mut awake)?;
    a.test(ebp, 0x1F_0000)?;
    a.jne(again)?;
    a.mov(eax, dword_ptr(DONE + 4))?;
    a.and(eax, dword_ptr(DONE + 8))?;
    a.and(eax, dword_ptr(DONE + 12))?;
    a.je(again)?;
    a.db(&exit(0, 0))?;

    a.set_label(&mut lint0)?;
    note(&mut a)?;
    a.mov(dword_ptr(OWN_GLCFG), GLCFG_IDLE)?;
    a.mov(eax, dword_ptr(GIC_STATUS))?;
    a.mov(dword_ptr(GIC_RESET), eax)?;
    a.mov(dword_ptr(APIC_EOI), 0)?;
    a.popad()?;
    a.iretd()?;
    a.set_label(&mut nmi)?;
    note(&mut a)?;
    a.mov(dword_ptr(OWN_GLCFG), GLCFG_IDLE)?;
    a.popad()?;
    a.iretd()?;
    a.set_label(&mut timer)?;
    note(&mut a)?;
    a.mov(dword_ptr(APIC_EOI), 0)?;
    a.popad()?;
    a.iretd()?;

    let options = BlockEncoderOptions::RETURN_NEW_INSTRUCTION_OFFSETS;
    let result = a.assemble_options(CODE.into(), options)?;
    let handlers = [(LINT0_VECTOR, lint0), (NMI, nmi), (TIMER_VECTOR, timer)]
        .map(|(vector, label)| (vector, result.label_ip(&label).unwrap() as u32));
    Ok(Image { code: result.inner.code_buffer, handlers: handlers.into() })
}

/// The program of a core that acts on core 0 `times` times, each time after a random delay.
fn actor(
    core: u16,
    seed: u32,
    times: u32,
    first: impl FnOnce(&mut CodeAssembler) -> Result<(), IcedError>,
    act: impl FnOnce(&mut CodeAssembler) -> Result<(), IcedError>,
) -> Result<Image, IcedError> {
    let mut a = CodeAssembler::new(32)?;
    let [mut again, mut wait] = [(); 2].map(|()| a.create_label());
    prologue(&mut a)?;
    first(&mut a)?;
    a.mov(esi, seed)?;
    a.mov(edx, times)?;
    a.set_label(&mut again)?;
    random(&mut a, esi)?;
    a.mov(ecx, esi)?;
    a.shr(ecx, 20)?;
    a.inc(ecx)?;
    a.set_label(&mut wait)?;
    a.dec(ecx)?;
    a.jne(wait)?;
    act(&mut a)?;
    a.dec(edx)?;
    a.jne(again)?;
    a.mov(dword_ptr(DONE + 4 * u32::from(core)), 1)?;
    a.db(&exit(core, 0))?;
    Ok(Image { code: a.assemble(CODE.into())?, handlers: Vec::new() })
}

/// The program of core 1, on core 0's tile.
fn clock_changer(seed: u32, times: u32) -> Result<Image, IcedError> {
    let first = |a: &mut CodeAssembler| {
        a.mov(edi, dword_ptr(OWN_GCBCFG))?;
        a.and(edi, !GCBCFG_DIVIDER as i32)
    };
    actor(1, seed, times, first, |a| {
        a.mov(eax, esi)?;
        a.and(eax, 0x300)?;
        a.add(eax, 0x200)?;
        a.or(eax, edi)?;
        a.mov(dword_ptr(OWN_GCBCFG), eax)
    })
}

/// The program of core 2: it raises LINT0, LINT1, both, or STPCLK for a while.
fn pin_driver(seed: u32, times: u32) -> Result<Image, IcedError> {
    actor(
        2,
        seed,
        times,
        |_| Ok(()),
        |a| {
            let [mut pins, mut stopped, mut done] = [(); 3].map(|()| a.create_label());
            a.mov(eax, esi)?;
            a.shr(eax, 8)?;
            a.and(eax, (GLCFG_NMI | GLCFG_INTR) as i32)?;
            a.jne(pins)?;
            a.mov(dword_ptr(TARGET_GLCFG), GLCFG_IDLE & !GLCFG_STPCLK_N)?;
            a.mov(ecx, esi)?;
            a.shr(ecx, 22)?;
            a.inc(ecx)?;
            a.set_label(&mut stopped)?;
            a.dec(ecx)?;
            a.jne(stopped)?;
            a.mov(dword_ptr(TARGET_GLCFG), GLCFG_IDLE)?;
            a.jmp(done)?;
            a.set_label(&mut pins)?;
            a.or(eax, GLCFG_IDLE as i32)?;
            a.mov(dword_ptr(TARGET_GLCFG), eax)?;
            a.set_label(&mut done)?;
            a.nop()
        },
    )
}

/// The program of core 3.
fn interrupter(seed: u32, times: u32) -> Result<Image, IcedError> {
    actor(3, seed, times, |_| Ok(()), |a| a.mov(dword_ptr(GIC_REQUEST_OF_3), 1))
}

/// Cores may run ahead as far as the chip permits.
const OWN_WINDOW: u64 = 0;

/// A chip with the four cores released. Each of cores 1 to 3 acts `times` times.
fn restless(seed: u32, times: u32, window: u64, threads: usize) -> Machine {
    let mut chip = machine();
    if window != OWN_WINDOW {
        chip.set_window(window);
    }
    chip.set_threads(threads).unwrap();
    let mix = |n: u32| seed.wrapping_mul(0x9E37_79B9).wrapping_add(n.wrapping_mul(0x85EB_CA6B));
    let images = [
        worker(mix(1)),
        clock_changer(mix(2), times),
        pin_driver(mix(3), times),
        interrupter(mix(4), times),
    ];
    for (core, image) in (0..).map(CoreId).zip(images) {
        let image = image.unwrap();
        chip.load(core, &kernel(&image.code), "", &[]).unwrap();
        poke_tables(&mut chip, core, &image.handlers, &[DONE]);
    }
    (0..4).for_each(|core| chip.release(CoreId(core)));
    chip
}

/// Everything observable at the end of a run: state hash, statistics, time.
fn finish(chip: &mut Machine) -> (String, String, u64) {
    assert_eq!(chip.run(None, || true), Stopped::Ended);
    let exits =
        (0..4).map(|core| chip.uncore.board.host.exit(CoreId(core)).map(|exit| exit.reason));
    assert!(exits.into_iter().all(|reason| reason == Some(1)), "a core did not exit");
    let statistics = format!("{:?}", chip.statistics().flatten());
    (chip.state_hash().to_string(), statistics, chip.now().0)
}

/// The number of times that core 0's handlers ran.
fn interrupts(chip: &Machine) -> u32 {
    let bytes = chip.read_linear(CoreId(0), LOG + 4, 4).unwrap();
    u32::from_le_bytes(bytes.try_into().unwrap())
}

/// `stops` random instants before `end`, in order.
fn instants(seed: u32, stops: u64, end: u64) -> Vec<Ps> {
    let mut state = u64::from(seed) + 1;
    let mut times: Vec<Ps> = (0..stops)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            Ps((state >> 16) % end)
        })
        .collect();
    times.sort();
    times
}

/// The number of stops after which the states are compared and one chip continues from a snapshot.
const STOPS_PER_LOOK: usize = 40;

/// Runs one seed; returns the number of times that core 0 was interrupted.
fn one_seed(seed: u32, times: u32, stops: u64) -> u32 {
    let mut chip = restless(seed, times, 1, 1);
    let straight = finish(&mut chip);
    for (window, threads) in [(29, 1), (20_000, 1), (OWN_WINDOW, 1), (29, 2), (700, 4)] {
        let mut chip = restless(seed, times, window, threads);
        let end = finish(&mut chip);
        assert_eq!(end, straight, "seed {seed}, window {window}, {threads} threads");
        assert!(threads == 1 || chip.windows_beside > 100, "windows ran side by side");
    }
    let mut slow = restless(seed, times, 1, 1);
    let mut fast = restless(seed, times, 1_000_000, 1);
    for (n, at) in instants(seed, stops, straight.2).into_iter().enumerate() {
        for stopped in [&mut slow, &mut fast].map(|chip| chip.run(Some(at), || true)) {
            assert_eq!(stopped, Stopped::Until);
        }
        if n % STOPS_PER_LOOK == 0 {
            assert_eq!(fast.state_hash(), slow.state_hash(), "seed {seed}, at {at:?}");
            let companion = Companion { description: SCC.into(), ..Companion::default() };
            let file = fast.save(companion);
            let make = |description: &Description, core| Core::new(core, &description.cpu);
            fast = Machine::restore(&file, make).unwrap().0;
            let threads = 1 + n / STOPS_PER_LOOK % 3;
            fast.set_window(if threads == 1 { 1_000_000 } else { 500 });
            fast.set_threads(threads).unwrap();
        }
    }
    for mut stopped in [slow, fast] {
        assert_eq!(finish(&mut stopped), straight, "seed {seed}, with stops");
    }
    interrupts(&chip)
}

#[test]
fn what_comes_at_any_instant_comes_at_that_instant() {
    assert!(one_seed(1, 60, 120) > 60, "core 0 was interrupted");
}

/// A stop behind an instruction that translated code left to the interpreter.
#[test]
fn a_stop_in_translated_code_leaves_nothing_behind() {
    one_seed(9, 250, 250);
}

/// `make stress`: 10,000 instants of each kind.
#[test]
#[ignore = "minutes"]
fn ten_thousand_instants() {
    let (seeds, times) = (40, 250);
    let mut taken = 0;
    for seed in 0..seeds {
        taken += one_seed(seed, times, times.into());
    }
    let each = seeds * times;
    println!(
        "instants: {each} clock changes, {each} pin changes, {each} interrupts through the FPGA, \
         {each} stops; core 0 took {taken} interrupts; every end the same"
    );
}
