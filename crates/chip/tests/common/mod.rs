//! A chip with real cores, and kernels of a few instructions.
//!
//! Each test file uses a part of this module.
#![allow(dead_code)]

pub mod paged;
pub mod scripted;

use rockcreek_chip::{Chip, Description};
use rockcreek_cpu::Core;

/// The text of the real chip's description.
pub const SCC: &str = include_str!("../../../../machine/presets/scc.toml");

/// The number in an environment variable, for tests that can try more than they usually do.
pub fn given(name: &str) -> Option<u32> {
    std::env::var(name).ok().and_then(|text: String| text.parse().ok())
}

pub type Machine = Chip<Core>;

pub fn machine() -> Machine {
    let description = Description::parse(SCC).unwrap();
    Chip::new(&description, |core| Core::new(core, &description.cpu))
}

pub const BASE: u32 = 0x10_0000;
const HEADERS_BYTES: u32 = 52 + 32;
const MULTIBOOT_BYTES: u32 = 12;

/// An ELF file with one segment at 1 MB: a multiboot header, then code.
pub fn kernel(code: &[u8]) -> Vec<u8> {
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

pub fn store(address: u32, value: u32) -> Vec<u8> {
    let mut code = vec![0xC7, 0x05];
    code.extend(address.to_le_bytes());
    code.extend(value.to_le_bytes());
    code
}

/// Code that reports exit status `code` to the host and stops.
pub fn exit(core: u16, code: u32) -> Vec<u8> {
    let channel = 0xFA10_0000 + 0x100 * u32::from(core);
    let stores = [(0x40, 1), (0x44, code), (0x54, 1)];
    let mut bytes: Vec<u8> =
        stores.into_iter().flat_map(|(at, value)| store(channel + at, value)).collect();
    bytes.extend([0xF4, 0xEB, 0xFD]);
    bytes
}

/// Code that takes LOCK0, increments a word of shared memory and frees the lock, 20 times.
pub const LOCKED_COUNT: [u8; 34] = [
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
