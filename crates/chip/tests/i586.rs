//! Real cores on the real chip: kernels of a few instructions, assembled by hand.

use rockcreek_chip::{Chip, Description, Stopped};
use rockcreek_cpu::Core;
use rockcreek_defs::{CoreAddr, CoreId, Ps};

type Machine = Chip<Core>;

fn machine() -> Machine {
    let text = include_str!("../../../machine/presets/scc.toml");
    let description = Description::parse(text).unwrap();
    Chip::new(&description, |core| Core::new(core, &description.cpu))
}

const BASE: u32 = 0x10_0000;
const HEADERS_BYTES: u32 = 52 + 32;
const MULTIBOOT_BYTES: u32 = 12;

/// An ELF with one segment at 1 MB: a multiboot header, then code.
fn kernel(code: &[u8]) -> Vec<u8> {
    let bytes = MULTIBOOT_BYTES + code.len() as u32;
    let mut file = vec![0x7F, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 3, 0];
    let mut words = |words: &[u32]| {
        file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    };
    words(&[1, BASE + MULTIBOOT_BYTES, 52, 0, 0, 32 << 16 | 52, 40 << 16 | 1, 0]);
    words(&[1, HEADERS_BYTES, BASE, BASE, bytes, bytes, 7, 4]);
    words(&[0x1BAD_B002, 0, 0u32.wrapping_sub(0x1BAD_B002)]);
    file.extend(code);
    file
}

fn store(address: u32, value: u32) -> Vec<u8> {
    let mut code = vec![0xC7, 0x05];
    code.extend(address.to_le_bytes());
    code.extend(value.to_le_bytes());
    code
}

/// Reports exit status `code` and stops.
fn exit(core: u16, code: u32) -> Vec<u8> {
    let channel = 0xFA10_0000 + 0x100 * u32::from(core);
    let stores = [(0x40, 1), (0x44, code), (0x54, 1)];
    let mut bytes: Vec<u8> =
        stores.into_iter().flat_map(|(at, value)| store(channel + at, value)).collect();
    bytes.extend([0xF4, 0xEB, 0xFD]);
    bytes
}

#[test]
fn a_kernel_says_hi_and_exits() {
    let mut chip = machine();
    let mut code = vec![0xBA, 0xF8, 0x03, 0, 0, 0xB0, b'h', 0xEE, 0xB0, b'i', 0xEE];
    code.extend(exit(7, 42));
    chip.load(CoreId(7), &kernel(&code), "core=7", &[]).unwrap();
    chip.release(CoreId(7));
    assert_eq!(chip.run(None, || true), Stopped::Ended);
    assert_eq!(chip.uncore.board.take_output()[0].bytes, b"hi");
    let exit = chip.uncore.board.host.exit(CoreId(7)).unwrap();
    assert_eq!((exit.reason, exit.code), (1, 42));
    assert_eq!(chip.slot(CoreId(7)).processor.registers().general[0] >> 8, 0x2B_ADB0);
}

/// Spin on LOCK0, count up a word of shared memory, free the lock; 20 times.
const LOCKED_COUNT: [u8; 34] = [
    0xB9, 20, 0, 0, 0, // mov ecx, 20
    0xA1, 0x00, 0x02, 0x00, 0xE0, // mov eax, [LOCK0]
    0xA8, 0x01, // test al, 1
    0x74, 0xF7, // jz back to the read
    0xA1, 0, 0, 0, 0x80, // mov eax, [shared]
    0x40, // inc eax
    0xA3, 0, 0, 0, 0x80, // mov [shared], eax
    0xA3, 0x00, 0x02, 0x00, 0xE0, // mov [LOCK0], eax
    0x49, // dec ecx
    0x75, 0xE4, // jnz back to the read
    0x90,
];

fn locked_count(window: u64) -> (u32, String, u64) {
    let mut chip = machine();
    chip.set_window(window);
    for core in 0..48 {
        let mut code = LOCKED_COUNT.to_vec();
        code.extend(exit(core, 0));
        chip.load(CoreId(core), &kernel(&code), "", &[]).unwrap();
    }
    (0..48).for_each(|core| chip.release(CoreId(core)));
    assert_eq!(chip.run(None, || true), Stopped::Ended);
    let mut word = [0; 4];
    assert!(chip.uncore.peek(CoreId(0), CoreAddr(0x8000_0000), &mut word));
    (u32::from_le_bytes(word), chip.state_hash().to_string(), chip.now().0)
}

#[test]
fn a_lock_protects_a_count_and_every_run_is_the_same() {
    let first = locked_count(20_000);
    assert_eq!(first.0, 48 * 20);
    assert_eq!(locked_count(20_000), first);
    assert_eq!(locked_count(1), first);
    assert_eq!(locked_count(10_000_000), first);
}

/// A kernel that computes privately while a time limit cuts it anywhere.
#[test]
fn a_time_limit_cuts_exactly() {
    let mut hashes = Vec::new();
    for window in [1, 1_000, 1_000_000] {
        let mut chip = machine();
        chip.set_window(window);
        // inc eax; imul ecx, eax, 3; jmp
        chip.load(CoreId(0), &kernel(&[0x40, 0x6B, 0xC8, 0x03, 0xEB, 0xFA]), "", &[]).unwrap();
        chip.release(CoreId(0));
        for until in [1_000_001, 5_000_000, 77_777_777] {
            assert_eq!(chip.run(Some(Ps(until)), || true), Stopped::Until);
        }
        hashes.push(chip.state_hash());
    }
    assert_eq!(hashes[0], hashes[1]);
    assert_eq!(hashes[0], hashes[2]);
}

#[test]
fn linear_addresses_are_read_without_time() {
    let mut chip = machine();
    chip.load(CoreId(3), &kernel(&exit(3, 0)), "", &[]).unwrap();
    chip.release(CoreId(3));
    let bytes = chip.read_linear(CoreId(3), BASE, 4).unwrap();
    assert_eq!(bytes, 0x1BAD_B002u32.to_le_bytes());
    assert_eq!(chip.read_linear(CoreId(3), 0xF900_0000, 4), None);
}
