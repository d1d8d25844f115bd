//! GLCFG's output bits, and the input pins that stop a core or empty its L1.

use crate::common;

use common::{kernel, machine, store};
use rockcreek_chip::{Phase, Stopped};
use rockcreek_defs::{CoreId, Ps, TileId};

const GLCFG0: u32 = 0xF800_0010;
const SHARED: u32 = 0x8000_0000;
const L2CFG1: u32 = 0xF800_0028;
const L2_OFF: u32 = 0x6DF;
const GCBCFG: u32 = 0xF800_0080;
const RESET_CORE1: u8 = 1 << 1;
const RESET_L2_1: u8 = 1 << 3;
/// mov eax, cr0; and eax, 9FFFFFFFh; mov cr0, eax: caches on
const CACHES_ON: [u8; 11] = [0x0F, 0x20, 0xC0, 0x25, 0xFF, 0xFF, 0xFF, 0x9F, 0x0F, 0x22, 0xC0];

/// mov ecx, n; l: dec ecx; jnz l
fn wait(loops: u32) -> Vec<u8> {
    let mut code = vec![0xB9];
    code.extend(loops.to_le_bytes());
    code.extend([0x49, 0x75, 0xFD]);
    code
}

/// mov eax, [from]; mov [to], eax
fn copy(from: u32, to: u32) -> Vec<u8> {
    let mut code = vec![0xA1];
    code.extend(from.to_le_bytes());
    code.push(0xA3);
    code.extend(to.to_le_bytes());
    code
}

/// Runs `watched` on core 0 and `watcher` on core 1 of tile 0, until no event can happen.
fn run(watched: &[u8], watcher: &[u8], window: u64) -> (common::Machine, Vec<u32>) {
    let mut chip = machine();
    chip.set_window(window);
    for (core, code) in [(0, watched), (1, watcher)] {
        chip.load(CoreId(core), &kernel(code), "", &[]).unwrap();
        chip.release(CoreId(core));
    }
    assert_eq!(chip.run(None, || true), Stopped::Idle);
    let mut bytes = [0; 16];
    assert!(chip.uncore.peek(CoreId(1), rockcreek_defs::CoreAddr(SHARED), &mut bytes));
    let words = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    let seen = words.collect();
    (chip, seen)
}

/// However far the watched core runs ahead, its neighbour reads its state at the instant of the
/// read.
#[test]
fn halt_is_seen_from_when_it_is() {
    let mut watched = wait(3000);
    watched.extend([0xFA, 0xF4]); // cli; hlt
    let mut watcher = copy(GLCFG0, SHARED);
    watcher.extend(wait(9000));
    watcher.extend(copy(GLCFG0, SHARED + 4));
    watcher.extend([0xFA, 0xF4]);
    for window in [1, 300, 1_000_000] {
        let (_, seen) = run(&watched, &watcher, window);
        assert_eq!(seen[..2], [0x34_0DF8, 0x34_8DF8], "window {window}");
    }
}

/// A core that polls GLCFG for its neighbour's HALT sees it, though nothing but the neighbour's own
/// instructions changes the bit.
#[test]
fn halt_ends_a_polling_loop() {
    let mut watched = wait(30_000);
    watched.extend([0xFA, 0xF4]); // cli; hlt
    // l: mov eax, [GLCFG0]; test ah, 80h; jz l
    let mut watcher = vec![0xA1];
    watcher.extend(GLCFG0.to_le_bytes());
    watcher.extend([0xF6, 0xC4, 0x80, 0x74, 0xF6]);
    watcher.extend(store(SHARED, 1));
    watcher.extend([0xFA, 0xF4]);
    assert_eq!(run(&watched, &watcher, 20_000).1[0], 1);
}

#[test]
fn shutdown_and_ferr_are_seen() {
    let mut watcher = wait(9000);
    watcher.extend(copy(GLCFG0, SHARED));
    watcher.extend([0xFA, 0xF4]);
    // ud2 without handlers: a triple fault
    assert_eq!(run(&[0x0F, 0x0B], &watcher, 20_000).1[0], 0x36_0DF8);
    // fninit; push 33Bh; fldcw [esp] (zero divide unmasked); fld1; fldz; fdivp; jmp $ + cli; hlt
    let mut watched = vec![0xBC, 0, 0, 2, 0, 0xDB, 0xE3, 0x68, 0x3B, 0x03, 0, 0, 0xD9, 0x2C, 0x24];
    watched.extend([0xD9, 0xE8, 0xD9, 0xEE, 0xDE, 0xF9, 0xFA, 0xF4]);
    assert_eq!(run(&watched, &watcher, 20_000).1[0], 0x24_8DF8);
}

/// R/S# holds a core between two instructions and lets it continue; PRDY shows it.
#[test]
fn run_stop_stops_and_runs() {
    let mut watched = wait(6000);
    watched.extend(store(SHARED, 1));
    watched.extend([0xFA, 0xF4]);
    let mut watcher = wait(1000);
    watcher.extend(store(GLCFG0, 0xDD8));
    watcher.extend(wait(50_000));
    watcher.extend(copy(GLCFG0, SHARED + 4));
    watcher.extend(copy(SHARED, SHARED + 8));
    watcher.extend(store(GLCFG0, 0xDF8));
    watcher.extend(wait(20_000));
    watcher.extend(copy(SHARED, SHARED + 12));
    watcher.extend([0xFA, 0xF4]);
    for window in [1, 1_000_000] {
        let (_, seen) = run(&watched, &watcher, window);
        assert_eq!(seen[1..], [0x3C_0DD8, 0, 1], "window {window}");
    }
}

/// FLUSH# empties L1 as WBINVD does, and wakes no halted core.
#[test]
fn flush_writes_l1_back() {
    // mov eax, [shared + 400h]; wait; mov [shared + 400h], 77h in L1 only; cli; hlt, caches on
    let place = SHARED + 0x400;
    let mut watched = CACHES_ON.to_vec();
    watched.extend(copy(place, place));
    watched.extend(store(place, 0x77));
    watched.extend([0xFA, 0xF4]);
    let mut watcher = wait(9000);
    watcher.extend(store(GLCFG0, 0xDF0));
    watcher.extend(wait(9000));
    watcher.extend(copy(GLCFG0, SHARED));
    watcher.extend([0xFA, 0xF4]);
    let mut hashes = Vec::new();
    for window in [1, 1_000_000] {
        let (mut chip, seen) = run(&watched, &watcher, window);
        assert_eq!(seen[0], 0x34_8DF0, "it went on waiting");
        let caches = chip.slot(CoreId(0)).processor.caches();
        let l1: Vec<_> = caches.lines().filter(|line| line.cache != "l2").collect();
        assert!(l1.is_empty(), "{l1:?}");
        assert_eq!(caches.stats().l1d_writebacks_to_l2, 1);
        assert_eq!(chip.slot(CoreId(0)).phase, Phase::Halted);
        hashes.push(chip.state_hash());
    }
    assert_eq!(hashes[0], hashes[1]);
}

/// A debugger reads what a core would read, and its reads have no effect.
#[test]
fn peeking_changes_nothing() {
    let mut chip = machine();
    let mut code = wait(3000);
    code.extend([0xFA, 0xF4]);
    chip.load(CoreId(0), &kernel(&code), "", &[]).unwrap();
    chip.release(CoreId(0));
    chip.run(Some(Ps(1_000_000)), || true);
    let before = chip.state_hash();
    assert_eq!(chip.peek_register(TileId(0), 0x010), 0x34_0DF8);
    assert_eq!(chip.state_hash(), before);
    chip.run(None, || true);
    assert_eq!(chip.peek_register(TileId(0), 0x010), 0x34_8DF8);
}

/// or al, bits; mov [GCBCFG], eax
fn reset(bits: u8) -> Vec<u8> {
    let mut code = vec![0x0C, bits, 0xA3];
    code.extend(GCBCFG.to_le_bytes());
    code
}

/// mov eax, [GCBCFG]
fn read_gcbcfg() -> Vec<u8> {
    [vec![0xA1], GCBCFG.to_le_bytes().to_vec()].concat()
}

fn lines_of_l2(chip: &common::Machine, core: CoreId) -> usize {
    chip.slot(core).processor.caches().lines().filter(|line| line.cache == "l2").count()
}

/// The L2 bit of GCBCFG empties the L2 of a core that already is in reset.
#[test]
fn an_l2_is_reset_after_its_core() {
    let mut mate = CACHES_ON.to_vec();
    mate.extend(copy(0x5_0000, 0x5_0000));
    mate.extend([0x0F, 0x09, 0xEB, 0xFE]); // wbinvd: into L2; jmp $
    for (bits, expected) in [(vec![RESET_CORE1], 1), (vec![RESET_CORE1, RESET_L2_1], 0)] {
        let mut code = wait(50_000);
        code.extend(read_gcbcfg());
        code.extend(bits.into_iter().flat_map(reset));
        code.extend([0xFA, 0xF4]);
        let (chip, _) = run(&code, &mate, 20_000);
        assert_eq!(lines_of_l2(&chip, CoreId(1)).min(1), expected);
    }
}

/// A write of L2CFG while the core has a request in progress counts although a reset drops the
/// request.
#[test]
fn l2_stays_off_across_a_reset() {
    // l: mov eax, [a register of the FPGA]; jmp l
    let mate = [0xA1, 0x44, 0x82, 0x00, 0xF9, 0xEB, 0xF9];
    // in 16-bit code: caches on; mov ax, [0]; hlt
    let mut again = vec![0x0F, 0x20, 0xC0, 0x66, 0x25, 0xFF, 0xFF, 0xFF, 0x9F, 0x0F, 0x22, 0xC0];
    again.extend([0xA1, 0, 0, 0xF4]);
    for loops in 1..40 {
        let mut code = wait(loops);
        code.extend(read_gcbcfg());
        code.extend(store(L2CFG1, L2_OFF));
        code.extend(reset(RESET_CORE1));
        code.extend([0x24, !RESET_CORE1, 0xA3]); // and al, ...; mov [GCBCFG], eax
        code.extend(GCBCFG.to_le_bytes());
        code.extend([0xFA, 0xF4]);
        let mut chip = machine();
        for (core, code) in [(0, &code[..]), (1, &mate[..])] {
            chip.load(CoreId(core), &kernel(code), "", &[]).unwrap();
        }
        assert!(chip.uncore.poke(CoreId(1), rockcreek_defs::CoreAddr(0xFFFF_FFF0), &again));
        for core in [0, 1] {
            chip.release(CoreId(core));
        }
        assert_eq!(chip.run(None, || true), Stopped::Idle);
        assert_eq!(chip.slot(CoreId(1)).phase, Phase::Halted);
        assert_eq!(lines_of_l2(&chip, CoreId(1)), 0, "after {loops} rounds");
    }
}
