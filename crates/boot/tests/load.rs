//! Kernels made by hand, sound and broken.

use rockcreek_boot::{ImageError, Memory, Module, load};

const PRIVATE: u64 = 656 << 20;

#[derive(Default)]
struct Flat(std::collections::BTreeMap<u32, u8>);

impl Memory for Flat {
    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        self.0.extend((address..).zip(bytes.iter().copied()));
        true
    }

    fn clear(&mut self, address: u32, bytes: u32) {
        self.0.retain(|at, _| !(address..address + bytes).contains(at));
    }
}

impl Flat {
    fn word(&self, address: u32) -> u32 {
        let byte = |n| u32::from(self.0.get(&(address + n)).copied().unwrap_or(0));
        byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
    }

    fn text(&self, address: u32) -> String {
        (address..).map(|at| char::from(self.0[&at])).take_while(|c| *c != '\0').collect()
    }
}

/// An ELF file of program headers (type, address, file bytes, memory bytes); every segment's
/// bytes are a multiboot header followed by zeros.
fn elf(machine: u16, kind: u16, segments: &[(u32, u32, u32, u32)]) -> Vec<u8> {
    let mut file = Vec::new();
    let class = if machine == 62 { 2 } else { 1 };
    file.extend([0x7F, b'E', b'L', b'F', class, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    file.extend(kind.to_le_bytes());
    file.extend(machine.to_le_bytes());
    let entry = segments.first().map_or(0, |segment| segment.1);
    for word in [1, entry, 52, 0, 0] {
        file.extend(u32::to_le_bytes(word));
    }
    for half in [52, 32, segments.len() as u16, 40, 0, 0] {
        file.extend(u16::to_le_bytes(half));
    }
    let data_start = 52 + 32 * segments.len() as u32;
    for (kind, address, file_bytes, memory_bytes) in segments {
        let words = [*kind, data_start, *address, *address, *file_bytes, *memory_bytes, 5, 4];
        file.extend(words.into_iter().flat_map(u32::to_le_bytes));
    }
    let header = [0x1BAD_B002, 3, 0u32.wrapping_sub(0x1BAD_B002 + 3)];
    file.extend(header.into_iter().flat_map(u32::to_le_bytes));
    file.resize(data_start as usize + 64, 0);
    file
}

fn kernel() -> Vec<u8> {
    elf(3, 2, &[(1, 0x10_0000, 64, 0x5000), (1, 0x8000, 16, 16)])
}

fn error_of(file: &[u8]) -> ImageError {
    load(file, "", &[], PRIVATE, &mut Flat::default()).unwrap_err()
}

#[test]
fn a_kernel_finds_what_multiboot_promises() {
    let mut memory = Flat::default();
    let modules = [Module { bytes: &[7; 5000], name: "/prog" }, Module { bytes: b"x", name: "b" }];
    let entry = load(&kernel(), "core=7 rank=0", &modules, PRIVATE, &mut memory).unwrap();
    assert_eq!((entry.eip, entry.eax), (0x10_0000, 0x2BAD_B002));
    let info = |n: u32| memory.word(entry.ebx + 4 * n);
    assert_eq!(info(0), 0b10_0100_1101);
    assert_eq!((info(1), info(2)), (640, (656 - 1) << 10));
    assert_eq!(memory.text(info(4)), "core=7 rank=0");
    assert_eq!(info(5), 2);
    let module = |n: u32, word: u32| memory.word(info(6) + 16 * n + 4 * word);
    assert_eq!((module(0, 0) % 4096, module(0, 1) - module(0, 0)), (0, 5000));
    assert_eq!(memory.text(module(0, 2)), "/prog");
    assert_eq!((memory.0[&module(1, 0)], module(1, 0) % 4096), (b'x', 0));
    assert!(module(1, 0) > module(0, 1));
    assert_eq!((info(11), memory.word(info(12)), memory.word(info(12) + 24)), (48, 20, 20));
    assert_eq!(memory.word(info(12) + 28), 1 << 20);
    assert!(entry.ebx >= 0x10_5000, "above the kernel's zeros");
    assert_eq!(memory.word(0x8000), 0x1BAD_B002);
}

/// A core may be started with an image after another one has run there.
#[test]
fn what_an_image_wants_zero_is_cleared() {
    let mut memory = Flat::default();
    memory.write(0x10_0000 - 4, &[0xFF; 0x6000]);
    load(&kernel(), "", &[], PRIVATE, &mut memory).unwrap();
    assert_eq!(memory.word(0x10_0000 - 4), u32::MAX);
    assert_eq!(memory.word(0x10_0000 + 64), 0);
    assert_eq!(memory.word(0x10_4FFC), 0);
}

#[test]
fn broken_images_are_refused_in_words() {
    assert_eq!(error_of(b"#!/bin/sh\n"), ImageError::NotElf);
    assert_eq!(error_of(b""), ImageError::NotElf);
    let other = elf(62, 2, &[(1, 0x10_0000, 64, 64)]);
    assert_eq!(error_of(&other), ImageError::WrongMachine("x86-64".into()));
    assert!(error_of(&other).to_string().contains("i586"));
    assert_eq!(error_of(&elf(3, 3, &[(1, 0x10_0000, 64, 64)])), ImageError::Dynamic);
    let interpreted = elf(3, 2, &[(1, 0x10_0000, 64, 64), (3, 0, 4, 4)]);
    assert_eq!(error_of(&interpreted), ImageError::Dynamic);
    assert!(matches!(error_of(&elf(3, 1, &[])), ImageError::NotExecutable(_)));
    assert_eq!(error_of(&elf(3, 2, &[])), ImageError::Empty);
    let overlapping = elf(3, 2, &[(1, 0x10_0000, 64, 0x2000), (1, 0x10_1000, 64, 64)]);
    let overlap = ImageError::Overlap { first: 0, second: 1, address: 0x10_1000 };
    assert_eq!(error_of(&overlapping), overlap);
    let around = elf(3, 2, &[(1, 0x10_4000, 64, 64), (1, 0x10_0000, 64, 0x8000)]);
    let overlap = ImageError::Overlap { first: 0, second: 1, address: 0x10_4000 };
    assert_eq!(error_of(&around), overlap);
    let outside = elf(3, 2, &[(1, 0xC010_0000, 64, 64)]);
    assert!(matches!(error_of(&outside), ImageError::OutsideMemory { segment: 0, .. }));
}

#[test]
fn every_truncation_is_noticed() {
    let file = kernel();
    for length in 4..file.len() {
        let error = error_of(&file[..length]);
        assert!(matches!(error, ImageError::Truncated { .. }), "{length}: {error}");
    }
}

#[test]
fn a_kernel_must_be_multiboot_and_everything_must_fit() {
    let mut file = kernel();
    let magic = file.windows(4).position(|w| w == 0x1BAD_B002u32.to_le_bytes()).unwrap();
    file[magic] ^= 1;
    assert_eq!(error_of(&file), ImageError::NoMultibootHeader);
    let mut file = kernel();
    file[magic + 4] = 7;
    file[magic + 8] = file[magic + 8].wrapping_sub(4);
    assert_eq!(error_of(&file), ImageError::Features(4));
    let module = [Module { bytes: &[0; 1 << 20], name: "big" }];
    let mut memory = Flat::default();
    let error = load(&kernel(), "", &module, 2 << 20, &mut memory).unwrap_err();
    assert!(memory.0.is_empty(), "what does not fit has been written in part");
    assert!(error.to_string().starts_with("module big needs 1048576 bytes"), "{error}");
}
